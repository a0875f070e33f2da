// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was seen last of each object's value, see records/changes.h.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/smp.h>

#include "kernel/event.h"
#include "objects/table.h"
#include "objtrace_fetch.h"
#include "records/changes.h"
#include "records/record.h"
#include "records/sample.h"

/**
 * struct change - what was seen last of the object in one slot of the table
 * @last: it.  Written by the adder before the object is published, then by who has
 *	  claimed it
 * @busy: 1 while somebody has claimed it, with cmpxchg
 */
struct change {
	struct objtrace_last	last;
	int			busy;
};

/* One for each slot; allocated for the first trigger that needs it, then constant */
static struct change *changes;

static struct change *change_of(const struct objtrace_slot *slot)
{
	return &changes[slot - objtrace_table.slots];
}

/**
 * objtrace_changes_init() - provide memory for what is seen last
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
 * objtrace_changes_exit() - free that memory
 *
 * Context: task, when nothing can reach the table any more.
 */
void objtrace_changes_exit(void)
{
	kvfree(changes);
	changes = NULL;
}

static enum objtrace_last_state state_of_sample(const struct objtrace_sample *sample)
{
	switch (sample->fault) {
	case OBJTRACE_NO_FAULT:
		return OBJTRACE_LAST_VALUE;
	case OBJTRACE_FAULT_IO:
		return OBJTRACE_LAST_IO;
	default:
		return OBJTRACE_LAST_FAULT;
	}
}

static struct objtrace_last look_at_sample(struct trace_array *tr,
					   const struct objtrace_sample *sample)
{
	return (struct objtrace_last){
		.state	= state_of_sample(sample),
		.value	= sample->value,
		.cpu	= raw_smp_processor_id(),
		.ts	= objtrace_kernel_clock(tr),
	};
}

/**
 * objtrace_changes_start() - an object is added
 * @slot: the object's, not published yet
 * @tr: the instance that has its records
 * @sample: what is seen of it
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
 * objtrace_changes_claim() - begin to look at an object's value
 * @slot: the object's
 *
 * The value has to be read while this is claimed: else of two CPUs the one with the
 * older value could come last.
 *
 * Context: any, NMI included; preemption disabled since the object was matched and
 * until objtrace_changes_replace(), which the caller owes.
 * Return: what was seen last; NULL if it is claimed, maybe by what we interrupt
 */
struct objtrace_last *objtrace_changes_claim(const struct objtrace_slot *slot)
{
	struct change *c = change_of(slot);

	/* Pairs with the release in objtrace_changes_replace() */
	return cmpxchg_acquire(&c->busy, 0, 1) ? NULL : &c->last;
}

/**
 * objtrace_changes_replace() - an object's value was looked at
 * @last: from objtrace_changes_claim()
 * @tr: the instance that has the object's records
 * @sample: what was seen of it
 * @place: where
 * @before: what was seen the time before is stored here
 *
 * Context: as objtrace_changes_claim().
 * Return: whether that was different
 */
bool objtrace_changes_replace(struct objtrace_last *last, struct trace_array *tr,
			      const struct objtrace_sample *sample,
			      const struct objtrace_place *place,
			      struct objtrace_last *before)
{
	struct change *c = container_of(last, struct change, last);
	struct objtrace_last now = look_at_sample(tr, sample);

	now.ip = place->ip;
	now.parent_ip = place->parent_ip;
	*before = *last;
	*last = now;
	/* Pairs with the acquire in objtrace_changes_claim() */
	smp_store_release(&c->busy, 0);
	return before->state != now.state || before->value != now.value;
}
