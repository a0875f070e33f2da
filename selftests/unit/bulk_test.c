// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bulk allocation changes the number of its cache, however many caches there are.
 */
#include <linux/kernel.h>

#include "objects/bulk.h"
#include "tap.h"

/* Structs of caches, next to one another */
#define CACHE(i)	(0xffff888004c81000UL + (i) * 256UL)

#define NR_CROWD	5000

/* A tombstone remembers the number before its cache allocates */
static void test_crowd(void)
{
	static u32 before[NR_CROWD];
	unsigned int i, wrong = 0;

	for (i = 0; i < NR_CROWD; i++)
		before[i] = objtrace_bulk_nr(CACHE(i));
	for (i = 0; i < NR_CROWD; i++)
		objtrace_bulk_add(CACHE(i));
	for (i = 0; i < NR_CROWD; i++)
		wrong += objtrace_bulk_nr(CACHE(i)) == before[i];
	ok(!wrong, "the first bulk allocations of %u caches change their numbers (%u wrong)",
	   NR_CROWD, wrong);
	wrong = 0;
	for (i = 0; i < NR_CROWD; i++) {
		before[i] = objtrace_bulk_nr(CACHE(i));
		objtrace_bulk_add(CACHE(i));
		wrong += objtrace_bulk_nr(CACHE(i)) == before[i];
	}
	ok(!wrong, "the second bulk allocations of %u caches change their numbers (%u wrong)",
	   NR_CROWD, wrong);
}

int main(void)
{
	test_crowd();
	return tap_done();
}
