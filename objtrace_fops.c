// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ftrace side ("fops" is a struct ftrace_ops, not file_operations): at the
 * entry of every traced function, look for tracked objects among its arguments,
 * fetch the value and write a record.
 */
#include <linux/bitops.h>
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "objtrace.h"
#include "objtrace_caller.h"
#include "objtrace_changes.h"
#include "objtrace_compat.h"
#include "objtrace_funcs.h"
#include "objtrace_kernel.h"
#include "objtrace_known.h"
#include "objtrace_memory.h"

/*
 * One bit for each interrupt context, see objtrace_context(), that runs our code on this CPU.
 * Only this CPU changes the bits.  An interrupt restores the bits that it found, so plain
 * accesses are enough.
 */
static DEFINE_PER_CPU(unsigned int, busy_contexts);

/* The bit to be given to leave(); 0 if this is one of our own callees */
static __always_inline unsigned int enter(void)
{
	unsigned int bit = BIT(objtrace_context());

	if (raw_cpu_read(busy_contexts) & bit)
		return 0;
	raw_cpu_or(busy_contexts, bit);
	barrier();
	return bit;
}

static __always_inline void leave(unsigned int bit)
{
	barrier();
	raw_cpu_and(busy_contexts, ~bit);
}

/**
 * objtrace_fops_enter() - keep what we call ourselves out of the records
 * @context: to be given to objtrace_fops_leave(), which the caller owes
 *
 * Functions that are entered in this context on this CPU until then are our own
 * callees.  Interrupts in between have a context of their own.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: false if this is already one of our own callees
 */
bool objtrace_fops_enter(unsigned int *context)
{
	*context = enter();
	return *context;
}

/**
 * objtrace_fops_leave() - what objtrace_fops_enter() began is over
 * @context: from there
 *
 * Context: as objtrace_fops_enter(), preemption disabled since then.
 */
void objtrace_fops_leave(unsigned int context)
{
	leave(context);
}

/* Follow all pointers from @addr to the address of the value */
static noinline enum objtrace_fault follow_pointers(const struct objtrace_fetch *fetch,
						    unsigned long *addr)
{
	enum objtrace_fault fault;
	unsigned int i;
	u64 pointer;

	for (i = 1; i < fetch->nr; i++) {
		fault = objtrace_memory_read(*addr, sizeof(*addr), &pointer);
		if (fault)
			return fault;
		*addr = pointer + fetch->offset[i];
	}
	return OBJTRACE_NO_FAULT;
}

/* What @object's value is for a trigger */
static __always_inline struct objtrace_sample fetch_value(struct objtrace_trigger *trigger,
							  unsigned long object, u64 id)
{
	const struct objtrace_fetch *fetch = &trigger->fetch;
	unsigned long addr = object + fetch->offset[0];
	enum objtrace_fault fault = OBJTRACE_NO_FAULT;
	u64 value;

	if (fetch->nr != 1)
		fault = follow_pointers(fetch, &addr);
	if (likely(!fault))
		fault = objtrace_memory_read(addr, fetch->size, &value);
	if (likely(!fault)) {
		value = objtrace_fetch_value(fetch, value);
	} else {
		value = 0;
		objtrace_count(trigger, fault == OBJTRACE_FAULT_IO ? OBJTRACE_TALLY_IO :
								     OBJTRACE_TALLY_FAULTS);
	}
	/* All at once: what is initialized in parts is cleared before */
	return (struct objtrace_sample){
		.object = object, .id = id, .fetch = fetch, .value = value, .fault = fault,
	};
}

/**
 * objtrace_fops_fetch() - read the value that a trigger asks for
 * @trigger: the trigger
 * @sample: has the object, gets the value
 *
 * One read for each pointer on the way, and one of exactly the bytes of the type.
 * All reads are of the kernel's RAM.  A value that is not read is recorded as a fault or as
 * device memory, never as a number.
 *
 * Context: any, NMI included.
 */
void objtrace_fops_fetch(struct objtrace_trigger *trigger,
			 struct objtrace_sample *sample)
{
	*sample = fetch_value(trigger, sample->object, sample->id);
}

/* In entry_ip while the other members of an expected entry are written */
#define ENTRY_CLAIMED	1

static bool is_own_entry(const struct objtrace_slot *slot)
{
	return slot->entry_task == current &&
	       slot->entry_context == objtrace_context();
}

/**
 * objtrace_fops_expect() - announce the entry of a function that has fired a trigger
 * @slot: the object that it receives
 * @ip: the function's ftrace location
 * @ends: the entry ends the object, once it is recorded; else it has added it, which
 *	  was told, and is not recorded
 *
 * The same task calls the callback for the entry in the same context, later.  Or the callback
 * never comes: a later probe on the entry skips the function, or ftrace_enabled becomes 0 in
 * between.  objtrace_fops_finish_old() handles that.  If the memory of the object is freed
 * before, the object ends, and its slot is not used again while a task can still find it.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: 0; -EALREADY if this very entry is expected to end the object, or another
 * one is about to be; -EBUSY if there is no room for this one
 */
int objtrace_fops_expect(struct objtrace_slot *slot, unsigned long ip, bool ends)
{
	unsigned long other;

	if (cmpxchg(&slot->entry_ip, 0, ENTRY_CLAIMED)) {
		/* Pairs with the release below */
		other = smp_load_acquire(&slot->entry_ip);
		/* Only who ends it does that to an object that others can find */
		if (other == ENTRY_CLAIMED)
			return -EALREADY;
		return slot->entry_ends && other == ip && is_own_entry(slot) ?
		       -EALREADY : -EBUSY;
	}
	slot->entry_task = current;
	slot->entry_context = objtrace_context();
	slot->entry_ends = ends;
	WRITE_ONCE(slot->entry_is_old, false);
	/* Pairs with the acquires above and in is_expected() */
	smp_store_release(&slot->entry_ip, ip);
	return 0;
}

/**
 * objtrace_fops_mark_old() - remember that the entry of an object has begun
 * @slot: the object
 *
 * Context: task.
 * Return: true if an entry is expected
 */
bool objtrace_fops_mark_old(struct objtrace_slot *slot)
{
	if (!READ_ONCE(slot->entry_ip))
		return false;
	/* If another entry is expected by now, it has begun before this write, too */
	WRITE_ONCE(slot->entry_is_old, true);
	return true;
}

/**
 * objtrace_fops_finish_old() - finish an entry whose callback never comes
 * @match: the object
 *
 * A grace period of Tasks RCU after objtrace_fops_mark_old() no task is between its probe
 * and our callback any more.
 *
 * Context: task, preemption disabled since it was matched.
 */
void objtrace_fops_finish_old(const struct objtrace_match *match)
{
	struct objtrace_slot *slot = match->slot;
	/* Pairs with the release in objtrace_fops_expect() */
	unsigned long ip = smp_load_acquire(&slot->entry_ip);

	if (!ip || ip == ENTRY_CLAIMED || !READ_ONCE(slot->entry_is_old))
		return;
	if (slot->entry_ends)
		objtrace_object_delete(match);
	else
		cmpxchg(&slot->entry_ip, ip, 0);
}

/**
 * objtrace_fops_renew() - the probe that has added an object fires on the same entry again
 * @slot: the object
 * @ip: the function's ftrace location
 *
 * So the function was skipped, or left, without our callback.  The callback that comes now
 * records the entry.
 *
 * Context: any, NMI included; preemption disabled since the object was matched.
 */
void objtrace_fops_renew(struct objtrace_slot *slot, unsigned long ip)
{
	/* Pairs with the release in objtrace_fops_expect() */
	if (smp_load_acquire(&slot->entry_ip) == ip && is_own_entry(slot) && !slot->entry_ends)
		WRITE_ONCE(slot->entry_ip, 0);
}

/* It is seen once, by the task and in the context that fired */
static __always_inline bool is_expected(struct objtrace_slot *slot, unsigned long ip)
{
	/* Pairs with the release in objtrace_fops_expect() */
	return unlikely(smp_load_acquire(&slot->entry_ip) == ip) && is_own_entry(slot);
}

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

	objtrace_fops_fetch(t, sample);
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
	objtrace_stats_seen(match->slot, place->ip, &sample);
	return tally;
}

static __always_inline enum objtrace_tally record_hit(struct objtrace_trigger *t,
						      const struct objtrace_match *match,
						      const struct objtrace_place *place)
{
	struct objtrace_sample sample = fetch_value(t, match->object, match->id);
	enum objtrace_outcome outcome = objtrace_record_value(&t->files, &sample, place);

	objtrace_stats_seen(match->slot, place->ip, &sample);
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

/* An entry that was expected for an object is over */
static void finish_match(const struct objtrace_match *match, unsigned long ip)
{
	if (!is_expected(match->slot, ip))
		return;
	if (match->slot->entry_ends)
		objtrace_object_delete(match);
	else
		WRITE_ONCE(match->slot->entry_ip, 0);
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
			finish_match(&match, entry->ip);
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
		if (!objtrace_groups_select(&t->selection, entry->funcs, entry->func))
			continue;
		if (is_expected(match.slot, entry->ip)) {
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
		objtrace_stats_not_seen(OBJTRACE_NOT_SEEN_RCU);
	} else if (unlikely(!objtrace_kernel_rcu_waits())) {
		objtrace_stats_not_seen(OBJTRACE_NOT_SEEN_OFFLINE);
	} else {
		context = enter();
		if (likely(context && !objtrace_free_is_ours(ip)))
			look_at_args(ip, parent_ip, args);
		else
			/* No hit: it receives the object because of us alone */
			objtrace_stats_not_seen(OBJTRACE_NOT_SEEN_OWN);
	}
	leave(context);
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
 * kprobes.  record_entry() sees to the one, look_closer() to the other: who calls this
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
void look_closer(unsigned int nr_args, unsigned long ip, unsigned long parent_ip,
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
 * objtrace_tramp.h.
 */
static __always_inline
void look_at(unsigned int nr_args, unsigned long ip, unsigned long parent_ip,
	     struct ftrace_regs *fregs)
{
	unsigned int n;
	u8 found = 0;

#pragma GCC unroll 8
	for (n = 0; n < nr_args; n++)
		found |= objtrace_bloom_may_have(objtrace_arg(fregs, n));
	if (unlikely(found))
		look_closer(nr_args, ip, parent_ip, fregs);
}

/**
 * objtrace_fops_entry() - a function is entered
 * @ip: its ftrace location
 * @parent_ip: where it returns to
 * @ops: as whose callback
 * @fregs: its arguments
 *
 * Context: ftrace callback, any.
 */
void objtrace_fops_entry(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	look_at(OBJTRACE_NR_ARGS, ip, parent_ip, fregs);
}

/**
 * objtrace_fops_entry1() - a function is entered that receives no object behind the
 *			    first register
 * @ip: as objtrace_fops_entry()
 * @parent_ip: as there
 * @ops: as there
 * @fregs: as there
 *
 * Context: as objtrace_fops_entry().
 */
void objtrace_fops_entry1(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	look_at(1, ip, parent_ip, fregs);
}

/**
 * objtrace_fops_entry2() - the same for the first two registers
 * @ip: as objtrace_fops_entry()
 * @parent_ip: as there
 * @ops: as there
 * @fregs: as there
 *
 * Context: as objtrace_fops_entry().
 */
void objtrace_fops_entry2(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	look_at(2, ip, parent_ip, fregs);
}

/**
 * objtrace_fops_entry3() - the same for the first three registers
 * @ip: as objtrace_fops_entry()
 * @parent_ip: as there
 * @ops: as there
 * @fregs: as there
 *
 * Context: as objtrace_fops_entry().
 */
void objtrace_fops_entry3(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	look_at(3, ip, parent_ip, fregs);
}

/**
 * objtrace_fops_entry_any() - a function is entered, maybe one that frees memory
 * @ip: as objtrace_fops_entry()
 * @parent_ip: as there
 * @ops: as there
 * @fregs: as there
 *
 * What no tracepoint tells of.
 *
 * Context: as objtrace_fops_entry().
 */
void objtrace_fops_entry_any(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	look_at(OBJTRACE_NR_ARGS, ip, parent_ip, fregs);
	if (unlikely(objtrace_free_has_entry(ip)))
		objtrace_free_entry(ip, parent_ip, fregs);
}
