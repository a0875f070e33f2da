// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processor's counters of performance, see counters.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters.h"

#define PASSES		20

/* The config of a cache's read misses, see perf_event_open(2) */
#define READ_MISSES(cache)	\
	((cache) | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const struct {
	const char	*name;
	unsigned int	type;
	unsigned long	config;
} kinds[COUNTERS_NR] = {
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "L1d misses", PERF_TYPE_HW_CACHE, READ_MISSES(PERF_COUNT_HW_CACHE_L1D) },
	{ "dTLB misses", PERF_TYPE_HW_CACHE, READ_MISSES(PERF_COUNT_HW_CACHE_DTLB) },
};

static int open_counter(unsigned int kind)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = kinds[kind].type, .config = kinds[kind].config,
		.exclude_kernel = 1, .exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/**
 * counters_open() - open the counters for this thread
 * @c: the counters
 *
 * Prints one line if the machine has none of them.
 */
void counters_open(struct counters *c)
{
	unsigned int i, found = 0;

	for (i = 0; i < COUNTERS_NR; i++) {
		c->fd[i] = open_counter(i);
		if (c->fd[i] < 0)
			c->why_not = strerror(errno);
		found += c->fd[i] >= 0;
	}
	c->nr = 0;
	if (found)
		c->why_not = NULL;
	else
		printf("This machine offers no counters of performance: %s\n", c->why_not);
}

static unsigned long long read_counter(int fd)
{
	unsigned long long count = 0;

	return fd >= 0 && read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

/**
 * counters_read() - count the events of calls
 * @c: the counters; the result is added to their widths
 * @set: the pointers
 * @width: number of pointers for each call
 * @fn: the function, which is counted with the loop around it
 */
void counters_read(struct counters *c, const struct measure_set *set, unsigned int width,
		   native_fn_t *fn)
{
	unsigned long long before[COUNTERS_NR], sum[COUNTERS_NR] = { 0 };
	unsigned long calls = 0;
	unsigned int i, n;

	if (c->why_not || c->nr == COUNTERS_WIDTHS)
		return;
	for (n = 0; n < PASSES; n++) {
		measure_flush(set);
		for (i = 0; i < COUNTERS_NR; i++)
			before[i] = read_counter(c->fd[i]);
		calls += measure_pass(set, width, fn);
		for (i = 0; i < COUNTERS_NR; i++)
			sum[i] += read_counter(c->fd[i]) - before[i];
	}
	for (i = 0; i < COUNTERS_NR; i++)
		c->per_call[c->nr][i] = c->fd[i] < 0 ? -1 : (double)sum[i] / calls;
	c->nr++;
}

/**
 * counters_print() - print a line for each counter, with a column for each width
 * @c: the counters, which are empty afterwards
 */
void counters_print(struct counters *c)
{
	unsigned int i, w;

	for (i = 0; c->nr && i < COUNTERS_NR; i++) {
		if (c->per_call[0][i] < 0)
			continue;
		printf("    %-23s", kinds[i].name);
		for (w = 0; w < c->nr; w++)
			printf("  %6.2f            ", c->per_call[w][i]);
		printf("\n");
	}
	c->nr = 0;
}
