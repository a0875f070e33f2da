/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields and records of events, probes of events, and instances.
 */
#ifndef _OBJTRACE_KERNEL_EVENT_H
#define _OBJTRACE_KERNEL_EVENT_H

#include <linux/types.h>

struct ftrace_ops;
struct trace_array;
struct trace_buffer;
struct trace_entry;
struct trace_event_call;

/**
 * struct objtrace_field - a field of an event's record
 * @offset: bytes from the start of the record
 * @size: size in bytes; 0 for a generic field, which the record does not contain
 * @is_array: true if the field is an array of any size
 */
struct objtrace_field {
	unsigned int	offset;
	unsigned int	size;
	bool		is_array;
};

bool objtrace_kernel_find_field(struct trace_event_call *call, const char *name,
				struct objtrace_field *field);
unsigned int objtrace_kernel_arg_registers(struct trace_event_call *call,
					   const char *name);
const void *objtrace_kernel_last_probe(struct trace_event_call *call);
bool objtrace_kernel_probe_is_first(const struct ftrace_ops *ops, unsigned long ip);
struct trace_buffer **objtrace_kernel_buffer_at(struct trace_array *tr);
struct trace_buffer *objtrace_kernel_buffer(struct trace_array *tr);
u64 objtrace_kernel_clock(struct trace_array *tr);
const char *objtrace_kernel_instance(const struct trace_array *tr);
unsigned int objtrace_kernel_context(const struct trace_entry *entry);

#endif /* _OBJTRACE_KERNEL_EVENT_H */
