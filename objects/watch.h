/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The option "watch": each store to the members of a few objects has a record.
 */
#ifndef _OBJTRACE_WATCH_H
#define _OBJTRACE_WATCH_H

#include <linux/types.h>

struct objtrace_error;
struct objtrace_match;
struct objtrace_sample;
struct objtrace_trigger;

/**
 * struct objtrace_watch_state - state of a trigger's watchpoints, for the file stats
 * @registers: debug registers that the trigger has on each CPU
 * @armed: registers that watch an object
 * @missing: CPUs without a register, because others had taken all registers when they came up
 * @window_ns: longest time until all CPUs were armed, in ns
 */
struct objtrace_watch_state {
	unsigned int	registers;
	unsigned int	armed;
	unsigned int	missing;
	u64		window_ns;
};

int objtrace_watch_init(void);
void objtrace_watch_exit(void);
int objtrace_watch_start(struct objtrace_trigger *t, struct objtrace_error *error);
void objtrace_watch_stop(struct objtrace_trigger *t);
void objtrace_watch_begin(const struct objtrace_match *match, const struct objtrace_sample *sample);
void objtrace_watch_end(const struct objtrace_match *match);
void objtrace_watch_measure(const struct objtrace_trigger *t, struct objtrace_watch_state *state);

#endif /* _OBJTRACE_WATCH_H */
