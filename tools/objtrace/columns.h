/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays of numbers that grow, for the data of a page.
 */
#ifndef _TOOLS_OBJTRACE_COLUMNS_H
#define _TOOLS_OBJTRACE_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

/**
 * struct column - an array of numbers; all zero when empty
 * @n: the numbers
 * @nr: number of numbers
 * @room: number of numbers that have memory
 * @last: the last index that column_add_index() got
 */
struct column {
	long long	*n;
	size_t		nr;
	size_t		room;
	unsigned long	last;
};

void column_add(struct column *column, long long n);
void column_add_index(struct column *column, unsigned long index);
void column_print(FILE *out, const char *name, const struct column *column);
void column_free(struct column *column);

#endif /* _TOOLS_OBJTRACE_COLUMNS_H */
