// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ftrace side ("fops" is a struct ftrace_ops, not file_operations): look up the arguments
 * of each traced function in the table of objects, read the object's value and write a record.
 */
#include <linux/bitops.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "functions/funcs.h"
#include "functions/known.h"
#include "functions/selection.h"
#include "kernel/caller.h"
#include "kernel/rcu.h"
#include "kernel/return.h"
#include "objects/bloom.h"
#include "objects/expect.h"
#include "objects/free.h"
#include "objects/returns.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_event.h"
#include "objtrace_fops.h"
#include "records/changes.h"
#include "records/guard.h"
#include "records/place.h"
#include "records/record.h"
#include "records/sample.h"
#include "records/seen.h"
#include "records/tally.h"
#include "records/value.h"

#define ALL_ARGS	((1U << OBJTRACE_NR_ARGS) - 1)

/**
 * struct entry - one call of a traced function
 * @ip: ftrace location of the function
 * @parent_ip: return address in the caller
 * @func: the function, or @unknown
 * @args: values of the OBJTRACE_NR_ARGS argument registers.  Bit N of the function's @objects:
 *	  args[N] can be an object that the function receives; all other registers hold stale
 *	  values
 */
struct entry {
	unsigned long	ip;
	unsigned long	parent_ip;
	const struct objtrace_func *func;
	const unsigned long *args;
};

/* A function that no table has, and whose prototype is unknown */
static const struct objtrace_func unknown = { .objects = ALL_ARGS };

/*
 * Read the value, and store it as the last value.  Returns false if the value is the same as
 * before.  An unknown last value counts as a change.
 */
static bool fetch_changed(struct objtrace_trigger *t,
			  const struct objtrace_slot *slot,
			  const struct objtrace_place *place,
			  struct objtrace_sample *sample, struct objtrace_last *before)
{
	struct objtrace_last *last = objtrace_changes_claim(slot);

	objtrace_sample_read(&t->fetch, t->tally, sample);
	if (last)
		return objtrace_changes_replace(last, t->tr, sample, place,
						OBJTRACE_CHANGE_AFTER_CALL, before);
	*before = (struct objtrace_last){ .how = OBJTRACE_CHANGE_UNKNOWN };
	return true;
}

static enum objtrace_tally record_entry_of(struct objtrace_trigger *t, bool changed,
					   const struct objtrace_sample *sample,
					   const struct objtrace_place *place,
					   const struct objtrace_last *before)
{
	if (!t->spec.changes)
		return OBJTRACE_TALLY_HIT + objtrace_record_value(&t->files, sample, place);
	if (!changed)
		return OBJTRACE_TALLY_HIT_UNCHANGED;
	return OBJTRACE_TALLY_HIT +
	       objtrace_record_change(&t->files, sample, place, before, NULL);
}

/* Record a hit of a trigger with the option "changes" or "returns" */
static noinline enum objtrace_tally record_compared(struct objtrace_trigger *t,
						    const struct objtrace_match *match,
						    const struct objtrace_place *place,
						    const unsigned long *args)
{
	struct objtrace_sample sample = { .object = match->object, .id = match->id };
	bool follows = t->spec.returns != OBJTRACE_RETURNS_NONE;
	enum objtrace_tally tally;
	struct objtrace_last before;
	bool changed, compared;

	changed = fetch_changed(t, match->slot, place, &sample, &before);
	compared = before.how != OBJTRACE_CHANGE_UNKNOWN;
	if (changed && follows && compared)
		objtrace_returns_blame(&sample, &before);
	tally = record_entry_of(t, changed, &sample, place, &before);
	objtrace_seen_note(match->life, place->ip, &sample);
	if (follows)
		objtrace_returns_enter(t, match, &sample, compared, place, args);
	return tally;
}

static enum objtrace_tally record_value(struct objtrace_trigger *t,
					const struct objtrace_match *match,
					const struct objtrace_place *place)
{
	struct objtrace_sample sample = { .object = match->object, .id = match->id };
	enum objtrace_outcome outcome;

	objtrace_sample_read(&t->fetch, t->tally, &sample);
	outcome = objtrace_record_value(&t->files, &sample, place);
	objtrace_seen_note(match->life, place->ip, &sample);
	return OBJTRACE_TALLY_HIT + outcome;
}

/* Record that argument @n is an object, or the address of a freed object */
static void record_match(const struct objtrace_match *match, struct objtrace_trigger *t,
			 const struct entry *entry, unsigned int n)
{
	const struct objtrace_place place = {
		.ip = entry->ip, .parent_ip = entry->parent_ip, .arg = n + 1,
		.offset = entry->args[n] - match->object, .is_sure = entry->func->sure & BIT(n),
	};

	if (match->owner->is_freed) {
		objtrace_tomb_hit(match, &place);
		return;
	}
	atomic_long_inc(&match->life->hits);
	objtrace_count(t, t->compares ? record_compared(t, match, &place, entry->args) :
					record_value(t, match, &place));
}

static bool selects_entry(const struct objtrace_selection *selection, const struct entry *entry)
{
	if (objtrace_selection_has(selection, entry->func))
		return true;
	return !selection->bit && entry->func != &unknown &&
	       objtrace_selection_takes(selection, objtrace_known_table(entry->ip), entry->func);
}

/* Record an object of argument @n.  Return true if the object has this entry as expected entry */
static bool record_object(const struct objtrace_match *match, const struct entry *entry,
			  unsigned int n)
{
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	bool expected;

	if (!selects_entry(&t->selection, entry))
		return false;
	expected = objtrace_expect_matches(match->life, entry->ip);
	/* The objtrace_add record covers the entry whose probe has added the object */
	if (expected && !match->life->entry_ends)
		objtrace_count(t, OBJTRACE_TALLY_HIT_ADDING);
	else if (!READ_ONCE(entry->func->is_left_out))
		record_match(match, t, entry, n);
	return expected;
}

/*
 * Check that record_plain() can record a hit, and read the value.  Return false, with nothing done,
 * if the hit needs more: its trigger compares values, its entry is expected or excluded, its record
 * has a trigger or a filter, or its value takes several reads.
 */
static __always_inline bool is_plain(const struct objtrace_trigger *t,
				     const struct objtrace_match *match,
				     const struct entry *entry, u64 *value)
{
	return !match->owner->is_freed && !t->compares && !READ_ONCE(entry->func->is_left_out) &&
	       objtrace_selection_has(&t->selection, entry->func) &&
	       !objtrace_expect_is_at(match->life, entry->ip) &&
	       objtrace_record_is_plain(&t->files) &&
	       objtrace_sample_quick(&t->fetch, match->object, value);
}

/* Record that argument @n is the address of the first byte of an object */
static __always_inline void record_plain(struct objtrace_trigger *t,
					 const struct objtrace_match *match,
					 const struct entry *entry, unsigned int n, u64 value)
{
	const struct objtrace_sample sample = {
		.object = match->object, .id = match->id, .fetch = &t->fetch, .value = value,
	};
	const struct objtrace_place place = {
		.ip = entry->ip, .parent_ip = entry->parent_ip, .arg = n + 1,
		.is_sure = entry->func->sure & BIT(n),
	};
	enum objtrace_outcome outcome;

	atomic_long_inc(&match->life->hits);
	outcome = objtrace_record_plain(&t->files, &sample, &place);
	objtrace_seen_note(match->life, place.ip, &sample);
	objtrace_count(t, OBJTRACE_TALLY_HIT + outcome);
}

/*
 * Record all objects of argument @n: @only if it is not NULL.  Return true if finish_expected() has
 * to follow, because an object has this entry as expected entry.  The other arguments are the
 * members of struct entry: with the address of the struct, the hot path could not have them in
 * registers.
 */
static noinline bool record_objects(unsigned long ip, unsigned long parent_ip,
				    const struct objtrace_func *func,
				    const unsigned long *args, unsigned int n,
				    struct objtrace_slot *only)
{
	const struct entry entry = { ip, parent_ip, func, args };
	unsigned int pos = only ? OBJTRACE_POS_END : 0;
	struct objtrace_match match __uninitialized;
	bool expected = false, found = only;

	if (only)
		match = objtrace_table_again(only);
	else
		found = objtrace_table_match(args[n], &pos, &match);
	for (; found; found = objtrace_table_match(args[n], &pos, &match)) {
		if (!record_object(&match, &entry, n))
			continue;
		/* Usually, the entry receives one object: do not search for it again */
		if (!expected && pos == OBJTRACE_POS_END && func->objects == BIT(n)) {
			objtrace_expect_finish(&match, ip);
			return false;
		}
		expected = true;
	}
	return expected;
}

/*
 * Record the objects of argument @n.  Nearly always, it is a single object, in the first slot of
 * its cell.  Return as record_objects().
 */
static __always_inline bool record_arg(const struct entry *entry, unsigned int n)
{
	struct objtrace_match match __uninitialized;
	struct objtrace_slot *only = NULL;
	struct objtrace_trigger *t;
	unsigned int pos;
	u64 value;

	if (likely(objtrace_table_first(entry->args[n], &pos, &match) &&
		   pos == OBJTRACE_POS_END)) {
		t = container_of(match.owner, struct objtrace_trigger, owner);
		if (likely(is_plain(t, &match, entry, &value))) {
			record_plain(t, &match, entry, n, value);
			return false;
		}
		only = match.slot;
	}
	return record_objects(entry->ip, entry->parent_ip, entry->func, entry->args, n, only);
}

static bool seen_before(const struct entry *entry, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (entry->func->objects & BIT(i) && entry->args[i] == entry->args[n])
			return true;
	return false;
}

/*
 * Whether to look up an argument in the table.  If only one argument can be an object, it is
 * nearly always the one that passed the filter.  Skip a second check then: the table is exact.
 */
static __always_inline bool is_worth_a_look(const struct entry *entry, unsigned int n)
{
	return entry->func->objects == BIT(n) ||
	       (objtrace_bloom_has(entry->args[n]) && !seen_before(entry, n));
}

/*
 * All arguments of an expected entry are recorded: stop expecting the entry.  The next call of
 * the function is a different one.
 */
static noinline void finish_expected(unsigned long ip, const struct objtrace_func *func,
				     const unsigned long *args)
{
	const struct entry entry = { .ip = ip, .func = func, .args = args };
	struct objtrace_match match __uninitialized;
	unsigned int left, n, pos;

	for (left = func->objects; left; left &= left - 1) {
		n = __ffs(left);
		if (!is_worth_a_look(&entry, n))
			continue;
		pos = 0;
		while (objtrace_table_match(args[n], &pos, &match))
			objtrace_expect_finish(&match, ip);
	}
}

static __always_inline void record_args(const struct entry *entry)
{
	bool expected = false;
	unsigned int left, n;

	for (left = entry->func->objects; left; left &= left - 1) {
		n = __ffs(left);
		if (is_worth_a_look(entry, n))
			expected |= record_arg(entry, n);
	}
	if (unlikely(expected))
		finish_expected(entry->ip, entry->func, entry->args);
}

/* Called inside of the guard */
static __always_inline
void look_at_args(unsigned long ip, unsigned long parent_ip, const unsigned long *args)
{
	const struct entry entry = {
		.ip = ip, .parent_ip = objtrace_caller(parent_ip), .args = args,
		.func = objtrace_known_find(ip) ?: &unknown,
	};

	record_args(&entry);
}

/*
 * Called with preemption disabled, see objtrace_fops_look().  No path ends in a call: the
 * compiler could turn that into a jump, and the registers would not be cleared.
 */
static noinline __clears_arg_registers
void record_entry(unsigned long ip, unsigned long parent_ip, const unsigned long *args)
{
	unsigned long context = 0;

	/*
	 * Only RCU keeps the triggers that the table points to.  RCU does not watch idle and
	 * entry code.  Grace periods do not wait for a CPU that goes offline or comes up.  Not
	 * even a lookup in the table is safe then.
	 */
	if (unlikely(!rcu_is_watching())) {
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_RCU);
	} else if (unlikely(!objtrace_kernel_rcu_waits())) {
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_OFFLINE);
	} else {
		context = objtrace_guard_enter();
		if (likely(context && !objtrace_free_is_ours(ip)))
			look_at_args(ip, parent_ip, args);
		else
			/* No hit: objtrace itself caused this call */
			objtrace_not_seen_count(OBJTRACE_NOT_SEEN_OWN);
	}
	objtrace_guard_leave(context);
}

/**
 * objtrace_fops_look() - record the objects that a function receives
 * @ip: ftrace location of the function
 * @parent_ip: return address of the function
 * @args: values of the OBJTRACE_NR_ARGS argument registers; at OBJTRACE_ARGS_LINK, the way to the
 *	  return address, see kernel/return.h
 *
 * Callbacks and trampolines both call this function if an argument passed the filter.  So both
 * write the same records.
 *
 * Disables preemption, so that no trigger in the table is freed before the end.
 *
 * An object that stays in an argument register would look like an argument of the next traced
 * function.  The scheduler can be next, when preemption is enabled again: record_entry() clears
 * the registers.  Then another ops of the function can be next, such as that of kprobes: the
 * caller of objtrace_fops_look() clears or restores the registers.
 *
 * Context: ftrace callback or trampoline; any, NMI and RCU not watching included.
 */
noinline
void objtrace_fops_look(unsigned long ip, unsigned long parent_ip,
			const unsigned long *args)
{
	preempt_disable_notrace();
	record_entry(ip, parent_ip, args);
	preempt_enable_notrace();
}

/* Check both levels of the filter: one of the first @nr_args registers passed the first level */
static noinline __clears_arg_registers
void look_closer_at_args(unsigned int nr_args, unsigned long ip, unsigned long parent_ip,
			 struct ftrace_regs *fregs)
{
	unsigned long args[OBJTRACE_ARGS_LINK + 1];
	bool found = false;
	unsigned int n;

#pragma GCC unroll 8
	for (n = 0; n < OBJTRACE_NR_ARGS; n++) {
		args[n] = objtrace_arg(fregs, n);
		found |= n < nr_args && objtrace_bloom_has(args[n]);
	}
	if (!found)
		return;
	args[OBJTRACE_ARGS_LINK] = (unsigned long)fregs;
	objtrace_fops_look(ip, objtrace_caller_now(parent_ip, fregs), args);
}

/*
 * Check the first @nr_args registers of a function that is entered.  The first level of the
 * filter rejects nearly all calls, without a guard and without a function call.  The filter
 * exists as long as the module.  The second level is checked out of line, so that the common
 * path needs few registers.
 *
 * A trampoline replaces this code, unless the function has another ftrace_ops as well: see
 * functions/tramp.h.
 */
static __always_inline
void look_at_registers(unsigned int nr_args, unsigned long ip, unsigned long parent_ip,
		       struct ftrace_regs *fregs)
{
	unsigned int n;
	u8 found = 0;

#pragma GCC unroll 8
	for (n = 0; n < nr_args; n++)
		found |= objtrace_bloom_may_have(objtrace_arg(fregs, n));
	if (unlikely(found))
		look_closer_at_args(nr_args, ip, parent_ip, fregs);
}

/**
 * DEFINE_ENTRY() - define the callback of a group of functions
 * @name: name of the callback
 * @nr_args: number of registers to check; the other registers hold no object
 *
 * ftrace passes the function's ftrace location, its return address, the ftrace_ops of the
 * group and the function's registers.
 *
 * Context: ftrace callback; any, NMI and RCU not watching included.
 */
#define DEFINE_ENTRY(name, nr_args)						\
	void name(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,	\
		  struct ftrace_regs *fregs)					\
	{									\
		look_at_registers(nr_args, ip, parent_ip, fregs);		\
	}

DEFINE_ENTRY(objtrace_fops_entry1, 1)
DEFINE_ENTRY(objtrace_fops_entry2, 2)
DEFINE_ENTRY(objtrace_fops_entry3, 3)
DEFINE_ENTRY(objtrace_fops_entry, OBJTRACE_NR_ARGS)

/**
 * objtrace_fops_entry_any() - handle the entry of a function in the last group
 * @ip: ftrace location of the function
 * @parent_ip: return address of the function
 * @ops: ftrace_ops of all these functions
 * @fregs: registers of the function
 *
 * The last group has the functions that fit into no other group.  Some of these functions free or
 * allocate memory without a tracepoint, see objects/free.c.
 *
 * Context: ftrace callback; any, NMI and RCU not watching included.
 */
void objtrace_fops_entry_any(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	look_at_registers(OBJTRACE_NR_ARGS, ip, parent_ip, fregs);
	if (unlikely(objtrace_free_has_entry(ip)))
		objtrace_free_entry(ip, parent_ip, fregs);
}
