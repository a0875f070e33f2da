/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions call us, and while there is a trigger that needs it.
 */
#ifndef _OBJTRACE_GROUPS_H
#define _OBJTRACE_GROUPS_H

#include <linux/list.h>
#include <linux/types.h>

#include "objtrace_filter.h"
#include "objtrace_funcs.h"

struct seq_file;

/**
 * struct objtrace_selection - the functions that a trigger needs to be traced
 * @list: of all that are needed.  Under the mutex of objtrace_groups.c
 * @tag: only those with a parameter for pointers to this struct; NULL for all
 * @only_struct: and void * is none of these
 * @marks: how much of the filter the trigger's objects can take, see
 *	   objtrace_bloom_marks()
 *
 * @tag to @marks are constant.
 */
struct objtrace_selection {
	struct list_head	list;
	const char		*tag;
	bool			only_struct;
	unsigned long		marks;
};

int objtrace_groups_init(void);
void objtrace_groups_exit(void);
int objtrace_groups_arm(struct objtrace_selection *selection);
void objtrace_groups_disarm(struct objtrace_selection *selection);
int objtrace_groups_filter(enum objtrace_filter which, struct objtrace_patterns **patterns);
void objtrace_groups_show_filter(struct seq_file *m, enum objtrace_filter which);
void objtrace_groups_show(struct seq_file *m);
bool objtrace_groups_follow_probe(const struct objtrace_selection *selection,
				  unsigned long ip, unsigned int args);

/**
 * objtrace_groups_select() - whether a function is one of a selection
 * @selection: the selection, of a trigger that is armed
 * @funcs: the table that has the function
 * @func: the function, or NULL if it is not known
 *
 * Context: any, NMI included; as long as @func may be used.
 * Return: true if it is
 */
static inline bool objtrace_groups_select(const struct objtrace_selection *selection,
					  const struct objtrace_funcs *funcs,
					  const struct objtrace_func *func)
{
	return !selection->tag ||
	       (func && objtrace_funcs_take(funcs, func, selection->tag,
					    selection->only_struct));
}

#endif /* _OBJTRACE_GROUPS_H */
