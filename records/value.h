/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write the record objtrace_value inline.  Most records are written here: without triggers,
 * filters, stacks, perf and BPF, and with room in the buffer.  records/record.c writes the others.
 */
#ifndef _OBJTRACE_VALUE_H
#define _OBJTRACE_VALUE_H

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/kconfig.h>
#include <linux/ring_buffer.h>
#include <linux/trace_events.h>

#include "kernel/ksyms.h"
#include "kernel/stack.h"
#include "records/events.h"
#include "records/place.h"
#include "records/raw.h"
#include "records/sample.h"
#include "records/tally.h"

/* With one of these flags, an event decides before the record is reserved */
#define OBJTRACE_ASKED_FIRST	(EVENT_FILE_FL_TRIGGER_MODE | EVENT_FILE_FL_SOFT_DISABLED | \
				 EVENT_FILE_FL_PID_FILTER)

/* With one of these flags, triggers or the filter of an event need the complete record */
#define OBJTRACE_ASKED_LAST	(EVENT_FILE_FL_TRIGGER_COND | EVENT_FILE_FL_SOFT_DISABLED | \
				 EVENT_FILE_FL_FILTERED)

enum objtrace_outcome objtrace_record_why_lost(struct trace_event_file *file);

/**
 * objtrace_record_context() - compute the flags and the preemption count of a record
 *
 * The record has the preemption count of the traced function, so subtract 1 for objtrace.
 * trace_event_buffer_reserve() does so, too: a tracepoint disables preemption once.
 *
 * Context: any, NMI included; preemption disabled once.
 * Return: an argument of tracing_generic_entry_update()
 */
static __always_inline unsigned int objtrace_record_context(void)
{
	unsigned int flags = irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0;

	return ksym(tracing_gen_ctx_irq_test)(flags) - IS_ENABLED(CONFIG_PREEMPTION);
}

/**
 * objtrace_record_begin() - fill in the fields of a reserved record that all events have
 * @event: the record
 * @file: our event
 * @context: see objtrace_record_context()
 *
 * Context: any, NMI included.
 * Return: the record's fields
 */
static __always_inline void *objtrace_record_begin(struct ring_buffer_event *event,
						   const struct trace_event_file *file,
						   unsigned int context)
{
	void *entry = ring_buffer_event_data(event);

	tracing_generic_entry_update(entry, file->event_call->event.type, context);
	return entry;
}

/**
 * objtrace_record_assign() - fill in the other fields of the record objtrace_value
 * @entry: the record
 * @sample: the object and its value
 * @place: the function that received the object
 *
 * Context: any, NMI included.
 */
static __always_inline void objtrace_record_assign(struct trace_event_raw_objtrace_value *entry,
						   const struct objtrace_sample *sample,
						   const struct objtrace_place *place)
{
	objtrace_assign_place(entry, place, sample->fetch);
	objtrace_assign_value(entry, sample);
}

/**
 * objtrace_record_is_plain() - check that objtrace_record_plain() can write a record
 * @files: our events in the trigger's instance
 *
 * Context: any, NMI included.
 * Return: false if a trigger, a filter, a stack, perf or BPF needs objtrace_record_value()
 */
static __always_inline bool objtrace_record_is_plain(const struct objtrace_files *files)
{
	return !trace_objtrace_value_enabled() &&
	       !(files->event[OBJTRACE_EVENT_VALUE]->flags &
		 (OBJTRACE_ASKED_FIRST | OBJTRACE_ASKED_LAST)) &&
	       !objtrace_kernel_adds_stacks(READ_ONCE(*files->stack_flags));
}

/**
 * objtrace_record_plain() - write the record objtrace_value, after objtrace_record_is_plain()
 * @files: our events in the trigger's instance
 * @sample: the object and its value
 * @place: the function that received the object
 *
 * Context: as objtrace_record_value().
 * Return: OBJTRACE_WRITTEN, or why the record is lost
 */
static __always_inline enum objtrace_outcome
objtrace_record_plain(const struct objtrace_files *files, const struct objtrace_sample *sample,
		      const struct objtrace_place *place)
{
	struct trace_event_file *file = files->event[OBJTRACE_EVENT_VALUE];
	/* Read this before the ring buffer disables preemption once more */
	unsigned int context = objtrace_record_context();
	struct trace_buffer *buffer = READ_ONCE(*files->buffer);
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(buffer, sizeof(struct trace_event_raw_objtrace_value));
	if (unlikely(!event))
		return objtrace_record_why_lost(file);
	objtrace_record_assign(objtrace_record_begin(event, file, context), sample, place);
	/* The kernel saves the name of the task, too */
	ksym(trace_buffer_unlock_commit_nostack)(buffer, event);
	return OBJTRACE_WRITTEN;
}

#endif /* _OBJTRACE_VALUE_H */
