// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follow the calls that received an object, see objects/returns.h.
 *
 * The value is compared with the last value at each entry and at each return.  A change between
 * two of these moments happened in the innermost followed call of the task, or in an interrupt or
 * on another CPU during that call.  The call is the one that returns.  At an entry, it is the
 * first call of the object on the task's stack of followed calls.
 *
 * Between the entry and the return, the object can end, its trigger can be removed, and the slot
 * can get another object.  So a followed call stores the id of the object, and the return looks
 * up the object again.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>

#include "kernel/rcu.h"
#include "kernel/return.h"
#include "objects/returns.h"
#include "objects/table.h"
#include "objtrace.h"
#include "objtrace_event.h"
#include "records/changes.h"
#include "records/guard.h"
#include "records/place.h"
#include "records/record.h"
#include "records/sample.h"
#include "records/seen.h"
#include "records/tally.h"

/**
 * struct call - a call that is followed to its return
 * @id: id of the object that the function received
 * @slot: index of the object's slot
 * @fault: why there was no value at the entry, or OBJTRACE_NO_FAULT
 * @value: the value at the entry
 * @place: the function and the argument
 * @changed: the value changed in this call, outside of the followed calls in it
 * @unsure: the function called a function with the object that is not followed, so the change may
 *	    have happened there
 * @stale: another CPU held the last value at the entry, so the last value can be older than @value
 *
 * Written before the kernel adds the call to the stack of its task, then only by that task and by
 * the interrupts that interrupt it.
 */
struct call {
	u64			id;
	unsigned int		slot;
	enum objtrace_fault	fault;
	u64			value;
	struct objtrace_place	place;
	bool			changed;
	bool			unsure;
	bool			stale;
};

/* max_returns.  Written by objtrace_returns_init() only */
static unsigned int max_returns;

/* Number of triggers with the option.  Under event_mutex */
static unsigned int nr_users;

/* The innermost followed call of an object on this task, apart from @but; NULL without one */
static struct call *innermost_call(u64 id, const struct call *but)
{
	struct llist_node *pos = objtrace_return_first();
	struct call *call;

	while ((call = objtrace_return_next(&pos)))
		if (call->id == id && call != but)
			return call;
	return NULL;
}

/*
 * Check whether a value changed in a call, and not before its entry.  The entry has recorded its
 * value, so a change in the call is a change of that value.
 */
static bool happened_in(struct call *call, const struct objtrace_sample *sample,
			struct objtrace_last *before)
{
	if (!call->stale)
		return true;
	if (sample->value == call->value && sample->fault == call->fault)
		return false;
	call->stale = false;
	before->value = call->value;
	before->fault = call->fault;
	return true;
}

/* Name a call as the one in which the last value changed */
static void blame_call(struct call *call, struct objtrace_last *before)
{
	call->changed = true;
	before->how = OBJTRACE_CHANGE_WITHIN;
	before->unsure = call->unsure;
	before->place = call->place;
}

/**
 * objtrace_returns_blame() - find the call in which a value changed before a function was entered
 * @sample: the object and its new value
 * @before: the old value; its place becomes the call
 *
 * Context: as objtrace_returns_enter(), before it.
 * Return: false if the change happened outside of all followed calls
 */
bool objtrace_returns_blame(const struct objtrace_sample *sample, struct objtrace_last *before)
{
	struct call *call = innermost_call(sample->id, NULL);

	if (!call || !happened_in(call, sample, before))
		return false;
	blame_call(call, before);
	return true;
}

/**
 * objtrace_returns_enter() - follow a call that received an object
 * @t: the trigger, which has the option
 * @match: the object
 * @sample: its value at the entry
 * @compared: the value was compared with the last value
 * @place: the function
 * @args: arguments of objtrace_fops_look()
 *
 * Context: ftrace callback or trampoline, NMI included; preemption disabled, inside of
 * objtrace_guard_enter().
 */
void objtrace_returns_enter(struct objtrace_trigger *t, const struct objtrace_match *match,
			    const struct objtrace_sample *sample, bool compared,
			    const struct objtrace_place *place, const unsigned long *args)
{
	const struct call call = {
		.id = match->id, .slot = match->slot - objtrace_table.slots,
		.fault = sample->fault, .value = sample->value, .place = *place,
		.stale = !compared,
	};
	enum objtrace_followed followed;
	struct call *outer;

	BUILD_BUG_ON(sizeof(call) > OBJTRACE_RETURN_DATA);
	BUILD_BUG_ON(OBJTRACE_TALLY_FOLLOWED_LAST - OBJTRACE_TALLY_FOLLOWED + 1 !=
		     OBJTRACE_NR_FOLLOWED);
	followed = objtrace_return_follow(place->ip, args, &call, sizeof(call));
	objtrace_count(t, OBJTRACE_TALLY_FOLLOWED + followed);
	if (followed == OBJTRACE_FOLLOWED)
		return;
	outer = innermost_call(match->id, NULL);
	if (outer)
		outer->unsure = true;
}

/*
 * Read the value, and store it as the last value.  Returns true if it changed in this call.  If
 * another CPU compares the value now, the change is seen later, and may be the outer call's.
 */
static bool fetch_at_return(struct objtrace_trigger *t, const struct objtrace_match *match,
			    struct call *call, struct objtrace_sample *sample,
			    struct objtrace_last *before)
{
	struct objtrace_last *last = objtrace_changes_claim(match->slot);
	struct call *outer;

	objtrace_sample_read(&t->fetch, t->tally, sample);
	if (last)
		return objtrace_changes_replace(last, t->tr, sample, &call->place,
						OBJTRACE_CHANGE_AFTER_RETURN, before);
	outer = innermost_call(call->id, call);
	if (outer)
		outer->unsure = true;
	return false;
}

static bool is_recorded(const struct objtrace_trigger *t, const struct call *call,
			const struct objtrace_sample *sample)
{
	if (t->spec.returns == OBJTRACE_RETURNS_ALL)
		return true;
	/* With changes, each change has its own record */
	return !t->spec.changes && call->changed &&
	       (sample->value != call->value || sample->fault != call->fault);
}

static void record_return(struct objtrace_trigger *t, const struct objtrace_match *match,
			  struct call *call, struct pt_regs *regs)
{
	struct objtrace_sample sample = { .object = match->object, .id = match->id };
	struct objtrace_returned returned;
	struct objtrace_last before;
	bool changed, told;

	changed = fetch_at_return(t, match, call, &sample, &before);
	if (changed && happened_in(call, &sample, &before))
		blame_call(call, &before);
	told = changed && t->spec.changes;
	if (told)
		objtrace_count(t, OBJTRACE_TALLY_RETURN +
			       objtrace_record_change(&t->files, &sample, &call->place, &before,
						      regs));
	if (is_recorded(t, call, &sample)) {
		returned = (struct objtrace_returned){
			.old = call->value, .old_fault = call->fault,
			.ret = regs_return_value(regs),
			.unsure = call->changed && call->unsure,
		};
		objtrace_count(t, OBJTRACE_TALLY_RETURN +
			       objtrace_record_return(&t->files, &sample, &call->place, &returned,
						      regs));
	} else if (!told) {
		objtrace_count(t, OBJTRACE_TALLY_RETURN_UNCHANGED);
	}
}

/* Called inside of the guard */
static void look_at_return(struct call *call, struct pt_regs *regs)
{
	struct objtrace_match match;

	if (objtrace_table_look(call->slot, &match) && match.id == call->id)
		record_return(objtrace_trigger_of(&match), &match, call, regs);
	else
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_ENDED);
}

/*
 * A followed call returns.  The kernel has disabled preemption once, as a callback does.  RCU keeps
 * the trigger.  @regs are the registers of the caller: the kernel has set the instruction pointer to
 * the return address.
 *
 * Context: that of the function.
 */
static int call_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	unsigned long context;

	if (unlikely(!rcu_is_watching())) {
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_RCU);
		return 0;
	}
	if (unlikely(!objtrace_kernel_rcu_waits())) {
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_OFFLINE);
		return 0;
	}
	context = objtrace_guard_enter();
	if (likely(context))
		look_at_return((struct call *)ri->data, regs);
	else
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_OWN);
	objtrace_guard_leave(context);
	return 0;
}

/**
 * objtrace_returns_init() - set the number of calls that are followed at the same time
 * @most: the number, from max_returns
 *
 * Context: task, module init.
 */
void objtrace_returns_init(unsigned int most)
{
	max_returns = most;
}

/**
 * objtrace_returns_start() - prepare to follow calls, for a trigger with the option
 *
 * Context: task, event_mutex held, before the trigger has an object.
 * Return: 0, or a negative errno
 */
int objtrace_returns_start(void)
{
	int ret = nr_users ? 0 : objtrace_return_start(call_returned, max_returns);

	if (!ret)
		nr_users++;
	return ret;
}

/**
 * objtrace_returns_stop() - stop following calls, when the last trigger with the option goes
 *
 * Context: task, event_mutex held, a grace period after the trigger's objects were forgotten.
 */
void objtrace_returns_stop(void)
{
	if (!--nr_users)
		objtrace_return_stop();
}
