// SPDX-License-Identifier: GPL-2.0-only
/*
 * Match a name with a pattern, see functions/glob.h.
 */
#include <linux/stddef.h>

#include "functions/glob.h"

/* Find the ']' of the class that starts at @pattern with '['; NULL without a ']' */
static const char *class_end(const char *pattern)
{
	const char *p = pattern + 1 + (pattern[1] == '!');

	/* A ']' at the start is a character of the class */
	if (*p)
		p++;
	while (*p && *p != ']')
		p++;
	return *p ? p : NULL;
}

/* Check that the class from @pattern, a '[', to @end has a character */
static bool class_has(const char *pattern, const char *end, unsigned char c)
{
	bool is_inverted = pattern[1] == '!', has = false;
	const char *p = pattern + 1 + is_inverted;
	unsigned char first, last;

	while (p < end) {
		first = *p;
		last = first;
		if (p[1] == '-' && p + 2 < end) {
			last = p[2];
			p += 2;
		}
		p++;
		has |= first <= c && c <= last;
	}
	return has != is_inverted;
}

/* Match @c with the first element of *@pattern, which is no '*'.  Skip the element on success */
static bool match_one(const char **pattern, char c)
{
	const char *p = *pattern, *end;

	if (!*p || !c)
		return false;
	end = *p == '[' ? class_end(p) : NULL;
	if (end) {
		*pattern = end + 1;
		return class_has(p, end, c);
	}
	if (*p == '?') {
		*pattern = p + 1;
		return true;
	}
	if (*p == '\\' && p[1])
		p++;
	*pattern = p + 1;
	return *p == c;
}

/**
 * objtrace_glob_match() - match a whole name with a pattern
 * @pattern: the pattern
 * @name: the name
 *
 * If the rest does not match, the last '*' takes one more character.  The search never goes back
 * to an earlier '*'.
 *
 * Context: Any, NMI included.
 * Return: true if the whole name matches
 */
bool objtrace_glob_match(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL, *next;

	for (;;) {
		if (*pattern == '*') {
			star = ++pattern;
			from = name;
			/* A '*' at the end matches the rest of the name */
			if (!*pattern)
				return true;
			continue;
		}
		if (!*pattern && !*name)
			return true;
		next = pattern;
		if (match_one(&next, *name)) {
			pattern = next;
			name++;
		} else if (star && *name) {
			pattern = star;
			name = ++from;
		} else {
			return false;
		}
	}
}
