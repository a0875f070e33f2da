// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last function and value of each object, see records/seen.h.  Writers never wait for
 * readers.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/percpu.h>

#include "kernel/percpu.h"
#include "objects/table.h"
#include "records/sample.h"
#include "records/seen.h"

/* Counters by enum objtrace_not_seen.  Each CPU increments its own, in any context */
static DEFINE_PER_CPU(atomic_long_t [OBJTRACE_NR_NOT_SEEN], not_seen);

/**
 * struct seen - where an object was seen last, and with which value
 * @where: address of the function, or 0 before the first function.  Its two highest bits, which
 *	   are set in all addresses of functions, hold enum objtrace_fault instead
 * @value: the value that was read last
 *
 * Written by every CPU that sees the object: function and value need not be of the same
 * moment.  A fault is in @where alone, and never changes @value.  A @where without a fault is
 * released after its value.
 */
struct seen {
	unsigned long	where;
	u64		value;
};

#define FAULT_SHIFT	(BITS_PER_LONG - 2)
#define FAULT_BITS	(3UL << FAULT_SHIFT)

/* One for each slot of the table.  Allocated at load, then constant */
static struct seen *seen;

static struct seen *seen_of(const struct objtrace_slot *slot)
{
	return &seen[slot - objtrace_table.slots];
}

/**
 * objtrace_seen_init() - allocate the last functions and values
 *
 * Context: task, module init, after objtrace_table_init().
 * Return: 0 or -ENOMEM
 */
int objtrace_seen_init(void)
{
	seen = kvcalloc(objtrace_table.slot_mask + 1UL, sizeof(*seen), GFP_KERNEL);
	return seen ? 0 : -ENOMEM;
}

/**
 * objtrace_seen_exit() - free the last functions and values
 *
 * Context: task, module exit, when nothing records or shows objects any more.
 */
void objtrace_seen_exit(void)
{
	kvfree(seen);
	seen = NULL;
}

/**
 * objtrace_seen_note() - store the last function and value of an object
 * @slot: slot of the object
 * @ip: ftrace location of the function that received the object; 0 when it is added
 * @sample: the value
 *
 * Context: any, NMI included; preemption disabled since the object was matched.
 */
void objtrace_seen_note(const struct objtrace_slot *slot, unsigned long ip,
			const struct objtrace_sample *sample)
{
	unsigned long fault = sample->fault;
	struct seen *s = seen_of(slot);

	if (!fault)
		WRITE_ONCE(s->value, sample->value);
	/* Pairs with the acquire in objtrace_seen_last(), which sees the value with its function */
	smp_store_release(&s->where, (ip & ~FAULT_BITS) | fault << FAULT_SHIFT);
}

/**
 * objtrace_seen_last() - read the last function and value of an object
 * @slot: slot of the object
 * @last: filled in
 *
 * Context: any, NMI included; preemption disabled since the object was matched.
 */
void objtrace_seen_last(const struct objtrace_slot *slot, struct objtrace_seen *last)
{
	const struct seen *s = seen_of(slot);
	/* Pairs with the release in objtrace_seen_note() */
	unsigned long where = smp_load_acquire(&s->where);

	last->ip = where & ~FAULT_BITS ? where | FAULT_BITS : 0;
	last->value = READ_ONCE(s->value);
	last->fault = where >> FAULT_SHIFT;
}

/**
 * objtrace_not_seen_count() - count a function entry, a free, an allocation or an event as skipped
 * @why: the reason
 *
 * Context: any, NMI and RCU not watching included.
 */
void objtrace_not_seen_count(enum objtrace_not_seen why)
{
	objtrace_percpu_inc(&not_seen[why]);
}

/**
 * objtrace_not_seen_nr() - read a counter of objtrace_not_seen_count()
 * @why: the reason
 *
 * Context: any, NMI included.
 * Return: the count
 */
unsigned long objtrace_not_seen_nr(enum objtrace_not_seen why)
{
	return objtrace_percpu_sum(&not_seen[why]);
}
