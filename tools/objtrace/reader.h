/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a file of trace-cmd.
 */
#ifndef _TOOLS_OBJTRACE_READER_H
#define _TOOLS_OBJTRACE_READER_H

#include "tools/objtrace/stacks.h"
#include "tools/objtrace/context.h"

struct decoder;
struct objects;
struct tep_handle;
struct tracecmd_input;

/**
 * struct reader - an open file of trace-cmd
 * @path: its path, for messages
 * @input: libtracecmd's handles: the top instance, and the instances that the file has
 * @names: name of each instance; NULL for the top instance
 * @nr: number of handles
 * @tep: formats and symbols of the file
 * @decoder: decoder of our records
 * @stacks: stacks of the records
 * @contexts: events of the kernel that belong to objects
 */
struct reader {
	const char		*path;
	struct tracecmd_input	**input;
	const char		**names;
	unsigned int		nr;
	struct tep_handle	*tep;
	struct decoder		*decoder;
	struct stacks		stacks;
	struct contexts		contexts;
};

int reader_open(struct reader *reader, const char *path);
int reader_read(struct reader *reader, struct objects *objects);
void reader_close(struct reader *reader);

#endif /* _TOOLS_OBJTRACE_READER_H */
