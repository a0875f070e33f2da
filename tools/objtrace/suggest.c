// SPDX-License-Identifier: GPL-2.0-only
/*
 * A name is similar if few of its characters must be inserted, removed or replaced.  BTF has
 * tens of thousands of names, so most names are rejected by their lengths.
 */
#include <stdio.h>
#include <string.h>

#include "tools/objtrace/suggest.h"

#define MAX_NAME	64

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int least = a < b ? a : b;

	return least < c ? least : c;
}

static unsigned int edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned int row[MAX_NAME + 1], above, diagonal;
	size_t i, j;

	for (j = 0; j <= b_len; j++)
		row[j] = j;
	for (i = 1; i <= a_len; i++) {
		diagonal = row[0];
		row[0] = i;
		for (j = 1; j <= b_len; j++) {
			above = row[j];
			row[j] = min3(above + 1, row[j - 1] + 1,
				      diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[b_len];
}

/**
 * suggest_init() - begin a search
 * @s: the search
 * @wanted: the name that the user wrote
 * @len: its length in bytes
 *
 * A third of the characters may differ, and at least one.
 */
void suggest_init(struct suggestion *s, const char *wanted, size_t len)
{
	*s = (struct suggestion){ .wanted = wanted, .len = len, .distance = len / 3 + 2 };
}

/**
 * suggest_consider() - compare a name with the best name so far
 * @s: the search
 * @name: the name, which must stay in memory as long as @s
 */
void suggest_consider(struct suggestion *s, const char *name)
{
	size_t len = strlen(name);
	unsigned int distance;

	if (!len || len > MAX_NAME || s->len > MAX_NAME)
		return;
	if (len >= s->len + s->distance || s->len >= len + s->distance)
		return;
	distance = edit_distance(s->wanted, s->len, name, len);
	if (distance >= s->distance)
		return;
	s->distance = distance;
	s->best = name;
}

/**
 * suggest_text() - format the result of a search
 * @s: the search
 * @buf: memory for the text
 * @size: the size of @buf in bytes
 *
 * Return: @buf, with "; did you mean 'NAME'?" or an empty text.
 */
const char *suggest_text(const struct suggestion *s, char *buf, size_t size)
{
	buf[0] = '\0';
	if (s->best)
		snprintf(buf, size, "; did you mean '%s'?", s->best);
	return buf;
}
