// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ftrace side ("fops" is a struct ftrace_ops, not file_operations): at the
 * entry of every traced function, look for tracked objects among its arguments,
 * fetch the value and write a record.
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
#include "objects/bloom.h"
#include "objects/expect.h"
#include "objects/free.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_fops.h"
#include "records/changes.h"
#include "records/guard.h"
#include "records/record.h"
#include "records/sample.h"
#include "records/seen.h"
#include "records/tally.h"

#define ALL_ARGS	((1U << OBJTRACE_NR_ARGS) - 1)

/**
 * struct entry - the entry of a function
 * @ip: the function's ftrace location
 * @parent_ip: where its caller goes on
 * @objects: bit N if args[N] can be an object that the function receives; what other
 *	     registers hold is left from somebody else
 * @sure: see struct objtrace_func
 * @is_left_out: as there
 * @func: what is known of the function; NULL if nothing
 * @funcs: the table that has it, if @func is not NULL
 * @args: what the argument registers hold, OBJTRACE_NR_ARGS of them
 */
struct entry {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	objects;
	unsigned int	sure;
	bool		is_left_out;
	const struct objtrace_func *func;
	const struct objtrace_funcs *funcs;
	const unsigned long *args;
};

/*
 * Fetch the value, and what was seen of it last.  The same value seen again leaves
 * no record; what cannot be compared does.
 */
static bool fetch_changed(struct objtrace_trigger *t,
			  const struct objtrace_slot *slot,
			  const struct objtrace_place *place,
			  struct objtrace_sample *sample, struct objtrace_last *before)
{
	struct objtrace_last *last = objtrace_changes_claim(slot);

	objtrace_sample_read(&t->fetch, t->tally, sample);
	if (last)
		return objtrace_changes_replace(last, t->tr, sample, place, before);
	*before = (struct objtrace_last){ .state = OBJTRACE_LAST_UNKNOWN };
	return true;
}

/* With the option "changes" */
static noinline enum objtrace_tally record_change(struct objtrace_trigger *t,
						  const struct objtrace_match *match,
						  const struct objtrace_place *place)
{
	struct objtrace_sample sample = { .object = match->object, .id = match->id };
	enum objtrace_tally tally = OBJTRACE_TALLY_HIT_UNCHANGED;
	struct objtrace_last before;

	if (fetch_changed(t, match->slot, place, &sample, &before))
		tally = OBJTRACE_TALLY_HIT +
			objtrace_record_change(&t->files, &sample, place, &before);
	objtrace_seen_note(match->slot, place->ip, &sample);
	return tally;
}

static __always_inline enum objtrace_tally record_hit(struct objtrace_trigger *t,
						      const struct objtrace_match *match,
						      const struct objtrace_place *place)
{
	struct objtrace_sample sample = objtrace_sample_take(&t->fetch, t->tally, match->object,
							     match->id);
	enum objtrace_outcome outcome = objtrace_record_value(&t->files, &sample, place);

	objtrace_seen_note(match->slot, place->ip, &sample);
	return OBJTRACE_TALLY_HIT + outcome;
}

/* An argument is an object, or the address of one that was freed */
static __always_inline void record_match(const struct objtrace_match *match,
					 struct objtrace_trigger *t,
					 const struct entry *entry, unsigned int n)
{
	const struct objtrace_place place = {
		.ip = entry->ip, .parent_ip = entry->parent_ip, .arg = n + 1,
		.offset = entry->args[n] - match->object, .is_sure = entry->sure & BIT(n),
	};

	if (unlikely(match->owner->is_freed)) {
		objtrace_tomb_hit(match, &place);
		return;
	}
	atomic_long_inc(&match->slot->hits);
	objtrace_count(t, unlikely(t->spec.changes) ? record_change(t, match, &place) :
						      record_hit(t, match, &place));
}

static bool seen_before(const struct entry *entry, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (entry->objects & BIT(i) && entry->args[i] == entry->args[n])
			return true;
	return false;
}

/*
 * Whether to look for objects that an argument points to.  One that is alone is nearly always
 * what has passed the filter before: not asked again, the table is as right.
 */
static __always_inline bool is_worth_a_look(const struct entry *entry, unsigned int n)
{
	return entry->objects == BIT(n) ||
	       (objtrace_bloom_has(entry->args[n]) && !seen_before(entry, n));
}

/*
 * The entry that was expected for some objects is over, with all that it received of
 * them: the next one of its kind is another one.
 */
static noinline void finish_expected(const struct entry *entry)
{
	struct objtrace_match match;
	unsigned int left, n, pos;

	for (left = entry->objects; left; left &= left - 1) {
		n = __ffs(left);
		if (!is_worth_a_look(entry, n))
			continue;
		pos = 0;
		while (objtrace_table_match(entry->args[n], &pos, &match))
			objtrace_expect_finish(&match, entry->ip);
	}
}

/* Returns whether the entry was expected for some of the objects */
static noinline bool record_arg(const struct entry *entry, unsigned int n)
{
	struct objtrace_match match;
	struct objtrace_trigger *t;
	bool expected = false;
	unsigned int pos = 0;

	while (objtrace_table_match(entry->args[n], &pos, &match)) {
		t = objtrace_trigger_of(&match);
		if (!objtrace_selection_has(&t->selection, entry->funcs, entry->func))
			continue;
		if (objtrace_expect_matches(match.slot, entry->ip)) {
			expected = true;
			/* It was told of by objtrace_add */
			if (!match.slot->entry_ends) {
				objtrace_count(t, OBJTRACE_TALLY_HIT_ADDING);
				continue;
			}
		}
		if (!entry->is_left_out)
			record_match(&match, t, entry, n);
	}
	return expected;
}

static __always_inline void record_args(const struct entry *entry)
{
	bool expected = false;
	unsigned int left, n;

	for (left = entry->objects; left; left &= left - 1) {
		n = __ffs(left);
		if (is_worth_a_look(entry, n))
			expected |= record_arg(entry, n);
	}
	if (unlikely(expected))
		finish_expected(entry);
}

/* With our own callees kept out */
static __always_inline
void look_at_args(unsigned long ip, unsigned long parent_ip, const unsigned long *args)
{
	const struct objtrace_funcs *funcs = NULL;
	const struct objtrace_func *func = objtrace_known_find(ip, &funcs);
	const struct entry entry = {
		.ip = ip, .parent_ip = objtrace_caller(parent_ip), .args = args,
		.func = func, .funcs = funcs,
		.objects = func ? func->objects : ALL_ARGS, .sure = func ? func->sure : 0,
		.is_left_out = func && READ_ONCE(func->is_left_out),
	};

	record_args(&entry);
}

/*
 * With preemption disabled, see objtrace_fops_look().  All ways lead to the end, where the
 * registers are cleared: a call that comes last might be made a jump.
 */
static noinline __clears_arg_registers
void record_entry(unsigned long ip, unsigned long parent_ip, const unsigned long *args)
{
	unsigned int context = 0;

	/*
	 * Without RCU nothing holds the triggers: in idle and entry code, and on a CPU that
	 * is not online.  Then even a look at the table is not safe.
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
			/* No hit: it receives the object because of us alone */
			objtrace_not_seen_count(OBJTRACE_NOT_SEEN_OWN);
	}
	objtrace_guard_leave(context);
}

/**
 * objtrace_fops_look() - a function is entered, and some argument may be tracked
 * @ip: its ftrace location
 * @parent_ip: where it returns to
 * @args: what the registers hold that pass arguments, OBJTRACE_NR_ARGS of them
 *
 * All that has passed the filter comes here, from the callbacks and from the trampolines
 * alike, so that both record the same.
 *
 * Preemption is disabled from here on: it keeps triggers that readers of the table find
 * from being freed.
 *
 * No object is left in an argument register where a traced function may be next,
 * which would be taken for one that receives it: the scheduler, when preemption
 * is enabled again, and behind us the next ops of the function, such as that of
 * kprobes.  record_entry() sees to the one, look_closer_at_args() to the other: who calls this
 * sets all these registers again, or clears them.
 *
 * Context: any.
 */
noinline
void objtrace_fops_look(unsigned long ip, unsigned long parent_ip,
			const unsigned long *args)
{
	preempt_disable_notrace();
	record_entry(ip, parent_ip, args);
	preempt_enable_notrace();
}

/* Some of the first @nr_args registers have passed the first level of the filter */
static noinline __clears_arg_registers
void look_closer_at_args(unsigned int nr_args, unsigned long ip, unsigned long parent_ip,
			 struct ftrace_regs *fregs)
{
	unsigned long args[OBJTRACE_NR_ARGS];
	bool found = false;
	unsigned int n;

#pragma GCC unroll 8
	for (n = 0; n < OBJTRACE_NR_ARGS; n++) {
		args[n] = objtrace_arg(fregs, n);
		found |= n < nr_args && objtrace_bloom_has(args[n]);
	}
	if (found)
		objtrace_fops_look(ip, objtrace_caller_now(parent_ip, fregs), args);
}

/*
 * The entry of a function of which only the first @nr_args registers can hold an
 * object.  Takes no guard and calls nothing while none of them passes the filter, which
 * is there as long as the module; and looks at its second level somewhere else, so that
 * what nearly always happens needs few registers.  Where the function has a trampoline that
 * does the same this is not called, unless another ftrace_ops is there, too: see
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
 * @nr_args: number of registers to look at; the other registers hold no object
 *
 * ftrace passes the function's ftrace location, its return address, the ftrace_ops of the
 * group and the function's registers.
 *
 * Context: ftrace callback, any.
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
 * objtrace_fops_entry_any() - a function is entered, maybe one that frees memory
 * @ip: its ftrace location
 * @parent_ip: where it returns to
 * @ops: as whose callback
 * @fregs: its arguments
 *
 * What no tracepoint tells of.
 *
 * Context: ftrace callback, any.
 */
void objtrace_fops_entry_any(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	look_at_registers(OBJTRACE_NR_ARGS, ip, parent_ip, fregs);
	if (unlikely(objtrace_free_has_entry(ip)))
		objtrace_free_entry(ip, parent_ip, fregs);
}
