/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a session, printed while it runs.
 */
#ifndef _TOOLS_OBJTRACE_LIVE_H
#define _TOOLS_OBJTRACE_LIVE_H

#include <stdbool.h>

#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/session.h"

struct live;

/**
 * struct live_view - what is printed, apart from the records
 * @session: the session with the records
 * @kbtf: the names of enumerators
 * @type: the struct of the objects; without BTF if the struct is unknown
 * @struct_name: its name, or NULL
 * @source: where the objects come from, as the user wrote it
 * @members: the names of the values
 * @nr_values: the number of values; the first has no name if @nr_members is 0
 * @nr_members: the number of @members
 * @is_recorded: the records go to a file, and none is printed
 */
struct live_view {
	struct session		*session;
	struct kbtf		*kbtf;
	struct kbtf_type	type;
	const char		*struct_name;
	const char		*source;
	char			**members;
	int			nr_values;
	int			nr_members;
	bool			is_recorded;
};

struct live *live_open(const struct live_view *view);
int live_read(struct live *live, bool is_last);
void live_read_losses(struct live *live);
void live_read_overruns(struct live *live);
void live_summary(struct live *live);
void live_recorded(struct live *live, const char *file);
void live_close(struct live *live);

#endif /* _TOOLS_OBJTRACE_LIVE_H */
