// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns are printed as JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/columns.h"
#include "tools/objtrace/message.h"

#define FIRST_ROOM	64

/**
 * column_add() - add a number
 * @column: the column
 * @n: the number; a program in JavaScript reads numbers of at most 53 bits
 */
void column_add(struct column *column, long long n)
{
	if (column->nr == column->room) {
		column->room = column->room ? column->room * 2 : FIRST_ROOM;
		column->n = realloc(column->n, column->room * sizeof(*column->n));
		if (!column->n)
			no_memory();
	}
	column->n[column->nr++] = n;
}

/**
 * column_add_index() - add the index of a record, as the difference to the last index
 * @column: the column
 * @index: the index, not smaller than the last one
 */
void column_add_index(struct column *column, unsigned long index)
{
	column_add(column, index - column->last);
	column->last = index;
}

/**
 * column_print() - print a column as a member of an object in JSON, with a comma before it
 * @out: the output
 * @name: name of the member
 * @column: the column
 */
void column_print(FILE *out, const char *name, const struct column *column)
{
	size_t i;

	fprintf(out, ",\n\"%s\":[", name);
	for (i = 0; i < column->nr; i++)
		fprintf(out, i ? ",%lld" : "%lld", column->n[i]);
	putc(']', out);
}

/**
 * column_free() - free the numbers
 * @column: the column; it is empty afterwards
 */
void column_free(struct column *column)
{
	free(column->n);
	memset(column, 0, sizeof(*column));
}
