// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the reaper is called, see objects/reap.h.  objects/object.c has the reaper itself.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/compiler.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "objects/reap.h"

/* The reaper.  Written by objtrace_reap_init() only, before any object ends */
static struct work_struct *reaper;

static void reap_irq_work_fn(struct irq_work *work)
{
	schedule_work(reaper);
}

/*
 * A work item cannot be queued in an NMI.  Hard, also where interrupts are threads: there
 * the thread that has done another irq_work may still look at it when irq_work_sync() is
 * through.
 */
static struct irq_work reap_irq_work = IRQ_WORK_INIT_HARD(reap_irq_work_fn);

/**
 * objtrace_reap_queue() - queue an irq_work, if this CPU is sure to run it
 * @work: the irq_work
 *
 * A CPU that goes offline does all its irq_work once more after it has ceased to be
 * online, but still calls functions and fires probes then: what is queued that late is
 * done by nobody, and waited for in vain.  One that comes up has such a time, too, before
 * it is online.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: false if the CPU is not online, and @work is not queued
 */
bool objtrace_reap_queue(struct irq_work *work)
{
	if (unlikely(!cpu_online(raw_smp_processor_id())))
		return false;
	irq_work_queue(work);
	return true;
}

/**
 * objtrace_reap_later() - call the reaper
 *
 * If this CPU is not online, the reaper runs when the CPU is dead or online.
 *
 * Context: any, NMI included; preemption disabled.
 */
void objtrace_reap_later(void)
{
	objtrace_reap_queue(&reap_irq_work);
}

/* For what was not queued: when the CPU is dead, by another one, or once it is online */
static int reap_for_cpu(unsigned int cpu)
{
	schedule_work(reaper);
	return 0;
}

static enum cpuhp_state dead_state, online_state;

/**
 * objtrace_reap_init() - prepare for calling the reaper
 * @work: the reaper
 *
 * Context: task, module init.
 * Return: 0, or a negative errno after one line if the kernel has no more callbacks for
 *	   CPUs that come and go; objtrace_reap_exit() is due in any case
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
 * objtrace_reap_exit() - stop calling the reaper
 *
 * The reaper may still run: the caller must flush the work item.
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
