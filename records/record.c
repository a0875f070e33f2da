// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write records into the instance of the trigger that tracks the object, even if our events are
 * disabled there, and print them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "command/parse.h"
#include "kernel/event.h"
#include "kernel/ksyms.h"
#include "objtrace_compat.h"
#include "objtrace_fetch.h"
#include "records/record.h"
#include "records/sample.h"
#include "records/tally.h"
#include "types/types.h"

/*
 * Enable or disable one of our events, in any instance: for a user, or for a trigger on the
 * event.  An enabled event holds a reference to the module.  The kernel holds none, and could
 * not disable an event with triggers when the module goes.
 */
static int class_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	bool enable = type == TRACE_REG_REGISTER;
	int ret;

	if (enable && !try_module_get(THIS_MODULE))
		return -ENODEV;
	ret = trace_event_reg(call, type, data);
	if (enable ? ret : type == TRACE_REG_UNREGISTER)
		module_put(THIS_MODULE);
	return ret;
}

/*
 * Whether memory was short for a field of our events, and an event that the kernel has no
 * number for.  Written under event_mutex when the kernel creates the events.  Module init runs
 * later, in the same task.
 */
static bool fields_are_missing;
static struct trace_event_call *without_number;

/* Our events have no __array(): trace_define_field() has no parameter for its length */
static int define_fields(struct trace_event_call *call)
{
	const struct trace_event_fields *field = call->class->fields_array;
	unsigned int offset = sizeof(struct trace_entry);
	int ret = 0;

	for (; !ret && field->type; field++) {
		offset = round_up(offset, field->align);
		ret = trace_define_field(call, field->type, field->name, offset, field->size,
					 field->is_signed, field->filter_type);
		offset += field->size;
	}
	return ret;
}

/*
 * Register one of our events, and define its fields.  The kernel would define them after it
 * created the event's directory.  If memory is short then, the kernel warns, and newer kernels
 * take no reference for the directory: rmmod frees the event's file twice.  The kernel adds no
 * field to an event that has fields, or that has no list of fields to define.
 *
 * Returns no error.  Some kernels create the files of an event even if it is not registered,
 * and never remove them.  A registered event without functions is not unregistered.
 */
static int class_init(struct trace_event_call *call)
{
	static struct trace_event_fields no_fields;

	if (trace_event_raw_init(call)) {
		call->event.funcs = NULL;
		without_number = call;
	}
	if (define_fields(call)) {
		call->class->fields_array = &no_fields;
		fields_are_missing = true;
	}
	return 0;
}

/* The macros put the names of two kernel functions into each class: replace both functions */
#define trace_event_reg class_reg
#define trace_event_raw_init class_init
#define CREATE_TRACE_POINTS
#include "objtrace_event.h"
#undef trace_event_raw_init
#undef trace_event_reg

/* Longest name of an enumerator that is printed */
#define ENUMERATOR_LEN	64

static void print_enumerator(struct trace_seq *s, u64 value, u32 btf, u32 enum_id)
{
	char name[ENUMERATOR_LEN];

	if (objtrace_types_enumerator(btf, enum_id, value, name, sizeof(name)))
		trace_seq_puts(s, name);
	else
		trace_seq_printf(s, "%lld", value);
}

static void print_char(struct trace_seq *s, u8 value)
{
	if (isascii(value) && isprint(value))
		trace_seq_printf(s, "'%c'", value);
	else
		trace_seq_printf(s, "0x%x", value);
}

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

static void print_bare_value(struct trace_seq *s, enum objtrace_fault fault, u64 value,
			     struct shown as)
{
	if (fault) {
		trace_seq_puts(s, fault == OBJTRACE_FAULT_IO ? "(io)" : "(fault)");
		return;
	}
	switch (as.format) {
	case OBJTRACE_FORMAT_SIGNED:
		trace_seq_printf(s, "%lld", value);
		break;
	case OBJTRACE_FORMAT_CHAR:
		print_char(s, value);
		break;
	case OBJTRACE_FORMAT_SYMBOL:
		trace_seq_printf(s, "%pS", (void *)value);
		break;
	case OBJTRACE_FORMAT_ENUM:
		print_enumerator(s, value, as.btf, as.enum_id);
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
 * objtrace_record_print_value() - print a value in the format of records
 * @s: the output
 * @sample: the value
 *
 * Context: any, NMI included.
 */
void objtrace_record_print_value(struct trace_seq *s,
				 const struct objtrace_sample *sample)
{
	const struct objtrace_fetch *fetch = sample->fetch;

	print_bare_value(s, sample->fault, sample->value,
			 (struct shown){ fetch->format, fetch->btf, fetch->enum_id });
}

static enum print_line_t print_add_record(struct trace_iterator *iter, int flags,
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

/**
 * objtrace_record_print_time() - print a time in the kernel's format of record times
 * @s: the output
 * @time: time by the trace clock of an instance
 * @in_ns: true if that clock counts nanoseconds
 *
 * Context: any, NMI included.
 */
void objtrace_record_print_time(struct trace_seq *s, u64 time, bool in_ns)
{
	u64 us;

	if (!in_ns) {
		trace_seq_printf(s, "%llu", time);
		return;
	}
	us = DIV_ROUND_CLOSEST_ULL(time, NSEC_PER_USEC);
	trace_seq_printf(s, "%llu.%06llu", us / USEC_PER_SEC, us % USEC_PER_SEC);
}

static enum objtrace_fault fault_of(const struct objtrace_last *last)
{
	switch (last->state) {
	case OBJTRACE_LAST_VALUE:
		return OBJTRACE_NO_FAULT;
	case OBJTRACE_LAST_IO:
		return OBJTRACE_FAULT_IO;
	default:
		return OBJTRACE_FAULT;
	}
}

static void print_last(struct trace_seq *s, const struct objtrace_last *last,
		       struct shown as, bool in_ns)
{
	if (last->state == OBJTRACE_LAST_UNKNOWN) {
		trace_seq_puts(s, " (last value:unknown)");
		return;
	}
	trace_seq_puts(s, " (last ");
	print_value(s, fault_of(last), last->value, as);
	trace_seq_printf(s, " at [%03llu] ", last->cpu);
	if (last->ip)
		trace_seq_printf(s, "%ps <-%ps", (void *)(long)last->ip,
				 (void *)(long)last->parent_ip);
	else
		trace_seq_puts(s, "objtrace_add");
	trace_seq_puts(s, " ts:");
	objtrace_record_print_time(s, last->ts, in_ns);
	trace_seq_putc(s, ')');
}

/* Print function, caller and object; a macro, because each kind of record has its own type */
#define print_place(s, entry) do {					\
	trace_seq_printf(s, "%ps <-%ps object:0x%lx",			\
			 (void *)(entry)->ip, (void *)(entry)->parent_ip, \
			 (entry)->object);				\
	print_object_offset(s, (entry)->offset, (entry)->btf, (entry)->struct_id); \
	if ((entry)->unknown)						\
		trace_seq_printf(s, " arg%u?", (entry)->unknown);	\
} while (0)

static enum print_line_t print_value_record(struct trace_iterator *iter, int flags,
					    struct trace_event *event)
{
	struct trace_event_raw_objtrace_value *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);
	struct objtrace_last last;

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	print_place(s, entry);
	trace_seq_putc(s, ' ');
	print_value(s, entry->fault, entry->value, shown_as(entry));
	if (entry->__data_loc_last >> 16 == sizeof(last)) {
		memcpy(&last, entry->__data, sizeof(last));
		print_last(s, &last, shown_as(entry),
			   iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	}
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

static enum print_line_t print_del_record(struct trace_iterator *iter, int flags,
					  struct trace_event *event)
{
	struct trace_event_raw_objtrace_del *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	trace_seq_printf(s, "object:0x%lx reason:%s", entry->object,
			 reason_name(entry->reason));
	if (entry->ip)
		trace_seq_printf(s, " %ps", (void *)entry->ip);
	trace_seq_printf(s, " hits:%lu age:", entry->hits);
	objtrace_record_print_time(s, entry->age, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

static enum print_line_t print_hint_record(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	struct trace_event_raw_objtrace_after_free *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	print_place(s, entry);
	trace_seq_printf(s, " freed_by:%ps age:", (void *)entry->freed_by);
	objtrace_record_print_time(s, entry->age, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	trace_seq_puts(s, " (hint)\n");
	return trace_handle_return(s);
}

/* The buffer of the records that only triggers and filters of our events see */
static struct trace_buffer *nowhere;

/*
 * The time that the clock of that buffer shows.  Written by reserve_nowhere() on this CPU.
 * An interrupt restores the value that it found, so plain accesses are enough.
 */
static DEFINE_PER_CPU(u64, refused_at);

static u64 refused_clock(void)
{
	return raw_cpu_read(refused_at);
}

/* Check the top instance.  An instance without our events refuses triggers. */
static bool is_event_created(struct trace_event_call *call)
{
	struct trace_event_file *file;
	bool is_ours;

	file = trace_get_event_file(NULL, "objtrace", trace_event_name(call));
	if (IS_ERR(file))
		return false;
	is_ours = file->event_call == call && objtrace_has_directory(file);
	trace_put_event_file(file);
	return is_ours;
}

/**
 * objtrace_record_check() - check whether the kernel created our events
 *
 * The kernel loads a module even if it could not create an event of the module.  If module
 * init fails, the kernel removes each part of the events that it created.
 *
 * Context: task, module init, after objtrace_layout_init().
 * Return: 0; -ENOMEM; -ENODEV after one line that names the event
 */
int objtrace_record_check(void)
{
	struct trace_event_call *calls[] = {
		&event_objtrace_add, &event_objtrace_value, &event_objtrace_del,
		&event_objtrace_after_free,
	};
	unsigned int i;

	if (fields_are_missing)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		if (calls[i] != without_number && is_event_created(calls[i]))
			continue;
		pr_err("the kernel did not create the trace event %s: out of memory, too many events, or another event of this name\n",
		       trace_event_name(calls[i]));
		return -ENODEV;
	}
	return 0;
}

/**
 * objtrace_record_init() - allocate the buffer for refused records and set the print functions
 *
 * The kernel generated print functions from the print formats, which cannot print a value by its
 * type.  No record exists yet that the old functions could print.
 *
 * Context: task, module init.
 * Return: 0 or -ENOMEM
 */
int objtrace_record_init(void)
{
	nowhere = ring_buffer_alloc(PAGE_SIZE, RB_FL_OVERWRITE);
	if (!nowhere)
		return -ENOMEM;
	ksym(ring_buffer_set_clock)(nowhere, refused_clock);
	event_objtrace_add.event.funcs->trace = print_add_record;
	event_objtrace_value.event.funcs->trace = print_value_record;
	event_objtrace_del.event.funcs->trace = print_del_record;
	event_objtrace_after_free.event.funcs->trace = print_hint_record;
	return 0;
}

/**
 * objtrace_record_exit() - free the buffer for refused records
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_record_exit(void)
{
	if (nowhere)
		ring_buffer_free(nowhere);
	nowhere = NULL;
}

/**
 * objtrace_record_owns() - check for the events of objtrace itself
 * @call: the event
 *
 * Context: any, NMI included.
 * Return: true if objtrace defines the event
 */
bool objtrace_record_owns(const struct trace_event_call *call)
{
	return call == &event_objtrace_add || call == &event_objtrace_value ||
	       call == &event_objtrace_del || call == &event_objtrace_after_free;
}

static struct trace_event_file *find_file(struct trace_array *tr, const char *name)
{
	return ksym(find_event_file)(tr, "objtrace", name);
}

/**
 * objtrace_record_files() - find our events in an instance
 * @tr: the instance
 * @files: filled in on success; valid while the instance and the module exist
 *
 * Context: task, event_mutex held.
 * Return: 0, or -ENODEV if the instance lacks one of our events
 */
int objtrace_record_files(struct trace_array *tr, struct objtrace_files *files)
{
	files->add = find_file(tr, "objtrace_add");
	files->value = find_file(tr, "objtrace_value");
	files->del = find_file(tr, "objtrace_del");
	files->after_free = find_file(tr, "objtrace_after_free");
	if (!files->add || !files->value || !files->del || !files->after_free)
		return -ENODEV;
	files->buffer = objtrace_kernel_buffer_at(tr);
	return 0;
}

/**
 * objtrace_record_announce() - have the buffer of an instance cleared at module unload
 * @files: our events in the instance
 *
 * The kernel clears the buffer if an event of the module was ever enabled in the instance, so
 * set that flag.  A record that stays could not be printed; or a later event with the same number
 * would print it.  The kernel does not clear the buffers of CPUs that are offline then.
 *
 * Context: task, event_mutex held.
 */
void objtrace_record_announce(const struct objtrace_files *files)
{
	set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->add->flags);
	set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->value->flags);
	set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->del->flags);
	set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->after_free->flags);
}

/*
 * Writing
 *
 * The kernel's trace_event_buffer_reserve() and trace_event_buffer_commit() do not return whether
 * the record is written, or why it is lost.  The ring buffer may refuse it, the filter may discard
 * it, or tracing may be switched off before it is copied from trace_buffered_event.
 *
 * So the functions below take the same steps one at a time.  There are two differences.  A record
 * that the filter may reject is in the ring buffer from the start, never in trace_buffered_event.
 * No record is printed for the boot option tp_printk, or passed to trace exporters.
 */

/**
 * struct writing - a record that is being written
 * @file: our event
 * @buffer: ring buffer with the record
 * @event: the record in @buffer
 * @context: flags and preemption count of the record
 * @outcome: result so far; OBJTRACE_WRITTEN until a check fails
 */
struct writing {
	struct trace_event_file		*file;
	struct trace_buffer		*buffer;
	struct ring_buffer_event	*event;
	unsigned int			context;
	enum objtrace_outcome		outcome;
};

/* With one of these flags, ask_event() decides before the record is reserved */
#define ASKED_FIRST	(EVENT_FILE_FL_TRIGGER_MODE | EVENT_FILE_FL_SOFT_DISABLED | \
			 EVENT_FILE_FL_PID_FILTER)

/* With one of these flags, triggers or ask_filter() need the complete record */
#define ASKED_LAST	(EVENT_FILE_FL_TRIGGER_COND | EVENT_FILE_FL_SOFT_DISABLED | \
			 EVENT_FILE_FL_FILTERED)

/* Decide without the record whether to write it.  Runs triggers, if none of them needs it. */
static noinline enum objtrace_outcome ask_event(struct trace_event_file *file)
{
	bool is_disabled = trace_trigger_soft_disabled(file);

	/* If a trigger needs the record, ask_filter() checks for soft disabled instead */
	if (is_disabled && file->flags & EVENT_FILE_FL_SOFT_DISABLED)
		return OBJTRACE_LOST_DISABLED;
	if (is_disabled || (file->flags & EVENT_FILE_FL_PID_FILTER &&
			    trace_event_ignore_this_pid(file)))
		return OBJTRACE_LOST_PID;
	return OBJTRACE_WRITTEN;
}

/*
 * The record has the preemption count of the traced function, so subtract 1 for objtrace.
 * trace_event_buffer_reserve() does so, too: a tracepoint disables preemption once.
 */
static __always_inline unsigned int current_context(void)
{
	unsigned int flags = irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0;

	return ksym(tracing_gen_ctx_irq_test)(flags) - IS_ENABLED(CONFIG_PREEMPTION);
}

/* Why the buffer of an instance refused a record */
static noinline enum objtrace_outcome why_lost(struct trace_event_file *file)
{
	return ksym(tracer_tracing_is_on)(file->tr) ? OBJTRACE_LOST_BUFFER : OBJTRACE_LOST_OFF;
}

/*
 * Reserve a record that @buffer refused in a buffer that nobody reads.  Triggers of our event
 * need it: one of them may switch tracing on.  The filter needs it, too: a record that the filter
 * rejects does not count as lost in the buffer.
 *
 * A hist trigger reads the time of the record, and compares it with the times in @buffer.
 * So the record gets the time of @buffer.  If the record interrupts the record of an
 * instance with a later clock, the kernel may log once that the clock went backwards.
 */
static noinline struct ring_buffer_event *reserve_nowhere(struct trace_event_file *file,
							  struct trace_buffer *buffer,
							  size_t size)
{
	u64 interrupted = raw_cpu_read(refused_at);
	struct ring_buffer_event *event;

	if (!(file->flags & (EVENT_FILE_FL_TRIGGER_COND | EVENT_FILE_FL_FILTERED)))
		return NULL;
	raw_cpu_write(refused_at, ring_buffer_time_stamp(buffer));
	event = ring_buffer_lock_reserve(nowhere, size);
	raw_cpu_write(refused_at, interrupted);
	return event;
}

/* Reserve a record for commit_record(); NULL if it is lost already, see w->outcome */
static __always_inline void *reserve_record(struct writing *w, struct trace_buffer **buffer,
					    struct trace_event_file *file, size_t size)
{
	void *entry;

	w->file = file;
	w->outcome = OBJTRACE_WRITTEN;
	if (unlikely(file->flags & ASKED_FIRST)) {
		w->outcome = ask_event(file);
		if (w->outcome != OBJTRACE_WRITTEN)
			return NULL;
	}
	/* Read this before the ring buffer disables preemption once more */
	w->context = current_context();
	w->buffer = READ_ONCE(*buffer);
	w->event = ring_buffer_lock_reserve(w->buffer, size);
	if (unlikely(!w->event)) {
		w->outcome = why_lost(file);
		w->event = reserve_nowhere(file, w->buffer, size);
		w->buffer = nowhere;
		if (!w->event)
			return NULL;
	}
	entry = ring_buffer_event_data(w->event);
	tracing_generic_entry_update(entry, file->event_call->event.type, w->context);
	return entry;
}

/* Decide with the record whether to write it.  A reject by the filter overrides LOST_BUFFER. */
static enum objtrace_outcome ask_filter(const struct writing *w, void *entry)
{
	struct trace_event_file *file = w->file;

	if (w->outcome == OBJTRACE_LOST_OFF)
		return w->outcome;
	if (file->flags & EVENT_FILE_FL_SOFT_DISABLED)
		return OBJTRACE_LOST_DISABLED;
	if (file->flags & EVENT_FILE_FL_FILTERED &&
	    !filter_match_preds(rcu_dereference_raw(file->filter), entry))
		return OBJTRACE_LOST_FILTER;
	return w->outcome;
}

static __always_inline enum objtrace_outcome write_record(const struct writing *w)
{
	/* This function also adds stack traces, and has the kernel save the names of tasks */
	ksym(trace_buffer_unlock_commit_regs)(w->file->tr, w->buffer, w->event, w->context,
					      NULL);
	return OBJTRACE_WRITTEN;
}

/* Run the triggers of our event before and after the record is written or discarded */
static noinline enum objtrace_outcome commit_shown_record(struct writing w)
{
	void *entry = ring_buffer_event_data(w.event);
	enum event_trigger_type later = ETT_NONE;

	if (w.file->flags & EVENT_FILE_FL_TRIGGER_COND)
		later = event_triggers_call(w.file, w.buffer, entry, w.event);
	w.outcome = ask_filter(&w, entry);
	if (w.outcome == OBJTRACE_WRITTEN)
		write_record(&w);
	else
		ring_buffer_discard_commit(w.buffer, w.event);
	if (later)
		event_triggers_post_call(w.file, later);
	return w.outcome;
}

/*
 * Keep @w in registers: never pass its address to a function that is not inlined.
 *
 * Stack traces of the option "stacktrace" skip three functions: one of the kernel, and two of
 * ours.  These are the function that this code is inlined in, and either commit_shown_record() or
 * the caller.
 */
static __always_inline enum objtrace_outcome commit_record(const struct writing *w)
{
	if (unlikely(w->outcome != OBJTRACE_WRITTEN || w->file->flags & ASKED_LAST))
		return commit_shown_record(*w);
	return write_record(w);
}

/* Location of a dynamic array: its length, and its offset in the record */
#define data_loc(entry, len)						\
	((u32)(len) << 16 | offsetof(typeof(*(entry)), __data))

#define fill_in_value(entry, sample) do {				\
	const struct objtrace_fetch *how = (sample)->fetch;		\
									\
	(entry)->value = (sample)->value;				\
	(entry)->id = (sample)->id;					\
	(entry)->btf = how->btf;					\
	(entry)->enum_id = how->enum_id;				\
	(entry)->format = how->format;				\
	(entry)->fault = (sample)->fault;				\
} while (0)

#define fill_in_place(entry, place) do {				\
	(entry)->ip = (place)->ip;					\
	(entry)->parent_ip = (place)->parent_ip;			\
	(entry)->offset = (place)->offset;				\
	(entry)->arg = (place)->arg;					\
	(entry)->unknown = (place)->is_sure ? 0 : (place)->arg;		\
} while (0)

/**
 * objtrace_record_add() - write the record objtrace_add
 * @files: our events in the trigger's instance
 * @sample: the object and its first value
 * @event: the event that fired, as SYSTEM:EVENT
 *
 * If ftrace calls us through its list function, it disables preemption once more.  The count in
 * the record is then 1 too high, as in the records of the kernel's tracers.
 *
 * Context: any, NMI included; preemption disabled once, see current_context().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_add(const struct objtrace_files *files,
					  const struct objtrace_sample *sample,
					  const char *event)
{
	struct trace_event_raw_objtrace_add *entry;
	struct writing w;
	size_t len = strlen(event) + 1;

	entry = reserve_record(&w, files->buffer, files->add, sizeof(*entry) + len);
	if (!entry)
		return w.outcome;
	entry->object = sample->object;
	fill_in_value(entry, sample);
	entry->__data_loc_event = data_loc(entry, len);
	memcpy(entry->__data, event, len);
	return commit_record(&w);
}

static __always_inline
enum objtrace_outcome record_value(const struct objtrace_files *files,
				   const struct objtrace_sample *sample,
				   const struct objtrace_place *place,
				   const struct objtrace_last *last)
{
	struct trace_event_raw_objtrace_value *entry;
	struct writing w;
	size_t len = last ? sizeof(*last) : 0;

	entry = reserve_record(&w, files->buffer, files->value, sizeof(*entry) + len);
	if (!entry)
		return w.outcome;
	fill_in_place(entry, place);
	entry->object = sample->object;
	entry->struct_id = sample->fetch->struct_id;
	fill_in_value(entry, sample);
	entry->__data_loc_last = data_loc(entry, len);
	if (last)
		memcpy(entry->__data, last, len);
	return commit_record(&w);
}

/**
 * objtrace_record_value() - write the record objtrace_value
 * @files: our events in the trigger's instance
 * @sample: the object and its value
 * @place: the function that received the object
 *
 * Context: as objtrace_record_add().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_value(const struct objtrace_files *files,
					    const struct objtrace_sample *sample,
					    const struct objtrace_place *place)
{
	return record_value(files, sample, place, NULL);
}

/**
 * objtrace_record_change() - write the record objtrace_value with the last value
 * @files: our events in the trigger's instance
 * @sample: the object and its new value
 * @place: the function that received the object
 * @last: the value before
 *
 * Context: as objtrace_record_add().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_change(const struct objtrace_files *files,
					     const struct objtrace_sample *sample,
					     const struct objtrace_place *place,
					     const struct objtrace_last *last)
{
	return record_value(files, sample, place, last);
}

/**
 * objtrace_record_del() - write the record objtrace_del
 * @files: our events in the trigger's instance
 * @end: the object and the cause of its end
 *
 * Context: as objtrace_record_add().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_del(const struct objtrace_files *files,
					  const struct objtrace_end *end)
{
	struct trace_event_raw_objtrace_del *entry;
	struct writing w;

	entry = reserve_record(&w, files->buffer, files->del, sizeof(*entry));
	if (!entry)
		return w.outcome;
	entry->ip = end->ip;
	entry->object = end->object;
	entry->hits = end->hits;
	entry->id = end->id;
	entry->age = end->age;
	entry->reason = end->reason;
	return commit_record(&w);
}

/**
 * objtrace_record_hint() - write the record objtrace_after_free
 * @files: our events in the trigger's instance
 * @hint: the freed object
 * @place: the function that received the object's address
 *
 * Context: as objtrace_record_add().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_hint(const struct objtrace_files *files,
					   const struct objtrace_hint *hint,
					   const struct objtrace_place *place)
{
	struct trace_event_raw_objtrace_after_free *entry;
	struct writing w;

	entry = reserve_record(&w, files->buffer, files->after_free, sizeof(*entry));
	if (!entry)
		return w.outcome;
	fill_in_place(entry, place);
	entry->object = hint->object;
	entry->freed_by = hint->freed_by;
	entry->id = hint->id;
	entry->age = hint->age;
	entry->btf = hint->fetch->btf;
	entry->struct_id = hint->fetch->struct_id;
	return commit_record(&w);
}
