/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of the kernel.  For the tests, the environment variable OBJTRACE_TEST_ROOT names a
 * directory that stands for the root directory.
 */
#ifndef _TOOLS_OBJTRACE_PLACES_H
#define _TOOLS_OBJTRACE_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#define PLACES_SIZE	512

const char *places_root(void);
const char *places_path(char *path, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool places_read(char *line, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
const char *places_tracefs(void);

#endif /* _TOOLS_OBJTRACE_PLACES_H */
