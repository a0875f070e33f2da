/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that hold for each text of a pattern.
 */
#ifndef _UNIT_PATTERNS_CHECK_H
#define _UNIT_PATTERNS_CHECK_H

#include <linux/kernel.h>

#include "command/parse.h"
#include "functions/patterns.h"

static const struct objtrace_pattern *
last_pattern(const struct objtrace_patterns *patterns)
{
	return list_entry(patterns->list.prev, struct objtrace_pattern, list);
}

static unsigned int nr_patterns(const struct objtrace_patterns *patterns)
{
	const struct objtrace_pattern *p;
	unsigned int nr = 0;

	list_for_each_entry(p, &patterns->list, list)
		nr++;
	return nr;
}

/* Make a list of a pattern for all functions, and of @text; NULL if @text is refused */
static struct objtrace_patterns *list_of(const char *text, struct objtrace_error *error)
{
	struct objtrace_patterns *patterns = objtrace_patterns_new(NULL);

	if (patterns && (objtrace_patterns_add(patterns, "*", error) ||
			 objtrace_patterns_add(patterns, text, error))) {
		objtrace_patterns_free(patterns);
		return NULL;
	}
	return patterns;
}

static const char *check_added(const char *text, struct objtrace_patterns *patterns)
{
	char printed[OBJTRACE_PATTERN_LEN];
	struct objtrace_patterns *copy;
	struct objtrace_error error;
	unsigned int nr = nr_patterns(patterns);

	/* The removal of each pattern leaves an empty list */
	if (!nr)
		return strcmp(text, "!*") ? "the list is empty" : NULL;
	objtrace_pattern_print(last_pattern(patterns), printed, sizeof(printed));
	if (strcmp(printed, text))
		return "the printed pattern differs from the written pattern";
	copy = objtrace_patterns_new(patterns);
	if (!copy || nr_patterns(copy) != nr || copy->size != patterns->size)
		return "a copy of the list differs";
	objtrace_patterns_free(copy);
	objtrace_patterns_match(patterns, "vfs_read", NULL);
	objtrace_patterns_match(patterns, text, text);
	if (objtrace_patterns_add(patterns, text, &error) || nr_patterns(patterns) != nr)
		return "adding the pattern again changes the list";
	return NULL;
}

/* Return the mistake with a text, or NULL */
static const char *check_pattern(const char *text)
{
	struct objtrace_error error = { .id = OBJTRACE_NR_ERRORS };
	struct objtrace_patterns *patterns = list_of(text, &error);
	const char *complaint;

	if (!patterns) {
		if (error.id >= OBJTRACE_NR_ERRORS)
			return "the error ID is invalid";
		return error.pos > strlen(text) ? "the column of the error is beyond the text" : NULL;
	}
	complaint = check_added(text, patterns);
	objtrace_patterns_free(patterns);
	return complaint;
}

#endif /* _UNIT_PATTERNS_CHECK_H */
