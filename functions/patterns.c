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

/* Whether a text can be a pattern at all */
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

/* Of a text that check_pattern() has found good; NULL if there is no memory for it */
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

/* Whether they are for the same functions because they were written the same */
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

/* What another pattern says anew; it is as good as that */
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

/* What takes functions out where none are in yet */
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
 * objtrace_patterns_add() - put functions into a list, or take them out
 * @patterns: the list; to be given up if this fails
 * @text: the pattern
 * @error: filled in on failure
 *
 * A pattern that the list has already moves to the end, and need not match anything any
 * more.  Taken out as it was put in, it is gone, and with the last one that puts functions
 * in the list is empty.
 *
 * Context: task.
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
 * objtrace_patterns_new() - make a list
 * @like: what is in it at first, all of it found; NULL for nothing
 *
 * Context: task.
 * Return: the list, to be given to objtrace_patterns_free(); NULL if there is no memory
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
 * objtrace_patterns_free() - free a list
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
 * objtrace_patterns_are_none() - whether a list is empty
 * @patterns: the list, or NULL
 *
 * One that has patterns is not, whatever they match.
 *
 * Context: any, under the lock of who owns it.
 * Return: true if it is
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
 * objtrace_patterns_match() - whether a function is in a list
 * @patterns: the list
 * @function: its name
 * @module: that of its module; NULL for the kernel's own
 *
 * Remembers which patterns have matched.
 *
 * Context: any.
 * Return: true if it is
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
 * objtrace_patterns_forget() - forget which patterns have matched
 * @patterns: the list
 *
 * Context: any.
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
 * objtrace_patterns_missing() - find a pattern that is for nothing
 * @patterns: the list, after all functions that there are were matched
 *
 * One that is for modules of which there is none yet is for those that come.
 *
 * Context: any.
 * Return: the first pattern that is new and matches no function; NULL if there is none
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
 * @buf: where to; OBJTRACE_PATTERN_LEN bytes are enough
 * @size: bytes there
 *
 * Context: any.
 * Return: characters that were printed, without the final NUL
 */
int objtrace_pattern_print(const struct objtrace_pattern *pattern, char *buf, size_t size)
{
	return scnprintf(buf, size, "%s%s%s%s%s", pattern->takes ? "!" : "",
			 pattern->function, pattern->module ? BEFORE_MODULE : "",
			 pattern->other_modules ? "!" : "", pattern->module ?: "");
}
