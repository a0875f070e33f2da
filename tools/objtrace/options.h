/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of `objtrace follow'.
 */
#ifndef _TOOLS_OBJTRACE_OPTIONS_H
#define _TOOLS_OBJTRACE_OPTIONS_H

#include <stdbool.h>

#include "tools/objtrace/session.h"
#include "tools/objtrace/what.h"

/**
 * struct follow_options - a parsed command line
 * @text: WHAT, as the user wrote it
 * @what: WHAT
 * @members: the paths of the members
 * @nr_members: their number
 * @command: the words of CMD with NULL at the end, or NULL
 * @objects: how many objects are followed at most, or 0
 * @seconds: how long objects are followed, or 0
 * @pid: only objects of this process and its children, or 0
 * @comm: only objects of tasks with this name, or NULL
 * @filter: a filter of the event, or NULL
 * @type: the struct of the objects, or NULL
 * @file: only objects of files with this name, or NULL
 * @enum_name: the enum with the names of the value, or NULL
 * @output: the file that gets the records, or NULL to print them
 * @stack: functions in each stack trace, or 0
 * @all: each call, not only changes
 * @changes: changes only
 * @returns: name the call that changed the value
 * @watch: record each store
 * @typed: functions for the struct only
 * @size: pointers into the object count, too
 * @after_free: calls with the address of a freed object, too
 * @no_events: no events of the kernel that belong to the objects
 */
struct follow_options {
	const char	*text;
	struct what	what;
	char		**members;
	int		nr_members;
	char		**command;
	unsigned long	objects;
	double		seconds;
	long		pid;
	const char	*comm;
	const char	*filter;
	const char	*type;
	const char	*file;
	const char	*enum_name;
	const char	*output;
	long		stack;
	bool		all;
	bool		changes;
	bool		returns;
	bool		watch;
	bool		typed;
	bool		size;
	bool		after_free;
	bool		no_events;
};

int follow_parse(int argc, char **argv, struct follow_options *o);

#endif /* _TOOLS_OBJTRACE_OPTIONS_H */
