// SPDX-License-Identifier: GPL-2.0-only
/*
 * Create our trace events, and find them in an instance.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "kernel/event.h"
#include "kernel/ksyms.h"
#include "kernel/stack.h"
#include "objtrace_compat.h"
#include "records/end.h"
#include "records/events.h"
#include "records/names.h"
#include "records/place.h"
#include "records/print.h"
#include "records/sample.h"
#include "records/store.h"

/*
 * Enable or disable one of our events, in any instance: for a user, or for a trigger on the
 * event.  An enabled event holds a reference to the module.  The kernel holds none, and could
 * not disable an event with triggers when the module goes.
 *
 * No probe of an instance is attached to the tracepoint, because records/record.c writes the
 * records.  So the tracepoint's key is on only while perf or a BPF program is attached.  The
 * kernel holds a reference to the module for these.
 */
static int class_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	switch (type) {
	case TRACE_REG_REGISTER:
		return try_module_get(THIS_MODULE) ? 0 : -ENODEV;
	case TRACE_REG_UNREGISTER:
		module_put(THIS_MODULE);
		return 0;
	default:
		return trace_event_reg(call, type, data);
	}
}

/* The call chain of a sample starts above objtrace, as a stack trace does: see kernel/stack.c */
static __maybe_unused void fetch_caller_regs(struct pt_regs *regs)
{
	objtrace_kernel_perf_start(regs);
}

/*
 * Whether memory was short for a field of our events, and an event that the kernel has no
 * number for.  Written under event_mutex when the kernel creates the events.  Module init runs
 * later, in the same task.
 */
static bool fields_are_missing;
static struct trace_event_call *without_number;

static const char *signed_name(const char *name)
{
	if (!strcmp(name, "value"))
		return "svalue";
	return strcmp(name, "old") ? NULL : "sold";
}

/*
 * The fields svalue and sold have the bytes of the fields value and old, with a sign.  Filters,
 * histograms and tools outside of the kernel can so use a value as a signed number, and the
 * record does not grow.
 */
static int define_signed_fields(struct trace_event_call *call)
{
	const struct trace_event_fields *field = call->class->fields_array;
	unsigned int offset = sizeof(struct trace_entry);
	int ret = 0;

	for (; !ret && field->type; field++) {
		const char *name = signed_name(field->name);

		offset = round_up(offset, field->align);
		if (name)
			ret = trace_define_field(call, "long", name, offset, sizeof(long), true,
						 FILTER_OTHER);
		offset += field->size;
	}
	return ret;
}

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
	/* At the end, because some tools expect growing offsets */
	return ret ?: define_signed_fields(call);
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

/*
 * The macros put the names of two kernel functions into each class, and the functions for perf
 * call a third one: replace all three.
 */
#define trace_event_reg class_reg
#define trace_event_raw_init class_init
#define perf_fetch_caller_regs fetch_caller_regs
#define CREATE_TRACE_POINTS
#include "objtrace_event.h"
#undef perf_fetch_caller_regs
#undef trace_event_raw_init
#undef trace_event_reg

/**
 * struct our_event - one of our events
 * @call: the event
 * @print: prints a record of the event
 */
struct our_event {
	struct trace_event_call	*call;
	trace_print_func	print;
};

static const struct our_event events[OBJTRACE_NR_EVENTS] = {
	[OBJTRACE_EVENT_ADD] = { &event_objtrace_add, objtrace_print_add },
	[OBJTRACE_EVENT_VALUE] = { &event_objtrace_value, objtrace_print_value },
	[OBJTRACE_EVENT_CHANGE] = { &event_objtrace_change, objtrace_print_change },
	[OBJTRACE_EVENT_RETURN] = { &event_objtrace_return, objtrace_print_return },
	[OBJTRACE_EVENT_DEL] = { &event_objtrace_del, objtrace_print_del },
	[OBJTRACE_EVENT_AFTER_FREE] = { &event_objtrace_after_free, objtrace_print_hint },
	[OBJTRACE_EVENT_WATCH] = { &event_objtrace_watch, objtrace_print_watch },
	[OBJTRACE_EVENT_WRITE] = { &event_objtrace_write, objtrace_print_write },
};

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
 * objtrace_events_check() - check whether the kernel created our events
 *
 * The kernel loads a module even if it could not create an event of the module.  If module
 * init fails, the kernel removes each part of the events that it created.
 *
 * Context: task, module init, after objtrace_layout_init().
 * Return: 0; -ENOMEM; -ENODEV after one line that names the event
 */
int objtrace_events_check(void)
{
	unsigned int i;

	if (fields_are_missing)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		struct trace_event_call *call = events[i].call;

		if (call != without_number && is_event_created(call))
			continue;
		pr_err("the kernel did not create the trace event %s: out of memory, too many events, or another event of this name\n",
		       trace_event_name(call));
		return -ENODEV;
	}
	return 0;
}

/**
 * objtrace_events_init() - set the print functions of our events
 *
 * The kernel generated print functions from the print formats, which cannot print a value by its
 * type.  No record exists yet that the old functions could print.
 *
 * Context: task, module init, after objtrace_events_check().
 */
void objtrace_events_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		events[i].call->event.funcs->trace = events[i].print;
}

/* Module init itself has one reference */
static bool has_users(void)
{
	return objtrace_module_refcount(THIS_MODULE) > 1;
}

/**
 * objtrace_events_drain() - wait until nothing uses our events, after module init failed
 *
 * The kernel creates our events before module init, and frees a module whose init failed in spite
 * of all references.  A trigger, perf, a BPF program or an eprobe can have such a reference.  The
 * module gets no more references in the state that is set here.  The kernel sets this state, too,
 * after module init.
 *
 * An enabled event has a reference, too.  A user can enable all events of the module before it is
 * loaded, and a trigger of another event can enable them.  So this disables the events.  Without a
 * reference, the events of this name can be those of another copy of the module.
 *
 * Context: task, module init, may sleep.
 */
void objtrace_events_drain(void)
{
	bool is_told = false;

	WRITE_ONCE(THIS_MODULE->state, MODULE_STATE_GOING);
	/* Pairs with the disabled preemption in try_module_get(), which tests the state and counts */
	synchronize_rcu();
	while (has_users()) {
		trace_set_clr_event("objtrace", NULL, 0);
		if (!has_users())
			break;
		if (!is_told)
			pr_err("init failed, and waits until nothing uses the objtrace events: see their triggers, perf, bpftool and dynamic_events\n");
		is_told = true;
		schedule_timeout_idle(HZ / 10);
	}
}

/**
 * objtrace_events_own() - check for the events of objtrace itself
 * @call: the event
 *
 * Context: any, NMI included.
 * Return: true if objtrace defines the event
 */
bool objtrace_events_own(const struct trace_event_call *call)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].call == call)
			return true;
	return false;
}

/**
 * objtrace_events_find() - find our events in an instance
 * @tr: the instance
 * @stack: entries of the stack record after each record; 0 for no stack record
 * @files: filled in on success; valid while the instance and the module exist
 *
 * Context: task, event_mutex held.
 * Return: 0, or -ENODEV if the instance lacks one of our events
 */
int objtrace_events_find(struct trace_array *tr, unsigned int stack,
			 struct objtrace_files *files)
{
	static const u64 all_flags = U64_MAX;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		files->event[i] = ksym(find_event_file)(tr, "objtrace",
							trace_event_name(events[i].call));
		if (!files->event[i])
			return -ENODEV;
	}
	files->buffer = objtrace_kernel_buffer_at(tr);
	files->flags = objtrace_kernel_flags_at(tr);
	files->stack_flags = stack ? &all_flags : files->flags;
	files->stack = stack;
	return 0;
}

/**
 * objtrace_events_announce() - have the buffer of an instance cleared at module unload
 * @files: our events in the instance
 *
 * The kernel clears the buffer if an event of the module was ever enabled in the instance, so
 * set that flag.  A record that stays could not be printed; or a later event with the same number
 * would print it.  The kernel does not clear the buffers of CPUs that are offline then.
 *
 * Context: task, event_mutex held.
 */
void objtrace_events_announce(const struct objtrace_files *files)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files->event); i++)
		set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->event[i]->flags);
}
