// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lists of set_filter and set_notrace, see functions/filter.h.
 *
 * A table has functions by their ftrace location.  The kernel looks up their names each time
 * that a list is changed or shown.  Records show the same names.
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
 * Written under the mutex of functions/groups.c.  NULL before the first pattern.
 */
static struct objtrace_patterns *lists[OBJTRACE_NR_FILTERS];

/**
 * objtrace_filter_name() - look up the name of a list's file
 * @which: the list
 *
 * Context: Any, NMI included.
 * Return: the name
 */
const char *objtrace_filter_name(enum objtrace_filter which)
{
	return files[which].name;
}

/**
 * objtrace_filter_list() - look up the patterns of a list
 * @which: the list
 *
 * Context: task, under the mutex of functions/groups.c or the mutex of files/filter_files.c:
 * a writer holds both.
 * Return: the patterns, or NULL
 */
const struct objtrace_patterns *objtrace_filter_list(enum objtrace_filter which)
{
	return lists[which];
}

/**
 * objtrace_filter_exchange() - replace the patterns of a list
 * @which: the list
 * @patterns: the new patterns
 *
 * Context: task, under the mutex of functions/groups.c.
 * Return: the old patterns, which the caller frees
 */
struct objtrace_patterns *objtrace_filter_exchange(enum objtrace_filter which,
						   struct objtrace_patterns *patterns)
{
	struct objtrace_patterns *old = lists[which];

	lists[which] = patterns;
	return old;
}

/**
 * struct name - name of a function and of its module
 * @function: name of the function
 * @module: name of the module, in the memory of @function; NULL for a function of the kernel
 */
struct name {
	char	function[KSYM_SYMBOL_LEN];
	char	*module;
};

/* sprint_symbol_no_offset() prints "function" or "function [module]" */
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
 * objtrace_filter_judge() - compute which functions a list excludes
 * @which: the list
 * @funcs: the functions; their member left_out is written
 *
 * Takes about a microsecond for each function if the list has patterns.
 *
 * Context: task, may sleep; under the mutex of functions/groups.c.
 */
void objtrace_filter_judge(enum objtrace_filter which, struct objtrace_funcs *funcs)
{
	struct objtrace_patterns *patterns = lists[which];
	bool is_none = objtrace_patterns_are_none(patterns);
	bool leaves_out = which == OBJTRACE_SET_NOTRACE;
	struct objtrace_func *f;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		f->left_out &= ~BIT(which);
		objtrace_funcs_resched(f - funcs->func);
		if (is_none)
			continue;
		if (is_in_list(patterns, funcs->start + f->offset) == leaves_out)
			f->left_out |= BIT(which);
		/* A list has up to 32,000 patterns */
		cond_resched();
	}
}

/* If the buffer is full, seq_file calls the show function again with a larger buffer */
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

/* Show the patterns without a match: their modules are not loaded */
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
 * objtrace_filter_show() - print the functions that match a list
 * @m: the output
 * @which: the list
 *
 * Context: task, may sleep; under the mutex of functions/groups.c.
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
 * objtrace_filter_exit() - free both lists
 *
 * Context: task, module exit, when no code uses the lists any more.
 */
void objtrace_filter_exit(void)
{
	enum objtrace_filter which;

	for (which = 0; which < OBJTRACE_NR_FILTERS; which++) {
		objtrace_patterns_free(lists[which]);
		lists[which] = NULL;
	}
}
