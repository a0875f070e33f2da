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
 * until objtrace_changes_replace(), which the caller must call.
 * Return: the last value; NULL if another CPU, or the interrupted code, holds the lock
 */
struct objtrace_last *objtrace_changes_claim(const struct objtrace_slot *slot)
{
	struct change *c = change_of(slot);

	/* Pairs with the release in objtrace_changes_replace() */
	return cmpxchg_acquire(&c->busy, 0, 1) ? NULL : &c->last;
}

/**
 * objtrace_changes_replace() - replace the last value of an object and unlock it
 * @last: the locked value, from objtrace_changes_claim()
 * @tr: instance of the object's trigger
 * @sample: the new value
 * @place: the function whose entry or return read it, or the instruction that stored it
 * @how: OBJTRACE_CHANGE_AFTER_CALL for an entry, OBJTRACE_CHANGE_AFTER_RETURN for a return, or
 *	 OBJTRACE_CHANGE_AFTER_STORE
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
	struct change *c = container_of(last, struct change, last);
	struct objtrace_last now = look_at_sample(tr, sample);

	now.how = how;
	now.place = *place;
	*before = *last;
	*last = now;
	/* Pairs with the acquire in objtrace_changes_claim() */
	smp_store_release(&c->busy, 0);
	return before->fault != now.fault || before->value != now.value;
}
