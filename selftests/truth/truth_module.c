// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_truth - make the calls of generate.py, for the selftests
 *
 * Write "N" to the parameter "run" to run N steps. The parameter "objects" has the addresses of the
 * objects: read it before an object is tracked. "calls" is the number of calls.
 *
 * A second CPU is needed, which changes some of the objects.
 *
 * Objects are freed and allocated again between steps. The addresses stay the same, because the
 * objects have a cache of their own.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sysfs.h>

#include "truth.h"

#include "../test_modules/clear_arg_registers.h"
#include "../test_modules/quarantine.h"

/* Limit of other objects that the allocator returns before the wanted object */
#define NR_TRIES	256

static struct kmem_cache *cache;
static void *names[OTT_OBJECTS];	/* of A to H, before objects swap their addresses */
static DEFINE_MUTEX(play_mutex);

/* The kernel does not merge a cache with a constructor with other caches */
static void construct(void *object)
{
}

/*
 * The allocator mostly returns the object that was freed last. Other objects are put @aside.
 * Interrupts are on, because the allocator may have to wait with PREEMPT_RT. Returns the number of
 * @wanted objects that were not found.
 */
static unsigned int find_again(void *wanted[2], void **aside)
{
	unsigned int nr_aside = 0, nr_missing = 2;
	void *object;

	end_quarantine(cache);
	while (nr_missing && nr_aside < NR_TRIES) {
		object = kmem_cache_alloc(cache, GFP_KERNEL);
		if (!object)
			break;
		if (object == wanted[0] || object == wanted[1])
			nr_missing--;
		else
			aside[nr_aside++] = object;
	}
	while (nr_aside--)
		kmem_cache_free(cache, aside[nr_aside]);
	return nr_missing;
}

/**
 * ott_renew() - free two objects and allocate them again
 * @one: slot of the first object
 * @other: slot of the second object
 * @swap: true if the objects swap their addresses
 *
 * Context: task; neither object is tracked.
 * Return: 0; -ENOMEM; -EAGAIN if the allocator has not returned both objects: the run is useless
 * then
 */
int ott_renew(unsigned int one, unsigned int other, bool swap)
{
	void *wanted[] = { (void *)ott_slot[one], (void *)ott_slot[other] };
	void **aside = kcalloc(NR_TRIES, sizeof(*aside), GFP_KERNEL);
	unsigned int nr_missing;

	if (!aside)
		return -ENOMEM;
	kmem_cache_free(cache, wanted[0]);
	kmem_cache_free(cache, wanted[1]);
	nr_missing = find_again(wanted, aside);
	kfree(aside);
	/* Leak the objects rather than free them twice */
	ott_slot[one] = nr_missing ? 0 : (unsigned long)wanted[swap];
	ott_slot[other] = nr_missing ? 0 : (unsigned long)wanted[!swap];
	return nr_missing ? -EAGAIN : 0;
}

/*
 * Changes by an interrupt, and by the other CPU, while the function that asks waits.  No object is
 * in an argument register when the kernel's functions run.
 */

static struct ott_object *interrupt_object;
static struct ott_object *other_object;
static unsigned int other_cpu;

static notrace void ott_change_interrupt(struct irq_work *work)
{
	ott_increment(interrupt_object);
	clear_arg_registers();
}

static struct irq_work interrupt_work = IRQ_WORK_INIT_HARD(ott_change_interrupt);

/**
 * ott_do_interrupt() - increment the value of an object in an interrupt
 * @word: the object, or another number
 *
 * Context: task, interrupts off, but on meanwhile.
 */
notrace void ott_do_interrupt(unsigned long word)
{
	interrupt_object = ott_object_of(word);
	if (!interrupt_object)
		return;
	clear_arg_registers();
	irq_work_queue(&interrupt_work);
	local_irq_enable();
	irq_work_sync(&interrupt_work);
	local_irq_disable();
}

static notrace void ott_change_other_cpu(void *unused)
{
	ott_increment(other_object);
	/* Pairs with the acquire in ott_do_other_cpu() */
	smp_store_release(&other_object, NULL);
	clear_arg_registers();
}

static call_single_data_t other_call = CSD_INIT(ott_change_other_cpu, NULL);

/**
 * ott_do_other_cpu() - increment the value of an object on the other CPU
 * @word: the object, or another number
 *
 * The other CPU does the increment in an interrupt, not in a task.  No task can run while the
 * kernel waits there for an interrupt of this CPU, with preemption disabled.
 *
 * Context: task, interrupts off.
 */
notrace void ott_do_other_cpu(unsigned long word)
{
	struct ott_object *object = ott_object_of(word);

	if (!object)
		return;
	other_object = object;
	clear_arg_registers();
	if (smp_call_function_single_async(other_cpu, &other_call))
		return;
	/* Pairs with the release in ott_change_other_cpu() */
	while (smp_load_acquire(&other_object))
		cpu_relax();
	clear_arg_registers();
}

static int play(unsigned int nr_steps)
{
	int ret;

	other_cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	if (other_cpu >= nr_cpu_ids)
		return -ENODEV;
	ret = ott_play(nr_steps);
	/* The last interrupt of the other CPU ends */
	kick_all_cpus_sync();
	return ret;
}

/**
 * ott_wait_for_cpus() - wait until all CPUs have aimed their debug registers
 *
 * A CPU serves requests in their order.
 *
 * Context: task, interrupts on.
 */
void ott_wait_for_cpus(void)
{
	kick_all_cpus_sync();
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr_steps;
	int ret = kstrtouint(val, 0, &nr_steps);

	if (ret)
		return ret;
	/* Parameters of the command line are set before init. */
	if (!ott_spare)
		return -ENODEV;
	mutex_lock(&play_mutex);
	ret = play(nr_steps);
	mutex_unlock(&play_mutex);
	return ret;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write N to run N steps");

/* "NAME NUMBER" per line */
static int objects_get(char *buf, const struct kernel_param *kp)
{
	int i, at = 0;

	for (i = 0; i < OTT_OBJECTS; i++)
		at += sysfs_emit_at(buf, at, "%c 0x%lx\n", 'A' + i,
				    (unsigned long)names[i]);
	return at;
}

static const struct kernel_param_ops objects_ops = { .get = objects_get };
module_param_cb(objects, &objects_ops, NULL, 0400);
MODULE_PARM_DESC(objects, "addresses of the objects");

module_param_named(calls, ott_calls, ulong, 0400);
MODULE_PARM_DESC(calls, "number of calls so far");

static void free_objects(void)
{
	unsigned int i;

	for (i = 0; i < OTT_OBJECTS; i++)
		if (ott_slot[i])
			kmem_cache_free(cache, (void *)ott_slot[i]);
	if (ott_spare)
		kmem_cache_free(cache, (void *)ott_spare);
	kmem_cache_destroy(cache);
}

static bool allocate_objects(void)
{
	unsigned int i;

	for (i = 0; i < OTT_OBJECTS; i++) {
		names[i] = kmem_cache_alloc(cache, GFP_KERNEL);
		if (!names[i])
			return false;
		ott_slot[i] = (unsigned long)names[i];
	}
	ott_spare = (unsigned long)kmem_cache_alloc(cache, GFP_KERNEL);
	return ott_spare;
}

static int __init ott_truth_init(void)
{
	cache = kmem_cache_create("ott_truth", sizeof(struct ott_object), 0, 0,
				  construct);
	if (!cache)
		return -ENOMEM;
	if (!allocate_objects()) {
		free_objects();
		return -ENOMEM;
	}
	ott_reset();
	return 0;
}

static void __exit ott_truth_exit(void)
{
	free_objects();
}

module_init(ott_truth_init);
module_exit(ott_truth_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Generated calls with predicted records, for the objtrace selftests");
MODULE_INFO(test, "Y");
