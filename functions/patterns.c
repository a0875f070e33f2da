// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of functions, see functions/patterns.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command/parse.h"
#include "functions/glob.h"
#include "functions/patterns.h"

#define BEFORE_MODULE	":mod:"

/* Refuse a text that is too long, or is a number or a command of set_ftrace_filter */
static int check_pattern(const char *text, struct objtrace_error *error)
{
	const char *function = text + (text[0] == '!');
	const char *colon = strchr(function, ':');
	enum objtrace_error_id id;

	if (strlen(text) >= OBJTRACE_PATTERN_LEN)
		return objtrace_error_set(error, OBJTRACE_ERR_PATTERN_TOO_LONG, 0);
	id = *function ? OBJTRACE_ERR_PATTERN_NUMBER : OBJTRACE_ERR_NO_PATTERN;
	if (strspn(function, "0123456789") == strlen(function))
		return objtrace_error_set(error, id, function - text);
	if (colon && !strncmp(colon, BEFORE_MODULE, strlen(BEFORE_MODULE)))
		colon = strchr(colon + strlen(BEFORE_MODULE), ':');
	id = OBJTRACE_ERR_PATTERN_COMMAND;
	return colon ? objtrace_error_set(error, id, colon - text) : 0;
}

/* Make a pattern of a text that check_pattern() accepts; NULL if memory is short */
static struct objtrace_pattern *new_pattern(const char *text)
{
	struct objtrace_pattern *p;
	size_t size = strlen(text) + 1;
	char *colon;

	p = kzalloc(struct_size(p, text, size), GFP_KERNEL);
	if (!p)
		return NULL;
	p->size = size;
	p->takes = text[0] == '!';
	memcpy(p->text, text, size);
	p->function = p->text + p->takes;
	colon = strchr(p->function, ':');
	if (!colon)
		return p;
	*colon = '\0';
	p->module = colon + strlen(BEFORE_MODULE);
	p->other_modules = *p->module == '!';
	p->module += p->other_modules;
	return p;
}

/* Compare the texts of two patterns, without "!" */
static bool are_same_pattern(const struct objtrace_pattern *a, const struct objtrace_pattern *b)
{
	if (strcmp(a->function, b->function) || !a->module != !b->module)
		return false;
	return !a->module || (a->other_modules == b->other_modules &&
			      !strcmp(a->module, b->module));
}

static void append_pattern(struct objtrace_patterns *patterns, struct objtrace_pattern *p)
{
	list_add_tail(&p->list, &patterns->list);
	patterns->size += p->size;
}

static void drop_pattern(struct objtrace_patterns *patterns, struct objtrace_pattern *p)
{
	patterns->size -= p->size;
	list_del(&p->list);
	kfree(p);
}

/* Remove an older pattern with the same text, and take over its matches */
static void take_place_of_same(struct objtrace_patterns *patterns,
			       struct objtrace_pattern *p)
{
	struct objtrace_pattern *old, *next;

	list_for_each_entry_safe(old, next, &patterns->list, list) {
		if (!are_same_pattern(old, p))
			continue;
		p->is_found |= old->is_found;
		drop_pattern(patterns, old);
	}
}

/* Remove patterns at the start of the list that remove functions */
static void drop_idle_patterns(struct objtrace_patterns *patterns)
{
	struct objtrace_pattern *p, *next;

	list_for_each_entry_safe(p, next, &patterns->list, list) {
		if (!p->takes)
			break;
		drop_pattern(patterns, p);
	}
}

/**
 * objtrace_patterns_add() - apply a written pattern to a list
 * @patterns: the list; the caller must free the list after an error
 * @text: the pattern
 * @error: receives the error on failure
 *
 * A pattern that the list has already moves to the end, and need not match any function.
 * "!PATTERN" removes a pattern with the same text.  A list with only "!" patterns is empty.
 *
 * Context: task; may sleep.
 * Return: 0, or the negative errno that belongs to @error
 */
int objtrace_patterns_add(struct objtrace_patterns *patterns, const char *text,
			  struct objtrace_error *error)
{
	struct objtrace_pattern *p;
	int ret = check_pattern(text, error);

	if (ret)
		return ret;
	if (text[0] == '!' && list_empty(&patterns->list))
		return objtrace_error_set(error, OBJTRACE_ERR_NOTHING_TO_TAKE, 0);
	p = new_pattern(text);
	if (!p)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
	take_place_of_same(patterns, p);
	append_pattern(patterns, p);
	drop_idle_patterns(patterns);
	if (patterns->size > OBJTRACE_PATTERNS_SIZE)
		return objtrace_error_set(error, OBJTRACE_ERR_TOO_MANY_PATTERNS, 0);
	return 0;
}

/**
 * objtrace_patterns_new() - allocate a list
 * @like: a list to copy, whose patterns count as found; NULL for an empty list
 *
 * Context: task; may sleep.
 * Return: the list, for objtrace_patterns_free(); NULL if memory is short
 */
struct objtrace_patterns *objtrace_patterns_new(const struct objtrace_patterns *like)
{
	struct objtrace_patterns *patterns = kzalloc(sizeof(*patterns), GFP_KERNEL);
	const struct objtrace_pattern *old;
	char text[OBJTRACE_PATTERN_LEN];
	struct objtrace_pattern *p;

	if (!patterns)
		return NULL;
	INIT_LIST_HEAD(&patterns->list);
	if (!like)
		return patterns;
	list_for_each_entry(old, &like->list, list) {
		objtrace_pattern_print(old, text, sizeof(text));
		p = new_pattern(text);
		if (!p) {
			objtrace_patterns_free(patterns);
			return NULL;
		}
		p->is_found = true;
		append_pattern(patterns, p);
	}
	return patterns;
}

/**
 * objtrace_patterns_free() - free a list and its patterns
 * @patterns: the list, or NULL
 *
 * Context: task.
 */
void objtrace_patterns_free(struct objtrace_patterns *patterns)
{
	struct objtrace_pattern *p, *next;

	if (!patterns)
		return;
	list_for_each_entry_safe(p, next, &patterns->list, list)
		drop_pattern(patterns, p);
	kfree(patterns);
}

/**
 * objtrace_patterns_are_none() - check for a list without patterns
 * @patterns: the list, or NULL
 *
 * Context: task, under the caller's lock.
 * Return: true if the list has no pattern
 */
bool objtrace_patterns_are_none(const struct objtrace_patterns *patterns)
{
	return !patterns || list_empty(&patterns->list);
}

static bool is_in_module(const struct objtrace_pattern *p, const char *module)
{
	bool is_such;

	if (!p->module)
		return true;
	is_such = module && (!*p->module || objtrace_glob_match(p->module, module));
	return is_such != p->other_modules;
}

/**
 * objtrace_patterns_match() - match a function with a list
 * @patterns: the list
 * @function: name of the function
 * @module: name of the function's module; NULL for a function of the kernel
 *
 * Sets is_found and is_module_found of matching patterns.
 *
 * Context: task, under the caller's lock.
 * Return: true if the last matching pattern adds the function
 */
bool objtrace_patterns_match(struct objtrace_patterns *patterns, const char *function,
			     const char *module)
{
	struct objtrace_pattern *p;
	bool is_in = false;

	list_for_each_entry(p, &patterns->list, list) {
		if (!is_in_module(p, module))
			continue;
		p->is_module_found = true;
		if (*p->function && !objtrace_glob_match(p->function, function))
			continue;
		p->is_found = true;
		is_in = !p->takes;
	}
	return is_in;
}

/**
 * objtrace_patterns_forget() - clear is_found and is_module_found of all patterns
 * @patterns: the list
 *
 * Context: task, under the caller's lock.
 */
void objtrace_patterns_forget(struct objtrace_patterns *patterns)
{
	struct objtrace_pattern *p;

	list_for_each_entry(p, &patterns->list, list) {
		p->is_found = false;
		p->is_module_found = false;
	}
}

/**
 * objtrace_patterns_missing() - find a new pattern without a match
 * @patterns: the list, after objtrace_patterns_match() of all functions
 *
 * A pattern for modules that are not loaded counts as found.
 *
 * Context: task, under the caller's lock.
 * Return: the first pattern without a match; NULL without such a pattern
 */
const struct objtrace_pattern *
objtrace_patterns_missing(const struct objtrace_patterns *patterns)
{
	const struct objtrace_pattern *p;

	list_for_each_entry(p, &patterns->list, list)
		if (!p->is_found && (!p->module || p->is_module_found))
			return p;
	return NULL;
}

/**
 * objtrace_pattern_print() - print a pattern as it was written
 * @pattern: the pattern
 * @buf: receives the text; OBJTRACE_PATTERN_LEN bytes are enough
 * @size: size of @buf in bytes
 *
 * Context: task, under the caller's lock.
 * Return: number of characters, without the final NUL
 */
int objtrace_pattern_print(const struct objtrace_pattern *pattern, char *buf, size_t size)
{
	return scnprintf(buf, size, "%s%s%s%s%s", pattern->takes ? "!" : "",
			 pattern->function, pattern->module ? BEFORE_MODULE : "",
			 pattern->other_modules ? "!" : "", pattern->module ?: "");
}
