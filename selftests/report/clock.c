// SPDX-License-Identifier: GPL-2.0-only
/*
 * For LD_PRELOAD: CLOCK_MONOTONIC advances by CLOCK_STEP seconds at each look, and not in between.
 * A test of waiting times then does not depend on the host's speed.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int now = 1000;

	if (clock != CLOCK_MONOTONIC)
		return syscall(SYS_clock_gettime, clock, time);
	now += atoi(getenv("CLOCK_STEP"));
	*time = (struct timespec){ .tv_sec = now };
	return 0;
}
