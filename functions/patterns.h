/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of functions, as patterns of their names.
 *
 *   vfs_read            this function
 *   vfs_*               all of these; * ? [abc] [a-z] [!abc] \ are known
 *   PATTERN:mod:ext4    those of a module; the module's name is a pattern, too
 *   PATTERN:mod:!ext4   all others
 *   !PATTERN            takes functions out of the list again
 *
 * Of the patterns that match a function the last one decides.  It is patterns that are
 * kept, not what they match at the moment: modules come and go.
 *
 * Nothing here knows which functions there are.  The same source in the kernel and in
 * the unit tests; the caller sees to it that nobody else uses a list meanwhile.
 */
#ifndef _OBJTRACE_PATTERNS_H
#define _OBJTRACE_PATTERNS_H

#include <linux/list.h>
#include <linux/types.h>

struct objtrace_error;

/* Room for the longest pattern, with its final NUL: two names of the longest length */
#define OBJTRACE_PATTERN_LEN	640

/* What the patterns of a list may take, in bytes with a NUL for each */
#define OBJTRACE_PATTERNS_SIZE	65536

/**
 * struct objtrace_pattern - functions that are put into a list or taken out of it
 * @list: of the list's
 * @takes: they are taken out
 * @is_found: some function matches
 * @is_module_found: some function is of such a module, or no module was given
 * @other_modules: functions of such modules are not meant, and all others are
 * @function: pattern of their names; empty for any
 * @module: pattern of the names of their modules; empty for any; NULL if none was given,
 *	    and the kernel's own functions are meant, too
 * @size: bytes that it was written with, and a NUL
 * @text: @function and @module
 *
 * Under the lock of who owns the list, as that itself.  All but @list, @is_found and
 * @is_module_found is constant.
 */
struct objtrace_pattern {
	struct list_head	list;
	bool			takes;
	bool			is_found;
	bool			is_module_found;
	bool			other_modules;
	const char		*function;
	const char		*module;
	size_t			size;
	char			text[];
};

/**
 * struct objtrace_patterns - a list of functions
 * @list: its patterns.  No two are of the same text, and the first one does not take
 *	  functions out
 * @size: that of all of them together
 *
 * Under the lock of who owns it.
 */
struct objtrace_patterns {
	struct list_head	list;
	size_t			size;
};

struct objtrace_patterns *objtrace_patterns_new(const struct objtrace_patterns *like);
void objtrace_patterns_free(struct objtrace_patterns *patterns);
bool objtrace_patterns_are_none(const struct objtrace_patterns *patterns);
int objtrace_patterns_add(struct objtrace_patterns *patterns, const char *text,
			  struct objtrace_error *error);
bool objtrace_patterns_match(struct objtrace_patterns *patterns, const char *function,
			     const char *module);
void objtrace_patterns_forget(struct objtrace_patterns *patterns);
const struct objtrace_pattern *
objtrace_patterns_missing(const struct objtrace_patterns *patterns);
int objtrace_pattern_print(const struct objtrace_pattern *pattern, char *buf, size_t size);

#endif /* _OBJTRACE_PATTERNS_H */
