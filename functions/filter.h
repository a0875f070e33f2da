/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions are left out, by what was written to set_filter and set_notrace.
 *
 * functions/filter.c knows the two lists and what they say of a function.  The lock is
 * that of functions/groups.c, which traces what they leave.
 */
#ifndef _OBJTRACE_FILTER_H
#define _OBJTRACE_FILTER_H

#include <linux/types.h>

struct objtrace_funcs;
struct objtrace_patterns;
struct seq_file;

/**
 * enum objtrace_filter - the two lists
 * @OBJTRACE_SET_FILTER: only functions that are in it are traced; all if it is empty
 * @OBJTRACE_SET_NOTRACE: functions that are in it are not
 * @OBJTRACE_NR_FILTERS: how many there are
 */
enum objtrace_filter {
	OBJTRACE_SET_FILTER,
	OBJTRACE_SET_NOTRACE,
	OBJTRACE_NR_FILTERS
};

const char *objtrace_filter_name(enum objtrace_filter which);
const struct objtrace_patterns *objtrace_filter_list(enum objtrace_filter which);
struct objtrace_patterns *objtrace_filter_exchange(enum objtrace_filter which,
						   struct objtrace_patterns *patterns);
void objtrace_filter_judge(enum objtrace_filter which, struct objtrace_funcs *funcs);
void objtrace_filter_show(struct seq_file *m, enum objtrace_filter which);
void objtrace_filter_exit(void);

#endif /* _OBJTRACE_FILTER_H */
