// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many objects that end queue the reaper once, with one interrupt.  The test includes the source,
 * so that it can replace the kernel's functions.
 */
#include <linux/irq_work.h>
#include <linux/kernel.h>

#include "tap.h"

#define NR_ENDS	1000

/* What the kernel has done */
static unsigned int nr_interrupts, nr_queued;
static bool is_online = true;

#define IRQ_WORK_INIT_HARD(f)		{ .func = (u64)(f) }
#define raw_smp_processor_id()		0
#define cpu_online(cpu)			is_online
#define CPUHP_BP_PREPARE_DYN		1
#define CPUHP_AP_ONLINE_DYN		2

enum cpuhp_state { CPUHP_NONE };
struct work_struct;

static void irq_work_queue(struct irq_work *work)
{
	nr_interrupts++;
}

static void irq_work_sync(struct irq_work *work)
{
}

static void schedule_work(struct work_struct *work)
{
	nr_queued++;
}

static int cpuhp_setup_state_nocalls(int state, const char *name, int (*start)(unsigned int),
				     int (*stop)(unsigned int))
{
	return state;
}

static void cpuhp_remove_state_nocalls(int state)
{
}

#include "objects/reap.c"

static void end_objects(unsigned int nr)
{
	while (nr--)
		objtrace_reap_later();
}

static void test_ends(void)
{
	end_objects(NR_ENDS);
	ok(nr_interrupts == 1, "%u objects that end cause one interrupt", NR_ENDS);
	reap_irq_work_fn(&reap_irq_work);
	end_objects(NR_ENDS);
	ok(nr_queued == 1 && nr_interrupts == 1,
	   "there is no further interrupt while the reaper is queued");
	objtrace_reap_starts();
	end_objects(NR_ENDS);
	ok(nr_interrupts == 2, "an object that ends after the reaper's start causes an interrupt");
	objtrace_reap_starts();
}

static void test_offline(void)
{
	nr_interrupts = nr_queued = 0;
	is_online = false;
	end_objects(NR_ENDS);
	ok(!nr_interrupts, "a CPU that is not online causes no interrupt");
	reap_for_cpu(0);
	ok(nr_queued == 1, "the reaper is queued when that CPU is dead or online");
	is_online = true;
	end_objects(NR_ENDS);
	ok(nr_interrupts == 1, "an object that ends on an online CPU causes an interrupt again");
}

int main(void)
{
	ok(!objtrace_reap_init(NULL), "the callbacks for CPU hotplug are registered");
	test_ends();
	test_offline();
	objtrace_reap_exit();
	return tap_done();
}
