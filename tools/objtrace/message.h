/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages of the program to its user: one sentence, and a caret where there is a place.
 */
#ifndef _TOOLS_OBJTRACE_MESSAGE_H
#define _TOOLS_OBJTRACE_MESSAGE_H

#include <stddef.h>

int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int usage_error_at(const char *text, size_t place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
_Noreturn void no_memory(void);
int refusal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* _TOOLS_OBJTRACE_MESSAGE_H */
