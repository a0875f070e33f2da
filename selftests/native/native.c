// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measure the miss path in user space: the shipped trampolines and the shipped filter, in
 * nanoseconds of this machine.  bench-native.sh runs this program, and draws its plot.
 *
 * Each measurement calls a function that returns at once, and subtracts the same loop with a
 * function that is not traced.  So the loop and the function itself cost nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include <linux/kernel.h>

#include "calls.h"
#include "counters.h"
#include "measure.h"
#include "objects/bloom.h"

#define KIB		1024

#define MAX_OBJECTS	65536
#define BASE		0xffff888000000000UL
#define MEMORY		(4UL << 30)

/*
 * The numbers of registers with pointers.  The last kind of trampoline also checks two more
 * registers on arm64, which are 0.
 */
#define NR_WIDTHS	4

static const unsigned int widths[NR_WIDTHS] = { 1, 2, 3, 6 };

/**
 * struct filling - a number of tracked objects
 * @objects: the number
 * @is_small: true if the trampolines begin with the small first level
 * @fn: functions that call the trampolines for @widths
 */
struct filling {
	unsigned int	objects;
	bool		is_small;
	native_fn_t	*fn[NR_WIDTHS];
};

static const struct filling fillings[] = {
	{ 64, true, { native_small1, native_small2, native_small3, native_small } },
	{ 4096, true, { native_small1, native_small2, native_small3, native_small } },
	{ 65536, false, { native_large1, native_large2, native_large3, native_large } },
};

/**
 * struct cache - where the lines of the filter are that the pointers select
 * @name: name for the table
 * @bytes: size of these lines
 * @is_flushed: true if they are in no cache before each pass
 */
struct cache {
	const char	*name;
	unsigned long	bytes;
	bool		is_flushed;
};

static unsigned long tracked[MAX_OBJECTS];
static struct measure_set set;
static struct counters counters;

static u64 random_state = 1;

static u64 random_u64(void)
{
	u64 x = random_state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static unsigned long random_object(void)
{
	return BASE + random_u64() % (MEMORY / 64) * 64;
}

static void track(const struct filling *f)
{
	unsigned int i;

	for (i = 0; i < f->objects; i++) {
		tracked[i] = random_object();
		objtrace_bloom_add(tracked[i], 1);
	}
}

static void untrack(const struct filling *f)
{
	unsigned int i;

	for (i = 0; i < f->objects; i++)
		objtrace_bloom_del(tracked[i], 1);
}

static u8 *count_of(const struct filling *f, unsigned long pointer)
{
	return f->is_small ?
	       &objtrace_bloom_small[objtrace_bloom_first(pointer, OBJTRACE_BLOOM_SMALL_BITS)] :
	       &objtrace_bloom_large[objtrace_bloom_first(pointer, OBJTRACE_BLOOM_LARGE_BITS)];
}

/* A pointer that the filter rejects, with one level or with more */
static unsigned long random_miss(const struct filling *f)
{
	unsigned long pointer;

	do {
		pointer = random_object();
	} while (*count_of(f, pointer) && objtrace_bloom_has(pointer));
	return pointer;
}

/* Choose pointers whose counts are in different cache lines, in random order */
static void choose_pointers(const struct filling *f, const struct cache *cache)
{
	unsigned long size = f->is_small ? sizeof(objtrace_bloom_small) :
					   sizeof(objtrace_bloom_large);
	u8 *level = f->is_small ? objtrace_bloom_small : objtrace_bloom_large;
	unsigned long want = min_t(unsigned long, cache->bytes, size) / MEASURE_LINE;
	static bool is_chosen[sizeof(objtrace_bloom_large) / MEASURE_LINE];
	unsigned long pointer, line;

	memset(is_chosen, 0, sizeof(is_chosen));
	set.nr = 0;
	while (set.nr < want) {
		pointer = random_miss(f);
		line = (count_of(f, pointer) - level) / MEASURE_LINE;
		if (is_chosen[line])
			continue;
		is_chosen[line] = true;
		set.pointers[set.nr++] = pointer;
	}
	set.flush = cache->is_flushed ? level : NULL;
	set.flush_bytes = size;
}

static void print_cost(const struct measure_cost *cost, const struct measure_cost *call,
		       const struct measure_cost *saved)
{
	printf("  %6.2f %5.2f %5.2f", cost->ns, cost->ns / call->ns, cost->ns / saved->ns);
}

/* One line of the table, and of the data for the plot */
static void measure_line(const struct filling *f, const struct cache *cache, unsigned int rounds,
			 FILE *data)
{
	native_fn_t *fns[MEASURE_FNS] = { native_untraced, native_call, native_saved };
	struct measure_cost costs[MEASURE_FNS];
	unsigned int w;

	printf("%7u objects, %-11s", f->objects, cache->name);
	fprintf(data, "\"%u, %s\"", f->objects, cache->name);
	for (w = 0; w < NR_WIDTHS; w++) {
		fns[MEASURE_FNS - 1] = f->fn[w];
		measure(&set, widths[w], rounds, fns, costs);
		print_cost(&costs[3], &costs[1], &costs[2]);
		fprintf(data, " %.3f %.3f %.3f", costs[1].ns, costs[2].ns, costs[3].ns);
		counters_read(&counters, &set, widths[w], f->fn[w]);
	}
	printf("\n");
	fprintf(data, "\n");
	counters_print(&counters);
}

static void print_heading(void)
{
	unsigned int i;

	printf("%-27s", "");
	for (i = 0; i < NR_WIDTHS; i++)
		printf("%10u register%s", widths[i], widths[i] > 1 ? "s" : " ");
	printf("\n%-27s", "");
	for (i = 0; i < NR_WIDTHS; i++)
		printf("      ns  call saved");
	printf("\n");
}

static void measure_all(unsigned int rounds, FILE *data)
{
	const struct cache caches[] = {
		{ "warm", 8 * KIB, false },
		{ "in L2", measure_l2_bytes() / 2, false },
		{ "in no cache", sizeof(objtrace_bloom_large), true },
	};
	unsigned int i, j;

	print_heading();
	for (i = 0; i < ARRAY_SIZE(fillings); i++) {
		track(&fillings[i]);
		for (j = 0; j < ARRAY_SIZE(caches); j++) {
			choose_pointers(&fillings[i], &caches[j]);
			measure_line(&fillings[i], &caches[j], rounds, data);
		}
		untrack(&fillings[i]);
	}
}

/* Measure on the CPU that this process has now */
static void pin(void)
{
	int cpu = sched_getcpu();
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		fprintf(stderr, "cannot stay on CPU %d: %s\n", cpu, strerror(errno));
}

static FILE *open_data(const char *path)
{
	FILE *data = fopen(path, "w");

	if (!data) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(1);
	}
	return data;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	FILE *data;

	if (!rounds) {
		fprintf(stderr, "usage: native ROUNDS DATA-FILE\n");
		return 2;
	}
	data = open_data(argv[2]);
	pin();
	/* Modules are in small pages */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	counters_open(&counters);
	measure_all(rounds, data);
	return fclose(data) ? 1 : 0;
}
