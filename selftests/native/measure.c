// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time of a call, see measure.h.
 */
#include <time.h>
#include <unistd.h>

#include "measure.h"

/* Calls in a round, in several passes */
#define MIN_CALLS	60000

/* Flushing takes longer than the calls */
#define MIN_FLUSHED	16000

/* The size of most second-level caches is larger */
#define DEFAULT_L2	(256 * 1024)

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/**
 * measure_l2_bytes() - look up the size of the second-level cache
 *
 * Return: the size in bytes; a size that most machines exceed if it is unknown
 */
unsigned long measure_l2_bytes(void)
{
	long size = sysconf(_SC_LEVEL2_CACHE_SIZE);

	return size > 0 ? size : DEFAULT_L2;
}

/**
 * measure_flush() - remove memory from all caches
 * @set: the memory, which may be none
 */
void measure_flush(const struct measure_set *set)
{
	char *line = set->flush;

	if (!line)
		return;
	for (; line < (char *)set->flush + set->flush_bytes; line += MEASURE_LINE) {
#ifdef __x86_64__
		__builtin_ia32_clflush(line);
#else
		asm volatile("dc civac, %0" : : "r" (line) : "memory");
#endif
	}
	__sync_synchronize();
}

/* Inline, so that each width has a loop of its own */
static inline __attribute__((always_inline))
unsigned long pass(const struct measure_set *set, const unsigned int width, native_fn_t *fn)
{
	const unsigned long *p = set->pointers;
	unsigned long i, nr = set->nr / width;

	for (i = 0; i < nr; i++, p += width)
		fn(p[0], width > 1 ? p[1] : 0, width > 2 ? p[2] : 0, width > 3 ? p[3] : 0,
		   width > 4 ? p[4] : 0, width > 5 ? p[5] : 0);
	return nr;
}

/**
 * measure_pass() - call a function with each pointer once
 * @set: the pointers
 * @width: number of pointers for each call: 1, 2, 3 or 6
 * @fn: the function
 *
 * Return: the number of calls
 */
__attribute__((noinline))
unsigned long measure_pass(const struct measure_set *set, unsigned int width, native_fn_t *fn)
{
	switch (width) {
	case 1:
		return pass(set, 1, fn);
	case 2:
		return pass(set, 2, fn);
	case 3:
		return pass(set, 3, fn);
	default:
		return pass(set, 6, fn);
	}
}

/* The time of a call in ns, in passes that follow each other, or after a flush each */
static double time_of_call(const struct measure_set *set, unsigned int width, native_fn_t *fn)
{
	unsigned long calls = 0, least = set->flush ? MIN_FLUSHED : MIN_CALLS;
	double spent = 0, start;

	measure_pass(set, width, fn);
	while (calls < least) {
		measure_flush(set);
		start = now_ns();
		do {
			calls += measure_pass(set, width, fn);
		} while (!set->flush && calls < least);
		spent += now_ns() - start;
	}
	return spent / calls;
}

/**
 * measure() - measure functions
 * @set: the pointers
 * @width: number of pointers for each call: 1, 2, 3 or 6
 * @rounds: number of rounds, in which all functions take turns
 * @fns: MEASURE_FNS functions; the first one is not traced
 * @costs: set to the costs of the functions; 0 for the first one
 */
void measure(const struct measure_set *set, unsigned int width, unsigned int rounds,
	     native_fn_t * const *fns, struct measure_cost *costs)
{
	double fastest[MEASURE_FNS], time;
	unsigned int round, i;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < MEASURE_FNS; i++) {
			time = time_of_call(set, width, fns[i]);
			if (!round || time < fastest[i])
				fastest[i] = time;
		}
	}
	for (i = 0; i < MEASURE_FNS; i++)
		costs[i].ns = fastest[i] - fastest[0];
}
