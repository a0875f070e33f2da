// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event command: turns commands written to trigger files into triggers.  objects/fire.c
 * handles the events that fire.
 *
 * The kernel holds event_mutex when it calls trigger_parse(), trigger_print() and
 * trigger_free().  It calls trigger_fire() in the context of the event, which can be any.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "command/errlog.h"
#include "command/option.h"
#include "command/parse.h"
#include "files/stats.h"
#include "functions/groups.h"
#include "kernel/command.h"
#include "kernel/event.h"
#include "kernel/ksyms.h"
#include "kernel/memory.h"
#include "objects/fire.h"
#include "objects/object.h"
#include "objects/watch.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_event.h"
#include "objtrace_trigger.h"
#include "records/events.h"
#include "types/path.h"
#include "types/types.h"

/* error->id if there is nothing to log: the kernel logged the error, or the errno suffices */
#define NOT_OURS	OBJTRACE_NR_ERRORS

/* Most triggers in all instances together: "clear" loops over all triggers that add */
#define MAX_TRIGGERS	256

/* Under event_mutex */
static unsigned int nr_triggers;

static __clears_arg_registers
void trigger_fire(struct event_trigger_data *data, struct trace_buffer *buffer,
		  void *rec, struct ring_buffer_event *event)
{
	objtrace_fire(objtrace_kernel_data_private(data), rec);
}

/*
 * Removing
 */

static void free_trigger(struct objtrace_trigger *t)
{
	objtrace_types_put(t->fetch.btf);
	module_put(t->module);
	free_percpu(t->tally);
	kfree(t);
	nr_triggers--;
}

static bool needs_functions(const struct objtrace_trigger *t)
{
	return t->spec.verb == OBJTRACE_ADD;
}

static void stop_trigger(struct objtrace_trigger *t)
{
	objtrace_fire_stop(t);
	objtrace_object_stop(t);
	objtrace_stats_remove(t);
	objtrace_watch_stop(t);
	if (needs_functions(t))
		objtrace_groups_disarm(&t->selection);
}

/* Called with the trigger off its event: by remove_trigger(), or when its instance is removed */
static void trigger_free(struct event_trigger_data *data)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);

	stop_trigger(t);
	objtrace_kernel_data_free(data);
	free_trigger(t);
	module_put(THIS_MODULE);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Compares the meaning, not the text: arg1,8 is equal to +8(arg1) */
static bool same_object(const struct objtrace_spec *a, const struct objtrace_spec *b)
{
	return a->verb == b->verb && !strcmp(a->field, b->field) && a->address == b->address &&
	       a->nr_offsets == b->nr_offsets &&
	       !memcmp(a->offset, b->offset, a->nr_offsets * sizeof(a->offset[0])) &&
	       !strcmp(a->struct_name, b->struct_name) && !strcmp(a->path, b->path);
}

/* Whether a trigger is equal to a command, apart from the count */
static bool does_the_same(struct event_trigger_data *data,
			  const struct objtrace_spec *spec)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);

	return same_object(&t->spec, spec) && t->spec.type == spec->type &&
	       objtrace_option_same(&t->spec, spec) &&
	       same_text(objtrace_kernel_data_filter(data), spec->filter);
}

/* Whether a trigger is equal to a command, including the count */
static bool is_exactly(struct event_trigger_data *data,
		       const struct objtrace_spec *spec)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);

	return does_the_same(data, spec) && t->spec.count == spec->count;
}

/* Whether a trigger has all parts of a command that removes it.  The command may be shorter. */
static bool agrees_with(struct event_trigger_data *data,
			const struct objtrace_spec *spec)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);
	const struct objtrace_spec *set = &t->spec;

	return same_object(set, spec) &&
	       (!spec->type || set->type == spec->type) &&
	       (!spec->count_form || set->count == spec->count) &&
	       objtrace_option_has(set, spec) &&
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

static bool is_trigger_set(struct trace_event_file *file, const struct objtrace_spec *spec)
{
	struct event_trigger_data *data = NULL;

	while ((data = objtrace_kernel_data_next(file, data)))
		if (does_the_same(data, spec))
			return true;
	return false;
}

/*
 * If the probed function receives the object as an argument, store in @t where the record has
 * the address of the probe.  In this case, refuse an fprobe: it can fire before or after objtrace's
 * callback, and objtrace_kernel_probe_is_first() tells the order for a kprobe only.
 */
static int find_probe_entry(struct objtrace_trigger *t, struct trace_event_call *call,
			    struct objtrace_error *error)
{
	bool is_fprobe = objtrace_is_fprobe(call->flags);
	struct objtrace_field field;
	unsigned int registers;

	/* A return probe lacks this field */
	if ((!is_fprobe && !(call->flags & TRACE_EVENT_FL_KPROBE)) ||
	    !objtrace_kernel_find_field(call, "__probe_ip", &field) ||
	    field.size != sizeof(long))
		return 0;
	registers = objtrace_kernel_arg_registers(call, t->spec.field);
	if (!registers)
		return 0;
	if (is_fprobe)
		return objtrace_error_set(error, OBJTRACE_ERR_FPROBE_ENTRY, t->spec.field_pos);
	t->arg_registers = registers;
	t->ip_offset = field.offset;
	t->last_probe = objtrace_kernel_last_probe(call);
	return 0;
}

/* Check an address in place of a field */
static int check_address(const struct objtrace_spec *spec, struct objtrace_error *error)
{
	static const enum objtrace_error_id errors[] = {
		[OBJTRACE_MEMORY_USER]		= OBJTRACE_ERR_USER_ADDRESS,
		[OBJTRACE_MEMORY_NOWHERE]	= OBJTRACE_ERR_NOT_CANONICAL,
		[OBJTRACE_MEMORY_UNMAPPED]	= OBJTRACE_ERR_UNMAPPED_ADDRESS,
		[OBJTRACE_MEMORY_DEVICE]		= OBJTRACE_ERR_DEVICE_ADDRESS,
	};
	enum objtrace_memory_kind kind = objtrace_memory_kind_of(spec->address);

	return kind == OBJTRACE_MEMORY_RAM ? 0 :
	       objtrace_error_set(error, errors[kind], spec->field_pos);
}

/* Check the command's field, and store its offset in @t; or check the address */
static int find_fields(struct objtrace_trigger *t, struct objtrace_error *error)
{
	struct trace_event_call *call = t->call;
	struct objtrace_field field;
	bool found;
	int ret;

	if (t->spec.verb == OBJTRACE_CLEAR)
		return 0;
	if (t->spec.address)
		return check_address(&t->spec, error);
	found = objtrace_kernel_find_field(call, t->spec.field, &field);
	ret = objtrace_parse_field(&t->spec, found ? &field : NULL, error);
	if (ret)
		return ret;
	t->object_offset = field.offset;
	if (call->flags & TRACE_EVENT_FL_UPROBE)
		return objtrace_error_set(error, OBJTRACE_ERR_USER_EVENT, t->spec.field_pos);
	return find_probe_entry(t, call, error);
}

/* Store in @t how to get from an object to its value */
static int find_value(struct objtrace_trigger *t, struct objtrace_error *error)
{
	const struct objtrace_spec *spec = &t->spec;
	int ret;

	if (spec->verb != OBJTRACE_ADD)
		return 0;
	if (spec->form == OBJTRACE_BTF) {
		ret = objtrace_types_resolve(spec, &t->fetch, error);
	} else {
		memcpy(t->fetch.offset, spec->offset, sizeof(spec->offset));
		t->fetch.nr = spec->nr_offsets;
		objtrace_fetch_set_type(&t->fetch, spec->type ?: OBJTRACE_TYPE_X64);
		ret = objtrace_types_enum(spec, &t->fetch, error);
	}
	t->fetch.is_raw = !t->fetch.bit_size && !t->fetch.is_signed;
	t->fetch.member = spec->path;
	t->fetch.member_len = strlen(spec->path);
	return ret;
}

/* Hold the module of the event: the kernel takes no reference to the module for a trigger */
static int hold_owner(struct objtrace_trigger *t, struct objtrace_error *error)
{
	struct module *owner = t->call->module;

	/* A dynamic event has a reference count in place of @module, and its trigger keeps it */
	if (t->call->flags & TRACE_EVENT_FL_DYNAMIC)
		return 0;
	/* If module init fails, the kernel frees the event despite references to the module */
	if (owner && READ_ONCE(owner->state) == MODULE_STATE_COMING)
		return objtrace_error_set(error, OBJTRACE_ERR_OWNER_LOADING, t->spec.field_pos);
	if (!try_module_get(owner))
		return objtrace_error_set(error, OBJTRACE_ERR_OWNER_GONE, t->spec.field_pos);
	t->module = owner;
	return 0;
}

/* Allocate a trigger without a command.  free_trigger() frees it */
static struct objtrace_trigger *new_trigger(const struct trace_event_file *file)
{
	struct trace_event_call *call = file->event_call;
	const char *system = call->class->system;
	const char *name = trace_event_name(call);
	size_t len = strlen(system) + strlen(name) + 2;
	struct objtrace_trigger *t;

	t = kzalloc(struct_size(t, event, len), GFP_KERNEL);
	if (!t)
		return NULL;
	t->tally = alloc_percpu(struct objtrace_tallies);
	if (!t->tally) {
		kfree(t);
		return NULL;
	}
	t->tr = file->tr;
	t->call = call;
	t->event_len = snprintf(t->event, len, "%s:%s", system, name);
	nr_triggers++;
	return t;
}

static struct objtrace_trigger *
alloc_trigger(struct trace_event_file *file, const struct objtrace_spec *spec,
	      struct objtrace_error *error)
{
	struct objtrace_trigger *t = new_trigger(file);
	int ret;

	if (!t)
		return ERR_PTR(objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0));
	t->spec = *spec;
	/* Points into the text of the command, which is freed: the kernel copies the filter */
	t->spec.filter = NULL;
	if (spec->typed != OBJTRACE_TYPED_NONE)
		t->selection.tag = t->spec.struct_name;
	t->selection.only_struct = spec->typed == OBJTRACE_TYPED_STRICT;
	t->compares = spec->changes || spec->returns != OBJTRACE_RETURNS_NONE;

	ret = find_fields(t, error);
	if (!ret)
		ret = find_value(t, error);
	if (!ret && objtrace_events_find(file->tr, spec->stack, &t->files))
		ret = objtrace_error_set(error, OBJTRACE_ERR_NO_RECORD_EVENTS, 0);
	if (!ret)
		ret = hold_owner(t, error);
	if (ret) {
		free_trigger(t);
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
	/* The kernel writes to this text, and expects the "if" */
	text = kasprintf(GFP_KERNEL, "if %s", filter);
	if (!text)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
	ret = ksym(set_trigger_filter)(text, data, file);
	kfree(text);
	return ret;
}

/* The functions are traced when the write to the trigger file returns */
static int arm_trigger(struct objtrace_trigger *t, struct objtrace_error *error)
{
	int ret;

	if (!needs_functions(t))
		return 0;
	ret = objtrace_groups_arm(&t->selection);
	if (!ret)
		return 0;
	return objtrace_error_set(error, ret == -ENOMEM ? OBJTRACE_ERR_NO_MEMORY :
							  OBJTRACE_ERR_FTRACE_DEAD, 0);
}

static int start_trigger(struct event_trigger_data *data,
			 struct trace_event_file *file, struct objtrace_error *error)
{
	struct objtrace_trigger *t = objtrace_kernel_data_private(data);
	int ret;

	if (ksym(tracing_update_buffers)(file->tr))
		return objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
	ret = arm_trigger(t, error);
	if (ret)
		return ret;
	ret = objtrace_watch_start(t, error);
	if (ret)
		goto err_disarm;
	objtrace_fire_start(t);
	if (objtrace_object_start(t)) {
		ret = objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
		goto err_stop_watch;
	}
	t->filter = objtrace_kernel_data_filter(data);
	objtrace_stats_add(t);
	objtrace_events_announce(&t->files);
	if (objtrace_kernel_data_add(data, file) < 0) {
		ret = objtrace_error_set(error, OBJTRACE_ERR_ENABLE_FAILED, 0);
		goto err_stop;
	}
	return 0;

err_stop:
	objtrace_fire_stop(t);
	objtrace_object_stop(t);
	objtrace_stats_remove(t);
err_stop_watch:
	objtrace_watch_stop(t);
err_disarm:
	if (needs_functions(t))
		objtrace_groups_disarm(&t->selection);
	return ret;
}

static int add_trigger(struct trace_event_file *file,
		       const struct objtrace_spec *spec, struct objtrace_error *error)
{
	struct event_trigger_data *data;
	struct objtrace_trigger *t;
	int ret;

	if (objtrace_events_own(file->event_call))
		return objtrace_error_set(error, OBJTRACE_ERR_OWN_EVENT, 0);
	if (is_trigger_set(file, spec))
		return objtrace_error_set(error, OBJTRACE_ERR_TRIGGER_EXISTS, spec->field_pos);
	if (nr_triggers >= MAX_TRIGGERS)
		return objtrace_error_set(error, OBJTRACE_ERR_TOO_MANY_TRIGGERS, 0);
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
 * objtrace_trigger_init() - add the event command to the kernel's commands
 *
 * Context: task, module init, when everything else is ready.
 * Return: 0; -ENOMEM; another negative errno after it logged one line
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
 * objtrace_trigger_exit() - remove the event command
 *
 * Afterwards no trigger can be set.
 *
 * Context: task, module exit, when no file of objtrace can be open any more.
 */
void objtrace_trigger_exit(void)
{
	objtrace_kernel_unlink();
	objtrace_kernel_exit();
}
