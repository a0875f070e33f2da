// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ftrace side ("fops" is a struct ftrace_ops, not file_operations): at the
 * entry of every traced function, look for tracked objects among its arguments,
 * fetch the value and write a record.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_kernel.h"
#include "objtrace_ksyms.h"

/*
 * One bit for each interrupt context level that is in our code on this CPU.
 * Changed by that CPU only; an interrupt that comes between puts back what it
 * found, so plain accesses do.
 */
static DEFINE_PER_CPU(unsigned int, busy_contexts);

/**
 * objtrace_fops_enter() - keep what we call ourselves out of the records
 * @context: to be given to objtrace_fops_leave(), which the caller owes
 *
 * Functions that are entered in this context on this CPU until then are our own
 * callees.  Interrupts in between have a context of their own.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: false if this is already one of our own callees
 */
bool objtrace_fops_enter(unsigned int *context)
{
	unsigned int *busy = raw_cpu_ptr(&busy_contexts);
	unsigned int bit = BIT(interrupt_context_level());
	bool first = !(*busy & bit);

	*context = first ? bit : 0;
	*busy |= bit;
	barrier();
	return first;
}

/**
 * objtrace_fops_leave() - what objtrace_fops_enter() began is over
 * @context: from there
 *
 * Context: as objtrace_fops_enter(), preemption disabled since then.
 */
void objtrace_fops_leave(unsigned int context)
{
	barrier();
	*raw_cpu_ptr(&busy_contexts) &= ~context;
}

/**
 * objtrace_fops_fetch() - read the member that a trigger asks for
 * @trigger: the trigger
 * @sample: has the object, gets the value
 *
 * Reads exactly the bytes of the type, from kernel memory only, and shows what
 * cannot be read as a fault, never as a number.
 *
 * Context: any, NMI included.
 */
void objtrace_fops_fetch(const struct objtrace_trigger *trigger,
			 struct objtrace_sample *sample)
{
	unsigned long addr = sample->object + trigger->spec.offset;
	unsigned int size = objtrace_type_size(trigger->spec.type);
	union {
		u8	u8;
		u16	u16;
		u32	u32;
		u64	u64;
	} v;

	sample->value = 0;
	sample->fault = !objtrace_is_kernel_range(addr, size) ||
			copy_from_kernel_nofault(&v, (void *)addr, size);
	if (sample->fault)
		return;
	switch (size) {
	case sizeof(u8):
		sample->value = v.u8;
		break;
	case sizeof(u16):
		sample->value = v.u16;
		break;
	case sizeof(u32):
		sample->value = v.u32;
		break;
	default:
		sample->value = v.u64;
	}
}

/*
 * Whether this entry is the one that fired the trigger and so was told of as
 * objtrace_add.  It is seen once, by the task and in the context that fired.
 */
static bool is_adding_entry(struct objtrace_slot *slot, unsigned long ip)
{
	unsigned long probe = READ_ONCE(slot->entry_ip);

	if (likely(!probe) || ip - probe > OBJTRACE_ENTRY_SPAN)
		return false;
	if (slot->entry_task != current ||
	    slot->entry_context != interrupt_context_level())
		return false;
	WRITE_ONCE(slot->entry_ip, 0);
	return true;
}

static void record_hit(const struct objtrace_match *match, unsigned long object,
		       unsigned long ip, unsigned long parent_ip, unsigned int arg)
{
	struct objtrace_sample sample = { .object = object, .id = match->id };

	if (is_adding_entry(match->slot, ip))
		return;
	atomic_long_inc(&match->slot->hits);
	objtrace_fops_fetch(match->owner, &sample);
	objtrace_record_value(&match->owner->files, &sample, ip, parent_ip, arg);
}

static bool seen_before(const unsigned long *args, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (args[i] == args[n])
			return true;
	return false;
}

static void record_args(const unsigned long *args, unsigned long ip,
			unsigned long parent_ip)
{
	struct objtrace_match match;
	unsigned int n, pos;

	for (n = 0; n < OBJTRACE_NR_ARGS; n++) {
		if (!objtrace_table_may_have(args[n]) || seen_before(args, n))
			continue;
		pos = 0;
		while (objtrace_table_match(args[n], &pos, &match))
			record_hit(&match, args[n], ip, parent_ip, n + 1);
	}
}

/* With our own callees kept out, see look_closer() */
static noinline __clears_arg_registers
void record_entry(unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs)
{
	unsigned long args[OBJTRACE_NR_ARGS];
	unsigned int context, n;

	if (objtrace_fops_enter(&context)) {
#pragma GCC unroll 8
		for (n = 0; n < OBJTRACE_NR_ARGS; n++)
			args[n] = objtrace_arg(fregs, n);
		record_args(args, ip, parent_ip);
	}
	objtrace_fops_leave(context);
}

/*
 * Some argument may be tracked.  Preemption is disabled from here on: it keeps
 * triggers that readers of the table find from being freed.
 *
 * No object is left in an argument register where a traced function may be next,
 * which would be taken for one that receives it: the scheduler, when preemption
 * is enabled again, and behind us the next ops of the function, such as that of
 * kprobes.
 */
static noinline __clears_arg_registers
void look_closer(unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs)
{
	preempt_disable_notrace();
	/* Without RCU nothing holds the triggers: idle and entry code */
	if (rcu_is_watching())
		record_entry(ip, parent_ip, fregs);
	preempt_enable_notrace();
}

/*
 * The entry of a traced function.  Takes no guard and calls nothing while no
 * argument is tracked: the table is never freed while this can run.
 */
static void fops_callback(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	bool found = false;
	unsigned int n;

#pragma GCC unroll 8
	for (n = 0; n < OBJTRACE_NR_ARGS; n++)
		found |= objtrace_table_may_have(objtrace_arg(fregs, n));
	if (unlikely(found))
		look_closer(ip, parent_ip, fregs);
}

/*
 * No flags: RECURSION and RCU would put arm64 on the slow list function, and the
 * arguments are there without SAVE_REGS.
 */
static struct ftrace_ops fops = {
	.func	= fops_callback,
};

/* Under fops_lock: how many triggers need the ops, and whether it is registered */
static DEFINE_MUTEX(fops_lock);
static unsigned int nr_users;
static bool registered;

/**
 * objtrace_fops_runs_after_probe() - whether the callback follows a probe that fires
 *
 * Context: from a probe on the entry of a function, preemption disabled.
 * Return: true if the callback for the same entry is still to come
 */
bool objtrace_fops_runs_after_probe(void)
{
	return objtrace_kernel_probe_is_first(&fops);
}

/*
 * Waits for callbacks, so it is not done under event_mutex.  A trigger that is
 * set or removed meanwhile waits for it all the same.
 */
static void disarm_work_fn(struct work_struct *work)
{
	mutex_lock(&fops_lock);
	if (!nr_users && registered && !unregister_ftrace_function(&fops))
		registered = false;
	mutex_unlock(&fops_lock);
}

static DECLARE_WORK(disarm_work, disarm_work_fn);

/**
 * objtrace_fops_is_stuck() - whether functions may call us for ever
 *
 * Once ftrace has disabled itself it unregisters nothing: the module has to stay.
 * Says so, the first time.
 *
 * Context: task.
 * Return: true if the module must never be removed
 */
bool objtrace_fops_is_stuck(void)
{
	if (!ksym(ftrace_is_dead)())
		return false;
	pr_err_once("ftrace is dead and keeps calling this module: it can no longer be removed\n");
	return true;
}

static int register_ops(void)
{
	int ret = register_ftrace_function(&fops);

	registered = !ret;
	/* It can die on the way, with some functions patched to call us */
	if (ret && objtrace_fops_is_stuck())
		__module_get(THIS_MODULE);
	return ret;
}

/**
 * objtrace_fops_arm() - trace functions, for one more trigger
 *
 * Context: task, event_mutex held.
 * Return: 0; -ENODEV if ftrace is dead; another negative errno if it refuses
 */
int objtrace_fops_arm(void)
{
	int ret = 0;

	mutex_lock(&fops_lock);
	if (ksym(ftrace_is_dead)())
		ret = -ENODEV;
	else if (!registered)
		ret = register_ops();
	if (!ret)
		nr_users++;
	mutex_unlock(&fops_lock);
	return ret;
}

/**
 * objtrace_fops_disarm() - one trigger less needs functions to be traced
 *
 * With the last one tracing stops, some time after this returns.
 *
 * Context: task, event_mutex held.
 */
void objtrace_fops_disarm(void)
{
	mutex_lock(&fops_lock);
	if (!--nr_users)
		schedule_work(&disarm_work);
	mutex_unlock(&fops_lock);
}

/**
 * objtrace_fops_exit() - wait until no function is traced
 *
 * If ftrace has disabled itself and cannot unregister, traced functions go on
 * calling us, and this never returns: a hung rmmod, but the machine lives.
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_fops_exit(void)
{
	flush_work(&disarm_work);
	if (!registered)
		return;
	pr_err("ftrace is dead and keeps calling this module: its removal will never finish\n");
	for (;;)
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}
