/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instance of a session that has the events of struct context.
 */
#ifndef _TOOLS_OBJTRACE_CONTEXT_SESSION_H
#define _TOOLS_OBJTRACE_CONTEXT_SESSION_H

#include "tools/objtrace/context.h"

struct context_plan;
struct tep_handle;
struct tracefs_instance;

/**
 * struct context_session - the events that are on
 * @instance: the instance, or NULL without such events
 * @nr: number of events
 * @events: their names, "SYSTEM:EVENT", for free()
 */
struct context_session {
	struct tracefs_instance	*instance;
	int			nr;
	char			*events[CONTEXT_MAX];
};

void context_open(struct context_session *c, const char *session, const struct context_plan *plan);
void context_formats(const struct context_session *c, struct tep_handle *tep);
void context_close(struct context_session *c);

#endif /* _TOOLS_OBJTRACE_CONTEXT_SESSION_H */
