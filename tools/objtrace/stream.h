/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a session, from its records in the order of time.
 */
#ifndef _TOOLS_OBJTRACE_STREAM_H
#define _TOOLS_OBJTRACE_STREAM_H

#include "tools/objtrace/followed.h"
#include "tools/objtrace/lines.h"

/**
 * struct stream - the state of the output; zeroes at first, apart from @lines
 * @lines: the output
 * @objects: the objects
 * @held: the first value that holds records
 * @nr_added: number of records objtrace_add
 * @hits: number of functions that received the objects that ended
 * @shows_stack: the last record has a line, so its stack has lines, too
 */
struct stream {
	struct lines		lines;
	struct followed_table	objects;
	struct followed_value	*held;
	int			nr_added;
	u64			hits;
	bool			shows_stack;
};

void stream_take(struct stream *stream, struct kept_record *kept);
void stream_release(struct stream *stream, u64 limit);
void stream_summary(struct stream *stream);
void stream_free(struct stream *stream);

#endif /* _TOOLS_OBJTRACE_STREAM_H */
