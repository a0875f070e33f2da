// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of tracked objects: a single object is deleted, an instance is cleared, or a trigger
 * is removed.  objects/fire.c adds objects.
 *
 * A deleted object keeps its slot in the table for a grace period, because function entries may
 * still use a match of the object.  A trigger that fires cannot wait for a grace period.  So a
 * work item waits: the reaper.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "command/parse.h"
#include "kernel/event.h"
#include "objects/bloom.h"
#include "objects/object.h"
#include "objects/reap.h"
#include "objects/returns.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objects/watch.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_event.h"
#include "records/changes.h"
#include "records/end.h"
#include "records/guard.h"
#include "records/record.h"
#include "records/seen.h"
#include "records/tally.h"
#include "records/value.h"

/* List of the triggers that add.  Written under event_mutex, read under RCU */
static LIST_HEAD(adders);

/* Held while slots of deleted objects are reaped.  Inside of event_mutex */
static DEFINE_MUTEX(reap_mutex);

/*
 * Reaping
 */

/**
 * objtrace_object_age() - compute the time since an object was added
 * @match: the object
 *
 * The clocks of two CPUs may differ slightly, and the user can change the instance's clock.  A
 * negative age is shown as 0.
 *
 * Context: Any, NMI included; preemption disabled since the object was matched.
 * Return: the time, in the unit of the instance's trace clock
 */
u64 objtrace_object_age(const struct objtrace_match *match)
{
	u64 now = objtrace_kernel_clock(objtrace_trigger_of(match)->tr);
	u64 then = match->life->added_at;

	return now > then ? now - then : 0;
}

/**
 * objtrace_object_begin() - store the time at which an object is added
 * @match: the object, not published yet
 *
 * Context: Any, NMI included; preemption disabled.
 */
void objtrace_object_begin(const struct objtrace_match *match)
{
	match->life->added_at = objtrace_kernel_clock(objtrace_trigger_of(match)->tr);
}

/*
 * Write the objtrace_del record of a deleted object.  The record may lack the hits of entries
 * that still run on other CPUs.
 */
static void tell_of_end(const struct objtrace_match *match, unsigned int reason,
			unsigned long ip, unsigned int context)
{
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	struct objtrace_end end = {
		.object	= match->object,
		.id	= match->id,
		.hits	= atomic_long_read(&match->life->hits),
		.age	= objtrace_object_age(match),
		.ip	= ip,
		.reason	= reason,
	};
	struct objtrace_seen last __uninitialized;

	/* The caller at @ip can be far above the function that frees, because of tail calls */
	if (reason == OBJTRACE_DEL_FREE) {
		objtrace_seen_last(match->life, &last);
		end.by = last.ip;
	}
	objtrace_count(t, OBJTRACE_TALLY_ENDED + objtrace_record_del(&t->files, &end, context));
}

/* A tombstone has no record, because its object had an objtrace_del record */
static void tell_of_forgotten(const struct objtrace_match *match)
{
	bool cleared = match->id < match->owner->cleared_id;
	unsigned int reason = cleared ? OBJTRACE_DEL_CLEAR : OBJTRACE_DEL_TRIGGER;

	if (match->owner->is_freed)
		objtrace_count(objtrace_trigger_of(match),
			       cleared ? OBJTRACE_TALLY_OVER_CLEAR :
					 OBJTRACE_TALLY_OVER_TRIGGER);
	else
		tell_of_end(match, reason, 0, objtrace_record_context());
}

/* Clear the argument registers, see objtrace_fops_look(): the scheduler may be next */
static noinline __clears_arg_registers
void end_and_tell_forgotten(const struct objtrace_match *match)
{
	unsigned long context;

	context = objtrace_guard_enter();
	/* A CPU that matched the object earlier may have deleted the object */
	if (objtrace_table_end(match)) {
		objtrace_watch_end(match);
		tell_of_forgotten(match);
	}
	objtrace_guard_leave(context);
}

/* End objects that were forgotten a grace period ago: their hits are final.  Under reap_mutex. */
static void end_forgotten(void)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_next_forgotten(&pos, &match)) {
		preempt_disable_notrace();
		end_and_tell_forgotten(&match);
		preempt_enable_notrace();
	}
}

/* Free the slots of ended objects after a grace period.  Under reap_mutex. */
static void free_ended(void)
{
	if (!objtrace_table_collect())
		return;
	synchronize_rcu();
	objtrace_table_free_collected();
}

static bool has_forgotten(struct objtrace_owner *owner)
{
	u64 first_id = READ_ONCE(owner->first_id);
	bool more = owner->reaped_id != first_id;

	owner->reaped_id = first_id;
	owner->cleared_id = first_id;
	return more;
}

/* Return true if an owner has forgotten objects since the last call.  Under reap_mutex. */
static bool note_forgotten(void)
{
	struct objtrace_trigger *t;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(t, &adders, list) {
		found |= has_forgotten(&t->owner);
		found |= has_forgotten(&t->freed);
	}
	rcu_read_unlock();
	return found;
}

static void reap_work_fn(struct work_struct *work)
{
	objtrace_reap_starts();
	mutex_lock(&reap_mutex);
	if (note_forgotten()) {
		/* Function entries that have matched a forgotten object finish */
		synchronize_rcu();
		end_forgotten();
	}
	objtrace_tomb_expire();
	free_ended();
	mutex_unlock(&reap_mutex);
}

static DECLARE_WORK(reap_work, reap_work_fn);

/*
 * Ending
 */

static bool end_object(const struct objtrace_match *match, unsigned int reason,
		       unsigned long ip, unsigned int context)
{
	if (!objtrace_table_end(match))
		return false;
	objtrace_watch_end(match);
	tell_of_end(match, reason, ip, context);
	objtrace_reap_later();
	return true;
}

/**
 * objtrace_object_free() - delete an object whose memory is freed
 * @match: the object
 * @start: start of the memory, see objtrace_table_add()
 * @ip: return address of the call that frees
 * @context: flags and preemption count of the record objtrace_del
 *
 * Context: Any, NMI included; preemption disabled since the object was matched; before the
 * memory can be allocated again.
 */
void objtrace_object_free(const struct objtrace_match *match, unsigned long start,
			  unsigned long ip, unsigned int context)
{
	if (end_object(match, OBJTRACE_DEL_FREE, ip, context) &&
	    objtrace_trigger_of(match)->spec.after_free)
		objtrace_tomb_make(match, start, ip);
}

/**
 * objtrace_object_delete() - stop tracking an object
 * @match: the object
 * @context: flags and preemption count of the record objtrace_del
 *
 * Context: Any, NMI included; preemption disabled since the object was matched.
 * Return: true if this call deleted the object; false if the object was deleted before
 */
bool objtrace_object_delete(const struct objtrace_match *match, unsigned int context)
{
	return end_object(match, OBJTRACE_DEL_DEL, 0, context);
}

/**
 * objtrace_object_clear() - forget all objects of an instance
 * @t: the clear trigger, on an event of the instance
 *
 * Context: Any, NMI included; preemption disabled, inside of objtrace_guard_enter().
 * Return: the counter of @t to increment
 */
noinline __clears_arg_registers
enum objtrace_tally objtrace_object_clear(struct objtrace_trigger *t)
{
	u64 first_id = atomic64_read(&objtrace_table.last_id) + 1;
	struct objtrace_trigger *adder;
	bool found = false;

	list_for_each_entry_rcu(adder, &adders, list) {
		if (adder->tr != t->tr)
			continue;
		if (!found && !objtrace_budget_take(objtrace_trigger_budget(t)))
			return OBJTRACE_TALLY_EXHAUSTED;
		found = true;
		objtrace_owner_forget(&adder->owner, first_id);
		/*
		 * Forget the tombstones of objects that are being freed now, too.  The full
		 * barriers here pair with the check of first_id in objtrace_tomb_make().
		 */
		objtrace_owner_forget(&adder->freed,
				      atomic64_read(&objtrace_table.last_id) + 1);
	}
	if (found)
		objtrace_reap_later();
	return found ? OBJTRACE_TALLY_CLEARED : OBJTRACE_TALLY_NOTHING;
}

/* Size in bytes of a trigger's objects: pointers to each of these bytes match */
static unsigned int object_size(const struct objtrace_trigger *t)
{
	switch (t->spec.size_form) {
	case OBJTRACE_SIZE_NONE:
		return 1;
	case OBJTRACE_SIZE_AUTO:
		return t->fetch.struct_size;
	default:
		return t->spec.size;
	}
}

static void stop_returns(const struct objtrace_trigger *t)
{
	if (t->spec.returns != OBJTRACE_RETURNS_NONE)
		objtrace_returns_stop();
}

/**
 * objtrace_object_start() - allocate and initialize the state for a trigger's objects
 * @t: the trigger, complete, and not added to its event yet
 *
 * Context: task, event_mutex held.
 * Return: 0 or -ENOMEM
 */
int objtrace_object_start(struct objtrace_trigger *t)
{
	INIT_LIST_HEAD(&t->list);
	if (t->spec.verb != OBJTRACE_ADD)
		return 0;
	if (t->compares && objtrace_changes_init())
		return -ENOMEM;
	if (t->spec.returns != OBJTRACE_RETURNS_NONE && objtrace_returns_start())
		return -ENOMEM;
	if (t->spec.after_free) {
		if (objtrace_tomb_start()) {
			stop_returns(t);
			return -ENOMEM;
		}
		objtrace_owner_init(&t->freed, object_size(t), true);
	}
	objtrace_owner_init(&t->owner, object_size(t), false);
	list_add_tail_rcu(&t->list, &adders);
	return 0;
}

/* Under reap_mutex */
static void forget_all_of_owner(struct objtrace_owner *owner)
{
	/* Objects that were cleared before have the reason "clear" */
	owner->cleared_id = READ_ONCE(owner->first_id);
	objtrace_owner_forget(owner, OBJTRACE_ALL_IDS);
	owner->reaped_id = OBJTRACE_ALL_IDS;
}

/* End the objects of a trigger that was removed from its event, with a record each */
static void end_objects(struct objtrace_trigger *t)
{
	mutex_lock(&reap_mutex);
	forget_all_of_owner(&t->owner);
	forget_all_of_owner(&t->freed);
	/* Callbacks that have matched an object finish: their hits and records count */
	synchronize_rcu();
	end_forgotten();
	free_ended();
	mutex_unlock(&reap_mutex);
}

/**
 * objtrace_object_stop() - end the objects of a trigger
 * @t: the trigger, after objtrace_fire_stop()
 *
 * No code uses the trigger after the return.
 *
 * Context: task, event_mutex held.
 */
void objtrace_object_stop(struct objtrace_trigger *t)
{
	if (t->spec.verb != OBJTRACE_ADD)
		return;
	list_del_rcu(&t->list);
	/* Waits for a grace period, so a clear trigger has left the list, too */
	end_objects(t);
	objtrace_owner_exit(&t->owner);
	if (t->spec.after_free) {
		objtrace_owner_exit(&t->freed);
		objtrace_tomb_stop();
	}
	stop_returns(t);
}

/**
 * objtrace_object_init() - register the reaper
 *
 * Context: task, module init, after objtrace_table_init().
 * Return: 0, or the error of objtrace_reap_init().  The caller must call objtrace_object_exit()
 *	   after an error, too.
 */
int objtrace_object_init(void)
{
	return objtrace_reap_init(&reap_work);
}

/**
 * objtrace_object_exit() - wait until the slots of all ended objects are free
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_object_exit(void)
{
	objtrace_reap_exit();
	flush_work(&reap_work);
}
