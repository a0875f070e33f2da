/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The option "changes": what was seen last of each object, and where, so that a
 * record is written only when the value is another one.
 */
#ifndef _OBJTRACE_CHANGES_H
#define _OBJTRACE_CHANGES_H

#include <linux/types.h>

struct objtrace_place;
struct objtrace_sample;
struct objtrace_slot;
struct trace_array;

/**
 * enum objtrace_last_state - what is known of the value that was seen last
 * @OBJTRACE_LAST_VALUE: the value
 * @OBJTRACE_LAST_FAULT: the value could not be read
 * @OBJTRACE_LAST_UNKNOWN: nothing: another CPU, or the interrupted code, was reading the value
 * @OBJTRACE_LAST_IO: the value is in device memory
 */
enum objtrace_last_state {
	OBJTRACE_LAST_VALUE,
	OBJTRACE_LAST_FAULT,
	OBJTRACE_LAST_UNKNOWN,
	OBJTRACE_LAST_IO,
};

/**
 * struct objtrace_last - what was seen last of an object's value
 * @state: enum objtrace_last_state
 * @value: the value, as in struct objtrace_sample
 * @ip: ftrace location of the function that had received the object; 0 when it was
 *	added
 * @parent_ip: where its caller went on
 * @cpu: where it ran
 * @ts: when, by the instance's trace clock
 *
 * All of one size: that is how records carry it.
 */
struct objtrace_last {
	u64	state;
	u64	value;
	u64	ip;
	u64	parent_ip;
	u64	cpu;
	u64	ts;
};

int objtrace_changes_init(void);
void objtrace_changes_exit(void);
void objtrace_changes_start(const struct objtrace_slot *slot, struct trace_array *tr,
			    const struct objtrace_sample *sample);
struct objtrace_last *objtrace_changes_claim(const struct objtrace_slot *slot);
bool objtrace_changes_replace(struct objtrace_last *last, struct trace_array *tr,
			      const struct objtrace_sample *sample,
			      const struct objtrace_place *place,
			      struct objtrace_last *before);

#endif /* _OBJTRACE_CHANGES_H */
