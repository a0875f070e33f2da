/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing records into the instance of a trigger, see objtrace_event.h for what
 * is in them.
 */
#ifndef _OBJTRACE_RECORD_H
#define _OBJTRACE_RECORD_H

#include <linux/types.h>

#include "records/tally.h"

struct objtrace_fetch;
struct objtrace_sample;
struct trace_array;
struct trace_buffer;
struct trace_event_call;
struct trace_event_file;
struct trace_seq;

/**
 * struct objtrace_files - our events in one instance
 * @add: objtrace_add
 * @value: objtrace_value
 * @del: objtrace_del
 * @after_free: objtrace_after_free
 * @buffer: see objtrace_kernel_buffer_at(), of that instance
 */
struct objtrace_files {
	struct trace_event_file	*add;
	struct trace_event_file	*value;
	struct trace_event_file	*del;
	struct trace_event_file	*after_free;
	struct trace_buffer	**buffer;
};

/**
 * struct objtrace_place - where a function received an object
 * @ip: the function's ftrace location
 * @parent_ip: where its caller goes on
 * @arg: in which of its arguments, counted from 1
 * @offset: how far into the object that points
 * @is_sure: whether the function is known to receive something there
 */
struct objtrace_place {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	arg;
	unsigned int	offset;
	bool		is_sure;
};

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

/**
 * struct objtrace_end - an object is no longer tracked
 * @object: the object
 * @id: which one at this address
 * @hits: how many function entries received it
 * @age: how long it was tracked, by the instance's trace clock
 * @ip: who freed its memory, for OBJTRACE_DEL_FREE; else 0
 * @reason: OBJTRACE_DEL_*
 */
struct objtrace_end {
	unsigned long	object;
	u64		id;
	unsigned long	hits;
	u64		age;
	unsigned long	ip;
	unsigned int	reason;
};

/**
 * struct objtrace_hint - a function was passed the address of an object that was freed
 * @object: the object
 * @id: which one at this address
 * @age: how long ago that was, by the instance's trace clock
 * @freed_by: who freed its memory
 * @fetch: has the object's type
 */
struct objtrace_hint {
	unsigned long			object;
	u64				id;
	u64				age;
	unsigned long			freed_by;
	const struct objtrace_fetch	*fetch;
};

int objtrace_record_check(void);
int objtrace_record_init(void);
void objtrace_record_exit(void);
int objtrace_record_files(struct trace_array *tr, struct objtrace_files *files);
void objtrace_record_announce(const struct objtrace_files *files);
bool objtrace_record_owns(const struct trace_event_call *call);

enum objtrace_outcome objtrace_record_add(const struct objtrace_files *files,
					  const struct objtrace_sample *sample,
					  const char *event);
enum objtrace_outcome objtrace_record_value(const struct objtrace_files *files,
					    const struct objtrace_sample *sample,
					    const struct objtrace_place *place);
enum objtrace_outcome objtrace_record_change(const struct objtrace_files *files,
					     const struct objtrace_sample *sample,
					     const struct objtrace_place *place,
					     const struct objtrace_last *last);
enum objtrace_outcome objtrace_record_del(const struct objtrace_files *files,
					  const struct objtrace_end *end);
enum objtrace_outcome objtrace_record_hint(const struct objtrace_files *files,
					   const struct objtrace_hint *hint,
					   const struct objtrace_place *place);

void objtrace_record_print_value(struct trace_seq *s,
				 const struct objtrace_sample *sample);
void objtrace_record_print_time(struct trace_seq *s, u64 time, bool in_ns);

#endif /* _OBJTRACE_RECORD_H */
