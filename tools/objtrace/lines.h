/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines that `objtrace follow' prints for records.
 */
#ifndef _TOOLS_OBJTRACE_LINES_H
#define _TOOLS_OBJTRACE_LINES_H

#include "tools/objtrace/followed.h"
#include "tools/objtrace/losses.h"
#include "tools/objtrace/text.h"

struct live_view;

/**
 * struct lines - the output
 * @view: the objects and their members
 * @report: where the lines go, and the names of functions and enumerators
 * @current: number of the object of the last line, or 0
 * @functions: tree of the functions that were printed
 * @nr_functions: their number
 */
struct lines {
	const struct live_view	*view;
	struct report		report;
	unsigned long		current;
	void			*functions;
	unsigned long		nr_functions;
};

void lines_added(struct lines *lines, const struct followed_value *value,
		 const struct record *record);
void lines_record(struct lines *lines, const struct followed_value *value,
		  const struct record *record, const struct change *change);
void lines_event(struct lines *lines, struct followed *object, u64 ts, const char *text);
void lines_function(struct lines *lines, u64 ip);
void lines_losses(struct lines *lines, const struct losses *losses);
void lines_free(struct lines *lines);

#endif /* _TOOLS_OBJTRACE_LINES_H */
