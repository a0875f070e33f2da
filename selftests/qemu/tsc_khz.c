// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the frequency of the counter that QEMU without KVM shows to x86 guests as the TSC, in kHz:
 * the TSC of an x86 host, the virtual counter of an arm64 host.  Each counter runs at a constant
 * rate.  See scripts/tsc-khz.sh.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A pair of readings is as exact as the time between the clock's readings around the counter's */
#define TRIES	1000

#define SPAN_US	200000

/**
 * struct moment - a reading of both clocks
 * @ns: the system's clock, in nanoseconds
 * @ticks: the counter
 */
struct moment {
	uint64_t ns;
	uint64_t ticks;
};

static uint64_t read_ticks(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	asm volatile("mrs %0, cntvct_el0" : "=r" (ticks));
	return ticks;
#endif
}

static uint64_t read_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* The best of many readings: another task of a busy machine can run in between */
static struct moment read_moment(void)
{
	uint64_t before, after, ticks, best = UINT64_MAX;
	struct moment moment = { 0 };
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		before = read_ns();
		ticks = read_ticks();
		after = read_ns();
		if (after - before < best) {
			best = after - before;
			moment.ns = before + (after - before) / 2;
			moment.ticks = ticks;
		}
	}
	return moment;
}

int main(void)
{
	struct moment from = read_moment(), to;

	usleep(SPAN_US);
	to = read_moment();
	printf("%.0f\n", (to.ticks - from.ticks) * 1e6 / (to.ns - from.ns));
	return 0;
}
