// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expected entries, see objects/expect.h, and expected entries without a callback.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "objects/expect.h"
#include "objects/object.h"
#include "objects/reap.h"
#include "objects/table.h"
#include "objtrace_compat.h"
#include "records/guard.h"
#include "records/value.h"

/* Value of entry_ip while the other members of an expected entry are written */
#define ENTRY_CLAIMED	1

/**
 * objtrace_expect_is_own() - check that an expected entry belongs to this task and context
 * @life: life of an object that the entry receives
 *
 * Context: Any, NMI included; after an acquire of @life->entry_ip that was not 0.
 * Return: true if the task and the context are the same
 */
bool objtrace_expect_is_own(const struct objtrace_life *life)
{
	return life->entry_task == current &&
	       life->entry_context == objtrace_context();
}

/**
 * objtrace_expect() - store the entry of a function whose probe has fired a trigger
 * @life: life of the object that the function receives
 * @ip: the function's ftrace location
 * @ends: true if the callback records the entry and deletes the object.  False if the probe
 *	  added the object: the callback does not record that entry.
 *
 * The callback for the entry follows in the same task and context.  Or no callback follows: a
 * later probe on the entry skips the function, or ftrace_enabled becomes 0.
 * finish_old_entry() handles that case.
 *
 * If the memory of the object is freed first, the object is deleted.  Its slot is not reused
 * while a task can still find the slot.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: 0; -EALREADY if the deletion by this entry is stored already, or if another CPU or the
 * interrupted code is storing a deletion; -EBUSY if the slot has another expected entry
 */
int objtrace_expect(struct objtrace_life *life, unsigned long ip, bool ends)
{
	unsigned long other;

	if (cmpxchg(&life->entry_ip, 0, ENTRY_CLAIMED)) {
		/* Pairs with the release below */
		other = smp_load_acquire(&life->entry_ip);
		/* A probe that adds stores the entry before the object is LIVE */
		if (other == ENTRY_CLAIMED)
			return -EALREADY;
		return life->entry_ends && other == ip && objtrace_expect_is_own(life) ?
		       -EALREADY : -EBUSY;
	}
	life->entry_task = current;
	life->entry_context = objtrace_context();
	life->entry_ends = ends;
	WRITE_ONCE(life->entry_is_old, false);
	/* Pairs with the acquires above and in objtrace_expect_is_at() */
	smp_store_release(&life->entry_ip, ip);
	return 0;
}

/**
 * objtrace_expect_renew() - remove an expected entry whose probe fires again
 * @life: life of an object that the probe has added before
 * @ip: the function's ftrace location
 *
 * The function was skipped, or has returned, without objtrace's callback.  So the next callback
 * has to record the entry.
 *
 * Context: Any, NMI included; preemption disabled since the object was matched.
 */
void objtrace_expect_renew(struct objtrace_life *life, unsigned long ip)
{
	/* Pairs with the release in objtrace_expect() */
	if (smp_load_acquire(&life->entry_ip) == ip && objtrace_expect_is_own(life) &&
	    !life->entry_ends)
		WRITE_ONCE(life->entry_ip, 0);
}

/**
 * objtrace_expect_finish() - complete an expected entry in the callback
 * @match: the object; nothing happens if it has no expected entry at @ip
 * @ip: the function's ftrace location
 *
 * Context: Any, NMI included; preemption disabled since the object was matched.
 */
void objtrace_expect_finish(const struct objtrace_match *match, unsigned long ip)
{
	struct objtrace_life *life = match->life;

	if (!objtrace_expect_matches(life, ip))
		return;
	if (life->entry_ends)
		objtrace_object_delete(match, objtrace_record_context());
	else
		WRITE_ONCE(life->entry_ip, 0);
}

/*
 * Expected entries without a callback
 */

/* Mark the expected entry of an object as old.  Return true if the object has such an entry */
static bool mark_old_entry(struct objtrace_life *life)
{
	if (!READ_ONCE(life->entry_ip))
		return false;
	/* An entry that replaces this one before the write is old, too: its probe has fired */
	WRITE_ONCE(life->entry_is_old, true);
	return true;
}

/*
 * Complete an expected entry without a callback.  After mark_old_entry() and a grace period of
 * Tasks RCU, no task is between the probe and objtrace's callback.
 *
 * Context: task, preemption disabled since the object was matched.
 */
static void finish_old_entry(const struct objtrace_match *match)
{
	struct objtrace_life *life = match->life;
	/* Pairs with the release in objtrace_expect() */
	unsigned long ip = smp_load_acquire(&life->entry_ip);

	if (!ip || ip == ENTRY_CLAIMED || !READ_ONCE(life->entry_is_old))
		return;
	if (life->entry_ends)
		objtrace_object_delete(match, objtrace_record_context());
	else
		cmpxchg(&life->entry_ip, ip, 0);
}

/* Bit 0: expect_work is queued, or is about to be.  Set by triggers, cleared by expect_work */
static unsigned long expecting;

static noinline __clears_arg_registers
void finish_old_entry_of(unsigned int n)
{
	struct objtrace_match match;
	unsigned long context;

	context = objtrace_guard_enter();
	if (objtrace_table_look(n, &match) && !match.owner->is_freed)
		finish_old_entry(&match);
	objtrace_guard_leave(context);
}

static bool mark_old_entries(void)
{
	bool found = false;
	unsigned int n;

	for (n = 0; n <= objtrace_table.slot_mask; n++) {
		if (!(n % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
		if (objtrace_table_is_live(n))
			found |= mark_old_entry(&objtrace_table.lives[n]);
	}
	return found;
}

static void expect_work_fn(struct work_struct *work)
{
	unsigned int n;

	clear_bit(0, &expecting);
	/*
	 * Pairs with the smp_mb() in objtrace_expect_check_later(): this work item sees the entry,
	 * or the entry queues the work item again
	 */
	smp_mb__after_atomic();
	if (!mark_old_entries())
		return;
	synchronize_rcu_tasks();
	for (n = 0; n <= objtrace_table.slot_mask; n++) {
		if (!(n % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
		if (!objtrace_table_is_live(n))
			continue;
		preempt_disable_notrace();
		finish_old_entry_of(n);
		preempt_enable_notrace();
	}
}

static DECLARE_DELAYED_WORK(expect_work, expect_work_fn);

/* After a second, nearly all callbacks have run.  Busy triggers cause one scan a second. */
static void expect_irq_work_fn(struct irq_work *work)
{
	schedule_delayed_work(&expect_work, HZ);
}

static struct irq_work expect_irq_work = IRQ_WORK_INIT_HARD(expect_irq_work_fn);

/**
 * objtrace_expect_check_later() - queue the check for expected entries without a callback
 *
 * Context: Any, NMI included; preemption disabled, and the object is LIVE.
 */
void objtrace_expect_check_later(void)
{
	/* Pairs with the barrier in expect_work_fn(): store the entry before the bit is read */
	smp_mb();
	/* Busy triggers find the bit set: do not write the cache line then */
	if (test_bit(0, &expecting))
		return;
	if (!test_and_set_bit(0, &expecting) && !objtrace_reap_queue(&expect_irq_work))
		clear_bit(0, &expecting);
}

/**
 * objtrace_expect_exit() - stop the check for expected entries without a callback
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_expect_exit(void)
{
	irq_work_sync(&expect_irq_work);
	cancel_delayed_work_sync(&expect_work);
}
