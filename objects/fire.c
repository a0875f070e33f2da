// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trigger fires: it adds an object, deletes an object, or clears its instance.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "command/parse.h"
#include "functions/groups.h"
#include "kernel/event.h"
#include "kernel/irqs.h"
#include "kernel/ksyms.h"
#include "kernel/rcu.h"
#include "kernel/slab.h"
#include "objects/expect.h"
#include "objects/fire.h"
#include "objects/object.h"
#include "objects/reap.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objects/watch.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "records/changes.h"
#include "records/guard.h"
#include "records/record.h"
#include "records/sample.h"
#include "records/seen.h"
#include "records/tally.h"

/**
 * struct firing - one firing of a trigger's event
 * @trigger: the trigger
 * @rec: the event's record
 * @object: the pointer in the record's field, or the address in the command
 * @is_inside: true if objtrace itself called the function that fired; the callback does not
 *	       record such an entry
 */
struct firing {
	struct objtrace_trigger	*trigger;
	const void		*rec;
	unsigned long		object;
	bool			is_inside;
};

/*
 * Adding
 */

/* Reasons why the table has no slot for an object */
enum { FULL, BUSY };

/* Longest notice, without the trigger */
#define NOTICE_LEN	80

/*
 * Print a notice with the trigger, as in stats.  The trigger is at the end of the line, because
 * the kernel truncates long lines.  The name of an instance can contain any character.  The log
 * has no address of a command.
 */
static void announce(const struct objtrace_trigger *t, const char *notice)
{
	const char *instance = objtrace_kernel_instance(t->tr);
	char text[OBJTRACE_SPEC_LEN];

	objtrace_spec_print_log(&t->spec, text, sizeof(text));
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
		announce(t, notice);
	}
	if (test_and_clear_bit(BUSY, &t->to_tell))
		announce(t,
			 "objects end faster than their slots become free: some are not tracked");
}

/* Print each notice once for each trigger */
static void announce_once(struct objtrace_trigger *t, unsigned int reason)
{
	if (test_and_set_bit(reason, &t->told))
		return;
	set_bit(reason, &t->to_tell);
	if (!objtrace_reap_queue(&t->full_work))
		clear_bit(reason, &t->told);
}

/* Reject NULL, error codes and addresses of user space */
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
 * Return the ftrace location of the entry that has fired the trigger, if the callback for the
 * entry follows and finds @match; else 0.
 */
static unsigned long entry_to_come(const struct firing *f, const struct objtrace_match *match)
{
	const struct objtrace_trigger *t = f->trigger;
	unsigned long probe;

	if (!t->arg_registers || f->is_inside || !rcu_is_watching())
		return 0;
	/* A newer probe may take the object from memory */
	if (objtrace_kernel_last_probe(t->call) != t->last_probe)
		return 0;
	memcpy(&probe, f->rec + t->ip_offset, sizeof(probe));
	return objtrace_groups_follow_probe(&objtrace_trigger_of(match)->selection, probe,
					    t->arg_registers);
}

/*
 * Store the expected entry, if a callback for the entry follows.  Return the result of
 * objtrace_expect(), or -ENOENT if no callback follows.
 */
static int expect_entry(const struct firing *f, const struct objtrace_match *match,
			bool ends)
{
	unsigned long entry = entry_to_come(f, match);

	return entry ? objtrace_expect(match->life, entry, ends) : -ENOENT;
}

/* The trigger tracks the object already.  Its expected entry may have had no callback. */
static void renew_entry(const struct firing *f)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_match(f->object, &pos, &match))
		if (match.object == f->object && match.owner == &f->trigger->owner &&
		    READ_ONCE(match.life->entry_ip))
			objtrace_expect_renew(match.life, entry_to_come(f, &match));
}

/* Choose the counter for an error of objtrace_table_add() */
static enum objtrace_tally why_not_added(struct objtrace_trigger *t, int error)
{
	switch (error) {
	case -EEXIST:
		return OBJTRACE_TALLY_ALREADY;
	case -EDQUOT:
		return OBJTRACE_TALLY_EXHAUSTED;
	case -ENOSPC:
		announce_once(t, FULL);
		return OBJTRACE_TALLY_FULL;
	default:
		announce_once(t, BUSY);
		return OBJTRACE_TALLY_BUSY;
	}
}

/* Read the first value of an object, and record it */
static void begin_object(const struct firing *f, const struct objtrace_match *match,
			 struct objtrace_sample *sample)
{
	struct objtrace_trigger *t = f->trigger;

	objtrace_sample_read(&t->fetch, t->tally, sample);
	if (t->compares)
		objtrace_changes_start(match->slot, t->tr, sample);
	objtrace_seen_note(match->life, 0, sample);
	objtrace_count(t, OBJTRACE_TALLY_BEGUN +
		       objtrace_record_add(&t->files, sample, t->event, t->event_len,
					   objtrace_kernel_context(f->rec)));
}

/* An interrupt could store to the object after its value was read, and before it is watched */
static noinline void begin_watched_object(const struct firing *f,
					  const struct objtrace_match *match,
					  struct objtrace_sample *sample)
{
	struct objtrace_irqs irqs = objtrace_irqs_disable();

	begin_object(f, match, sample);
	objtrace_watch_begin(match, sample);
	objtrace_irqs_restore(irqs);
}

/*
 * Clear the argument registers on return, see objtrace_fops_look(): the scheduler may be the next
 * function, or the caller of the trigger calls a function.
 *
 * A free deletes the object if the object is published.  A free before that is not noticed.  It
 * is possible if another CPU frees the object while the trigger adds the object.
 */
static noinline __clears_arg_registers
enum objtrace_tally add_object(const struct firing *f)
{
	struct objtrace_sample sample = { .object = f->object };
	struct objtrace_trigger *t = f->trigger;
	struct objtrace_match match __uninitialized;
	bool is_expected;
	int ret;

	ret = objtrace_table_add(f->object, objtrace_kernel_memory_start(f->object),
				 &t->owner, objtrace_trigger_budget(t), &match);
	if (ret == -EEXIST)
		renew_entry(f);
	if (ret)
		return why_not_added(t, ret);

	/* objtrace_add records the function's entry, so the callback must not */
	is_expected = !expect_entry(f, &match, false);
	objtrace_object_begin(&match);
	sample.id = match.id;
	if (t->watch)
		begin_watched_object(f, &match, &sample);
	else
		begin_object(f, &match, &sample);
	objtrace_table_publish(match.slot);
	if (is_expected)
		objtrace_expect_check_later();
	objtrace_tomb_tracked(f->object);
	return OBJTRACE_TALLY_ADDED;
}

/*
 * Deleting
 */

/*
 * Delete an object, or let the callback delete it.  The function whose probe deletes the object
 * receives the object, too.  If the callback follows the probe, it records the entry first.
 */
static bool delete_match(const struct firing *f, const struct objtrace_match *match)
{
	int ret = expect_entry(f, match, true);

	if (!ret)
		objtrace_expect_check_later();
	if (ret && ret != -EALREADY)
		return objtrace_object_delete(match, objtrace_kernel_context(f->rec));
	return !ret;
}

/* Delete the object for all triggers of the instance */
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
		if (!found && !objtrace_budget_take(objtrace_trigger_budget(t)))
			return OBJTRACE_TALLY_EXHAUSTED;
		found = true;
		deleted |= delete_match(f, &match);
	}
	if (found && !deleted)
		objtrace_budget_return(objtrace_trigger_budget(t));
	return deleted ? OBJTRACE_TALLY_DELETED : OBJTRACE_TALLY_NOTHING;
}

/*
 * Firing
 */

/* Handle a firing.  Return the counter to increment */
static __clears_arg_registers enum objtrace_tally fire_trigger(struct firing *f)
{
	struct objtrace_trigger *t = f->trigger;
	enum objtrace_tally why;

	/*
	 * The event can fire without a record while the trigger is being added.  The kernel
	 * has not applied the filter then.
	 */
	if (!f->rec)
		return OBJTRACE_TALLY_NO_RECORD;
	if (t->spec.verb == OBJTRACE_CLEAR)
		return objtrace_object_clear(t);
	if (unlikely(t->spec.address))
		f->object = t->spec.address;
	else
		memcpy(&f->object, f->rec + t->object_offset, sizeof(f->object));
	if (t->spec.verb == OBJTRACE_DEL)
		return delete_object(f);
	return is_no_object(f->object, t->owner.size, &why) ? why : add_object(f);
}

/**
 * objtrace_fire() - handle a fired event of a trigger
 * @t: the trigger
 * @rec: the event's record, or NULL
 *
 * Context: Any, NMI included.
 */
__clears_arg_registers
void objtrace_fire(struct objtrace_trigger *t, const void *rec)
{
	struct firing f = { .trigger = t, .rec = rec };
	unsigned long bits;

	preempt_disable_notrace();
	/* RCU protects @t and the other triggers of the instance */
	if (likely(objtrace_kernel_rcu_waits())) {
		bits = objtrace_guard_enter_firing();
		f.is_inside = objtrace_guard_fires_inside(bits);
		objtrace_count(t, bits ? fire_trigger(&f) : OBJTRACE_TALLY_NESTED);
		objtrace_guard_leave(bits);
	} else {
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_OFFLINE);
	}
	preempt_enable_notrace();
}

/**
 * objtrace_fire_start() - prepare a trigger for firing
 * @t: the trigger, complete, and not added to its event yet
 *
 * Context: task, event_mutex held.
 */
void objtrace_fire_start(struct objtrace_trigger *t)
{
	/* Hard, because other irq_work may be read after irq_work_sync(): see objects/reap.c */
	t->full_work = IRQ_WORK_INIT_HARD(full_work_fn);
	atomic_long_set(&t->budget, t->spec.count);
}

/**
 * objtrace_fire_stop() - wait until a trigger does not fire any more
 * @t: the trigger, removed from its event or never added, after objtrace_fire_start()
 *
 * Context: task, event_mutex held.
 */
void objtrace_fire_stop(struct objtrace_trigger *t)
{
	/* A tracepoint or a probe can still fire the trigger */
	tracepoint_synchronize_unregister();
	synchronize_rcu();
	irq_work_sync(&t->full_work);
}
