// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the records in the files of tracefs.
 *
 * The kernel generates print functions from the formats in objtrace_event.h.  The generated
 * functions cannot print a value by its type, so records/events.c replaces them.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "command/parse.h"
#include "objtrace_event.h"
#include "objtrace_fetch.h"
#include "records/names.h"
#include "records/print.h"
#include "records/raw.h"
#include "records/sample.h"
#include "types/types.h"

/**
 * struct shown - how to print the value of a record
 * @format: enum objtrace_format
 * @btf: number of the BTF that has @enum_id
 * @enum_id: type of the value, if it is an enum
 */
struct shown {
	u8	format;
	u32	btf;
	u32	enum_id;
};

#define shown_as(entry) \
	((struct shown){ (entry)->format, (entry)->btf, (entry)->enum_id })

static const char *fault_text(enum objtrace_fault fault)
{
	switch (fault) {
	case OBJTRACE_FAULT_IO:
		return "(io)";
	case OBJTRACE_FAULT_UNKNOWN:
		return "?";
	default:
		return "(fault)";
	}
}

static void print_bare_value(struct trace_seq *s, enum objtrace_fault fault, u64 value,
			     struct shown as)
{
	char name[OBJTRACE_NAME_LEN];

	if (fault) {
		trace_seq_puts(s, fault_text(fault));
		return;
	}
	switch (as.format) {
	case OBJTRACE_FORMAT_SIGNED:
		trace_seq_printf(s, "%lld", value);
		break;
	case OBJTRACE_FORMAT_SYMBOL:
		trace_seq_printf(s, "%pS", (void *)value);
		break;
	case OBJTRACE_FORMAT_CHAR:
	case OBJTRACE_FORMAT_ENUM:
		objtrace_name(as.format, as.btf, as.enum_id, value, name);
		trace_seq_puts(s, name);
		break;
	default:
		trace_seq_printf(s, "0x%llx", value);
	}
}

static void print_value(struct trace_seq *s, enum objtrace_fault fault, u64 value,
			struct shown as)
{
	trace_seq_puts(s, "value:");
	print_bare_value(s, fault, value, as);
}

/**
 * objtrace_print_sample() - print a value in the format of records
 * @s: the output
 * @sample: the value
 *
 * Context: any, NMI included.
 */
void objtrace_print_sample(struct trace_seq *s,
				 const struct objtrace_sample *sample)
{
	const struct objtrace_fetch *fetch = sample->fetch;

	print_bare_value(s, sample->fault, sample->value,
			 (struct shown){ fetch->format, fetch->btf, fetch->enum_id });
}

/**
 * objtrace_print_add() - print a record objtrace_add: the object, its first value and the event
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_add(struct trace_iterator *iter, int flags,
				     struct trace_event *event)
{
	struct trace_event_raw_objtrace_add *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	trace_seq_printf(s, "object:0x%lx ", entry->object);
	print_value(s, entry->fault, entry->value, shown_as(entry));
	trace_seq_printf(s, " event:%s\n",
			 (char *)entry + (entry->__data_loc_event & 0xffff));
	return trace_handle_return(s);
}

static void print_object_offset(struct trace_seq *s, u32 offset, u32 btf, u32 struct_id)
{
	char name[OBJTRACE_PATH_LEN];

	if (!offset)
		return;
	trace_seq_printf(s, "+0x%x", offset);
	if (struct_id && objtrace_types_member(btf, struct_id, offset, name, sizeof(name)))
		trace_seq_printf(s, "(%s)", name);
}

static void print_call(struct trace_seq *s, const void *ip, const void *parent_ip)
{
	trace_seq_printf(s, "%ps <-%ps", ip, parent_ip);
}

static void print_unknown(struct trace_seq *s, u8 arg)
{
	if (arg)
		trace_seq_printf(s, " arg%u?", arg);
}

/**
 * objtrace_print_time() - print a time in the kernel's format of record times
 * @s: the output
 * @time: time by the trace clock of an instance
 * @in_ns: true if that clock counts nanoseconds
 *
 * Context: any, NMI included.
 */
void objtrace_print_time(struct trace_seq *s, u64 time, bool in_ns)
{
	u64 us;

	if (!in_ns) {
		trace_seq_printf(s, "%llu", time);
		return;
	}
	us = DIV_ROUND_CLOSEST_ULL(time, NSEC_PER_USEC);
	trace_seq_printf(s, "%llu.%06llu", us / USEC_PER_SEC, us % USEC_PER_SEC);
}

/* Print SYMBOL+OFFSET: %pS appends the size of the function */
static void print_code(struct trace_seq *s, const void *ip)
{
	char text[KSYM_SYMBOL_LEN];
	size_t len;

	sprint_symbol(text, (unsigned long)ip);
	len = strcspn(text, "/");
	trace_seq_printf(s, "%.*s", (int)len, text);
	trace_seq_puts(s, text + len + strcspn(text + len, " "));
}

/* These are macros, because each kind of record has its own type */
#define print_object(s, entry) do {					\
	trace_seq_printf(s, "object:0x%lx", (entry)->object);		\
	print_object_offset(s, (entry)->offset, (entry)->btf, (entry)->struct_id); \
	print_unknown(s, (entry)->unknown);				\
} while (0)

#define print_place(s, entry) do {					\
	print_call(s, (entry)->ip, (entry)->parent_ip);			\
	trace_seq_putc(s, ' ');						\
	print_object(s, entry);						\
} while (0)

/**
 * objtrace_print_value() - print a record objtrace_value: the function, the object and the value
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_value(struct trace_iterator *iter, int flags,
				       struct trace_event *event)
{
	struct trace_event_raw_objtrace_value *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	print_place(s, entry);
	trace_seq_putc(s, ' ');
	print_value(s, entry->fault, entry->value, shown_as(entry));
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

/* Print the last call with the old value: the function that may have changed the value */
static void print_suspect(struct trace_seq *s,
			  const struct trace_event_raw_objtrace_change *entry)
{
	switch (entry->how) {
	case OBJTRACE_CHANGE_AFTER_CALL:
	case OBJTRACE_CHANGE_AFTER_RETURN:
	case OBJTRACE_CHANGE_WITHIN:
		print_call(s, entry->ip, entry->parent_ip);
		break;
	case OBJTRACE_CHANGE_AFTER_ADD:
		trace_seq_puts(s, "objtrace_add");
		break;
	case OBJTRACE_CHANGE_AFTER_STORE:
		print_code(s, entry->ip);
		break;
	default:
		trace_seq_putc(s, '?');
	}
	trace_seq_putc(s, ' ');
	print_object(s, entry);
}

/* Each kind of record has its own type */
#define print_old_and_new(s, entry, knows_old) do {			\
	trace_seq_puts(s, " value:");					\
	if (knows_old)							\
		print_bare_value(s, (entry)->old_fault, (entry)->old, shown_as(entry)); \
	else								\
		trace_seq_putc(s, '?');					\
	trace_seq_puts(s, "->");					\
	print_bare_value(s, (entry)->fault, (entry)->value, shown_as(entry)); \
} while (0)

static void print_unsure(struct trace_seq *s, bool is_unsure)
{
	if (is_unsure)
		trace_seq_puts(s, " (or a call in it)");
}

/* Print the first call with the new value, and the time of the last call with the old value */
static void print_sighting(struct trace_seq *s,
			   const struct trace_event_raw_objtrace_change *entry, bool in_ns)
{
	trace_seq_puts(s, " seen at: ");
	print_call(s, entry->seen_ip, entry->seen_parent_ip);
	if (entry->seen_offset)
		trace_seq_putc(s, ' ');
	print_object_offset(s, entry->seen_offset, entry->btf, entry->struct_id);
	print_unknown(s, entry->seen_unknown);
	if (entry->how == OBJTRACE_CHANGE_UNKNOWN)
		return;
	trace_seq_printf(s, " (after%s [%03u] ts:",
			 entry->how == OBJTRACE_CHANGE_AFTER_RETURN ? " return" : "",
			 entry->old_cpu);
	objtrace_print_time(s, entry->old_ts, in_ns);
	trace_seq_putc(s, ')');
}

/**
 * objtrace_print_change() - print a record objtrace_change: the suspect and both values
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_change(struct trace_iterator *iter, int flags,
					struct trace_event *event)
{
	struct trace_event_raw_objtrace_change *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	print_suspect(s, entry);
	print_old_and_new(s, entry, entry->how != OBJTRACE_CHANGE_UNKNOWN);
	if (entry->how == OBJTRACE_CHANGE_WITHIN)
		trace_seq_puts(s, " within");
	else
		print_sighting(s, entry, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	print_unsure(s, entry->unsure);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

/**
 * objtrace_print_return() - print a record objtrace_return: the function and both values
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_return(struct trace_iterator *iter, int flags,
					struct trace_event *event)
{
	struct trace_event_raw_objtrace_return *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	print_place(s, entry);
	print_old_and_new(s, entry, true);
	trace_seq_printf(s, " ret:0x%lx", entry->ret);
	print_unsure(s, entry->unsure);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

static const char *reason_name(unsigned int reason)
{
	static const struct trace_print_flags names[] = { OBJTRACE_DEL_NAMES };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].mask == reason)
			return names[i].name;
	return "?";
}

/**
 * objtrace_print_del() - print a record objtrace_del: the object and the cause of its end
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_del(struct trace_iterator *iter, int flags,
				     struct trace_event *event)
{
	struct trace_event_raw_objtrace_del *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	trace_seq_printf(s, "object:0x%lx reason:%s", entry->object,
			 reason_name(entry->reason));
	if (entry->by)
		trace_seq_printf(s, " by %ps", entry->by);
	if (entry->ip)
		trace_seq_printf(s, " <-%ps", entry->ip);
	trace_seq_printf(s, " hits:%lu age:", entry->hits);
	objtrace_print_time(s, entry->age, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

/**
 * objtrace_print_hint() - print a record objtrace_after_free: the function and the freed object
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_hint(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct trace_event_raw_objtrace_after_free *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	print_place(s, entry);
	trace_seq_printf(s, " freed_by:%ps age:", entry->freed_by);
	objtrace_print_time(s, entry->age, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	trace_seq_puts(s, " (hint)\n");
	return trace_handle_return(s);
}

/**
 * objtrace_print_watch() - print a record objtrace_watch: the CPUs report stores to an object
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_watch(struct trace_iterator *iter, int flags,
				       struct trace_event *event)
{
	struct trace_event_raw_objtrace_watch *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	trace_seq_printf(s, "object:0x%lx cpus:%u window:", entry->object, entry->cpus);
	objtrace_print_time(s, entry->window, true);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

/**
 * objtrace_print_write() - print a record objtrace_write: the code, the object and both values
 * @iter: the record and the output
 * @flags: unused
 * @event: the kernel's functions for the event
 *
 * Context: any, NMI included: the kernel prints the buffer in a panic, too.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE without room in the output
 */
enum print_line_t objtrace_print_write(struct trace_iterator *iter, int flags,
				       struct trace_event *event)
{
	struct trace_event_raw_objtrace_write *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	print_code(s, entry->ip);
	trace_seq_printf(s, " object:0x%lx ", entry->object);
	print_value(s, OBJTRACE_NO_FAULT, entry->old, shown_as(entry));
	trace_seq_puts(s, "->");
	print_bare_value(s, entry->fault, entry->value, shown_as(entry));
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}
