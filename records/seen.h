/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last function and value of each object, and counters of skipped function entries.
 */
#ifndef _OBJTRACE_SEEN_H
#define _OBJTRACE_SEEN_H

#include <linux/types.h>

#include "objtrace_fetch.h"

struct objtrace_sample;
struct objtrace_slot;

/**
 * enum objtrace_not_seen - why something is skipped that may concern an object: the entry or the
 *			     return of a function, memory that is freed or allocated, or the
 *			     event of a trigger
 * @OBJTRACE_NOT_SEEN_OWN: objtrace itself called the function, or the tracepoint of a free did,
 *			   for objtrace
 * @OBJTRACE_NOT_SEEN_RCU: RCU is not watching, so the trigger may be freed
 * @OBJTRACE_NOT_SEEN_OFFLINE: the CPU comes up or goes offline, and grace periods do not wait
 *			       for the CPU, see objtrace_kernel_rcu_waits()
 * @OBJTRACE_NOT_SEEN_ENDED: a followed call returned, and its object was not tracked any more
 * @OBJTRACE_NR_NOT_SEEN: number of reasons
 */
enum objtrace_not_seen {
	OBJTRACE_NOT_SEEN_OWN,
	OBJTRACE_NOT_SEEN_RCU,
	OBJTRACE_NOT_SEEN_OFFLINE,
	OBJTRACE_NOT_SEEN_ENDED,
	OBJTRACE_NR_NOT_SEEN
};

/**
 * struct objtrace_seen - where an object was seen last, and with which value
 * @ip: ftrace location of the function that received it; 0 before the first function
 * @value: the value that was read last
 * @fault: why no value was read then, or OBJTRACE_NO_FAULT
 *
 * The function and the value can be of different moments: see records/seen.c.
 */
struct objtrace_seen {
	unsigned long		ip;
	u64			value;
	enum objtrace_fault	fault;
};

int objtrace_seen_init(void);
void objtrace_seen_exit(void);
void objtrace_seen_note(const struct objtrace_slot *slot, unsigned long ip,
			const struct objtrace_sample *sample);
void objtrace_seen_last(const struct objtrace_slot *slot, struct objtrace_seen *last);
void objtrace_not_seen_count(enum objtrace_not_seen why);
unsigned long objtrace_not_seen_nr(enum objtrace_not_seen why);

#endif /* _OBJTRACE_SEEN_H */
