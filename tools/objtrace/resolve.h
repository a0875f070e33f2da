/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan of a session for a command line, with the names of the running kernel.
 */
#ifndef _TOOLS_OBJTRACE_RESOLVE_H
#define _TOOLS_OBJTRACE_RESOLVE_H

#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/options.h"
#include "tools/objtrace/session.h"

/**
 * struct resolved - what the kernel says about a command line
 * @plan: the plan of the session, apart from the PID of the command
 * @type: the struct of the objects; without BTF if it is unknown
 * @struct_name: its name, or NULL
 */
struct resolved {
	struct session_plan	plan;
	struct kbtf_type	type;
	const char		*struct_name;
};

int resolve(struct kbtf *k, const struct follow_options *o, struct resolved *r);
void resolve_free(struct resolved *r);

#endif /* _TOOLS_OBJTRACE_RESOLVE_H */
