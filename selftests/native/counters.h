/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processor's counters of performance, where this machine has them.
 */
#ifndef _NATIVE_COUNTERS_H
#define _NATIVE_COUNTERS_H

#include "measure.h"

#define COUNTERS_NR	4

/* Widths of calls that are printed together */
#define COUNTERS_WIDTHS	4

/**
 * struct counters - the counters, and what they counted
 * @fd: the counters, -1 for a counter that the machine lacks
 * @why_not: text of the error if no counter could be opened, or NULL
 * @per_call: counts of a call, for each width
 * @nr: number of widths in @per_call
 */
struct counters {
	int		fd[COUNTERS_NR];
	const char	*why_not;
	double		per_call[COUNTERS_WIDTHS][COUNTERS_NR];
	unsigned int	nr;
};

void counters_open(struct counters *c);
void counters_read(struct counters *c, const struct measure_set *set, unsigned int width,
		   native_fn_t *fn);
void counters_print(struct counters *c);

#endif /* _NATIVE_COUNTERS_H */
