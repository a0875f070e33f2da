// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expected entries, see objects/expect.h, and entries whose callback never comes.
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

/* In entry_ip while the other members of an expected entry are written */
#define ENTRY_CLAIMED	1

/**
 * objtrace_expect_is_own() - check for the task and the context of an expected entry
 * @slot: an object that the entry receives
 *
 * Context: any, NMI included; after an acquire of @slot->entry_ip that was not 0.
 * Return: true if the current task and context are in the entry
 */
bool objtrace_expect_is_own(const struct objtrace_slot *slot)
{
	return slot->entry_task == current &&
	       slot->entry_context == objtrace_context();
}

/**
 * objtrace_expect() - announce the entry of a function that has fired a trigger
 * @slot: the object that it receives
 * @ip: the function's ftrace location
 * @ends: the entry ends the object, once it is recorded; else it has added it, which
 *	  was told, and is not recorded
 *
 * The same task calls the callback for the entry in the same context, later.  Or the callback
 * never comes: a later probe on the entry skips the function, or ftrace_enabled becomes 0 in
 * between.  finish_old_entry() handles that.  If the memory of the object is freed
 * before, the object ends, and its slot is not used again while a task can still find it.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: 0; -EALREADY if this very entry is expected to end the object, or another
 * one is about to be; -EBUSY if there is no room for this one
 */
int objtrace_expect(struct objtrace_slot *slot, unsigned long ip, bool ends)
{
	unsigned long other;

	if (cmpxchg(&slot->entry_ip, 0, ENTRY_CLAIMED)) {
		/* Pairs with the release below */
		other = smp_load_acquire(&slot->entry_ip);
		/* Only who ends it does that to an object that others can find */
		if (other == ENTRY_CLAIMED)
			return -EALREADY;
		return slot->entry_ends && other == ip && objtrace_expect_is_own(slot) ?
		       -EALREADY : -EBUSY;
	}
	slot->entry_task = current;
	slot->entry_context = objtrace_context();
	slot->entry_ends = ends;
	WRITE_ONCE(slot->entry_is_old, false);
	/* Pairs with the acquires above and in objtrace_expect_matches() */
	smp_store_release(&slot->entry_ip, ip);
	return 0;
}

/**
 * objtrace_expect_renew() - the probe that has added an object fires on the same entry again
 * @slot: the object
 * @ip: the function's ftrace location
 *
 * So the function was skipped, or left, without our callback.  The callback that comes now
 * records the entry.
 *
 * Context: any, NMI included; preemption disabled since the object was matched.
 */
void objtrace_expect_renew(struct objtrace_slot *slot, unsigned long ip)
{
	/* Pairs with the release in objtrace_expect() */
	if (smp_load_acquire(&slot->entry_ip) == ip && objtrace_expect_is_own(slot) &&
	    !slot->entry_ends)
		WRITE_ONCE(slot->entry_ip, 0);
}

/**
 * objtrace_expect_finish() - finish an entry, if it is expected for an object
 * @match: the object
 * @ip: the function's ftrace location
 *
 * Context: any, NMI included; preemption disabled since it was matched.
 */
void objtrace_expect_finish(const struct objtrace_match *match, unsigned long ip)
{
	if (!objtrace_expect_matches(match->slot, ip))
		return;
	if (match->slot->entry_ends)
		objtrace_object_delete(match);
	else
		WRITE_ONCE(match->slot->entry_ip, 0);
}

/*
 * Entries whose callback never comes
 */

/* Remember that the entry of an object has begun.  Returns whether an entry is expected */
static bool mark_old_entry(struct objtrace_slot *slot)
{
	if (!READ_ONCE(slot->entry_ip))
		return false;
	/* If another entry is expected by now, it has begun before this write, too */
	WRITE_ONCE(slot->entry_is_old, true);
	return true;
}

/*
 * Finish an entry whose callback never comes.  A grace period of Tasks RCU after
 * mark_old_entry() no task is between its probe and our callback any more.
 *
 * Context: task, preemption disabled since the object was matched.
 */
static void finish_old_entry(const struct objtrace_match *match)
{
	struct objtrace_slot *slot = match->slot;
	/* Pairs with the release in objtrace_expect() */
	unsigned long ip = smp_load_acquire(&slot->entry_ip);

	if (!ip || ip == ENTRY_CLAIMED || !READ_ONCE(slot->entry_is_old))
		return;
	if (slot->entry_ends)
		objtrace_object_delete(match);
	else
		cmpxchg(&slot->entry_ip, ip, 0);
}

/* Bit 0: expect_work is queued, or is to be.  Set by adders and deleters, cleared by it */
static unsigned long expecting;

static noinline __clears_arg_registers
void finish_old_entry_of(unsigned int n)
{
	struct objtrace_match match;
	unsigned int context;

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
			found |= mark_old_entry(&objtrace_table.slots[n]);
	}
	return found;
}

static void expect_work_fn(struct work_struct *work)
{
	unsigned int n;

	clear_bit(0, &expecting);
	/*
	 * Pairs with the test_and_set_bit() in objtrace_expect_check_later(): the entry is
	 * seen, or queues again
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

/* Late enough that nearly all callbacks came, and that busy triggers cost one scan a second */
static void expect_irq_work_fn(struct irq_work *work)
{
	schedule_delayed_work(&expect_work, HZ);
}

static struct irq_work expect_irq_work = IRQ_WORK_INIT_HARD(expect_irq_work_fn);

/**
 * objtrace_expect_check_later() - check that the callback of an expected entry comes
 *
 * Context: any, NMI included; preemption disabled, and the object LIVE.
 */
void objtrace_expect_check_later(void)
{
	if (!test_and_set_bit(0, &expecting) && !objtrace_reap_queue(&expect_irq_work))
		clear_bit(0, &expecting);
}

/**
 * objtrace_expect_exit() - stop the work that looks for entries without a callback
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_expect_exit(void)
{
	irq_work_sync(&expect_irq_work);
	cancel_delayed_work_sync(&expect_work);
}
