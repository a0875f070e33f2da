// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fields and records of events, probes of events, and instances.  kernel/layout.c finds the
 * offsets of the members of private structs.
 */
#include <linux/bitops.h>
#include <linux/ftrace.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/ring_buffer.h>
#include <linux/stddef.h>
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
 * @name: name of the field: a field of the event, or a generic or common field
 * @field: receives the field's position; only on success
 *
 * Context: task, event_mutex held.
 * Return: true if the event has the field
 */
bool objtrace_kernel_find_field(struct trace_event_call *call, const char *name,
				struct objtrace_field *field)
{
	struct ftrace_event_field *f;

	/* The kernel's prototype lacks the const.  The function does not write to the name. */
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

/*
 * Return the number of the argument register that a probe's argument is taken from, or -1.
 * Definitions with a register are $argN, %REGISTER, and the name of a parameter.
 */
static int arg_register(const void *arg)
{
	const char *definition = arg ? objtrace_private(arg, const char *, at->probe_arg.comm) : "";
	const void *code;
	unsigned int n;

	if (sscanf(definition, "$arg%u", &n) == 1)
		return n <= OBJTRACE_NR_ARGS ? (int)n - 1 : -1;
	if (definition[0] == '%')
		return objtrace_find_arg_register(definition + 1);
	/* Definitions other than a name: @ADDR, +OFF(...), a->b, \IMM, $stack ... */
	if (!definition[0] || strpbrk(definition, "@+-()>.\\$["))
		return -1;
	/* For the name of a parameter, the first fetch instruction has the parameter's number */
	code = objtrace_private(arg, const void *, at->probe_arg.code);
	n = objtrace_private(code, unsigned int, at->fetch_insn.param);
	return n < OBJTRACE_NR_ARGS ? (int)n : -1;
}

static struct list_head *probes_of(struct trace_event_call *call)
{
	return (void *)call - at->probe_event.call + at->probe_event.probes;
}

/**
 * objtrace_kernel_arg_registers() - find the argument registers that a field is taken from
 * @call: an event of a kprobe or of an fprobe
 * @name: name of the field
 *
 * An event can have several probes, and each probe has its own definition of the field.  If
 * the field is an argument register, the function receives the field's pointer at its entry.
 *
 * Context: task, event_mutex held.
 * Return: a mask with bit N if a probe takes the field from argument register N; 0 if a probe
 * takes the field from memory or from anything else
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
 * objtrace_kernel_last_probe() - identify the newest probe of an event
 * @call: an event of a kprobe
 *
 * Context: Any, NMI included, while the event exists.
 * Return: the newest probe, for comparisons only
 */
const void *objtrace_kernel_last_probe(struct trace_event_call *call)
{
	return READ_ONCE(probes_of(call)->prev);
}

/**
 * objtrace_kernel_probe_is_first() - check that a probe fires before objtrace's callback
 * @ops: objtrace's registered ftrace_ops, which traces the function
 * @ip: the function's ftrace location
 *
 * For probes on the entry of a function.
 *
 * Without CONFIG_KPROBES_ON_FTRACE, a probe is a breakpoint on the first instruction, and fires
 * before the function calls ftrace.  The function calls ftrace unless its ftrace location is a
 * nop: sysctl kernel.ftrace_enabled=0 writes nops.
 *
 * With CONFIG_KPROBES_ON_FTRACE, a probe uses an ftrace_ops.  ftrace calls all ops of a function
 * in the order of its list, newest first.  If the kprobes' ops follows @ops in the list, the
 * probe fires after the callback.  A function with two ops does not call objtrace's trampoline.
 * Kprobes with a post handler use a second ops, which modifies the ip.  Probes of events have no
 * post handler, so this function skips the second ops.  One case is not detected: another kprobe
 * with a post handler on the same function.
 *
 * Context: Any, NMI included; preemption disabled: dynamic ops are freed after a grace period.
 * Return: true if the callback for the same entry follows the probe; false if the callback was
 * called before, or is not called at all
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
 * objtrace_kernel_buffer_at() - find the member with an instance's ring buffer
 * @tr: the instance
 *
 * Context: Any, NMI included.
 * Return: the address of the member, valid as long as the instance exists.  Read the member
 * with READ_ONCE(): see objtrace_kernel_buffer().
 */
struct trace_buffer **objtrace_kernel_buffer_at(struct trace_array *tr)
{
	void *array_buffer = (void *)tr + at->instance.array_buffer;

	return &objtrace_private(array_buffer, struct trace_buffer *, at->array_buffer.buffer);
}

/**
 * objtrace_kernel_buffer() - read the ring buffer of an instance
 * @tr: the instance
 *
 * A snapshot can swap two ring buffers of the instance at any time.  Both use the instance's
 * clock, and are freed after a grace period at the earliest.
 *
 * Context: Any, NMI included; preemption disabled while the buffer is used.
 * Return: the buffer
 */
struct trace_buffer *objtrace_kernel_buffer(struct trace_array *tr)
{
	return READ_ONCE(*objtrace_kernel_buffer_at(tr));
}

/**
 * objtrace_kernel_clock() - read the trace clock of an instance
 * @tr: the instance
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: the time stamp of a record that is written now
 */
u64 objtrace_kernel_clock(struct trace_array *tr)
{
	return ring_buffer_time_stamp(objtrace_kernel_buffer(tr));
}

/**
 * objtrace_kernel_instance() - read the name of an instance
 * @tr: the instance
 *
 * Context: Any, NMI included, while the instance exists.
 * Return: the directory's name in "instances"; "." for the top instance
 */
const char *objtrace_kernel_instance(const struct trace_array *tr)
{
	return objtrace_private(tr, const char *, at->instance.name) ?: ".";
}

/* Kernels for real time of Linux 6.1 count the levels of disabled lazy preemption, too */
#define HAS_LAZY_COUNT	(sizeof(struct trace_entry) > offsetofend(struct trace_entry, pid))

/**
 * objtrace_kernel_context() - read the flags and the preemption count of an event's record
 * @entry: the record
 *
 * The kernel reads at most 15 levels of disabled preemption, and subtracts the level of a
 * tracepoint.  The handlers of an int3 and of a probe on a user program have no such level.  If
 * preemption is enabled there, the kernel subtracts 1 from 0.  The result is 15 levels, and a 1
 * that is borrowed from the levels of disabled migration, or else from the flags.  Without a
 * borrow, a count has at most 14 levels.
 *
 * Context: any, NMI included.
 * Return: an argument of tracing_generic_entry_update()
 */
unsigned int objtrace_kernel_context(const struct trace_entry *entry)
{
	const u8 *lazy = (const void *)entry + offsetofend(struct trace_entry, pid);
	unsigned int context = entry->flags;

	if (HAS_LAZY_COUNT)
		context = context << 8 | *lazy;
	context = context << 16 | entry->preempt_count;
	if (!IS_ENABLED(CONFIG_PREEMPTION) || (context & 0xf) != 0xf)
		return context;
	/* A record lacks the bits 8 to 15, which are borrowed, too */
	return (context & 0xff) == 0xff ? (context | 0xffff) + 1 : context + 1;
}
