// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last value of each object, see records/changes.h.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/smp.h>

#include "kernel/event.h"
#include "objects/table.h"
#include "objtrace_event.h"
#include "objtrace_fetch.h"
#include "records/changes.h"
#include "records/place.h"
#include "records/sample.h"

/**
 * struct change - the last value of the object in one slot of the table
 * @last: the value and its place.  Written by the adder before the object is published, then by
 *	  the CPU that set @busy
 * @busy: 1 while a CPU reads the value and replaces @last.  Set with cmpxchg
 *
 * One cache line for each slot.  CPUs share the line if they hit the same object.
 */
struct change {
	struct objtrace_last	last;
	int			busy;
} __aligned(64);

static_assert(sizeof(struct change) == 64);

/* One for each slot; allocated for the first trigger that needs it, then constant */
static struct change *changes;

static struct change *change_of(const struct objtrace_slot *slot)
{
	return &changes[slot - objtrace_table.slots];
}

/**
 * objtrace_changes_init() - allocate the last values for the first trigger that needs them
 *
 * Context: task, event_mutex held.
 * Return: 0 or -ENOMEM
 */
int objtrace_changes_init(void)
{
	if (!changes)
		changes = kvcalloc(objtrace_table.slot_mask + 1UL, sizeof(*changes),
				   GFP_KERNEL);
	return changes ? 0 : -ENOMEM;
}

/**
 * objtrace_changes_exit() - free the last values
 *
 * Context: task, when nothing can reach the table any more.
 */
void objtrace_changes_exit(void)
{
	kvfree(changes);
	changes = NULL;
}

static struct objtrace_last look_at_sample(struct trace_array *tr,
					   const struct objtrace_sample *sample)
{
	return (struct objtrace_last){
		.how	= OBJTRACE_CHANGE_AFTER_ADD,
		.fault	= sample->fault,
		.value	= sample->value,
		.cpu	= raw_smp_processor_id(),
		.ts	= objtrace_kernel_clock(tr),
	};
}

/**
 * objtrace_changes_start() - store the first value of an object
 * @slot: slot of the object, not published yet
 * @tr: instance of the object's trigger
 * @sample: the value
 *
 * Context: any, NMI included; preemption disabled.
 */
void objtrace_changes_start(const struct objtrace_slot *slot, struct trace_array *tr,
			    const struct objtrace_sample *sample)
{
	struct change *c = change_of(slot);

	c->last = look_at_sample(tr, sample);
	c->busy = 0;
}

/**
 * objtrace_changes_claim() - lock the last value of an object
 * @slot: slot of the object
 *
 * The caller must read the new value under this lock.  Otherwise the CPU that reads first could
 * store its older value last.
 *
 * Context: any, NMI included; preemption disabled since the object was matched and
 * until objtrace_changes_replace() or objtrace_changes_store(), one of which the caller must call.
 * Return: the last value; NULL if another CPU, or the interrupted code, holds the lock
 */
struct objtrace_last *objtrace_changes_claim(const struct objtrace_slot *slot)
{
	struct change *c = change_of(slot);

	/* Pairs with the release in store_last() */
	return cmpxchg_acquire(&c->busy, 0, 1) ? NULL : &c->last;
}

static void store_last(struct objtrace_last *last, const struct objtrace_last *now)
{
	struct change *c = container_of(last, struct change, last);

	*last = *now;
	/* Pairs with the acquire in objtrace_changes_claim() */
	smp_store_release(&c->busy, 0);
}

/* The CPU that reported a store has not stored the value yet */
static bool is_store_to_come(const struct objtrace_last *last,
			     const struct objtrace_sample *sample)
{
	return last->is_foreseen && !sample->fault && sample->value == last->old;
}

/**
 * objtrace_changes_replace() - replace the last value of an object and unlock it
 * @last: the locked value, from objtrace_changes_claim()
 * @tr: instance of the object's trigger
 * @sample: the new value
 * @place: the function whose entry or return read it
 * @how: OBJTRACE_CHANGE_AFTER_CALL for an entry, or OBJTRACE_CHANGE_AFTER_RETURN for a return
 * @before: set to the old value
 *
 * Context: any, NMI included; preemption disabled since objtrace_changes_claim().
 * Return: true if the value changed
 */
bool objtrace_changes_replace(struct objtrace_last *last, struct trace_array *tr,
			      const struct objtrace_sample *sample,
			      const struct objtrace_place *place, unsigned int how,
			      struct objtrace_last *before)
{
	struct objtrace_last now = look_at_sample(tr, sample);

	now.how = how;
	now.place = *place;
	*before = *last;
	if (is_store_to_come(last, sample))
		now = *last;
	store_last(last, &now);
	return before->fault != now.fault || before->value != now.value;
}

/**
 * objtrace_changes_store() - replace the last value of an object by a stored value and unlock it
 * @last: the locked value, from objtrace_changes_claim()
 * @tr: instance of the object's trigger
 * @sample: the stored value
 * @ip: code of the store
 * @old: the value before the store, if the store may not be executed yet; NULL otherwise
 *
 * Until the CPU has executed the store, functions on other CPUs and in interrupts read @old.
 *
 * Context: any, NMI included; preemption disabled since objtrace_changes_claim().
 */
void objtrace_changes_store(struct objtrace_last *last, struct trace_array *tr,
			    const struct objtrace_sample *sample, unsigned long ip,
			    const u64 *old)
{
	struct objtrace_last now = look_at_sample(tr, sample);

	now.how = OBJTRACE_CHANGE_AFTER_STORE;
	now.place.ip = ip;
	now.is_foreseen = old;
	now.old = old ? *old : 0;
	store_last(last, &now);
}
