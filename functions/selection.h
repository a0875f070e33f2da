/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that a trigger needs to be traced, and whether a function is one of them.
 */
#ifndef _OBJTRACE_SELECTION_H
#define _OBJTRACE_SELECTION_H

#include <linux/list.h>
#include <linux/types.h>

#include "functions/funcs.h"

/**
 * struct objtrace_selection - the functions that a trigger needs to be traced
 * @list: of all that are needed.  Under the mutex of functions/groups.c
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

/**
 * objtrace_selection_has() - whether a function is one of a selection
 * @selection: the selection, of a trigger that is armed
 * @funcs: the table that has the function
 * @func: the function, or NULL if it is not known
 *
 * Context: any, NMI included; as long as @func may be used.
 * Return: true if it is
 */
static inline bool objtrace_selection_has(const struct objtrace_selection *selection,
					  const struct objtrace_funcs *funcs,
					  const struct objtrace_func *func)
{
	return !selection->tag ||
	       (func && objtrace_funcs_take(funcs, func, selection->tag,
					    selection->only_struct));
}

#endif /* _OBJTRACE_SELECTION_H */
