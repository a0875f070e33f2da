/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records, as trace events: filters, histograms, triggers, stacktrace,
 * trace-cmd and KernelShark work on them as on any other.
 *
 * Nobody fires the tracepoints.  objtrace_record.c writes the records straight
 * into the instance of the trigger that tracks the object, so the assignments
 * here are empty, and what attaches to the tracepoints (perf, BPF) sees nothing.
 *
 * The print formats use only what libtraceevent can parse.  __print_symbolic()
 * prints what it has no name for as 0x%lx: with a name for 0 alone it prints any
 * number, and can stand in the same place as the text of a fault.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM objtrace

#if !defined(_OBJTRACE_EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define _OBJTRACE_EVENT_H

#include <linux/tracepoint.h>

#ifndef OBJTRACE_DEL_TRIGGER
/* Why an object's life in the table ended */
#define OBJTRACE_DEL_TRIGGER	0	/* with the trigger that tracked it */
#endif

#define objtrace_print_value						\
	(__entry->fault ? "(fault)" :					\
	 __print_symbolic(__entry->value, { 0, "0x0" }))

TRACE_EVENT(objtrace_add,

	TP_PROTO(unsigned long object),

	TP_ARGS(object),

	TP_STRUCT__entry(
		__field(unsigned long,	object)
		__field(unsigned long,	value)
		__field(u64,		id)
		__field(u8,		fault)
		__dynamic_array(char,	event,	0)
	),

	TP_fast_assign(
		(void)__entry;
	),

	TP_printk("object:0x%lx value:%s event:%s", __entry->object,
		  objtrace_print_value, __get_str(event))
);

TRACE_EVENT(objtrace_value,

	TP_PROTO(unsigned long object),

	TP_ARGS(object),

	TP_STRUCT__entry(
		__field(unsigned long,	ip)
		__field(unsigned long,	parent_ip)
		__field(unsigned long,	object)
		__field(unsigned long,	value)
		__field(u64,		id)
		__field(u8,		arg)
		__field(u8,		fault)
	),

	TP_fast_assign(
		(void)__entry;
	),

	TP_printk("%ps <-%ps object:0x%lx value:%s", (void *)__entry->ip,
		  (void *)__entry->parent_ip, __entry->object,
		  objtrace_print_value)
);

TRACE_EVENT(objtrace_del,

	TP_PROTO(unsigned long object),

	TP_ARGS(object),

	TP_STRUCT__entry(
		__field(unsigned long,	object)
		__field(unsigned long,	hits)
		__field(u64,		id)
		__field(u8,		reason)
	),

	TP_fast_assign(
		(void)__entry;
	),

	TP_printk("object:0x%lx reason:%s hits:%lu", __entry->object,
		  __print_symbolic(__entry->reason,
				   { OBJTRACE_DEL_TRIGGER, "trigger" }),
		  __entry->hits)
);

#endif /* _OBJTRACE_EVENT_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE objtrace_event
#include <trace/define_trace.h>
