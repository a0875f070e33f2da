// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fields of events, probes of events, and instances.  Members of private structs are read by
 * name, at the offsets that kernel/layout.c found.
 */
#include <linux/bitops.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#ifdef CONFIG_ARM64
#include <asm/insn.h>
#endif

#include "kernel/event.h"
#include "kernel/ksyms.h"
#include "kernel/layout.h"
#include "objtrace_compat.h"

static const struct objtrace_layout * const at = &objtrace_layout;

/**
 * objtrace_kernel_find_field() - find a field of an event's record
 * @call: the event
 * @name: of the field: the event's own, a generic or a common one
 * @field: filled in if there is one
 *
 * Context: task, event_mutex held.
 * Return: whether there is one
 */
bool objtrace_kernel_find_field(struct trace_event_call *call, const char *name,
				struct objtrace_field *field)
{
	struct ftrace_event_field *f;

	/* The kernel's prototype lacks the const, the function does not write */
	f = ksym(trace_find_event_field)(call, (char *)name);
	if (!f)
		return false;
	field->offset = objtrace_private(f, int, at->field.offset);
	field->size = objtrace_private(f, int, at->field.length);
	field->is_array = strchr(objtrace_private(f, const char *, at->field.type), '[');
	return true;
}

static const void *find_probe_arg(const void *probe, const char *name)
{
	const void *arg = probe + at->probe.args;
	unsigned int i;

	for (i = 0; i < objtrace_private(probe, unsigned int, at->probe.nr_args); i++) {
		if (!strcmp(objtrace_private(arg, const char *, at->probe_arg.name), name))
			return arg;
		arg += at->probe_arg.size;
	}
	return NULL;
}

/* Of $argN, an argument register by its name, or the name of a parameter; else -1 */
static int arg_register(const void *arg)
{
	const char *definition = arg ? objtrace_private(arg, const char *, at->probe_arg.comm) : "";
	const void *code;
	unsigned int n;

	if (sscanf(definition, "$arg%u", &n) == 1)
		return n <= OBJTRACE_NR_ARGS ? (int)n - 1 : -1;
	if (definition[0] == '%')
		return objtrace_find_arg_register(definition + 1);
	/* All that is not a plain name: @ADDR, +OFF(...), a->b, \IMM, $stack ... */
	if (!definition[0] || strpbrk(definition, "@+-()>.\\$["))
		return -1;
	/* The first thing to be done for it is to fetch the parameter of this number */
	code = objtrace_private(arg, const void *, at->probe_arg.code);
	n = objtrace_private(code, unsigned int, at->fetch_insn.param);
	return n < OBJTRACE_NR_ARGS ? (int)n : -1;
}

static struct list_head *probes_of(struct trace_event_call *call)
{
	return (void *)call - at->probe_event.call + at->probe_event.probes;
}

/**
 * objtrace_kernel_arg_registers() - which arguments of functions a field is
 * @call: an event of a kprobe (TRACE_EVENT_FL_KPROBE)
 * @name: of the field
 *
 * An event can have several probes, which define the field each in its own way.
 *
 * Context: task, event_mutex held.
 * Return: bit N if a probe takes it as it is from register N of those that pass
 * arguments, so that the function's entry receives that very pointer; 0 if one of them
 * reads it from memory or has it from elsewhere
 */
unsigned int objtrace_kernel_arg_registers(struct trace_event_call *call,
					   const char *name)
{
	unsigned int registers = 0;
	struct list_head *node;
	int n;

	list_for_each(node, probes_of(call)) {
		n = arg_register(find_probe_arg((void *)node - at->probe.list, name));
		if (n < 0)
			return 0;
		registers |= BIT(n);
	}
	return registers;
}

/**
 * objtrace_kernel_last_probe() - the probe that was added last to an event
 * @call: an event of a kprobe
 *
 * Context: any, while the event exists.
 * Return: it; only to be compared
 */
const void *objtrace_kernel_last_probe(struct trace_event_call *call)
{
	return READ_ONCE(probes_of(call)->prev);
}

/**
 * objtrace_kernel_probe_is_first() - whether probes fire before our callback
 * @ops: our registered ftrace_ops, which traces the function
 * @ip: the function's ftrace location
 *
 * For probes on the entry of a function.  Where a probe is a breakpoint on the
 * first instruction, it does: the function has not called anything before.  It will,
 * unless ftrace has put its nop back: that is what sysctl kernel.ftrace_enabled=0 does.
 *
 * Where a probe is an ftrace_ops itself, both are called one after the other, in the order
 * of ftrace's list: what comes behind us in there was registered before us and is called
 * later.  (Not by our trampoline: a function with two ops calls what goes through the
 * list.)  Probes of events have no post handler, so they are not behind the ops that
 * modifies the ip; unless somebody else has put a kprobe with one on the same function,
 * which is not looked for.
 *
 * Context: any, preemption disabled: dynamic ops are freed after a grace period.
 * Return: true if a probe that fires now is followed by our callback for the same
 * entry; false if our callback has been there already, or is not called at all
 */
bool objtrace_kernel_probe_is_first(const struct ftrace_ops *ops, unsigned long ip)
{
#ifdef CONFIG_KPROBES_ON_FTRACE
	const struct ftrace_ops *p;

	for (p = rcu_dereference_raw(ops->next); p; p = rcu_dereference_raw(p->next))
		if ((unsigned long)p->func == ksym_addr(kprobe_ftrace_handler) &&
		    !(p->flags & FTRACE_OPS_FL_IPMODIFY))
			return false;
	return true;
#else
	return aarch64_insn_is_bl(le32_to_cpu(READ_ONCE(*(const __le32 *)ip)));
#endif
}

/**
 * objtrace_kernel_buffer_at() - where it is told where an instance has its records
 * @tr: the instance
 *
 * Context: any.
 * Return: that place, which is there as long as the instance; to be read with READ_ONCE(),
 * see objtrace_kernel_buffer()
 */
struct trace_buffer **objtrace_kernel_buffer_at(struct trace_array *tr)
{
	void *array_buffer = (void *)tr + at->instance.array_buffer;

	return &objtrace_private(array_buffer, struct trace_buffer *, at->array_buffer.buffer);
}

/**
 * objtrace_kernel_buffer() - where an instance has its records
 * @tr: the instance
 *
 * It may be exchanged for another one at any time (snapshot); both have its clock, and
 * stay for a grace period.
 *
 * Context: any, NMI included; preemption disabled as long as it is used.
 * Return: the buffer
 */
struct trace_buffer *objtrace_kernel_buffer(struct trace_array *tr)
{
	return READ_ONCE(*objtrace_kernel_buffer_at(tr));
}

/**
 * objtrace_kernel_clock() - the time in an instance
 * @tr: the instance
 *
 * Context: any, NMI included; preemption disabled.
 * Return: now, by the instance's trace clock
 */
u64 objtrace_kernel_clock(struct trace_array *tr)
{
	return ring_buffer_time_stamp(objtrace_kernel_buffer(tr));
}

/**
 * objtrace_kernel_instance() - what an instance is called
 * @tr: the instance
 *
 * Context: any, while the instance exists.
 * Return: the directory in "instances"; "." for the top instance.  No directory has this name.
 */
const char *objtrace_kernel_instance(const struct trace_array *tr)
{
	return objtrace_private(tr, const char *, at->instance.name) ?: ".";
}
