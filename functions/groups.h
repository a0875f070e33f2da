/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace the functions that triggers need.
 */
#ifndef _OBJTRACE_GROUPS_H
#define _OBJTRACE_GROUPS_H

#include <linux/types.h>

#include "functions/filter.h"

struct objtrace_patterns;
struct objtrace_selection;
struct seq_file;

int objtrace_groups_init(void);
void objtrace_groups_exit(void);
int objtrace_groups_arm(struct objtrace_selection *selection);
void objtrace_groups_disarm(struct objtrace_selection *selection);
int objtrace_groups_filter(enum objtrace_filter which, struct objtrace_patterns **patterns);
void objtrace_groups_show_filter(struct seq_file *m, enum objtrace_filter which);
void objtrace_groups_show(struct seq_file *m);
unsigned long objtrace_groups_follow_probe(const struct objtrace_selection *selection,
					   unsigned long probe, unsigned int args);

#endif /* _OBJTRACE_GROUPS_H */
