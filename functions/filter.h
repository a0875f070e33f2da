/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lists of set_filter and set_notrace, which exclude functions.
 *
 * functions/filter.c has the lists and matches functions.  The mutex of functions/groups.c
 * protects them.
 */
#ifndef _OBJTRACE_FILTER_H
#define _OBJTRACE_FILTER_H

#include <linux/types.h>

struct objtrace_funcs;
struct objtrace_patterns;
struct seq_file;

/**
 * enum objtrace_filter - number of a list
 * @OBJTRACE_SET_FILTER: excludes functions that do not match; excludes nothing if it is empty
 * @OBJTRACE_SET_NOTRACE: excludes functions that match
 * @OBJTRACE_NR_FILTERS: number of lists
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
