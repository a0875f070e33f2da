/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results in the Test Anything Protocol: a line for each result, and the plan at the end.
 */
#ifndef _UNIT_TAP_H
#define _UNIT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* The thread sanitizer cannot find a mistake of one thread, and is slow */
#ifdef __SANITIZE_THREAD__
#define TAP_RACES_ONLY	true
#else
#define TAP_RACES_ONLY	false
#endif

static unsigned int tap_results, tap_failures;

static inline __attribute__((format(printf, 2, 3)))
bool ok(bool passed, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	printf("%s %u ", passed ? "ok" : "not ok", ++tap_results);
	vprintf(fmt, args);
	putchar('\n');
	va_end(args);
	tap_failures += !passed;
	return passed;
}

static inline int tap_done(void)
{
	printf("1..%u\n", tap_results);
	return tap_failures ? 1 : 0;
}

#endif /* _UNIT_TAP_H */
