// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs_filter_functions() of libtracefs 1.6 compares each function with a regular expression,
 * and drops the modules.  So this file splits the lines itself.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tracefs.h>

#include "tools/objtrace/places.h"
#include "tools/objtrace/traced.h"

#define FUNCTIONS	"available_filter_functions"

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char * const *)a, *(char * const *)b);
}

static int split(struct traced *t)
{
	size_t nr_max = 1;
	char *pos, *next;

	for (pos = t->text; *pos; pos++)
		nr_max += *pos == '\n';
	t->lines = calloc(nr_max, sizeof(*t->lines));
	if (!t->lines)
		return -ENOMEM;
	next = t->text;
	while ((pos = strsep(&next, "\n")))
		if (*pos)
			t->lines[t->nr_lines++] = pos;
	qsort(t->lines, t->nr_lines, sizeof(*t->lines), compare_lines);
	return 0;
}

/**
 * traced_read() - read the functions
 * @t: the result; free it with traced_free(), also after a failure
 *
 * Return: 0, or a negative error.
 */
int traced_read(struct traced *t)
{
	*t = (struct traced){};
	if (!places_tracefs())
		return -ENOENT;
	errno = 0;
	t->text = tracefs_instance_file_read(NULL, FUNCTIONS, NULL);
	if (!t->text)
		return -errno ?: -EIO;
	return split(t);
}

/* The index of the first line that is not before @line */
static size_t lower_bound(const struct traced *t, const char *line)
{
	size_t low = 0, high = t->nr_lines, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(t->lines[middle], line) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * traced_count() - the number of functions with a name
 * @t: the functions
 * @function: the name
 * @module: the module of the function, or NULL for the kernel
 *
 * Return: the number.
 */
unsigned int traced_count(const struct traced *t, const char *function, const char *module)
{
	unsigned int nr = 0;
	char line[256];
	size_t i;

	snprintf(line, sizeof(line), module ? "%s [%s]" : "%s", function, module);
	for (i = lower_bound(t, line); i < t->nr_lines && !strcmp(t->lines[i], line); i++)
		nr++;
	return nr;
}

/**
 * traced_free() - free the functions
 * @t: what traced_read() read
 */
void traced_free(struct traced *t)
{
	free(t->lines);
	free(t->text);
}
