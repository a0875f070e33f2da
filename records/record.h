/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing records into the instance of a trigger.  objtrace_event.h defines their fields.
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
 * @buffer: pointer to the instance's ring buffer, see objtrace_kernel_buffer_at()
 */
struct objtrace_files {
	struct trace_event_file	*add;
	struct trace_event_file	*value;
	struct trace_event_file	*del;
	struct trace_event_file	*after_free;
	struct trace_buffer	**buffer;
};

/**
 * struct objtrace_place - the function and the argument that received an object
 * @ip: ftrace location of the function
 * @parent_ip: return address in the caller
 * @arg: number of the argument, counted from 1
 * @offset: bytes from the start of the object to the argument's address
 * @is_sure: the prototype of the function is known and has this argument
 */
struct objtrace_place {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	arg;
	unsigned int	offset;
	bool		is_sure;
};

/**
 * enum objtrace_last_state - whether the last value of an object is known
 * @OBJTRACE_LAST_VALUE: known
 * @OBJTRACE_LAST_FAULT: the value could not be read
 * @OBJTRACE_LAST_UNKNOWN: unknown: another CPU, or the interrupted code, was reading the value
 * @OBJTRACE_LAST_IO: the value is in device memory
 */
enum objtrace_last_state {
	OBJTRACE_LAST_VALUE,
	OBJTRACE_LAST_FAULT,
	OBJTRACE_LAST_UNKNOWN,
	OBJTRACE_LAST_IO,
};

/**
 * struct objtrace_last - the last value of an object, and its place
 * @state: enum objtrace_last_state
 * @value: the value, as in struct objtrace_sample
 * @ip: ftrace location of the function that received the object; 0 if the value is from when the
 *	object was added
 * @parent_ip: return address in the caller
 * @cpu: CPU that read the value
 * @ts: time of the read, by the instance's trace clock
 *
 * All members have one size: the record objtrace_value has them as an array of u64.
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
 * struct objtrace_end - the end of an object
 * @object: the object
 * @id: number of the object
 * @hits: how many function entries received the object
 * @age: how long the object was tracked, by the instance's trace clock
 * @ip: address in the function that freed the memory, for OBJTRACE_DEL_FREE; else 0
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
 * struct objtrace_hint - a freed object whose address a function received
 * @object: the object
 * @id: number of the object
 * @age: time since the free, by the instance's trace clock
 * @freed_by: address in the function that freed the memory
 * @fetch: the type of the object
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
