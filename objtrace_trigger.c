// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event command: what is written to a trigger file becomes a trigger, and
 * when its event fires, an object.  The only writer of tracked objects.
 *
 * trigger_parse(), trigger_print() and trigger_free() are called by the kernel
 * with event_mutex held, trigger_fire() in whatever context the event fires in.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_event.h"
#include "objtrace_kernel.h"
#include "objtrace_ksyms.h"

/* In error->id: the kernel itself has logged what is wrong, or the errno tells all */
#define NOT_OURS	OBJTRACE_NR_ERRORS

/*
 * Firing
 */

static void full_work_fn(struct irq_work *work)
{
	struct objtrace_trigger *t = container_of(work, struct objtrace_trigger,
						  full_work);

	pr_notice("%s: the table is full (max_objects=%u): objects are not tracked\n",
		  t->event, objtrace_table.max);
}

static void count_full(struct objtrace_trigger *t)
{
	if (atomic_long_inc_return(&t->full) == 1)
		irq_work_queue(&t->full_work);
}

/* What can be tracked: neither NULL, nor an error, nor anything of user space */
static bool is_object(unsigned long object)
{
	return objtrace_is_kernel_range(object, 1) && !IS_ERR_VALUE(object);
}

/*
 * The function entry that fires the trigger must not be recorded a second time.
 * If our callback comes after the probe it will find the object: tell it.
 */
static void expect_entry(struct objtrace_trigger *t, struct objtrace_slot *slot,
			 const void *rec)
{
	unsigned long probe;

	if (t->ip_offset < 0 || !objtrace_fops_runs_after_probe())
		return;
	memcpy(&probe, rec + t->ip_offset, sizeof(probe));
	slot->entry_task = current;
	slot->entry_context = interrupt_context_level();
	WRITE_ONCE(slot->entry_ip, probe);
}

/* As in look_closer(): the scheduler may be next, then who called the trigger */
static noinline __clears_arg_registers
void add_object(struct objtrace_trigger *t, unsigned long object, const void *rec)
{
	struct objtrace_sample sample = { .object = object };
	struct objtrace_match match;
	int ret;

	ret = objtrace_table_add(object, t, t->spec.count ? &t->budget : NULL, &match);
	if (ret == -ENOSPC)
		count_full(t);
	if (ret)
		return;

	expect_entry(t, match.slot, rec);
	sample.id = match.id;
	objtrace_fops_fetch(t, &sample);
	objtrace_record_add(&t->files, &sample, t->event);
	objtrace_table_publish(match.slot);
}

static __clears_arg_registers
void trigger_fire(struct event_trigger_data *data, struct trace_buffer *buffer,
		  void *rec, struct ring_buffer_event *event)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);
	unsigned int context;
	unsigned long object;

	/* Before the event is known to need its record it can fire without */
	if (!rec)
		return;
	memcpy(&object, rec + t->object_offset, sizeof(object));
	if (!is_object(object))
		return;

	preempt_disable_notrace();
	objtrace_fops_enter(&context);
	add_object(t, object, rec);
	objtrace_fops_leave(context);
	preempt_enable_notrace();
}

/*
 * Removing
 */

/* The trigger is off its event: end its objects, and tell of them */
static void end_objects(struct objtrace_trigger *t)
{
	struct objtrace_slot *slot;
	unsigned int pos = 0;

	/* It may still be firing, for a tracepoint or a probe */
	tracepoint_synchronize_unregister();
	synchronize_rcu();

	while (objtrace_table_retire(t, &pos))
		;
	/* Callbacks that have matched one finish: their hits and records count */
	synchronize_rcu();

	pos = 0;
	while ((slot = objtrace_table_retired(t, &pos))) {
		preempt_disable_notrace();
		objtrace_record_del(&t->files, slot->object, objtrace_slot_id(slot),
				    atomic_long_read(&slot->hits),
				    OBJTRACE_DEL_TRIGGER);
		preempt_enable_notrace();
		objtrace_table_free(slot);
	}
}

static void free_trigger(struct objtrace_trigger *t)
{
	module_put(t->owner);
	kfree(t);
}

/* The trigger is off its event: by trigger_parse(), or its instance is removed */
static void trigger_free(struct event_trigger_data *data)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);

	end_objects(t);
	irq_work_sync(&t->full_work);
	objtrace_fops_disarm();
	objtrace_kernel_data_free(data);
	free_trigger(t);
	/* What ftrace cannot unregister any more, functions will call for ever */
	if (!objtrace_fops_is_stuck())
		module_put(THIS_MODULE);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_object(const struct objtrace_spec *a, const struct objtrace_spec *b)
{
	return !strcmp(a->field, b->field) && a->offset == b->offset;
}

/* Whether a trigger is what was written, part for part */
static bool is_exactly(struct event_trigger_data *data,
		       const struct objtrace_spec *spec)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);

	return same_object(&t->spec, spec) && t->spec.type == spec->type &&
	       t->spec.count == spec->count &&
	       same_text(objtrace_kernel_data_filter(data), spec->filter);
}

/* Whether a trigger agrees with what was written, as far as that goes */
static bool agrees_with(struct event_trigger_data *data,
			const struct objtrace_spec *spec)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);

	return same_object(&t->spec, spec) &&
	       (!spec->type || t->spec.type == spec->type) &&
	       (!spec->count || t->spec.count == spec->count) &&
	       (!spec->filter ||
		same_text(objtrace_kernel_data_filter(data), spec->filter));
}

static int remove_trigger(struct trace_event_file *file,
			  const struct objtrace_spec *spec,
			  struct objtrace_error *error)
{
	struct event_trigger_data *data = NULL, *found = NULL;
	unsigned int nr_found = 0;

	while ((data = objtrace_kernel_data_next(file, data))) {
		if (is_exactly(data, spec)) {
			found = data;
			nr_found = 1;
			break;
		}
		if (agrees_with(data, spec)) {
			found = data;
			nr_found++;
		}
	}
	if (!nr_found)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_SUCH_TRIGGER, spec->field_pos);
	if (nr_found > 1)
		return objtrace_error_set(error, OBJTRACE_ERR_SEVERAL_TRIGGERS, spec->field_pos);

	objtrace_kernel_data_del(found, file);
	trigger_free(found);
	return 0;
}

/*
 * Setting
 */

static bool is_set(struct trace_event_file *file, const struct objtrace_spec *spec)
{
	struct event_trigger_data *data = NULL;
	struct objtrace_trigger *t;

	while ((data = objtrace_kernel_data_next(file, data))) {
		t = objtrace_kernel_data_private(data);
		if (same_object(&t->spec, spec) && t->spec.type == spec->type &&
		    same_text(objtrace_kernel_data_filter(data), spec->filter))
			return true;
	}
	return false;
}

/* The event's fields that matter, into @t */
static int find_fields(struct objtrace_trigger *t, struct trace_event_call *call,
		       struct objtrace_error *error)
{
	unsigned int pos = t->spec.field_pos;
	struct objtrace_field field;

	if (!objtrace_kernel_find_field(call, t->spec.field, &field))
		return objtrace_error_set(error, OBJTRACE_ERR_UNKNOWN_FIELD, pos);
	if (!field.size)
		return objtrace_error_set(error, OBJTRACE_ERR_GENERIC_FIELD, pos);
	if (field.size != sizeof(void *) || field.is_array)
		return objtrace_error_set(error, OBJTRACE_ERR_FIELD_SIZE, pos);
	t->object_offset = field.offset;

	/* Probes on functions have this field, those on their returns have not */
	t->ip_offset = -1;
	if (call->flags & TRACE_EVENT_FL_KPROBE &&
	    objtrace_kernel_is_register_arg(call, t->spec.field) &&
	    objtrace_kernel_find_field(call, "__probe_ip", &field) &&
	    field.size == sizeof(long))
		t->ip_offset = field.offset;
	return 0;
}

/* The module of the event, which nothing in the kernel keeps for a trigger */
static int hold_owner(struct objtrace_trigger *t, struct trace_event_call *call,
		      struct objtrace_error *error)
{
	/* Dynamic events have a count there instead, and are kept by the trigger */
	if (call->flags & TRACE_EVENT_FL_DYNAMIC)
		return 0;
	if (!try_module_get(call->module))
		return objtrace_error_set(error, OBJTRACE_ERR_OWNER_GONE, t->spec.field_pos);
	t->owner = call->module;
	return 0;
}

static struct objtrace_trigger *
alloc_trigger(struct trace_event_file *file, const struct objtrace_spec *spec,
	      struct objtrace_error *error)
{
	struct trace_event_call *call = file->event_call;
	const char *system = call->class->system;
	const char *name = trace_event_name(call);
	size_t len = strlen(system) + strlen(name) + 2;
	struct objtrace_trigger *t;
	int ret;

	t = kzalloc(struct_size(t, event, len), GFP_KERNEL);
	if (!t)
		return ERR_PTR(objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0));
	t->spec = *spec;
	/* The text that it points into goes, the kernel keeps the filter */
	t->spec.filter = NULL;
	atomic_long_set(&t->budget, spec->count);
	init_irq_work(&t->full_work, full_work_fn);
	snprintf(t->event, len, "%s:%s", system, name);

	ret = find_fields(t, call, error);
	if (!ret && objtrace_record_files(file->tr, &t->files))
		ret = objtrace_error_set(error, OBJTRACE_ERR_NO_RECORD_EVENTS, 0);
	if (!ret)
		ret = hold_owner(t, call, error);
	if (ret) {
		kfree(t);
		return ERR_PTR(ret);
	}
	return t;
}

static int set_filter(struct event_trigger_data *data, struct trace_event_file *file,
		      const char *filter, struct objtrace_error *error)
{
	char *text;
	int ret;

	if (!filter)
		return 0;
	/* The kernel takes it apart */
	text = kasprintf(GFP_KERNEL, "if %s", filter);
	if (!text)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
	ret = ksym(set_trigger_filter)(text, data, file);
	kfree(text);
	return ret;
}

/* Under event_mutex, so that arming is done when the write returns */
static int start_trigger(struct event_trigger_data *data,
			 struct trace_event_file *file, struct objtrace_error *error)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);
	int ret;

	if (ksym(tracing_update_buffers)(file->tr))
		return objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
	ret = objtrace_fops_arm();
	if (ret)
		return objtrace_error_set(error, ret == -ENOMEM ? OBJTRACE_ERR_NO_MEMORY :
					  OBJTRACE_ERR_FTRACE_DEAD, 0);
	objtrace_record_announce(&t->files);
	if (objtrace_kernel_data_add(data, file) < 0) {
		end_objects(t);
		objtrace_fops_disarm();
		return objtrace_error_set(error, OBJTRACE_ERR_ENABLE_FAILED, 0);
	}
	return 0;
}

static int add_trigger(struct trace_event_file *file,
		       const struct objtrace_spec *spec, struct objtrace_error *error)
{
	struct event_trigger_data *data;
	struct objtrace_trigger *t;
	int ret;

	if (objtrace_record_owns(file->event_call))
		return objtrace_error_set(error, OBJTRACE_ERR_OWN_EVENT, 0);
	if (is_set(file, spec))
		return objtrace_error_set(error, OBJTRACE_ERR_TRIGGER_EXISTS, spec->field_pos);
	if (!try_module_get(THIS_MODULE))
		return objtrace_error_set(error, OBJTRACE_ERR_MODULE_GONE, 0);

	t = alloc_trigger(file, spec, error);
	if (IS_ERR(t)) {
		ret = PTR_ERR(t);
		goto err_put_module;
	}
	data = objtrace_kernel_data_alloc(t);
	if (!data) {
		ret = objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
		goto err_free_trigger;
	}
	ret = set_filter(data, file, spec->filter, error);
	if (!ret)
		ret = start_trigger(data, file, error);
	if (ret)
		goto err_free_data;
	return 0;

err_free_data:
	irq_work_sync(&t->full_work);
	objtrace_kernel_data_free(data);
err_free_trigger:
	free_trigger(t);
err_put_module:
	module_put(THIS_MODULE);
	return ret;
}

static int trigger_parse(struct event_command *cmd_ops, struct trace_event_file *file,
			 char *glob, char *cmd, char *param)
{
	struct objtrace_error error = { .id = NOT_OURS };
	struct objtrace_spec spec;
	int ret;

	ret = objtrace_parse(param ?: "", &spec, &error);
	if (!ret && glob[0] == '!')
		ret = remove_trigger(file, &spec, &error);
	else if (!ret)
		ret = add_trigger(file, &spec, &error);
	if (ret && error.id != NOT_OURS)
		objtrace_errlog(file->tr, glob, param, &error);
	return ret;
}

static int trigger_print(struct seq_file *m, struct event_trigger_data *data)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);
	const char *filter = objtrace_kernel_data_filter(data);
	char text[OBJTRACE_SPEC_LEN];

	objtrace_spec_print(&t->spec, text, sizeof(text));
	seq_printf(m, "objtrace:%s", text);
	if (filter)
		seq_printf(m, " if %s", filter);
	seq_putc(m, '\n');
	return 0;
}

static const struct objtrace_command command = {
	.name		= "objtrace",
	.parse		= trigger_parse,
	.trigger	= trigger_fire,
	.free		= trigger_free,
	.print		= trigger_print,
};

/**
 * objtrace_trigger_init() - make the command available
 *
 * Context: task, module init, when everything else is ready.
 * Return: 0 or a negative errno, after one line that says why
 */
int objtrace_trigger_init(void)
{
	int ret;

	ret = objtrace_kernel_init(&command);
	if (ret)
		return ret;
	ret = objtrace_kernel_link();
	if (ret)
		objtrace_kernel_exit();
	return ret;
}

/**
 * objtrace_trigger_exit() - take the command away again
 *
 * Context: task, module exit, first: nothing can be added afterwards.
 */
void objtrace_trigger_exit(void)
{
	objtrace_kernel_unlink();
	objtrace_kernel_exit();
}
