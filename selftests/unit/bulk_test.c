// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bulk allocation changes the number of its cache, however many caches there are.  Few caches
 * allocate in bulk on a real system.  Then the number is exact, with several threads, too.
 */
#include <pthread.h>

#include <linux/kernel.h>

#include "objects/bulk.h"
#include "tap.h"

/* Structs of caches, next to one another */
#define CACHE(i)	(0xffff888004c81000UL + (i) * 256UL)

/* Of these caches, each thirtieth allocates in bulk */
#define NR_CACHES	600
#define EACH		30
#define IS_BUSY(i)	((i) % EACH == 0)

#define NR_THREADS	4
#define NR_ROUNDS	500

#define NR_CROWD	5000

static pthread_barrier_t start;

static void *allocate(void *unused)
{
	unsigned int round, i;

	pthread_barrier_wait(&start);
	for (round = 0; round < NR_ROUNDS; round++)
		for (i = 0; i < NR_CACHES; i += EACH)
			objtrace_bulk_add(CACHE(i));
	return NULL;
}

static unsigned int count_wrong(u32 busy)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < NR_CACHES; i++)
		wrong += objtrace_bulk_nr(CACHE(i)) != (IS_BUSY(i) ? busy : 0);
	return wrong;
}

/* The threads compete for the free counters */
static void test_few(void)
{
	pthread_t threads[NR_THREADS];
	unsigned int i, wrong;

	wrong = count_wrong(0);
	ok(!wrong, "the number is 0 before a bulk allocation (%u wrong)", wrong);
	pthread_barrier_init(&start, NULL, NR_THREADS);
	for (i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, allocate, NULL);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
	wrong = count_wrong(NR_THREADS * NR_ROUNDS);
	ok(!wrong, "a bulk allocation changes the number of no other cache (%u wrong)", wrong);
}

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
	test_few();
	test_crowd();
	return tap_done();
}
