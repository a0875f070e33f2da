/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that a session switches on beside the records of objtrace.
 */
#ifndef _TOOLS_OBJTRACE_CONTEXT_PLAN_H
#define _TOOLS_OBJTRACE_CONTEXT_PLAN_H

#include "tools/objtrace/context.h"

struct kbtf;
struct kbtf_type;

/**
 * struct context_plan - the events for a struct
 * @nr: number of events
 * @events: lines of the table
 * @probes: for an event without a system, the arguments of its probe on the tracepoint, or NULL
 * @others: the arguments of its probe on the function, or NULL
 */
struct context_plan {
	int			nr;
	const struct context	*events[CONTEXT_MAX];
	char			*probes[CONTEXT_MAX];
	char			*others[CONTEXT_MAX];
};

void context_plan(struct kbtf *k, const struct kbtf_type *type, struct context_plan *plan);
void context_plan_free(struct context_plan *plan);

#endif /* _TOOLS_OBJTRACE_CONTEXT_PLAN_H */
