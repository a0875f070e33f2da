/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters for functions, or for pairs of a function and its caller.
 */
#ifndef _TOOLS_OBJTRACE_COUNTS_H
#define _TOOLS_OBJTRACE_COUNTS_H

#include <stddef.h>

#define NR_COUNTS	3

/**
 * struct count - the counters of a function
 * @ip: an address in the function
 * @parent_ip: an address in its caller, or 0
 * @n: the counters, whose meaning is the caller's
 * @is_unsure: a flag of the caller
 */
struct count {
	unsigned long long	ip;
	unsigned long long	parent_ip;
	long long		n[NR_COUNTS];
	int			is_unsure;
};

/**
 * struct counts - a table of counters; all zero when empty
 * @counts: the counters, in the order of their creation until counts_sort()
 * @nr: number of counters
 * @room: number of counters that have memory
 * @slots: hash table of indices + 1
 * @nr_slots: size of @slots
 */
struct counts {
	struct count	*counts;
	size_t		nr;
	size_t		room;
	unsigned int	*slots;
	size_t		nr_slots;
};

struct count *counts_get(struct counts *counts, unsigned long long ip,
			 unsigned long long parent_ip);
void counts_sort(struct counts *counts, int (*compare)(const void *a, const void *b));
void counts_free(struct counts *counts);

#endif /* _TOOLS_OBJTRACE_COUNTS_H */
