// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records: reserved, filled in and committed here, in the instance of the
 * trigger that tracks the object, whether its events are enabled or not.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "objtrace_kernel.h"
#include "objtrace_ksyms.h"
#include "objtrace_record.h"

/*
 * What the classes of our events do when one is enabled or disabled, in any
 * instance, by whatever needs it: a user, or a trigger on it.  An event that is
 * enabled keeps the module: the kernel does not, and could not disable an event
 * with triggers when the module goes.
 *
 * The kernel-private layer enables and disables one to hold event_mutex.
 */
static int class_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	bool enable = type == TRACE_REG_REGISTER;
	int ret;

	if ((!enable && type != TRACE_REG_UNREGISTER) ||
	    objtrace_kernel_event_mutex_held(data, enable))
		return trace_event_reg(call, type, data);

	if (enable && !try_module_get(THIS_MODULE))
		return -ENODEV;
	ret = trace_event_reg(call, type, data);
	if (!enable || ret)
		module_put(THIS_MODULE);
	return ret;
}

/* The macros name the kernel's function in each class: put ours in its place */
#define trace_event_reg class_reg
#define CREATE_TRACE_POINTS
#include "objtrace_event.h"
#undef trace_event_reg

/**
 * objtrace_record_owns() - whether an event is one of ours
 * @call: the event
 *
 * Context: any.
 * Return: true if it is
 */
bool objtrace_record_owns(const struct trace_event_call *call)
{
	return call == &event_objtrace_add || call == &event_objtrace_value ||
	       call == &event_objtrace_del;
}

static struct trace_event_file *find_file(struct trace_array *tr, const char *name)
{
	return ksym(find_event_file)(tr, "objtrace", name);
}

/**
 * objtrace_record_files() - find our events in an instance, to write to them
 * @tr: the instance
 * @files: filled in on success; valid as long as the instance and the module are
 *
 * Context: task, event_mutex held.
 * Return: 0, or -ENODEV if the instance does not have them
 */
int objtrace_record_files(struct trace_array *tr, struct objtrace_files *files)
{
	files->add = find_file(tr, "objtrace_add");
	files->value = find_file(tr, "objtrace_value");
	files->del = find_file(tr, "objtrace_del");
	return files->add && files->value && files->del ? 0 : -ENODEV;
}

/**
 * objtrace_record_announce() - there will be records in an instance
 * @files: our events in it
 *
 * Marks them as having been enabled: the kernel then clears the instance's
 * buffer when the module goes, and no record is left that nobody can print, or
 * that another event would be taken for that gets the same number.
 *
 * Context: task, event_mutex held.
 */
void objtrace_record_announce(const struct objtrace_files *files)
{
	set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->add->flags);
	set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->value->flags);
	set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &files->del->flags);
}

static void *reserve(struct trace_event_buffer *fbuffer,
		     struct trace_event_file *file, size_t size)
{
	if (trace_trigger_soft_disabled(file))
		return NULL;
	return trace_event_buffer_reserve(fbuffer, file, size);
}

/**
 * objtrace_record_add() - tell that an object is tracked from now on
 * @files: our events in the trigger's instance
 * @sample: the object and its first value
 * @event: the event that fired, as SYSTEM:EVENT
 *
 * Context: any, NMI included; preemption disabled once, which the preemption
 * count in the record relies on.
 */
void objtrace_record_add(const struct objtrace_files *files,
			 const struct objtrace_sample *sample, const char *event)
{
	struct trace_event_raw_objtrace_add *entry;
	struct trace_event_buffer fbuffer;
	size_t len = strlen(event) + 1;

	entry = reserve(&fbuffer, files->add, sizeof(*entry) + len);
	if (!entry)
		return;
	entry->object = sample->object;
	entry->value = sample->value;
	entry->id = sample->id;
	entry->fault = sample->fault;
	/* A dynamic array's location: its length, and where in the record it is */
	entry->__data_loc_event = len << 16 | offsetof(typeof(*entry), __data);
	memcpy(entry->__data, event, len);
	trace_event_buffer_commit(&fbuffer);
}

/**
 * objtrace_record_value() - tell that a function received an object
 * @files: our events in the trigger's instance
 * @sample: the object and its value
 * @ip: the function's ftrace location
 * @parent_ip: where it returns to
 * @arg: in which of its arguments, counted from 1
 *
 * Context: as objtrace_record_add().
 */
void objtrace_record_value(const struct objtrace_files *files,
			   const struct objtrace_sample *sample,
			   unsigned long ip, unsigned long parent_ip,
			   unsigned int arg)
{
	struct trace_event_raw_objtrace_value *entry;
	struct trace_event_buffer fbuffer;

	entry = reserve(&fbuffer, files->value, sizeof(*entry));
	if (!entry)
		return;
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	entry->object = sample->object;
	entry->value = sample->value;
	entry->id = sample->id;
	entry->arg = arg;
	entry->fault = sample->fault;
	trace_event_buffer_commit(&fbuffer);
}

/**
 * objtrace_record_del() - tell that an object is no longer tracked
 * @files: our events in the trigger's instance
 * @object: the object
 * @id: which one at this address
 * @hits: how many function entries received it
 * @reason: OBJTRACE_DEL_*
 *
 * Context: as objtrace_record_add().
 */
void objtrace_record_del(const struct objtrace_files *files, unsigned long object,
			 u64 id, unsigned long hits, unsigned int reason)
{
	struct trace_event_raw_objtrace_del *entry;
	struct trace_event_buffer fbuffer;

	entry = reserve(&fbuffer, files->del, sizeof(*entry));
	if (!entry)
		return;
	entry->object = object;
	entry->hits = hits;
	entry->id = id;
	entry->reason = reason;
	trace_event_buffer_commit(&fbuffer);
}
