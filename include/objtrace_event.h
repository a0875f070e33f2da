/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records, as trace events.  Filters, histograms, triggers, stacktrace, trace-cmd and
 * KernelShark work on the records.
 *
 * records/record.c writes the records into the instance of the object's trigger, and does not
 * fire the tracepoints for that.  Only perf and BPF programs attach to the tracepoints, see
 * class_reg() in records/events.c.  records/record.c fires a tracepoint only while one of them
 * is attached.  Both use the same assignments, so both have equal fields and values.
 *
 * The arguments of the tracepoints are what a record is made of.  A BPF program of type raw_tp or
 * tp_btf reads the members of these structs.
 *
 * The print formats are for tools outside of the kernel.  The formats only use features that
 * libtraceevent can parse, so all values but signed integers are in hexadecimal there.  In the
 * kernel, records/print.c prints the lines.  Addresses of code are pointers: tools show these
 * with their symbols.  records/events.c adds the fields
 * svalue and sold, the signed forms of the fields value and old.
 *
 * __print_symbolic() prints a number without a name as 0x%lx.  If only 0 has a name, the function
 * prints every other number in hexadecimal.  The formats use the empty name to print nothing for 0.
 * The ip of objtrace_del is printed in this way, too, because %ps prints a name even for 0.
 *
 * The field unknown is 0 if the function certainly has the parameter arg, else the number of arg.
 * In the second case, the register can have an old pointer that the function does not receive.
 *
 * In objtrace_change, the fields seen_* describe the call that was entered with the new value.
 * The fields without that prefix describe the last call that was entered with the old value.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM objtrace

#if !defined(_OBJTRACE_EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define _OBJTRACE_EVENT_H

#include <linux/string.h>
#include <linux/tracepoint.h>

struct objtrace_arming;
struct objtrace_end;
struct objtrace_hint;
struct objtrace_last;
struct objtrace_place;
struct objtrace_returned;
struct objtrace_sample;
struct objtrace_names;
struct objtrace_write;

#ifndef OBJTRACE_DEL_TRIGGER
/* Reasons why an object was deleted from the table */
#define OBJTRACE_DEL_TRIGGER	0	/* the trigger that added the object was removed */
#define OBJTRACE_DEL_DEL	1	/* a del trigger fired for the object */
#define OBJTRACE_DEL_CLEAR	2	/* a clear trigger fired in the instance */
#define OBJTRACE_DEL_FREE	3	/* the memory of the object was freed */

#define OBJTRACE_DEL_NAMES						\
	{ OBJTRACE_DEL_TRIGGER, "trigger" }, { OBJTRACE_DEL_DEL, "del" },	\
	{ OBJTRACE_DEL_CLEAR, "clear" }, { OBJTRACE_DEL_FREE, "free" }

/* Assign the value of a sample to the fields of a record */
#define objtrace_assign_value(entry, sample) do {			\
	const struct objtrace_fetch *how = (sample)->fetch;		\
									\
	(entry)->object = (sample)->object;				\
	(entry)->value = (sample)->value;				\
	(entry)->id = (sample)->id;					\
	(entry)->btf = how->btf;					\
	(entry)->enum_id = how->enum_id;				\
	(entry)->format = how->format;					\
	(entry)->fault = (sample)->fault;				\
} while (0)

/* Assign the function that received an object, and the type of the object */
#define objtrace_assign_place(entry, place, fetch) do {			\
	(entry)->ip = (void *)(place)->ip;				\
	(entry)->parent_ip = (void *)(place)->parent_ip;		\
	(entry)->struct_id = (fetch)->struct_id;			\
	(entry)->offset = (place)->offset;				\
	(entry)->arg = (place)->arg;					\
	(entry)->unknown = (place)->is_sure ? 0 : (place)->arg;		\
} while (0)

/* Assign the old value, and the function that was entered with the new value */
#define objtrace_assign_change(entry, seen, last) do {			\
	(entry)->how = (last)->how;					\
	(entry)->unsure = (last)->unsure;				\
	(entry)->old = (last)->value;					\
	(entry)->old_fault = (last)->fault;				\
	(entry)->old_cpu = (last)->cpu;					\
	(entry)->old_ts = (last)->ts;					\
	(entry)->seen_ip = (void *)(seen)->ip;				\
	(entry)->seen_parent_ip = (void *)(seen)->parent_ip;		\
	(entry)->seen_offset = (seen)->offset;				\
	(entry)->seen_arg = (seen)->arg;				\
	(entry)->seen_unknown = (seen)->is_sure ? 0 : (seen)->arg;	\
} while (0)

/* Assign the value at the entry of a function that returns, and its return value */
#define objtrace_assign_return(entry, returned) do {			\
	(entry)->old = (returned)->old;					\
	(entry)->old_fault = (returned)->old_fault;			\
	(entry)->ret = (returned)->ret;					\
	(entry)->unsure = (returned)->unsure;				\
} while (0)

/* Assign the end of an object */
#define objtrace_assign_end(entry, end) do {				\
	(entry)->ip = (void *)(end)->ip;				\
	(entry)->by = (void *)(end)->by;				\
	(entry)->object = (end)->object;				\
	(entry)->hits = (end)->hits;					\
	(entry)->id = (end)->id;					\
	(entry)->age = (end)->age;					\
	(entry)->reason = (end)->reason;				\
} while (0)

/* Assign an object that all CPUs watch */
#define objtrace_assign_arming(entry, arming) do {			\
	(entry)->object = (arming)->object;				\
	(entry)->id = (arming)->id;					\
	(entry)->window = (arming)->window;				\
	(entry)->cpus = (arming)->cpus;					\
} while (0)

/* Assign the instruction and the old value of a store */
#define objtrace_assign_write(entry, write) do {			\
	(entry)->ip = (void *)(write)->ip;				\
	(entry)->old = (write)->old;					\
} while (0)

/* Assign a freed object */
#define objtrace_assign_hint(entry, hint) do {				\
	(entry)->object = (hint)->object;				\
	(entry)->freed_by = (void *)(hint)->freed_by;			\
	(entry)->id = (hint)->id;					\
	(entry)->age = (hint)->age;					\
	(entry)->btf = (hint)->fetch->btf;				\
} while (0)
#endif

#ifndef OBJTRACE_CHANGE_AFTER_CALL
/* Where an object had its old value last */
#define OBJTRACE_CHANGE_AFTER_CALL	0	/* at the entry of a function */
#define OBJTRACE_CHANGE_AFTER_ADD	1	/* when it was added */
#define OBJTRACE_CHANGE_UNKNOWN		2	/* unknown, as the old value is */
#define OBJTRACE_CHANGE_AFTER_STORE	3	/* when an instruction stored it */
#define OBJTRACE_CHANGE_AFTER_RETURN	4	/* at the return of a function */
#define OBJTRACE_CHANGE_WITHIN		5	/* in the call that changed it */
#endif

/*
 * A value is two arguments, for "%s%.0ld": a text and a number.  A signed value, whose format is
 * OBJTRACE_FORMAT_SIGNED (1), has no text, and other values have no number: "%.0ld" prints nothing
 * for 0.
 */
#define objtrace_text(value)						\
	(__entry->format == 1 ?						\
	 __print_symbolic(__entry->value != 0, { 0, "0" }, { 1, "" }) :	\
	 __print_symbolic(__entry->value, { 0, "0x0" }))

#define objtrace_number(value)						\
	(__entry->format == 1 ? (long)__entry->value : 0L)

#define objtrace_unless_fault(fault, text, value)			\
	(__entry->fault ?						\
	 __print_symbolic(__entry->fault, { 1, "(fault)" }, { 2, "(io)" },	\
			  { 3, "?" }) :						\
	 text), objtrace_number(value)

#define objtrace_text_of(value, fault)					\
	objtrace_unless_fault(fault, objtrace_text(value), value)

#define objtrace_value_text	objtrace_text_of(value, fault)

/*
 * The same for a record that has the names of characters (2) and enumerators (4).  libtraceevent
 * cannot evaluate "||" before the "?", and needs the parentheses.
 */
#define objtrace_named_text(value, fault, name)				\
	objtrace_unless_fault(fault,					\
			      (__entry->format == 2 ? __get_str(name) :	\
			       (__entry->format == 4 ? __get_str(name) :	\
				objtrace_text(value))), value)

/* Copy a string to a field of the record */
#define objtrace_assign_string(field, text)				\
	memcpy(__get_str(field), text, strlen(text) + 1)

#define objtrace_unknown_text(unknown)					\
	__print_symbolic(__entry->unknown, { 0, "" },			\
			 { 1, " arg1?" }, { 2, " arg2?" },		\
			 { 3, " arg3?" }, { 4, " arg4?" },		\
			 { 5, " arg5?" }, { 6, " arg6?" },		\
			 { 7, " arg7?" }, { 8, " arg8?" })

TRACE_EVENT(objtrace_add,

	TP_PROTO(const struct objtrace_sample *sample, const char *event,
		 const struct objtrace_names *names),

	TP_ARGS(sample, event, names),

	TP_STRUCT__entry(
		__field(unsigned long,	object)
		__field(unsigned long,	value)
		__field(u64,		id)
		__field(u32,		btf)
		__field(u32,		enum_id)
		__field(u8,		format)
		__field(u8,		fault)
		__dynamic_array(char,	event,	strlen(event) + 1)
		__dynamic_array(char,	member,	strlen(sample->fetch->member) + 1)
		__dynamic_array(char,	name,	strlen(names->value) + 1)
	),

	TP_fast_assign(
		objtrace_assign_value(__entry, sample);
		objtrace_assign_string(event, event);
		objtrace_assign_string(member, sample->fetch->member);
		objtrace_assign_string(name, names->value);
	),

	TP_printk("object:0x%lx value:%s%.0ld event:%s", __entry->object,
		  objtrace_named_text(value, fault, name), __get_str(event))
);

TRACE_EVENT(objtrace_value,

	TP_PROTO(const struct objtrace_sample *sample, const struct objtrace_place *place),

	TP_ARGS(sample, place),

	TP_STRUCT__entry(
		__field(void *,		ip)
		__field(void *,		parent_ip)
		__field(unsigned long,	object)
		__field(unsigned long,	value)
		__field(u64,		id)
		__field(u32,		btf)
		__field(u32,		enum_id)
		__field(u32,		struct_id)
		__field(u32,		offset)
		__field(u8,		arg)
		__field(u8,		unknown)
		__field(u8,		format)
		__field(u8,		fault)
	),

	TP_fast_assign(
		objtrace_assign_value(__entry, sample);
		objtrace_assign_place(__entry, place, sample->fetch);
	),

	TP_printk("%ps <-%ps object:0x%lx%s%s%s value:%s%.0ld", __entry->ip,
		  __entry->parent_ip, __entry->object,
		  __entry->offset ? "+" : "",
		  __print_symbolic(__entry->offset, { 0, "" }),
		  objtrace_unknown_text(unknown),
		  objtrace_value_text)
);

TRACE_EVENT(objtrace_change,

	TP_PROTO(const struct objtrace_sample *sample, const struct objtrace_place *seen,
		 const struct objtrace_last *last, const struct objtrace_names *names),

	TP_ARGS(sample, seen, last, names),

	TP_STRUCT__entry(
		__field(void *,		ip)
		__field(void *,		parent_ip)
		__field(void *,		seen_ip)
		__field(void *,		seen_parent_ip)
		__field(unsigned long,	object)
		__field(unsigned long,	old)
		__field(unsigned long,	value)
		__field(u64,		id)
		__field(u64,		old_ts)
		__field(u32,		old_cpu)
		__field(u32,		btf)
		__field(u32,		enum_id)
		__field(u32,		struct_id)
		__field(u32,		offset)
		__field(u32,		seen_offset)
		__field(u8,		how)
		__field(u8,		unsure)
		__field(u8,		arg)
		__field(u8,		unknown)
		__field(u8,		seen_arg)
		__field(u8,		seen_unknown)
		__field(u8,		format)
		__field(u8,		old_fault)
		__field(u8,		fault)
		__dynamic_array(char,	member,	strlen(sample->fetch->member) + 1)
		__dynamic_array(char,	old_name, strlen(names->old) + 1)
		__dynamic_array(char,	name,	strlen(names->value) + 1)
	),

	TP_fast_assign(
		objtrace_assign_value(__entry, sample);
		objtrace_assign_place(__entry, &last->place, sample->fetch);
		objtrace_assign_change(__entry, seen, last);
		objtrace_assign_string(member, sample->fetch->member);
		objtrace_assign_string(old_name, names->old);
		objtrace_assign_string(name, names->value);
	),

	TP_printk("%s%ps <-%ps object:0x%lx%s%s%s value:%s%.0ld->%s%.0ld%s seen at: %ps <-%ps%s%s%s (after%s [%03u] ts:%llu)%s",
		  __print_symbolic(__entry->how, { 0, "" }, { 1, "objtrace_add " },
				   { 2, "? " }, { 3, "" }, { 4, "" }, { 5, "" }),
		  __entry->ip, __entry->parent_ip, __entry->object,
		  __entry->offset ? "+" : "",
		  __print_symbolic(__entry->offset, { 0, "" }),
		  objtrace_unknown_text(unknown),
		  __entry->how == 2 ? "?" : objtrace_named_text(old, old_fault, old_name),
		  objtrace_named_text(value, fault, name), __entry->how == 5 ? " within" : "",
		  __entry->seen_ip, __entry->seen_parent_ip,
		  __entry->seen_offset ? " +" : "",
		  __print_symbolic(__entry->seen_offset, { 0, "" }),
		  objtrace_unknown_text(seen_unknown),
		  __entry->how == 4 ? " return" : "", __entry->old_cpu, __entry->old_ts,
		  __entry->unsure ? " (or a call in it)" : "")
);

TRACE_EVENT(objtrace_return,

	TP_PROTO(const struct objtrace_sample *sample, const struct objtrace_place *place,
		 const struct objtrace_returned *returned),

	TP_ARGS(sample, place, returned),

	TP_STRUCT__entry(
		__field(void *,		ip)
		__field(void *,		parent_ip)
		__field(unsigned long,	object)
		__field(unsigned long,	old)
		__field(unsigned long,	value)
		__field(unsigned long,	ret)
		__field(u64,		id)
		__field(u32,		btf)
		__field(u32,		enum_id)
		__field(u32,		struct_id)
		__field(u32,		offset)
		__field(u8,		unsure)
		__field(u8,		arg)
		__field(u8,		unknown)
		__field(u8,		format)
		__field(u8,		old_fault)
		__field(u8,		fault)
	),

	TP_fast_assign(
		objtrace_assign_value(__entry, sample);
		objtrace_assign_place(__entry, place, sample->fetch);
		objtrace_assign_return(__entry, returned);
	),

	TP_printk("%ps <-%ps object:0x%lx%s%s%s value:%s%.0ld->%s%.0ld ret:0x%lx%s",
		  __entry->ip, __entry->parent_ip, __entry->object,
		  __entry->offset ? "+" : "",
		  __print_symbolic(__entry->offset, { 0, "" }),
		  objtrace_unknown_text(unknown),
		  objtrace_text_of(old, old_fault), objtrace_value_text, __entry->ret,
		  __entry->unsure ? " (or a call in it)" : "")
);

TRACE_EVENT(objtrace_del,

	TP_PROTO(const struct objtrace_end *end),

	TP_ARGS(end),

	TP_STRUCT__entry(
		__field(void *,		ip)
		__field(unsigned long,	object)
		__field(unsigned long,	hits)
		__field(u64,		id)
		__field(u64,		age)
		__field(void *,		by)
		__field(u8,		reason)
	),

	TP_fast_assign(
		objtrace_assign_end(__entry, end);
	),

	TP_printk("object:0x%lx reason:%s%s%s%s%s hits:%lu age:%llu", __entry->object,
		  __print_symbolic(__entry->reason, OBJTRACE_DEL_NAMES),
		  __entry->by ? " by " : "",
		  __print_symbolic((unsigned long)__entry->by, { 0, "" }),
		  __entry->ip ? " <-" : "",
		  __print_symbolic((unsigned long)__entry->ip, { 0, "" }),
		  __entry->hits, __entry->age)
);

TRACE_EVENT(objtrace_after_free,

	TP_PROTO(const struct objtrace_hint *hint, const struct objtrace_place *place),

	TP_ARGS(hint, place),

	TP_STRUCT__entry(
		__field(void *,		ip)
		__field(void *,		parent_ip)
		__field(unsigned long,	object)
		__field(void *,		freed_by)
		__field(u64,		id)
		__field(u64,		age)
		__field(u32,		btf)
		__field(u32,		struct_id)
		__field(u32,		offset)
		__field(u8,		arg)
		__field(u8,		unknown)
	),

	TP_fast_assign(
		objtrace_assign_hint(__entry, hint);
		objtrace_assign_place(__entry, place, hint->fetch);
	),

	TP_printk("%ps <-%ps object:0x%lx%s%s%s freed_by:%ps age:%llu (hint)",
		  __entry->ip, __entry->parent_ip, __entry->object,
		  __entry->offset ? "+" : "",
		  __print_symbolic(__entry->offset, { 0, "" }),
		  objtrace_unknown_text(unknown),
		  __entry->freed_by, __entry->age)
);

/* The window is in nanoseconds */
TRACE_EVENT(objtrace_watch,

	TP_PROTO(const struct objtrace_arming *arming),

	TP_ARGS(arming),

	TP_STRUCT__entry(
		__field(unsigned long,	object)
		__field(u64,		id)
		__field(u64,		window)
		__field(u32,		cpus)
	),

	TP_fast_assign(
		objtrace_assign_arming(__entry, arming);
	),

	TP_printk("object:0x%lx cpus:%u window:%llu", __entry->object,
		  __entry->cpus, __entry->window)
);

TRACE_EVENT(objtrace_write,

	TP_PROTO(const struct objtrace_write *write),

	TP_ARGS(write),

	TP_STRUCT__entry(
		__field(void *,		ip)
		__field(unsigned long,	object)
		__field(unsigned long,	old)
		__field(unsigned long,	value)
		__field(u64,		id)
		__field(u32,		btf)
		__field(u32,		enum_id)
		__field(u8,		format)
		__field(u8,		fault)
	),

	TP_fast_assign(
		objtrace_assign_value(__entry, write->sample);
		objtrace_assign_write(__entry, write);
	),

	TP_printk("%pS object:0x%lx value:%s%.0ld->%s%.0ld", __entry->ip, __entry->object,
		  objtrace_text(old), objtrace_number(old), objtrace_value_text)
);

#endif /* _OBJTRACE_EVENT_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE objtrace_event
#include <trace/define_trace.h>
