/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that ftrace can trace.
 */
#ifndef _TOOLS_OBJTRACE_TRACED_H
#define _TOOLS_OBJTRACE_TRACED_H

#include <stddef.h>

/**
 * struct traced - the lines of available_filter_functions
 * @text: the memory of the lines
 * @lines: the lines in the order of strcmp(): "FUNCTION" or "FUNCTION [MODULE]"
 * @nr_lines: their number
 */
struct traced {
	char	*text;
	char	**lines;
	size_t	nr_lines;
};

int traced_read(struct traced *t);
unsigned int traced_count(const struct traced *t, const char *function, const char *module);
void traced_free(struct traced *t);

#endif /* _TOOLS_OBJTRACE_TRACED_H */
