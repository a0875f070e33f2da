/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that a trigger selects.
 */
#ifndef _OBJTRACE_SELECTION_H
#define _OBJTRACE_SELECTION_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/types.h>

#include "functions/funcs.h"

/**
 * struct objtrace_selection - the functions that a trigger selects
 * @list: entry in the list of all selections.  Under the mutex of functions/groups.c
 * @tag: name of a struct: only functions with a parameter for pointers to this struct are
 *	 selected.  NULL selects all functions.
 * @only_struct: true if a parameter void * does not count
 * @bit: bit of the functions' member @selected; 0 without a tag, or if all bits are in use.  The
 *	 selections with the same tag and the same @only_struct share a bit
 *
 * @tag, @only_struct and @bit are constant while the trigger is armed.
 */
struct objtrace_selection {
	struct list_head	list;
	const char		*tag;
	bool			only_struct;
	u32			bit;
};

/**
 * objtrace_selection_has() - check that a trigger selects a function
 * @selection: selection of an armed trigger
 * @func: the function
 *
 * Context: Any, NMI included, while @func is valid.
 * Return: true if the trigger selects the function; false if it does not, or if the selection has
 * a tag and no bit
 */
static __always_inline bool objtrace_selection_has(const struct objtrace_selection *selection,
						   const struct objtrace_func *func)
{
	return !selection->tag || READ_ONCE(func->selected) & selection->bit;
}

/**
 * objtrace_selection_takes() - check that a trigger selects a function, with any selection
 * @selection: selection of an armed trigger
 * @funcs: the table with the function; NULL if the module of the function is gone
 * @func: the function
 *
 * Without a bit, the check compares the names of the function's types, which takes some hundred
 * instructions.
 *
 * Context: Any, NMI included, while @func is valid.
 * Return: true if the trigger selects the function
 */
static inline bool objtrace_selection_takes(const struct objtrace_selection *selection,
					    const struct objtrace_funcs *funcs,
					    const struct objtrace_func *func)
{
	if (!selection->tag || selection->bit)
		return objtrace_selection_has(selection, func);
	return funcs && objtrace_funcs_take(funcs, func, selection->tag, selection->only_struct);
}

#endif /* _OBJTRACE_SELECTION_H */
