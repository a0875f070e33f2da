// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which functions are left out, see functions/filter.h.
 *
 * Functions are known by their location: what they are called, the kernel is asked for
 * it, whenever a list has changed or is shown.  These are the names that records show.
 */
#include <linux/bits.h>
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "functions/filter.h"
#include "functions/funcs.h"
#include "functions/known.h"
#include "functions/patterns.h"

static const struct {
	const char	*name;
	const char	*if_none;
} files[OBJTRACE_NR_FILTERS] = {
	[OBJTRACE_SET_FILTER]	= { "set_filter", "#### all functions enabled ####\n" },
	[OBJTRACE_SET_NOTRACE]	= { "set_notrace", "#### no functions disabled ####\n" },
};

/*
 * Under the mutex of functions/groups.c, as all functions here ask for that use them.
 * NULL before the first pattern.
 */
static struct objtrace_patterns *lists[OBJTRACE_NR_FILTERS];

/**
 * objtrace_filter_name() - what a list's file is called
 * @which: the list
 *
 * Context: any.
 * Return: the name
 */
const char *objtrace_filter_name(enum objtrace_filter which)
{
	return files[which].name;
}

/**
 * objtrace_filter_list() - the patterns of a list
 * @which: the list
 *
 * Context: task, under the mutex, or the one that who changes lists holds besides.
 * Return: the patterns, or NULL
 */
const struct objtrace_patterns *objtrace_filter_list(enum objtrace_filter which)
{
	return lists[which];
}

/**
 * objtrace_filter_exchange() - change a list
 * @which: the list
 * @patterns: what is in it from now on
 *
 * Context: task, under the mutex.
 * Return: what was in it, to be freed
 */
struct objtrace_patterns *objtrace_filter_exchange(enum objtrace_filter which,
						   struct objtrace_patterns *patterns)
{
	struct objtrace_patterns *old = lists[which];

	lists[which] = patterns;
	return old;
}

/**
 * struct name - what a function is called
 * @function: its name
 * @module: that of its module, or NULL; in the same memory
 */
struct name {
	char	function[KSYM_SYMBOL_LEN];
	char	*module;
};

/* As "function" or "function [module]" */
static void find_function_name(unsigned long ip, struct name *name)
{
	char *blank;

	sprint_symbol_no_offset(name->function, ip);
	name->module = NULL;
	blank = strstr(name->function, " [");
	if (!blank)
		return;
	*blank = '\0';
	name->module = blank + strlen(" [");
	name->module[strcspn(name->module, "]")] = '\0';
}

static bool is_in_list(struct objtrace_patterns *patterns, unsigned long ip)
{
	struct name name;

	find_function_name(ip, &name);
	return objtrace_patterns_match(patterns, name.function, name.module);
}

/**
 * objtrace_filter_judge() - find out which functions a list leaves out
 * @which: the list
 * @funcs: the functions
 *
 * Takes about a microsecond for each if the list has patterns.
 *
 * Context: task, may sleep; under the mutex.
 */
void objtrace_filter_judge(enum objtrace_filter which, struct objtrace_funcs *funcs)
{
	struct objtrace_patterns *patterns = lists[which];
	bool is_none = objtrace_patterns_are_none(patterns);
	bool leaves_out = which == OBJTRACE_SET_NOTRACE;
	struct objtrace_func *f;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		f->left_out &= ~BIT(which);
		if (is_none)
			continue;
		if (is_in_list(patterns, funcs->start + f->offset) == leaves_out)
			f->left_out |= BIT(which);
		cond_resched();
	}
}

/* What does not fit is shown again, with more room for it */
static void show_functions(struct seq_file *m, struct objtrace_patterns *patterns,
			   const struct objtrace_funcs *funcs)
{
	const struct objtrace_func *f;
	unsigned long ip;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		if (seq_has_overflowed(m))
			return;
		ip = funcs->start + f->offset;
		if (is_in_list(patterns, ip))
			seq_printf(m, "%ps\n", (void *)ip);
		cond_resched();
	}
}

/* Of modules that are not there */
static void show_missing(struct seq_file *m, const struct objtrace_patterns *patterns)
{
	const struct objtrace_pattern *p;
	char text[OBJTRACE_PATTERN_LEN];

	list_for_each_entry(p, &patterns->list, list) {
		if (p->is_found)
			continue;
		objtrace_pattern_print(p, text, sizeof(text));
		seq_printf(m, "%s\n", text);
	}
}

/**
 * objtrace_filter_show() - show the functions that are in a list
 * @m: where to
 * @which: the list
 *
 * Context: task, may sleep; under the mutex.
 */
void objtrace_filter_show(struct seq_file *m, enum objtrace_filter which)
{
	struct objtrace_patterns *patterns = lists[which];
	const struct objtrace_funcs *funcs;
	unsigned int i;

	if (objtrace_patterns_are_none(patterns)) {
		seq_puts(m, files[which].if_none);
		return;
	}
	objtrace_patterns_forget(patterns);
	for (i = 0; (funcs = objtrace_known_part(i)); i++)
		show_functions(m, patterns, funcs);
	show_missing(m, patterns);
}

/**
 * objtrace_filter_exit() - forget both lists
 *
 * Context: task, module exit, when nothing asks for them any more.
 */
void objtrace_filter_exit(void)
{
	enum objtrace_filter which;

	for (which = 0; which < OBJTRACE_NR_FILTERS; which++) {
		objtrace_patterns_free(lists[which]);
		lists[which] = NULL;
	}
}
