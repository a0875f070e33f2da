// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each counter has a unique name, the counters of a group are adjacent, and groups add up.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "records/tally.h"
#include "tap.h"

static bool is_word(const char *name)
{
	return name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name);
}

static void test_names(void)
{
	const struct objtrace_tally_name *a, *b;
	bool named = true, unique = true, counted = true;
	unsigned int i, j;

	for (i = 0; i < OBJTRACE_NR_TALLIES; i++) {
		a = objtrace_tally_name(i);
		named &= is_word(a->group) && is_word(a->name);
		counted &= a->verbs && a->verbs < BIT(OBJTRACE_TALLY_WATCHES + 1);
		for (j = 0; named && j < i; j++) {
			b = objtrace_tally_name(j);
			unique &= strcmp(a->group, b->group) || strcmp(a->name, b->name);
		}
	}
	ok(named, "the group and the name of each counter are single words");
	ok(unique, "no two counters of a group have the same name");
	ok(counted, "each counter belongs to a kind of trigger that exists");
}

static void test_groups(void)
{
	unsigned int i, j, first = 0;
	bool together = true;

	for (i = 1; i < OBJTRACE_NR_TALLIES; i++) {
		if (!objtrace_tally_begins(i))
			continue;
		first++;
		for (j = 0; j < i; j++)
			together &= strcmp(objtrace_tally_name(j)->group,
					   objtrace_tally_name(i)->group) != 0;
	}
	ok(objtrace_tally_begins(0), "the first counter begins a group");
	ok(together && first == 13, "the counters of each of the fourteen groups are adjacent");
}

/* Count N of a group is 1 << N, so that a sum shows its counters */
static void test_sums(void)
{
	u64 counts[OBJTRACE_NR_TALLIES];
	unsigned int i, first = 0, size;
	bool right = true;

	for (i = 0; i < OBJTRACE_NR_TALLIES; i++) {
		if (objtrace_tally_begins(i))
			first = i;
		counts[i] = 1ULL << (i - first);
	}
	for (i = 0; i < OBJTRACE_NR_TALLIES; i += size) {
		for (size = 1; i + size < OBJTRACE_NR_TALLIES; size++)
			if (objtrace_tally_begins(i + size))
				break;
		right &= objtrace_tally_sum(counts, i) == (1ULL << size) - 1;
	}
	ok(right, "each counter is in the sum of one group, once");
	ok(objtrace_tally_sum(counts, OBJTRACE_TALLY_FAULTS) == 1, "the sum of a group with one counter is this counter");
}

static void test_outcomes(void)
{
	static const unsigned int first[] = {
		OBJTRACE_TALLY_BEGUN, OBJTRACE_TALLY_HIT, OBJTRACE_TALLY_ENDED,
		OBJTRACE_TALLY_HINT, OBJTRACE_TALLY_RETURN, OBJTRACE_TALLY_WATCH, OBJTRACE_TALLY_STORE,
	};
	bool same = true;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(first); i++)
		for (j = 0; j < OBJTRACE_NR_OUTCOMES; j++)
			same &= !strcmp(objtrace_tally_name(first[i] + j)->name,
					objtrace_tally_name(first[0] + j)->name);
	ok(same, "all kinds of records have the same names for causes of loss");
	ok(!strcmp(objtrace_tally_name(OBJTRACE_TALLY_HIT + OBJTRACE_LOST_BUFFER)->name,
		   "lost_ring_buffer"),
		   "the first counter plus an outcome is the counter of this outcome");
}

int main(void)
{
	test_names();
	test_groups();
	test_sums();
	test_outcomes();
	return tap_done();
}
