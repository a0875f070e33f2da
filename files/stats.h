/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents of the files stats and objects: all counters, and the tracked objects.
 */
#ifndef _OBJTRACE_STATS_H
#define _OBJTRACE_STATS_H

struct objtrace_trigger;
struct seq_file;
struct trace_seq;

void objtrace_stats_add(struct objtrace_trigger *trigger);
void objtrace_stats_remove(struct objtrace_trigger *trigger);
int objtrace_stats_show(struct seq_file *m, void *unused);
void objtrace_stats_show_object(struct seq_file *m, struct trace_seq *s, unsigned int n);

#endif /* _OBJTRACE_STATS_H */
