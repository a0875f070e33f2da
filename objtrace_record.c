// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records: reserved, filled in and committed here, in the instance of the
 * trigger that tracks the object, whether its events are enabled or not.
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "objtrace_changes.h"
#include "objtrace_fetch.h"
#include "objtrace_kernel.h"
#include "objtrace_ksyms.h"
#include "objtrace_record.h"
#include "objtrace_types.h"

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
 * struct shown - how the value of a record is shown
 * @format: enum objtrace_format
 * @btf: number of the BTF of @enum_id
 * @enum_id: type of the value, if it is an enum
 */
struct shown {
	u8	format;
	u32	btf;
	u32	enum_id;
};

#define shown_as(entry) \
	((struct shown){ (entry)->format, (entry)->btf, (entry)->enum_id })

static void print_value(struct trace_seq *s, bool fault, u64 value, struct shown as)
{
	trace_seq_puts(s, "value:");
	if (fault) {
		trace_seq_puts(s, "(fault)");
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

static void print_offset(struct trace_seq *s, u32 offset, u32 btf, u32 struct_id)
{
	char name[OBJTRACE_PATH_LEN];

	if (!offset)
		return;
	trace_seq_printf(s, "+0x%x", offset);
	if (struct_id && objtrace_types_member(btf, struct_id, offset, name, sizeof(name)))
		trace_seq_printf(s, "(%s)", name);
}

/* As the kernel prints the time of records */
static void print_time(struct trace_seq *s, u64 ts, bool in_ns)
{
	u64 us;

	if (!in_ns) {
		trace_seq_printf(s, "%llu", ts);
		return;
	}
	us = DIV_ROUND_CLOSEST_ULL(ts, NSEC_PER_USEC);
	trace_seq_printf(s, "%llu.%06llu", us / USEC_PER_SEC, us % USEC_PER_SEC);
}

static void print_last(struct trace_seq *s, const struct objtrace_last *last,
		       struct shown as, bool in_ns)
{
	if (last->state == OBJTRACE_LAST_UNKNOWN) {
		trace_seq_puts(s, " (last value:unknown)");
		return;
	}
	trace_seq_puts(s, " (last ");
	print_value(s, last->state == OBJTRACE_LAST_FAULT, last->value, as);
	trace_seq_printf(s, " at [%03llu] ", last->cpu);
	if (last->ip)
		trace_seq_printf(s, "%ps <-%ps", (void *)(long)last->ip,
				 (void *)(long)last->parent_ip);
	else
		trace_seq_puts(s, "objtrace_add");
	trace_seq_puts(s, " ts:");
	print_time(s, last->ts, in_ns);
	trace_seq_putc(s, ')');
}

static enum print_line_t print_value_record(struct trace_iterator *iter, int flags,
					    struct trace_event *event)
{
	struct trace_event_raw_objtrace_value *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;
	int ret = trace_raw_output_prep(iter, event);
	struct objtrace_last last;

	if (ret != TRACE_TYPE_HANDLED)
		return ret;
	trace_seq_printf(s, "%ps <-%ps object:0x%lx", (void *)entry->ip,
			 (void *)entry->parent_ip, entry->object);
	print_offset(s, entry->offset, entry->btf, entry->struct_id);
	if (entry->unknown)
		trace_seq_printf(s, " arg%u?", entry->unknown);
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
	print_time(s, entry->age, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

/**
 * objtrace_record_init() - print values as their type asks for
 *
 * The kernel has registered our events with functions that follow their print
 * formats; nothing has written a record yet.
 *
 * Context: task, module init.
 */
void objtrace_record_init(void)
{
	event_objtrace_add.event.funcs->trace = print_add_record;
	event_objtrace_value.event.funcs->trace = print_value_record;
	event_objtrace_del.event.funcs->trace = print_del_record;
}

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

/* A dynamic array's location: its length, and where in the record it is */
#define data_loc(entry, len)						\
	((u32)(len) << 16 | offsetof(typeof(*(entry)), __data))

#define fill_in_value(entry, sample) do {				\
	(entry)->value = (sample)->value;				\
	(entry)->id = (sample)->id;					\
	(entry)->btf = (sample)->fetch->btf;				\
	(entry)->enum_id = (sample)->fetch->enum_id;			\
	(entry)->format = (sample)->fetch->format;			\
	(entry)->fault = (sample)->fault;				\
} while (0)

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
	fill_in_value(entry, sample);
	entry->__data_loc_event = data_loc(entry, len);
	memcpy(entry->__data, event, len);
	trace_event_buffer_commit(&fbuffer);
}

/**
 * objtrace_record_value() - tell that a function received an object
 * @files: our events in the trigger's instance
 * @sample: the object and its value
 * @place: where
 * @last: what was seen of the value the time before; NULL if that is not asked for
 *
 * Context: as objtrace_record_add().
 */
void objtrace_record_value(const struct objtrace_files *files,
			   const struct objtrace_sample *sample,
			   const struct objtrace_place *place,
			   const struct objtrace_last *last)
{
	struct trace_event_raw_objtrace_value *entry;
	struct trace_event_buffer fbuffer;
	size_t len = last ? sizeof(*last) : 0;

	entry = reserve(&fbuffer, files->value, sizeof(*entry) + len);
	if (!entry)
		return;
	entry->ip = place->ip;
	entry->parent_ip = place->parent_ip;
	entry->object = sample->object;
	entry->offset = place->offset;
	entry->arg = place->arg;
	entry->unknown = place->is_sure ? 0 : place->arg;
	entry->struct_id = sample->fetch->struct_id;
	fill_in_value(entry, sample);
	entry->__data_loc_last = data_loc(entry, len);
	if (last)
		memcpy(entry->__data, last, len);
	trace_event_buffer_commit(&fbuffer);
}

/**
 * objtrace_record_del() - tell that an object is no longer tracked
 * @files: our events in the trigger's instance
 * @end: how that came
 *
 * Context: as objtrace_record_add().
 */
void objtrace_record_del(const struct objtrace_files *files,
			 const struct objtrace_end *end)
{
	struct trace_event_raw_objtrace_del *entry;
	struct trace_event_buffer fbuffer;

	entry = reserve(&fbuffer, files->del, sizeof(*entry));
	if (!entry)
		return;
	entry->ip = end->ip;
	entry->object = end->object;
	entry->hits = end->hits;
	entry->id = end->id;
	entry->age = end->age;
	entry->reason = end->reason;
	trace_event_buffer_commit(&fbuffer);
}
