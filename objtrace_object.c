// SPDX-License-Identifier: GPL-2.0-only
/*
 * How tracked objects begin and end: what triggers do when their event fires, and
 * what becomes of the objects of a trigger that is removed.
 *
 * An object that has ended keeps its place in the table for a grace period, because
 * function entries that have matched it before are still at work with it.  Nothing
 * that fires can wait for that, so a work item does: the reaper.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "objtrace.h"
#include "objtrace_changes.h"
#include "objtrace_compat.h"
#include "objtrace_event.h"
#include "objtrace_kernel.h"
#include "objtrace_ksyms.h"

/* Triggers that add.  Written under event_mutex, read under RCU and by the reaper */
static LIST_HEAD(adders);

/* Taken by those who wait for ended objects and free them; inside of event_mutex */
static DEFINE_MUTEX(reap_mutex);

/*
 * When the object in each slot of the table was added.  Written by the adder before the
 * object is published.  Allocated at load, then constant.
 */
static u64 *added_at;

static u64 *added_at_of(const struct objtrace_slot *slot)
{
	return &added_at[slot - objtrace_table.slots];
}

/* What is left of COUNT, or NULL if none was given */
static atomic_long_t *budget_of(struct objtrace_trigger *t)
{
	return t->spec.count ? &t->budget : NULL;
}

/*
 * Reaping
 */

/**
 * objtrace_object_age() - for how long an object has been tracked
 * @match: the object
 *
 * The clocks of two CPUs may differ a little, and the instance can get another one.
 *
 * Context: any, NMI included; preemption disabled since it was matched.
 * Return: the time since it was added, by the instance's trace clock
 */
u64 objtrace_object_age(const struct objtrace_match *match)
{
	u64 now = objtrace_kernel_clock(objtrace_trigger_of(match)->tr);
	u64 then = *added_at_of(match->slot);

	return now > then ? now - then : 0;
}

/* @match has ended, and hits are final or as good as that */
static void tell_of_end(const struct objtrace_match *match, unsigned int reason,
			unsigned long ip)
{
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	const struct objtrace_end end = {
		.object	= match->object,
		.id	= match->id,
		.hits	= atomic_long_read(&match->slot->hits),
		.age	= objtrace_object_age(match),
		.ip	= ip,
		.reason	= reason,
	};

	objtrace_count(t, OBJTRACE_TALLY_ENDED + objtrace_record_del(&t->files, &end));
}

/* A trigger that is removed forgets even what it will never add */
#define FORGET_ALL	U64_MAX

/* Of what was freed nothing is told: the object has ended before */
static void tell_of_forgotten(const struct objtrace_match *match)
{
	bool cleared = match->id < match->owner->cleared_id;
	unsigned int reason = cleared ? OBJTRACE_DEL_CLEAR : OBJTRACE_DEL_TRIGGER;

	if (match->owner->is_freed)
		objtrace_count(objtrace_trigger_of(match),
			       cleared ? OBJTRACE_TALLY_OVER_CLEAR :
					 OBJTRACE_TALLY_OVER_TRIGGER);
	else
		tell_of_end(match, reason, 0);
}

/* As in objtrace_fops_look(): the scheduler may be next */
static noinline __clears_arg_registers
void end_and_tell(const struct objtrace_match *match)
{
	unsigned int context;

	objtrace_fops_enter(&context);
	/* Who has matched it before it was forgotten may have ended it */
	if (objtrace_table_end(match))
		tell_of_forgotten(match);
	objtrace_fops_leave(context);
}

/* End what was forgotten a grace period ago: the hits are final.  Under reap_mutex. */
static void end_forgotten(void)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_next_forgotten(&pos, &match)) {
		preempt_disable_notrace();
		end_and_tell(&match);
		preempt_enable_notrace();
	}
}

/* Free what has ended, when nobody uses it any more.  Under reap_mutex. */
static void free_ended(void)
{
	if (!objtrace_table_bury())
		return;
	synchronize_rcu();
	objtrace_table_free_dead();
}

static bool has_forgotten(struct objtrace_owner *owner)
{
	u64 first_id = READ_ONCE(owner->first_id);
	bool more = owner->reaped_id != first_id;

	owner->reaped_id = first_id;
	owner->cleared_id = first_id;
	return more;
}

/* Whether an owner has forgotten something since the last time.  Under reap_mutex. */
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
	mutex_lock(&reap_mutex);
	if (note_forgotten()) {
		/* Whoever has matched one of them has finished with it then */
		synchronize_rcu();
		end_forgotten();
	}
	objtrace_tomb_expire();
	free_ended();
	mutex_unlock(&reap_mutex);
}

static DECLARE_WORK(reap_work, reap_work_fn);

static void reap_irq_work_fn(struct irq_work *work)
{
	schedule_work(&reap_work);
}

/*
 * A work item cannot be queued in an NMI.  Hard, also where interrupts are threads: there
 * the thread that has done another irq_work may still look at it when irq_work_sync() is
 * through.
 */
static struct irq_work reap_irq_work = IRQ_WORK_INIT_HARD(reap_irq_work_fn);

/*
 * A CPU that goes offline does all its irq_work once more after it has ceased to be
 * online, but still calls functions and fires probes then: what is queued that late is
 * done by nobody, and waited for in vain.  One that comes up has such a time, too, before
 * it is online.
 */
static bool queue_if_online(struct irq_work *work)
{
	if (unlikely(!cpu_online(raw_smp_processor_id())))
		return false;
	irq_work_queue(work);
	return true;
}

/*
 * Entries whose callback never comes
 */

/* Bit 0: expect_work is queued, or is to be.  Set by adders and deleters, cleared by it */
static unsigned long expecting;

static noinline __clears_arg_registers
void finish_old(unsigned int n)
{
	struct objtrace_match match;
	unsigned int context;

	objtrace_fops_enter(&context);
	if (objtrace_table_look(n, &match) && !match.owner->is_freed)
		objtrace_fops_finish_old(&match);
	objtrace_fops_leave(context);
}

static bool mark_old(void)
{
	bool found = false;
	unsigned int n;

	for (n = 0; n <= objtrace_table.slot_mask; n++) {
		if (!(n % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
		if (objtrace_table_is_live(n))
			found |= objtrace_fops_mark_old(&objtrace_table.slots[n]);
	}
	return found;
}

static void expect_work_fn(struct work_struct *work)
{
	unsigned int n;

	clear_bit(0, &expecting);
	/* Pairs with the test_and_set_bit() in check_later(): the entry is seen, or queues again */
	smp_mb__after_atomic();
	if (!mark_old())
		return;
	synchronize_rcu_tasks();
	for (n = 0; n <= objtrace_table.slot_mask; n++) {
		if (!(n % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
		if (!objtrace_table_is_live(n))
			continue;
		preempt_disable_notrace();
		finish_old(n);
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

/* The callback of an entry of a LIVE object is expected: check that it came */
static void check_later(void)
{
	if (!test_and_set_bit(0, &expecting) && !queue_if_online(&expect_irq_work))
		clear_bit(0, &expecting);
}

/* For what was not queued: when the CPU is dead, by another one, or once it is online */
static int reap_for_cpu(unsigned int cpu)
{
	schedule_work(&reap_work);
	return 0;
}

static enum cpuhp_state dead_state, online_state;

/**
 * struct firing - an event of a trigger that fires
 * @trigger: the trigger
 * @rec: the event's record
 * @object: the pointer in it
 * @is_nested: it fires in a function that we call ourselves, which our callback does
 *	       not record
 */
struct firing {
	struct objtrace_trigger	*trigger;
	const void		*rec;
	unsigned long		object;
	bool			is_nested;
};

/*
 * Firing: add
 */

/* Why the table has not taken an object */
enum { FULL, BUSY };

/* Longest notice, without the trigger */
#define NOTICE_LEN	80

/*
 * The trigger is named as in stats, and at the end: the kernel cuts off long lines.  The name
 * of an instance may have any character.
 */
static void tell(const struct objtrace_trigger *t, const char *notice)
{
	const char *instance = objtrace_stats_instance(t);
	char text[OBJTRACE_SPEC_LEN];

	objtrace_spec_print(&t->spec, text, sizeof(text));
	pr_notice("%s; trigger: %*pE %s objtrace:%s%s%s\n", notice, (int)strlen(instance),
		  instance, t->event, text, t->filter ? " if " : "", t->filter ?: "");
}

static void full_work_fn(struct irq_work *work)
{
	struct objtrace_trigger *t = container_of(work, struct objtrace_trigger,
						  full_work);
	char notice[NOTICE_LEN];

	if (test_and_clear_bit(FULL, &t->to_tell)) {
		snprintf(notice, sizeof(notice),
			 "the table is full (max_objects=%u): objects are not tracked",
			 objtrace_table.max);
		tell(t, notice);
	}
	if (test_and_clear_bit(BUSY, &t->to_tell))
		tell(t, "objects end faster than their slots become free: some are not tracked");
}

/* Told once for each trigger and reason */
static void tell_once(struct objtrace_trigger *t, unsigned int reason)
{
	if (test_and_set_bit(reason, &t->told))
		return;
	set_bit(reason, &t->to_tell);
	if (!queue_if_online(&t->full_work))
		clear_bit(reason, &t->told);
}

/* What cannot be tracked: NULL, an error, or anything of user space */
static bool is_no_object(unsigned long object, unsigned int size,
			 enum objtrace_tally *why)
{
	if (!object)
		*why = OBJTRACE_TALLY_NULL;
	else if (IS_ERR_VALUE(object))
		*why = OBJTRACE_TALLY_ERROR;
	else if (!objtrace_is_kernel_range(object, size))
		*why = OBJTRACE_TALLY_USER;
	else
		return false;
	return true;
}

/*
 * Where ftrace is called on the entry that a probe is on; 0 if the probe is somewhere
 * else in its function.  What the kernel takes for the location of the function alone
 * will not do: that of a weak function which was overridden counts for the one before.
 */
static unsigned long entry_location(unsigned long probe)
{
	if (!ksym(ftrace_location)(probe))
		return 0;
	return ksym(ftrace_location_range)(probe, probe + OBJTRACE_ENTRY_SPAN);
}

/*
 * The ftrace location of the entry that has fired the trigger, if the function receives
 * @match and our callback for the entry is still to come; else 0.
 */
static unsigned long entry_to_come(const struct firing *f, const struct objtrace_match *match)
{
	const struct objtrace_trigger *t = f->trigger;
	unsigned long probe, entry;

	if (!t->arg_registers || f->is_nested || !rcu_is_watching())
		return 0;
	/* A probe that was added since may take the object from elsewhere */
	if (objtrace_kernel_last_probe(t->call) != t->last_probe)
		return 0;
	memcpy(&probe, f->rec + t->ip_offset, sizeof(probe));
	entry = entry_location(probe);
	if (!entry || !objtrace_groups_follow_probe(&objtrace_trigger_of(match)->selection,
						     entry, t->arg_registers))
		return 0;
	return entry;
}

/*
 * Announce the entry to our callback, if the callback is still to come.  Returns what
 * objtrace_fops_expect() does, or -ENOENT.
 */
static int expect_entry(const struct firing *f, const struct objtrace_match *match,
			bool ends)
{
	unsigned long entry = entry_to_come(f, match);

	return entry ? objtrace_fops_expect(match->slot, entry, ends) : -ENOENT;
}

/* The trigger tracks the object already, maybe since an entry that was skipped */
static void renew_entry(const struct firing *f)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_match(f->object, &pos, &match))
		if (match.object == f->object && match.owner == &f->trigger->owner &&
		    READ_ONCE(match.slot->entry_ip))
			objtrace_fops_renew(match.slot, entry_to_come(f, &match));
}

/* The table has not taken an object */
static enum objtrace_tally not_added(struct objtrace_trigger *t, int error)
{
	switch (error) {
	case -EEXIST:
		return OBJTRACE_TALLY_ALREADY;
	case -EDQUOT:
		return OBJTRACE_TALLY_EXHAUSTED;
	case -ENOSPC:
		tell_once(t, FULL);
		return OBJTRACE_TALLY_FULL;
	default:
		tell_once(t, BUSY);
		return OBJTRACE_TALLY_BUSY;
	}
}

/*
 * As in objtrace_fops_look(): the scheduler may be next, then who called the trigger.
 *
 * Who frees the object's memory ends it from when it is published on.  If that is
 * done before, by somebody else while it is being added, nobody notices.
 */
static noinline __clears_arg_registers
enum objtrace_tally add_object(const struct firing *f)
{
	struct objtrace_sample sample = { .object = f->object };
	struct objtrace_trigger *t = f->trigger;
	struct objtrace_match match;
	bool is_expected;
	int ret;

	ret = objtrace_table_add(f->object, objtrace_kernel_memory_start(f->object),
				 &t->owner, budget_of(t), &match);
	if (ret == -EEXIST)
		renew_entry(f);
	if (ret)
		return not_added(t, ret);

	/* The function's entry is told of by objtrace_add, not a second time */
	is_expected = !expect_entry(f, &match, false);
	*added_at_of(match.slot) = objtrace_kernel_clock(t->tr);
	sample.id = match.id;
	objtrace_fops_fetch(t, &sample);
	if (t->spec.changes)
		objtrace_changes_start(match.slot, t->tr, &sample);
	objtrace_stats_seen(match.slot, 0, &sample);
	objtrace_count(t, OBJTRACE_TALLY_BEGUN +
		       objtrace_record_add(&t->files, &sample, t->event));
	objtrace_table_publish(match.slot);
	if (is_expected)
		check_later();
	objtrace_tomb_tracked(f->object);
	return OBJTRACE_TALLY_ADDED;
}

/*
 * Ending
 */

static bool end_object(const struct objtrace_match *match, unsigned int reason,
		       unsigned long ip)
{
	if (!objtrace_table_end(match))
		return false;
	tell_of_end(match, reason, ip);
	queue_if_online(&reap_irq_work);
	return true;
}

/**
 * objtrace_object_free() - the memory that an object lies in is freed
 * @match: the object
 * @start: the first byte of that memory, see objtrace_table_add()
 * @ip: where that was asked for
 *
 * Context: as objtrace_object_delete(); before it can be allocated again.
 */
void objtrace_object_free(const struct objtrace_match *match, unsigned long start,
			  unsigned long ip)
{
	if (end_object(match, OBJTRACE_DEL_FREE, ip) &&
	    objtrace_trigger_of(match)->spec.after_free)
		objtrace_tomb_make(match, start, ip);
}

/**
 * objtrace_object_bury() - nobody is to look any more for what was freed
 * @match: what is left of the object
 * @why: why
 *
 * Context: as objtrace_object_delete().
 */
void objtrace_object_bury(const struct objtrace_match *match, enum objtrace_tally why)
{
	if (!objtrace_table_end(match))
		return;
	objtrace_count(objtrace_trigger_of(match), why);
	queue_if_online(&reap_irq_work);
}

/**
 * objtrace_object_delete() - stop tracking an object
 * @match: the object
 *
 * Context: any, NMI included; preemption disabled since it was matched.
 * Return: whether this has ended it; false if it had ended before
 */
bool objtrace_object_delete(const struct objtrace_match *match)
{
	return end_object(match, OBJTRACE_DEL_DEL, 0);
}

/*
 * Firing: del
 */

/*
 * Or have it deleted: an entry of a function that deletes is still one that receives
 * the object.  If our callback is behind the probe it records that first.
 */
static bool delete_match(const struct firing *f, const struct objtrace_match *match)
{
	int ret = expect_entry(f, match, true);

	if (!ret)
		check_later();
	if (ret && ret != -EALREADY)
		return objtrace_object_delete(match);
	return !ret;
}

/* All triggers of the instance stop tracking it */
static noinline __clears_arg_registers
enum objtrace_tally delete_object(const struct firing *f)
{
	struct objtrace_trigger *t = f->trigger;
	bool found = false, deleted = false;
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_match(f->object, &pos, &match)) {
		if (match.object != f->object || match.owner->is_freed ||
		    objtrace_trigger_of(&match)->tr != t->tr)
			continue;
		if (!found && !objtrace_budget_take(budget_of(t)))
			return OBJTRACE_TALLY_EXHAUSTED;
		found = true;
		deleted |= delete_match(f, &match);
	}
	if (found && !deleted)
		objtrace_budget_return(budget_of(t));
	return deleted ? OBJTRACE_TALLY_DELETED : OBJTRACE_TALLY_NOTHING;
}

/*
 * Firing: clear
 */

static noinline __clears_arg_registers
enum objtrace_tally clear_objects(struct objtrace_trigger *t)
{
	u64 first_id = atomic64_read(&objtrace_table.last_id) + 1;
	struct objtrace_trigger *adder;
	bool found = false;

	list_for_each_entry_rcu(adder, &adders, list) {
		if (adder->tr != t->tr)
			continue;
		if (!found && !objtrace_budget_take(budget_of(t)))
			return OBJTRACE_TALLY_EXHAUSTED;
		found = true;
		objtrace_owner_forget(&adder->owner, first_id);
		/*
		 * Also what is left of those that are being freed now: pairs with the
		 * look at first_id in objtrace_tomb_make(), as both have full barriers.
		 */
		objtrace_owner_forget(&adder->freed,
				      atomic64_read(&objtrace_table.last_id) + 1);
	}
	if (found)
		queue_if_online(&reap_irq_work);
	return found ? OBJTRACE_TALLY_CLEARED : OBJTRACE_TALLY_NOTHING;
}

/* Returns what has come of it */
static __clears_arg_registers enum objtrace_tally fire(struct firing *f)
{
	struct objtrace_trigger *t = f->trigger;
	enum objtrace_tally why;

	/*
	 * Before the event is known to need its record it can fire without, and then
	 * the filter was not asked.
	 */
	if (!f->rec)
		return OBJTRACE_TALLY_NO_RECORD;
	if (t->spec.verb == OBJTRACE_CLEAR)
		return clear_objects(t);
	memcpy(&f->object, f->rec + t->object_offset, sizeof(f->object));
	if (t->spec.verb == OBJTRACE_DEL)
		return delete_object(f);
	return is_no_object(f->object, t->owner.size, &why) ? why : add_object(f);
}

/**
 * objtrace_object_fire() - the event of a trigger has fired
 * @t: the trigger
 * @rec: the event's record, or NULL
 *
 * Context: any, NMI included.
 */
__clears_arg_registers
void objtrace_object_fire(struct objtrace_trigger *t, const void *rec)
{
	struct firing f = { .trigger = t, .rec = rec };
	unsigned int context;

	preempt_disable_notrace();
	/* Nothing else holds the other triggers of the instance, nor @t itself */
	if (likely(objtrace_kernel_rcu_waits())) {
		f.is_nested = !objtrace_fops_enter(&context);
		objtrace_count(t, fire(&f));
		objtrace_fops_leave(context);
	} else {
		objtrace_stats_not_seen(OBJTRACE_NOT_SEEN_OFFLINE);
	}
	preempt_enable_notrace();
}

/* Bytes of each object of a trigger that pointers to match */
static unsigned int size_of(const struct objtrace_trigger *t)
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

/**
 * objtrace_object_marks() - how much of the filter the objects of a trigger can take
 * @t: the trigger, complete
 *
 * Context: task.
 * Return: see struct objtrace_selection
 */
unsigned long objtrace_object_marks(const struct objtrace_trigger *t)
{
	unsigned long objects = objtrace_table.max;

	if (t->spec.count)
		objects = min_t(unsigned long, objects, t->spec.count);
	if (t->spec.after_free)
		objects += min(objects, objtrace_tomb_most());
	return objects * objtrace_bloom_marks(size_of(t));
}

/**
 * objtrace_object_start() - prepare a trigger for firing
 * @t: the trigger, complete, not on its event yet
 *
 * Context: task, event_mutex held.
 * Return: 0 or -ENOMEM
 */
int objtrace_object_start(struct objtrace_trigger *t)
{
	/* Hard for the same reason as reap_irq_work */
	t->full_work = IRQ_WORK_INIT_HARD(full_work_fn);
	atomic_long_set(&t->budget, t->spec.count);
	INIT_LIST_HEAD(&t->list);
	if (t->spec.verb != OBJTRACE_ADD)
		return 0;
	if (t->spec.changes && objtrace_changes_init())
		return -ENOMEM;
	if (t->spec.after_free) {
		if (objtrace_tomb_start())
			return -ENOMEM;
		objtrace_owner_init(&t->freed, size_of(t), true);
	}
	objtrace_owner_init(&t->owner, size_of(t), false);
	list_add_tail_rcu(&t->list, &adders);
	return 0;
}

/* Under reap_mutex */
static void forget_all(struct objtrace_owner *owner)
{
	/* What was cleared and not told of yet */
	owner->cleared_id = READ_ONCE(owner->first_id);
	objtrace_owner_forget(owner, FORGET_ALL);
	owner->reaped_id = FORGET_ALL;
}

/* The trigger is off its event: end its objects, and tell of them */
static void end_objects(struct objtrace_trigger *t)
{
	mutex_lock(&reap_mutex);
	forget_all(&t->owner);
	forget_all(&t->freed);
	/* Callbacks that have matched one finish: their hits and records count */
	synchronize_rcu();
	end_forgotten();
	free_ended();
	mutex_unlock(&reap_mutex);
}

/**
 * objtrace_object_stop() - a trigger will not fire any more
 * @t: the trigger, off its event or never on it, after objtrace_object_start()
 *
 * When this returns nothing uses it any more.
 *
 * Context: task, event_mutex held.
 */
void objtrace_object_stop(struct objtrace_trigger *t)
{
	/* It may still be firing, for a tracepoint or a probe */
	tracepoint_synchronize_unregister();
	synchronize_rcu();
	irq_work_sync(&t->full_work);
	if (t->spec.verb == OBJTRACE_ADD) {
		list_del_rcu(&t->list);
		/* Also who clears, and has found it in the list, is waited for */
		end_objects(t);
		objtrace_owner_exit(&t->owner);
		if (t->spec.after_free) {
			objtrace_owner_exit(&t->freed);
			objtrace_tomb_stop();
		}
	}
}

/**
 * objtrace_object_init() - prepare for objects
 *
 * Context: task, module init, after objtrace_table_init().
 * Return: 0, -ENOMEM, or another negative errno if the kernel has no more callbacks for
 *	   CPUs that come and go; objtrace_object_exit() is due in any case
 */
int objtrace_object_init(void)
{
	int ret;

	added_at = kvcalloc(objtrace_table.slot_mask + 1UL, sizeof(*added_at), GFP_KERNEL);
	if (!added_at)
		return -ENOMEM;
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
	pr_err("the kernel does not tell of processors that come and go: %d\n", ret);
	return ret;
}

/**
 * objtrace_object_exit() - wait until all that has ended is freed
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_object_exit(void)
{
	if (online_state)
		cpuhp_remove_state_nocalls(online_state);
	if (dead_state)
		cpuhp_remove_state_nocalls(dead_state);
	irq_work_sync(&expect_irq_work);
	cancel_delayed_work_sync(&expect_work);
	irq_work_sync(&reap_irq_work);
	flush_work(&reap_work);
	kvfree(added_at);
	added_at = NULL;
}
