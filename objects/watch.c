// SPDX-License-Identifier: GPL-2.0-only
/*
 * The option "watch": which object has which debug register, and the records of stores.
 *
 * A trigger with this option has a few watchpoints, each with a debug register of every CPU.  An
 * object that is added takes a watchpoint that no object has, and leaves it when it ends.  The
 * generation of a watchpoint changes each time.  The low bits are its state:
 *
 *	IDLE -> CLAIMED	   a CPU that adds an object (cmpxchg)
 *	CLAIMED -> ARMED   the same CPU, after it has written the target
 *	ARMED -> IDLE	   a CPU that ends the object: the next generation (cmpxchg)
 *
 * The CPU that changes the state aims its own register at once, and asks the other CPUs to aim
 * their registers.  In an NMI, or in the middle of perf's code, an irq_work does both.  A
 * store on a CPU that still has an old target belongs to nobody: the handler compares the
 * generation for which its CPU is armed.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "command/parse.h"
#include "kernel/irqs.h"
#include "kernel/memory.h"
#include "kernel/watch.h"
#include "objects/reap.h"
#include "objects/table.h"
#include "objects/watch.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_event.h"
#include "records/changes.h"
#include "records/guard.h"
#include "records/place.h"
#include "records/record.h"
#include "records/sample.h"
#include "records/store.h"
#include "records/tally.h"

/* The states of a watchpoint, in the low bits of its generation */
enum { IDLE, CLAIMED, ARMED, STATES = 4 };

#define state_of(generation)	((generation) & (STATES - 1))
#define number_of(generation)	((generation) / STATES)

/* The low bits of @waiting have a number of CPUs, the other bits the number of a generation */
#define WAITING_BITS	16
#define WAITING_MASK	(BIT(WAITING_BITS) - 1)

/* More than all CPUs, which are at most 8192: keeps the number above 0 until all CPUs are counted */
#define WAITING_BIAS	BIT(WAITING_BITS - 1)

/**
 * struct watch_cpu - one watchpoint on one CPU
 * @armed: the generation for which this CPU's register is armed; 0 if it is at rest, or if the
 *	   CPU has no register.  Written by this CPU with interrupts disabled, read by its
 *	   exceptions, and by a CPU that counts the armed CPUs
 * @asked: the generation that waits for this CPU; 0 if none does.  Raised with cmpxchg by the CPU
 *	   that arms, taken with xchg by this CPU, or by a CPU that cannot ask this CPU
 * @is_asked: 1 from when @csd is sent until this CPU begins to serve it.  Changed with xchg
 * @csd: the request to this CPU.  Used by the CPU that set @is_asked
 */
struct watch_cpu {
	u64			armed;
	u64			asked;
	int			is_asked;
	call_single_data_t	csd;
};

/**
 * struct watch_target - the object that a watchpoint watches
 * @addr: address of the watched bytes
 * @object: the object
 * @id: number of the object
 * @slot: slot of the object in the table
 * @since: time at which the object was added, in ns of the monotonic clock
 */
struct watch_target {
	unsigned long		addr;
	unsigned long		object;
	u64			id;
	struct objtrace_slot	*slot;
	u64			since;
};

/**
 * struct watch - one watchpoint of a trigger
 * @wp: the debug registers
 * @trigger: the trigger
 * @generation: see the top of this file.  Written with cmpxchg, and by the CPU that claimed it
 * @target: written by the CPU that claimed the watchpoint, before ARMED.  A reader compares
 *	    @generation before and after it copies the target
 * @last: the value after the last store.  Replaced with xchg by the handler
 * @waiting: the number of CPUs that are not armed yet, and the number of the generation that
 *	     waits for them: 0 in the low bits if none does.  Changed with cmpxchg
 * @work: aims the register and asks the other CPUs, where the caller cannot
 * @cpus: the CPUs
 */
struct watch {
	struct objtrace_watchpoint	wp;
	struct objtrace_trigger		*trigger;
	u64				generation;
	struct watch_target		target;
	u64				last;
	u64				waiting;
	struct irq_work			work;
	struct watch_cpu __percpu	*cpus;
};

/**
 * struct objtrace_watch - the watchpoints of a trigger
 * @nr: number of watchpoints that have their registers
 * @window_ns: longest time until all CPUs were armed.  Raised with cmpxchg in any context
 * @watches: the watchpoints
 */
struct objtrace_watch {
	unsigned int	nr;
	u64		window_ns;
	struct watch	watches[];
};

/* Copy the target of a generation.  Returns false if the watchpoint has another generation. */
static bool copy_target(const struct watch *w, u64 generation, struct watch_target *target)
{
	/* Pairs with the release in arm() */
	if (state_of(generation) != ARMED || smp_load_acquire(&w->generation) != generation)
		return false;
	*target = w->target;
	/* Pairs with the cmpxchg() in claim() */
	smp_rmb();
	return READ_ONCE(w->generation) == generation;
}

static void raise_to(u64 *value, u64 least)
{
	u64 now = READ_ONCE(*value), old;

	while (now < least) {
		old = cmpxchg(value, now, least);
		if (old == now)
			return;
		now = old;
	}
}

/*
 * Waiting for all CPUs
 */

/*
 * Count the CPUs that are armed.  A CPU may have no register: see objtrace_watchpoint_online().
 * The full barrier of this CPU's add_waiting() pairs with those of the other CPUs, after aiming.
 */
static unsigned int count_armed(const struct watch *w, u64 generation)
{
	unsigned int cpu, nr = 0;

	for_each_online_cpu(cpu)
		nr += READ_ONCE(per_cpu_ptr(w->cpus, cpu)->armed) == generation;
	return nr;
}

/* Write the record of a watchpoint that waits for no CPU any more */
static void tell_of_arming(struct watch *w, u64 generation)
{
	struct objtrace_trigger *t = w->trigger;
	struct objtrace_arming arming;
	struct watch_target target;

	if (!copy_target(w, generation, &target)) {
		objtrace_count(t, OBJTRACE_TALLY_WATCH_BRIEF);
		return;
	}
	arming = (struct objtrace_arming){
		.object = target.object, .id = target.id, .cpus = count_armed(w, generation),
		.window = ktime_get_mono_fast_ns() - target.since,
	};
	raise_to(&t->watch->window_ns, arming.window);
	objtrace_count(t, OBJTRACE_TALLY_WATCH + objtrace_record_watch(&t->files, &arming));
}

/* Let a generation not wait any more.  Returns true if it waited for a CPU */
static bool stop_waiting(struct watch *w, u64 generation)
{
	u64 old = READ_ONCE(w->waiting), now;

	do {
		now = old;
		if (now >> WAITING_BITS != number_of(generation) ||
		    !(now & WAITING_MASK))
			return false;
		old = cmpxchg(&w->waiting, now, 0);
	} while (old != now);
	return true;
}

/* Change the number of CPUs for which a generation waits, unless it does not wait any more */
static void add_waiting(struct watch *w, u64 generation, int nr)
{
	u64 old = READ_ONCE(w->waiting), now;

	do {
		now = old;
		if (now >> WAITING_BITS != number_of(generation) ||
		    !(now & WAITING_MASK))
			return;
		old = cmpxchg(&w->waiting, now, now + nr);
	} while (old != now);
	if (!((now + nr) & WAITING_MASK))
		tell_of_arming(w, generation);
}

/*
 * Aiming
 */

/*
 * Aim the register of this CPU at the current target.  If the target changes meanwhile, the CPU
 * that changes it asks this CPU again.
 *
 * Context: any except NMI; interrupts disabled, preemption disabled once more, inside of the guard.
 */
static void aim_here(struct watch *w)
{
	struct watch_cpu *c = this_cpu_ptr(w->cpus);
	/* The full barrier pairs with that in wait_for_all(): the generation is as new as @asked */
	u64 asked = xchg(&c->asked, 0);
	u64 generation = READ_ONCE(w->generation);
	struct watch_target target;

	if (copy_target(w, generation, &target)) {
		if (c->armed != generation &&
		    objtrace_watchpoint_aim(&w->wp, target.addr, w->trigger->fetch.size))
			WRITE_ONCE(c->armed, generation);
	} else if (c->armed) {
		WRITE_ONCE(c->armed, 0);
		objtrace_watchpoint_rest(&w->wp);
	}
	if (asked)
		add_waiting(w, asked, -1);
}

/* Do not wait for a CPU that went offline: the CPU has no register any more */
static void stop_waiting_for(struct watch *w, struct watch_cpu *c)
{
	u64 asked = xchg(&c->asked, 0);

	if (asked)
		add_waiting(w, asked, -1);
}

static void ask(struct watch *w, unsigned int cpu)
{
	struct watch_cpu *c = per_cpu_ptr(w->cpus, cpu);

	/* If a request is on its way, its CPU reads the current target */
	if (xchg(&c->is_asked, 1))
		return;
	if (smp_call_function_single_async(cpu, &c->csd)) {
		xchg(&c->is_asked, 0);
		stop_waiting_for(w, c);
	}
}

/* Between wait_for_all() and an irq_work, a CPU can go offline */
static void ask_others(struct watch *w)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (cpu == raw_smp_processor_id())
			continue;
		if (cpu_online(cpu))
			ask(w, cpu);
		else if (READ_ONCE(per_cpu_ptr(w->cpus, cpu)->asked))
			stop_waiting_for(w, per_cpu_ptr(w->cpus, cpu));
	}
}

/* Aim as aim_here() in an interrupt, or in another context with nothing disabled yet */
static void aim_in_irq(struct watch *w, bool and_others)
{
	struct objtrace_irqs irqs = objtrace_irqs_disable();
	unsigned long context;

	preempt_disable_notrace();
	context = objtrace_guard_enter();
	aim_here(w);
	if (and_others)
		ask_others(w);
	objtrace_guard_leave(context);
	preempt_enable_notrace();
	objtrace_irqs_restore(irqs);
}

static void aim_work_fn(struct irq_work *work)
{
	aim_in_irq(container_of(work, struct watch, work), true);
}

/* Another CPU asked this CPU */
static void serve_request(void *watch)
{
	struct watch *w = watch;

	/* The full barrier pairs with that in ask(): a later change asks again */
	xchg(&this_cpu_ptr(w->cpus)->is_asked, 0);
	aim_in_irq(w, false);
}

/*
 * Aim the registers of all CPUs, this CPU first.  Where nothing can be queued, this CPU is not
 * online, and an object ends.  Then the other CPUs count stores after the end, until the
 * watchpoint has a new object.
 *
 * Context: any, NMI included; preemption disabled, inside of the guard.
 */
static void aim_all(struct watch *w)
{
	struct objtrace_irqs irqs;

	if (in_nmi()) {
		objtrace_reap_queue(&w->work);
		return;
	}
	irqs = objtrace_irqs_disable();
	if (objtrace_watchpoint_is_busy(&w->wp)) {
		objtrace_reap_queue(&w->work);
	} else {
		aim_here(w);
		ask_others(w);
	}
	objtrace_irqs_restore(irqs);
}

/* This CPU comes up, or the watchpoint is new: its register is at rest */
static int start_cpu(unsigned int cpu, struct hlist_node *node)
{
	struct watch *w = hlist_entry(node, struct watch, wp.node);
	int ret = objtrace_watchpoint_online(&w->wp, cpu);

	if (!ret)
		aim_in_irq(w, false);
	return ret;
}

/* This CPU goes offline, or the watchpoint ends */
static int stop_cpu(unsigned int cpu, struct hlist_node *node)
{
	struct watch *w = hlist_entry(node, struct watch, wp.node);

	objtrace_watchpoint_offline(&w->wp);
	/* Without a register, aim_here() does not raise @armed again */
	WRITE_ONCE(this_cpu_ptr(w->cpus)->armed, 0);
	return 0;
}

/*
 * A store
 */

/*
 * Let functions that see the new value report no change: the store itself has its record.  @old is
 * the value before a store that is reported before it is executed, or NULL.
 */
static void note_change(struct objtrace_trigger *t, const struct watch_target *target,
			const struct objtrace_write *write, const u64 *old)
{
	struct objtrace_last *last;
	struct objtrace_match match;

	if (!t->compares || write->sample->fault == OBJTRACE_FAULT_UNKNOWN)
		return;
	/* The object can have ended, and its slot can have another object */
	if (!objtrace_table_look(target->slot - objtrace_table.slots, &match) ||
	    match.id != target->id)
		return;
	last = objtrace_changes_claim(target->slot);
	if (last)
		objtrace_changes_store(last, t->tr, write->sample, write->ip, old);
}

/* Let this CPU execute a store that fails while the CPU watches the object */
static void let_go(struct watch *w)
{
	if (objtrace_watchpoint_is_busy(&w->wp))
		return;
	WRITE_ONCE(this_cpu_ptr(w->cpus)->armed, 0);
	objtrace_watchpoint_rest(&w->wp);
	objtrace_count(w->trigger, OBJTRACE_TALLY_LET_GO);
}

/* Record a store to the watched bytes.  Returns the counter to increment */
static enum objtrace_tally record_store(struct watch *w, const struct pt_regs *regs,
					unsigned long ip)
{
	u64 generation = READ_ONCE(this_cpu_ptr(w->cpus)->armed);
	struct objtrace_trigger *t = w->trigger;
	struct objtrace_sample sample = { .fetch = &t->fetch };
	struct objtrace_write write = { .sample = &sample, .ip = ip };
	struct objtrace_stored stored;
	struct watch_target target;

	if (!copy_target(w, generation, &target) ||
	    target.id < READ_ONCE(t->owner.first_id))
		return OBJTRACE_TALLY_STORE_LATE;
	objtrace_watchpoint_stored(&w->wp, regs, target.id, target.addr, t->fetch.size, &stored);
	if (stored.is_ignored)
		return OBJTRACE_TALLY_STORE_AGAIN;
	if (stored.must_rest)
		let_go(w);
	sample.object = target.object;
	sample.id = target.id;
	sample.fault = stored.fault;
	if (!sample.fault)
		sample.value = objtrace_fetch_value(&t->fetch, stored.new);
	write.old = xchg(&w->last, sample.value);
	if (stored.has_old)
		write.old = objtrace_fetch_value(&t->fetch, stored.old);
	/* The watched bytes have other bitfields, too */
	if (t->fetch.bit_size && !sample.fault && write.old == sample.value)
		return OBJTRACE_TALLY_STORE_OTHER;
	note_change(t, &target, &write, stored.has_old ? &write.old : NULL);
	return OBJTRACE_TALLY_STORE + objtrace_record_write(&t->files, &write);
}

/*
 * A CPU stored to the watched bytes.  The exception can interrupt objtrace itself, inside of the
 * guard.  The store counts all the same.
 *
 * Context: exception, NMI included; interrupts disabled.
 */
static void handle_store(struct perf_event *event, const struct pt_regs *regs)
{
	struct objtrace_watchpoint *wp;
	unsigned long context;
	unsigned long ip;
	struct watch *w;

	preempt_disable_notrace();
	context = objtrace_guard_enter();
	wp = objtrace_watchpoint_of(event, regs, &ip);
	if (wp) {
		w = container_of(wp, struct watch, wp);
		objtrace_count(w->trigger, record_store(w, regs, ip));
	}
	objtrace_guard_leave(context);
	preempt_enable_notrace();
}

OBJTRACE_WATCHPOINT_HANDLERS(store_handlers, handle_store);

/*
 * Beginning and ending
 */

/* Find a watchpoint that no object has.  Returns NULL if there is none */
static struct watch *claim(struct objtrace_watch *watch)
{
	struct watch *w;
	u64 idle;

	for (w = watch->watches; w < &watch->watches[watch->nr]; w++) {
		idle = READ_ONCE(w->generation);
		if (state_of(idle) == IDLE &&
		    cmpxchg(&w->generation, idle, idle + CLAIMED) == idle)
			return w;
	}
	return NULL;
}

/* Let a generation wait for all CPUs that are online */
static void wait_for_all(struct watch *w, u64 generation)
{
	unsigned int cpu;

	WRITE_ONCE(w->waiting, number_of(generation) << WAITING_BITS | WAITING_BIAS);
	for_each_online_cpu(cpu) {
		add_waiting(w, generation, 1);
		/* The full barrier pairs with that in aim_here() */
		raise_to(&per_cpu_ptr(w->cpus, cpu)->asked, generation);
	}
}

static void arm(struct watch *w, const struct watch_target *target, u64 value)
{
	u64 generation = READ_ONCE(w->generation) - CLAIMED + ARMED;

	w->target = *target;
	w->last = value;
	/* Pairs with the acquire in copy_target() */
	smp_store_release(&w->generation, generation);
	wait_for_all(w, generation);
	aim_all(w);
	add_waiting(w, generation, -(int)WAITING_BIAS);
}

/* Find the bytes to watch.  Returns OBJTRACE_TALLY_WATCH, or the counter of an object without */
static enum objtrace_tally find_target(const struct objtrace_fetch *fetch,
				       const struct objtrace_sample *sample, unsigned long *addr)
{
	*addr = sample->object + fetch->offset[0];
	/* Since the sample was read, a pointer on the path can have changed */
	if (sample->fault || (fetch->nr != 1 && objtrace_sample_follow(fetch, addr)) ||
	    !objtrace_is_kernel_range(*addr, fetch->size))
		return OBJTRACE_TALLY_WATCH_FAULT;
	if (!objtrace_watchpoint_covers(*addr, fetch->size))
		return OBJTRACE_TALLY_WATCH_UNALIGNED;
	if (!objtrace_watchpoint_allows(*addr, fetch->size))
		return OBJTRACE_TALLY_WATCH_FORBIDDEN;
	return OBJTRACE_TALLY_WATCH;
}

/**
 * objtrace_watch_begin() - watch the member of an object
 * @match: the object, of a trigger with watchpoints, not published yet
 * @sample: the object and its value
 *
 * The caller read the value with interrupts disabled since then, so no store of this CPU is missing.
 *
 * Context: any, NMI included; interrupts and preemption disabled, inside of the guard.
 */
void objtrace_watch_begin(const struct objtrace_match *match, const struct objtrace_sample *sample)
{
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	struct watch_target target = {
		.object = match->object, .id = match->id, .slot = match->slot,
		.since = ktime_get_mono_fast_ns(),
	};
	enum objtrace_tally why = find_target(&t->fetch, sample, &target.addr);
	struct watch *w = NULL;

	if (why == OBJTRACE_TALLY_WATCH) {
		/* In an NMI, a CPU that goes offline cannot ask the other CPUs to aim */
		w = cpu_online(raw_smp_processor_id()) ? claim(t->watch) : NULL;
		why = OBJTRACE_TALLY_WATCH_NO_REGISTER;
	}
	if (w)
		arm(w, &target, sample->value);
	else
		objtrace_count(t, why);
}

static struct watch *watch_of(struct objtrace_watch *watch, const struct objtrace_match *match,
			      u64 *generation)
{
	struct watch_target target;
	struct watch *w;

	for (w = watch->watches; w < &watch->watches[watch->nr]; w++) {
		*generation = READ_ONCE(w->generation);
		if (copy_target(w, *generation, &target) && target.id == match->id)
			return w;
	}
	return NULL;
}

/**
 * objtrace_watch_end() - stop watching an object that ends
 * @match: the object, with or without a watchpoint
 *
 * Context: any, NMI included; preemption disabled, inside of the guard.
 */
void objtrace_watch_end(const struct objtrace_match *match)
{
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	struct watch *w;
	u64 generation;

	if (!t->watch || match->owner->is_freed)
		return;
	w = watch_of(t->watch, match, &generation);
	if (!w)
		return;
	/* Before the state changes: then another object can take the watchpoint and wait */
	if (stop_waiting(w, generation))
		objtrace_count(t, OBJTRACE_TALLY_WATCH_BRIEF);
	if (cmpxchg(&w->generation, generation, generation - ARMED + STATES) == generation)
		aim_all(w);
}

/**
 * objtrace_watch_measure() - read the state of a trigger's watchpoints
 * @t: a trigger with watchpoints
 * @state: receives the state
 *
 * Context: task.
 */
void objtrace_watch_measure(const struct objtrace_trigger *t, struct objtrace_watch_state *state)
{
	const struct objtrace_watch *watch = t->watch;
	unsigned int i;

	*state = (struct objtrace_watch_state){
		.registers = watch->nr, .window_ns = READ_ONCE(watch->window_ns),
	};
	for (i = 0; i < watch->nr; i++) {
		state->armed += state_of(READ_ONCE(watch->watches[i].generation)) == ARMED;
		state->missing += READ_ONCE(watch->watches[i].wp.nr_missing);
	}
}

/*
 * Starting and stopping
 */

static int start_watch(struct watch *w, struct objtrace_trigger *t)
{
	unsigned int cpu;
	int ret;

	w->trigger = t;
	/* A hard irq_work for the reason that reap_irq_work in objects/reap.c has */
	w->work = IRQ_WORK_INIT_HARD(aim_work_fn);
	w->cpus = alloc_percpu(struct watch_cpu);
	if (!w->cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		INIT_CSD(&per_cpu_ptr(w->cpus, cpu)->csd, serve_request, w);
	ret = objtrace_watchpoint_get(&w->wp, &store_handlers);
	if (ret)
		free_percpu(w->cpus);
	return ret;
}

/* Wait until no CPU uses a watchpoint: its objects have ended */
static void stop_watch(struct watch *w)
{
	unsigned int cpu;

	irq_work_sync(&w->work);
	for_each_possible_cpu(cpu)
		while (READ_ONCE(per_cpu_ptr(w->cpus, cpu)->is_asked))
			msleep(20);
	/* An interrupt that began to serve a request ends */
	synchronize_rcu();
	objtrace_watchpoint_put(&w->wp);
	free_percpu(w->cpus);
}

static void free_watches(struct objtrace_watch *watch)
{
	unsigned int i;

	for (i = 0; i < watch->nr; i++)
		stop_watch(&watch->watches[i]);
	kfree(watch);
}

static int start_watches(struct objtrace_trigger *t)
{
	unsigned int nr = t->spec.watch;
	struct objtrace_watch *watch;
	int ret = 0;

	watch = kzalloc(struct_size(watch, watches, nr), GFP_KERNEL);
	if (!watch)
		return -ENOMEM;
	while (!ret && watch->nr < nr) {
		ret = start_watch(&watch->watches[watch->nr], t);
		watch->nr += !ret;
	}
	if (ret)
		free_watches(watch);
	else
		t->watch = watch;
	return ret;
}

static enum objtrace_error_id error_of(int ret)
{
	switch (ret) {
	case -ENOMEM:
		return OBJTRACE_ERR_NO_MEMORY;
	case -ENOSPC:
		return OBJTRACE_ERR_WATCH_TAKEN;
	case -ENXIO:
		return OBJTRACE_ERR_WATCH_IGNORED;
	default:
		return OBJTRACE_ERR_WATCH_REFUSED;
	}
}

/**
 * objtrace_watch_start() - allocate the watchpoints of a trigger
 * @t: the trigger, complete, and not added to its event yet
 * @error: receives the error
 *
 * Context: task, event_mutex held.
 * Return: 0, or the negative errno of the stored error
 */
int objtrace_watch_start(struct objtrace_trigger *t, struct objtrace_error *error)
{
	const struct objtrace_fetch *fetch = &t->fetch;
	unsigned int pos = t->spec.watch_pos;
	int ret;

	if (!t->spec.watch)
		return 0;
	if (!objtrace_watchpoint_max())
		return objtrace_error_set(error, OBJTRACE_ERR_WATCH_UNSUPPORTED, pos);
	if (t->spec.watch > objtrace_watchpoint_max())
		return objtrace_error_set(error, OBJTRACE_ERR_WATCH_RANGE, pos);
	if (!objtrace_watchpoint_covers(fetch->offset[fetch->nr - 1], fetch->size))
		return objtrace_error_set(error, OBJTRACE_ERR_WATCH_UNALIGNED, pos);
	ret = start_watches(t);
	return ret ? objtrace_error_set(error, error_of(ret), pos) : 0;
}

/**
 * objtrace_watch_stop() - free the watchpoints of a trigger
 * @t: the trigger, without objects
 *
 * Context: task, event_mutex held.
 */
void objtrace_watch_stop(struct objtrace_trigger *t)
{
	if (t->watch)
		free_watches(t->watch);
	t->watch = NULL;
}

/**
 * objtrace_watch_init() - register the callbacks for CPU hotplug
 *
 * Context: task, module init.
 * Return: 0, or the error of objtrace_watchpoint_init()
 */
int objtrace_watch_init(void)
{
	return objtrace_watchpoint_init(start_cpu, stop_cpu);
}

/**
 * objtrace_watch_exit() - remove the callbacks for CPU hotplug
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_watch_exit(void)
{
	objtrace_watchpoint_exit();
}
