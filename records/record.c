// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write records into the instance of the trigger that tracks the object, even if our events are
 * disabled there.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "kernel/command.h"
#include "kernel/ksyms.h"
#include "kernel/stack.h"
#include "objtrace_compat.h"
#include "objtrace_fetch.h"
#include "records/end.h"
#include "records/events.h"
#include "records/names.h"
#include "records/place.h"
#include "records/raw.h"
#include "records/record.h"
#include "records/sample.h"
#include "records/store.h"
#include "records/tally.h"
#include "records/value.h"

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

/**
 * objtrace_record_init() - allocate the buffer for refused records
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
 * struct writing - a record that is being written, one step at a time
 * @files: our events in the trigger's instance
 * @file: our event
 * @buffer: ring buffer with the record
 * @event: the record in @buffer
 * @context: flags and preemption count of the record
 * @outcome: result so far; OBJTRACE_WRITTEN until a check fails
 */
struct writing {
	const struct objtrace_files	*files;
	struct trace_event_file		*file;
	struct trace_buffer		*buffer;
	struct ring_buffer_event	*event;
	unsigned int			context;
	enum objtrace_outcome		outcome;
};

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

/**
 * objtrace_record_why_lost() - find out why the buffer of an instance refused a record
 * @file: our event in the instance
 *
 * Context: any, NMI included.
 * Return: OBJTRACE_LOST_BUFFER or OBJTRACE_LOST_OFF
 */
noinline enum objtrace_outcome objtrace_record_why_lost(struct trace_event_file *file)
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

/*
 * Reserve a record for commit_record(); NULL if it is lost already, see w->outcome.  @context has the
 * flags and the preemption count of the record.
 */
static void *reserve_record_in(unsigned int context, struct writing *w,
			       const struct objtrace_files *files, enum objtrace_event event,
			       size_t size)
{
	struct trace_event_file *file = files->event[event];

	w->files = files;
	w->file = file;
	w->outcome = file->flags & OBJTRACE_ASKED_FIRST ? ask_event(file) : OBJTRACE_WRITTEN;
	if (w->outcome != OBJTRACE_WRITTEN)
		return NULL;
	w->context = context;
	w->buffer = READ_ONCE(*files->buffer);
	w->event = ring_buffer_lock_reserve(w->buffer, size);
	if (unlikely(!w->event)) {
		w->outcome = objtrace_record_why_lost(file);
		w->event = reserve_nowhere(file, w->buffer, size);
		w->buffer = nowhere;
		if (!w->event)
			return NULL;
	}
	return objtrace_record_begin(w->event, file, w->context);
}

/* The context is read before the ring buffer disables preemption once more */
static void *reserve_record(struct writing *w, const struct objtrace_files *files,
			    enum objtrace_event event, size_t size)
{
	return reserve_record_in(objtrace_record_context(), w, files, event, size);
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

/* Write a record, and the stack records of the instance's options and of the trigger's option */
static void write_with_stack(const struct writing *w, u64 flags, struct pt_regs *regs)
{
	const struct objtrace_files *files = w->files;

	/* With registers, the kernel's stack trace starts there, and skips no function */
	if (objtrace_kernel_adds_stacks(flags))
		ksym(trace_buffer_unlock_commit_regs)(w->file->tr, w->buffer, w->event,
						      w->context, regs);
	else
		ksym(trace_buffer_unlock_commit_nostack)(w->buffer, w->event);
	if (files->stack && !objtrace_kernel_adds_kernel_stack(flags))
		objtrace_kernel_write_stack(w->buffer, w->context, regs, files->stack);
}

/* Run the triggers of our event that run after the record is written or discarded */
static void run_later_triggers(const struct writing *w, enum event_trigger_type later,
			       struct pt_regs *regs)
{
	if (later & ETT_STACKTRACE && objtrace_kernel_take_stacktrace(w->file))
		objtrace_kernel_write_stack(READ_ONCE(*w->files->buffer), w->context, regs,
					    OBJTRACE_WHOLE_STACK);
	later &= ~ETT_STACKTRACE;
	if (later)
		event_triggers_post_call(w->file, later);
}

/* Check for a stack record after the record, or of the trigger "stacktrace" */
static bool needs_stack(const struct writing *w, u64 flags, enum event_trigger_type later)
{
	return later & ETT_STACKTRACE ||
	       (w->outcome == OBJTRACE_WRITTEN &&
		(w->files->stack || objtrace_kernel_adds_stacks(flags)));
}

/*
 * Run the triggers of our event, and write the record with its stack, or discard the record.
 * @ip is the ftrace location of the traced function, or 0 if none has called objtrace.  If the
 * function has returned, @caller has the registers of its caller, where the stack starts.
 */
static enum objtrace_outcome commit_record(struct writing *w, unsigned long ip,
					   const struct pt_regs *caller)
{
	void *entry = ring_buffer_event_data(w->event);
	enum event_trigger_type later = ETT_NONE;
	u64 flags = READ_ONCE(*w->files->flags);
	struct pt_regs regs;

	if (w->file->flags & EVENT_FILE_FL_TRIGGER_COND)
		later = event_triggers_call(w->file, w->buffer, entry, w->event);
	w->outcome = ask_filter(w, entry);
	if (needs_stack(w, flags, later)) {
		if (caller)
			regs = *caller;
		else
			objtrace_kernel_stack_start(&regs, ip);
	}
	if (w->outcome == OBJTRACE_WRITTEN)
		write_with_stack(w, flags, &regs);
	else
		ring_buffer_discard_commit(w->buffer, w->event);
	if (later)
		run_later_triggers(w, later, &regs);
	return w->outcome;
}

/*
 * Copy a string behind the fields of a record, and store its size and its offset in the record.
 * @length is the length of the string, and @pos is the number of bytes behind the fields so far.
 */
#define append_string(entry, field, text, length, pos) do {		\
	size_t size = (length) + 1;					\
									\
	(entry)->__data_loc_##field =					\
		(u32)size << 16 | (offsetof(typeof(*(entry)), __data) + (pos)); \
	memcpy((entry)->__data + (pos), text, size);			\
	(pos) += size;							\
} while (0)

/* Store the name of a value, and return its length: 0 for a number */
static size_t name_value(const struct objtrace_fetch *fetch, enum objtrace_fault fault, u64 value,
			 char *name)
{
	name[0] = '\0';
	if (fault || !objtrace_format_has_names(fetch->format))
		return 0;
	objtrace_name(fetch->format, fetch->btf, fetch->enum_id, value, name);
	return strlen(name);
}

/*
 * Firing
 *
 * A tracepoint fires for each record of a trigger, even if the instance does not write the record.
 * Its key is off while neither perf nor a BPF program is attached.
 */

static noinline void fire_add(const struct objtrace_sample *sample, const char *event,
			      const struct objtrace_names *names)
{
	trace_objtrace_add(sample, event, names);
}

static noinline void fire_value(const struct objtrace_sample *sample,
				const struct objtrace_place *place)
{
	trace_objtrace_value(sample, place);
}

static noinline void fire_change(const struct objtrace_sample *sample,
				 const struct objtrace_place *seen,
				 const struct objtrace_last *last,
				 const struct objtrace_names *names)
{
	trace_objtrace_change(sample, seen, last, names);
}

static noinline void fire_del(const struct objtrace_end *end)
{
	trace_objtrace_del(end);
}

static noinline void fire_hint(const struct objtrace_hint *hint,
			       const struct objtrace_place *place)
{
	trace_objtrace_after_free(hint, place);
}

static noinline void fire_return(const struct objtrace_sample *sample,
				 const struct objtrace_place *place,
				 const struct objtrace_returned *returned)
{
	trace_objtrace_return(sample, place, returned);
}

static noinline void fire_watch(const struct objtrace_arming *arming)
{
	trace_objtrace_watch(arming);
}

static noinline void fire_write(const struct objtrace_write *write)
{
	trace_objtrace_write(write);
}

/**
 * objtrace_record_add() - write the record objtrace_add
 * @files: our events in the trigger's instance
 * @sample: the object and its first value
 * @event: the event that fired, as SYSTEM:EVENT
 * @event_len: length of @event
 * @context: flags and preemption count of the record, see objtrace_kernel_context()
 *
 * Context: any, NMI included; preemption disabled.
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_add(const struct objtrace_files *files,
					  const struct objtrace_sample *sample,
					  const char *event, size_t event_len,
					  unsigned int context)
{
	const struct objtrace_fetch *fetch = sample->fetch;
	struct trace_event_raw_objtrace_add *entry;
	struct objtrace_names names __uninitialized;
	struct writing w __uninitialized;
	size_t pos = 0, len;

	len = name_value(fetch, sample->fault, sample->value, names.value);
	if (trace_objtrace_add_enabled()) {
		names.old[0] = '\0';
		fire_add(sample, event, &names);
	}
	entry = reserve_record_in(context, &w, files, OBJTRACE_EVENT_ADD, sizeof(*entry) +
				  event_len + fetch->member_len + len + 3);
	if (!entry)
		return w.outcome;
	objtrace_assign_value(entry, sample);
	append_string(entry, event, event, event_len, pos);
	append_string(entry, member, fetch->member, fetch->member_len, pos);
	append_string(entry, name, names.value, len, pos);
	return commit_record(&w, 0, NULL);
}

/* Write the record if a flag of the event needs more steps, or the record gets a stack trace */
static noinline enum objtrace_outcome record_value_checked(const struct objtrace_files *files,
							   const struct objtrace_sample *sample,
							   const struct objtrace_place *place)
{
	struct trace_event_raw_objtrace_value *entry;
	struct writing w;

	if (trace_objtrace_value_enabled())
		fire_value(sample, place);
	entry = reserve_record(&w, files, OBJTRACE_EVENT_VALUE, sizeof(*entry));
	if (!entry)
		return w.outcome;
	objtrace_record_assign(entry, sample, place);
	return commit_record(&w, place->ip, NULL);
}

/**
 * objtrace_record_value() - write the record objtrace_value
 * @files: our events in the trigger's instance
 * @sample: the object and its value
 * @place: the function that received the object
 *
 * If ftrace calls us through its list function, it disables preemption once more.  The count in
 * the record is then 1 too high, as in the records of the kernel's tracers.
 *
 * Context: any, NMI included; preemption disabled once, see objtrace_record_context().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_value(const struct objtrace_files *files,
					    const struct objtrace_sample *sample,
					    const struct objtrace_place *place)
{
	return likely(objtrace_record_is_plain(files)) ?
	       objtrace_record_plain(files, sample, place) :
	       record_value_checked(files, sample, place);
}

/**
 * objtrace_record_change() - write the record objtrace_change
 * @files: our events in the trigger's instance
 * @sample: the object and its new value
 * @seen: the function that was entered with the new value
 * @last: the value before
 * @caller: registers of the function's caller if the function has returned; NULL at its entry
 *
 * Context: as objtrace_record_value().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_change(const struct objtrace_files *files,
					     const struct objtrace_sample *sample,
					     const struct objtrace_place *seen,
					     const struct objtrace_last *last,
					     const struct pt_regs *caller)
{
	const struct objtrace_fetch *fetch = sample->fetch;
	struct trace_event_raw_objtrace_change *entry;
	struct objtrace_names names __uninitialized;
	struct writing w __uninitialized;
	size_t pos = 0, len, old_len;

	len = name_value(fetch, sample->fault, sample->value, names.value);
	old_len = name_value(fetch, last->fault, last->value, names.old);
	if (trace_objtrace_change_enabled())
		fire_change(sample, seen, last, &names);
	entry = reserve_record(&w, files, OBJTRACE_EVENT_CHANGE, sizeof(*entry) +
			       fetch->member_len + old_len + len + 3);
	if (!entry)
		return w.outcome;
	objtrace_assign_place(entry, &last->place, fetch);
	objtrace_assign_value(entry, sample);
	objtrace_assign_change(entry, seen, last);
	append_string(entry, member, fetch->member, fetch->member_len, pos);
	append_string(entry, old_name, names.old, old_len, pos);
	append_string(entry, name, names.value, len, pos);
	return commit_record(&w, seen->ip, caller);
}

/**
 * objtrace_record_return() - write the record objtrace_return
 * @files: our events in the trigger's instance
 * @sample: the object and its value at the return
 * @place: the function, at its entry
 * @returned: the value at the entry, and the return value
 * @caller: registers of the function's caller
 *
 * Context: as objtrace_record_value().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_return(const struct objtrace_files *files,
					     const struct objtrace_sample *sample,
					     const struct objtrace_place *place,
					     const struct objtrace_returned *returned,
					     const struct pt_regs *caller)
{
	struct trace_event_raw_objtrace_return *entry;
	struct writing w;

	if (trace_objtrace_return_enabled())
		fire_return(sample, place, returned);
	entry = reserve_record(&w, files, OBJTRACE_EVENT_RETURN, sizeof(*entry));
	if (!entry)
		return w.outcome;
	objtrace_assign_place(entry, place, sample->fetch);
	objtrace_assign_value(entry, sample);
	objtrace_assign_return(entry, returned);
	return commit_record(&w, 0, caller);
}

/**
 * objtrace_record_del() - write the record objtrace_del
 * @files: our events in the trigger's instance
 * @end: the object and the cause of its end
 * @context: flags and preemption count of the record
 *
 * Context: as objtrace_record_add().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_del(const struct objtrace_files *files,
					  const struct objtrace_end *end,
					  unsigned int context)
{
	struct trace_event_raw_objtrace_del *entry;
	struct writing w;

	if (trace_objtrace_del_enabled())
		fire_del(end);
	entry = reserve_record_in(context, &w, files, OBJTRACE_EVENT_DEL, sizeof(*entry));
	if (!entry)
		return w.outcome;
	objtrace_assign_end(entry, end);
	return commit_record(&w, 0, NULL);
}

/**
 * objtrace_record_hint() - write the record objtrace_after_free
 * @files: our events in the trigger's instance
 * @hint: the freed object
 * @place: the function that received the object's address
 *
 * Context: as objtrace_record_value().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_hint(const struct objtrace_files *files,
					   const struct objtrace_hint *hint,
					   const struct objtrace_place *place)
{
	struct trace_event_raw_objtrace_after_free *entry;
	struct writing w;

	if (trace_objtrace_after_free_enabled())
		fire_hint(hint, place);
	entry = reserve_record(&w, files, OBJTRACE_EVENT_AFTER_FREE, sizeof(*entry));
	if (!entry)
		return w.outcome;
	objtrace_assign_hint(entry, hint);
	objtrace_assign_place(entry, place, hint->fetch);
	return commit_record(&w, place->ip, NULL);
}

/**
 * objtrace_record_watch() - write the record objtrace_watch
 * @files: our events in the trigger's instance
 * @arming: the object and the time until all CPUs were armed
 *
 * Context: as objtrace_record_value().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_watch(const struct objtrace_files *files,
					    const struct objtrace_arming *arming)
{
	struct trace_event_raw_objtrace_watch *entry;
	struct writing w;

	if (trace_objtrace_watch_enabled())
		fire_watch(arming);
	entry = reserve_record(&w, files, OBJTRACE_EVENT_WATCH, sizeof(*entry));
	if (!entry)
		return w.outcome;
	objtrace_assign_arming(entry, arming);
	return commit_record(&w, 0, NULL);
}

/**
 * objtrace_record_write() - write the record objtrace_write
 * @files: our events in the trigger's instance
 * @write: the store
 *
 * Context: as objtrace_record_value().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
enum objtrace_outcome objtrace_record_write(const struct objtrace_files *files,
					    const struct objtrace_write *write)
{
	struct trace_event_raw_objtrace_write *entry;
	struct writing w;

	if (trace_objtrace_write_enabled())
		fire_write(write);
	entry = reserve_record(&w, files, OBJTRACE_EVENT_WRITE, sizeof(*entry));
	if (!entry)
		return w.outcome;
	objtrace_assign_value(entry, write->sample);
	objtrace_assign_write(entry, write);
	return commit_record(&w, 0, NULL);
}
