/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of an object: which entry belongs to which return, and which call is in which.
 */
#ifndef _TOOLS_OBJTRACE_CALLS_H
#define _TOOLS_OBJTRACE_CALLS_H

#include "tools/objtrace/objects.h"

struct trace_symbols;

/**
 * struct call - a record of an object, as a node of the tree of calls
 * @record: the record
 * @of_entry: for the record of a return: the call that returns; NULL without an entry
 * @ret: for the record of an entry: its record objtrace_return, or NULL
 * @parent: the call around it, or NULL
 * @depth: number of calls around it
 * @has_inside: a record of the same task is in the call
 */
struct call {
	const struct record	*record;
	struct call		*of_entry;
	const struct record	*ret;
	struct call		*parent;
	unsigned int		depth;
	bool			has_inside;
};

struct call *calls_find(const struct object *object, struct trace_symbols *symbols);

#endif /* _TOOLS_OBJTRACE_CALLS_H */
