/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time of a call.
 */
#ifndef _NATIVE_MEASURE_H
#define _NATIVE_MEASURE_H

#include "calls.h"

/* Bytes of a cache line */
#define MEASURE_LINE	64

/* The untraced function, and the functions that measure() compares with it */
#define MEASURE_FNS	4

#define MEASURE_MAX	16384

/**
 * struct measure_set - the arguments of the calls
 * @pointers: the pointers; each is the argument of one call in a pass
 * @nr: number of pointers
 * @flush: memory to remove from all caches before each pass; NULL if there is none
 * @flush_bytes: size of this memory
 */
struct measure_set {
	unsigned long	pointers[MEASURE_MAX];
	unsigned int	nr;
	void		*flush;
	unsigned long	flush_bytes;
};

/**
 * struct measure_cost - the cost of a function
 * @ns: nanoseconds of a call, less a call of the untraced function; each in its fastest round
 */
struct measure_cost {
	double	ns;
};

void measure(const struct measure_set *set, unsigned int width, unsigned int rounds,
	     native_fn_t * const *fns, struct measure_cost *costs);
unsigned long measure_pass(const struct measure_set *set, unsigned int width, native_fn_t *fn);
void measure_flush(const struct measure_set *set);
unsigned long measure_l2_bytes(void);

#endif /* _NATIVE_MEASURE_H */
