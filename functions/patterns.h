/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of functions, as patterns of their names.
 *
 *   vfs_read            this function
 *   vfs_*               all matching functions, see functions/glob.h
 *   PATTERN:mod:ext4    functions of matching modules; the module's name is a pattern, too
 *   PATTERN:mod:!ext4   functions of all other modules, and of the kernel
 *   !PATTERN            removes functions from the list
 *
 * The last matching pattern decides about a function.  A list has patterns, not functions, because
 * modules are loaded and unloaded.
 *
 * This file does not know the functions of the kernel.  The unit tests build the same source.  The
 * caller serializes the access to a list.
 */
#ifndef _OBJTRACE_PATTERNS_H
#define _OBJTRACE_PATTERNS_H

#include <linux/list.h>
#include <linux/types.h>

struct objtrace_error;

/* Size of the longest pattern with its final NUL: two names of the greatest length */
#define OBJTRACE_PATTERN_LEN	640

/* Limit of the bytes of a list's patterns, with a NUL for each pattern */
#define OBJTRACE_PATTERNS_SIZE	65536

/**
 * struct objtrace_pattern - a pattern that adds functions to a list, or removes functions
 * @list: entry in the list
 * @takes: true if the pattern removes functions
 * @is_found: true if a function matches
 * @is_module_found: true if a function's module matches, or the pattern has no module
 * @other_modules: true if @module matches the modules to skip
 * @function: pattern of function names; empty for any function
 * @module: pattern of module names; empty for any module; NULL without a module, which also
 *	    matches functions of the kernel
 * @size: size of the written text in bytes, with a NUL
 * @text: memory of @function and @module
 *
 * The caller's lock for the list protects the pattern.  @list, @is_found and @is_module_found
 * change, and the other members are constant.
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
 * struct objtrace_patterns - a list of patterns, in which the last match decides
 * @list: the patterns.  All texts differ, and the first pattern does not remove functions
 * @size: sum of the patterns' sizes
 *
 * The caller's lock protects the list.
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
