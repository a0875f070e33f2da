// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table with open addressing.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/counts.h"

static unsigned int *slot_for(const struct counts *counts, unsigned long long ip,
			      unsigned long long parent_ip)
{
	size_t i = ((ip * 31 + parent_ip) * 0x9e3779b97f4a7c15ULL >> 32) & (counts->nr_slots - 1);

	for (; counts->slots[i]; i = (i + 1) & (counts->nr_slots - 1)) {
		const struct count *count = &counts->counts[counts->slots[i] - 1];

		if (count->ip == ip && count->parent_ip == parent_ip)
			break;
	}
	return &counts->slots[i];
}

static int grow_counts(struct counts *counts)
{
	size_t i, room = counts->room ? counts->room * 2 : 64;
	unsigned int *slots = calloc(room * 2, sizeof(*slots));
	struct count *more = slots ? realloc(counts->counts, room * sizeof(*more)) : NULL;

	if (!more) {
		free(slots);
		return -1;
	}
	free(counts->slots);
	counts->counts = more;
	counts->room = room;
	counts->slots = slots;
	counts->nr_slots = room * 2;
	for (i = 0; i < counts->nr; i++)
		*slot_for(counts, more[i].ip, more[i].parent_ip) = i + 1;
	return 0;
}

/**
 * counts_get() - find or create the counters of a function
 * @counts: the table
 * @ip: the function
 * @parent_ip: its caller, or 0
 *
 * Return: the counters, valid until the next call; or NULL without memory.
 */
struct count *counts_get(struct counts *counts, unsigned long long ip,
			 unsigned long long parent_ip)
{
	unsigned int *slot;
	struct count *count;

	if (counts->nr == counts->room && grow_counts(counts))
		return NULL;
	slot = slot_for(counts, ip, parent_ip);
	if (*slot)
		return &counts->counts[*slot - 1];
	count = &counts->counts[counts->nr++];
	*slot = counts->nr;
	memset(count, 0, sizeof(*count));
	count->ip = ip;
	count->parent_ip = parent_ip;
	return count;
}

/**
 * counts_sort() - sort the counters; no counters can be added afterwards
 * @counts: the table
 * @compare: compares two struct count, as for qsort()
 */
void counts_sort(struct counts *counts, int (*compare)(const void *a, const void *b))
{
	if (counts->nr)
		qsort(counts->counts, counts->nr, sizeof(*counts->counts), compare);
}

/**
 * counts_free() - free all counters
 * @counts: the table; it is empty afterwards
 */
void counts_free(struct counts *counts)
{
	free(counts->counts);
	free(counts->slots);
	memset(counts, 0, sizeof(*counts));
}
