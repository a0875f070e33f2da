/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lists of `objtrace list'.
 */
#ifndef _TOOLS_OBJTRACE_LIST_H
#define _TOOLS_OBJTRACE_LIST_H

#include <stdbool.h>
#include <string.h>

#include "tools/objtrace/kbtf.h"

/**
 * struct list_options - a parsed command line
 * @pattern: the names to list, as in a shell, or NULL for all
 * @struct_name: list the members of this struct, or NULL
 * @taking: list only functions that receive a pointer to this struct, or NULL
 * @events: list fields of events
 */
struct list_options {
	const char	*pattern;
	const char	*struct_name;
	const char	*taking;
	bool		events;
};

/**
 * list_is_name() - is a pattern the name of one thing?
 * @pattern: the pattern
 *
 * Return: true or false.
 */
static inline bool list_is_name(const char *pattern)
{
	return !strpbrk(pattern, "*?[\\");
}

int list_events(struct kbtf *k, const struct list_options *o);
int list_functions(struct kbtf *k, const struct list_options *o);
int list_members(struct kbtf *k, const struct list_options *o);

#endif /* _TOOLS_OBJTRACE_LIST_H */
