// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queue the reaper from any context.  objects/object.c has the reaper itself.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "objects/reap.h"

/* The reaper.  Written by objtrace_reap_init() only, before the first object is added */
static struct work_struct *reaper;

static void reap_irq_work_fn(struct irq_work *work)
{
	schedule_work(reaper);
}

/*
 * A work item cannot be queued in an NMI, so an irq_work queues the work item.  The irq_work is
 * hard, because PREEMPT_RT runs other irq_work in a thread.  That thread may still read a freed
 * irq_work after irq_work_sync().
 */
static struct irq_work reap_irq_work = IRQ_WORK_INIT_HARD(reap_irq_work_fn);

/*
 * 1 while the reaper is queued, or is about to be.  Set with cmpxchg by CPUs that end objects, and
 * cleared by the reaper when it starts.  A line of its own, because every end of an object reads it.
 */
static int is_queued ____cacheline_aligned_in_smp;

/**
 * objtrace_reap_queue() - queue an irq_work, if this CPU is online
 * @work: the irq_work
 *
 * A CPU that goes offline runs its irq_work for the last time, and calls functions and fires
 * probes after that.  No CPU would run an irq_work that is queued then, and irq_work_sync()
 * would not return.  A CPU that comes up also calls functions before it is online.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: true if @work is queued; false if the CPU is not online
 */
bool objtrace_reap_queue(struct irq_work *work)
{
	if (unlikely(!cpu_online(raw_smp_processor_id())))
		return false;
	irq_work_queue(work);
	return true;
}

/**
 * objtrace_reap_later() - queue the reaper
 *
 * Only the first call after the start of the reaper queues the reaper, because that takes an
 * interrupt.  If this CPU is not online, the reaper is queued when the CPU is dead or online.
 *
 * Context: Any, NMI included; preemption disabled.
 */
void objtrace_reap_later(void)
{
	/* Pairs with the barrier in objtrace_reap_starts(): the object ends before the flag is read */
	smp_mb();
	if (READ_ONCE(is_queued) || cmpxchg(&is_queued, 0, 1))
		return;
	if (!objtrace_reap_queue(&reap_irq_work))
		WRITE_ONCE(is_queued, 0);
}

/**
 * objtrace_reap_starts() - let the next end of an object queue the reaper again
 *
 * Context: the reaper, before it looks for ended objects.
 */
void objtrace_reap_starts(void)
{
	WRITE_ONCE(is_queued, 0);
	/*
	 * Pairs with the barrier in objtrace_reap_later(): the reaper sees an ended object, or the
	 * end queues the reaper again
	 */
	smp_mb();
}

/* Queue the reaper for a CPU that was not online: another CPU calls this for a dead CPU */
static int reap_for_cpu(unsigned int cpu)
{
	schedule_work(reaper);
	return 0;
}

static enum cpuhp_state dead_state, online_state;

/**
 * objtrace_reap_init() - register the callbacks for CPU hotplug
 * @work: the reaper
 *
 * Context: task, module init.
 * Return: 0, or a negative errno after one line if the kernel has no free dynamic hotplug
 *	   state.  The caller must call objtrace_reap_exit() after an error, too.
 */
int objtrace_reap_init(struct work_struct *work)
{
	int ret;

	reaper = work;
	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "objtrace:dead", NULL, reap_for_cpu);
	if (ret < 0)
		goto untold;
	dead_state = ret;
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "objtrace:online", reap_for_cpu, NULL);
	if (ret < 0)
		goto untold;
	online_state = ret;
	return 0;

untold:
	pr_err("the kernel refused the callbacks for CPU hotplug: error %d\n", ret);
	return ret;
}

/**
 * objtrace_reap_exit() - stop queueing the reaper
 *
 * The reaper may still run, so the caller must flush the work item.
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_reap_exit(void)
{
	if (online_state)
		cpuhp_remove_state_nocalls(online_state);
	if (dead_state)
		cpuhp_remove_state_nocalls(dead_state);
	irq_work_sync(&reap_irq_work);
}
