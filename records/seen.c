// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last function and value of each object, see records/seen.h.  Writers never wait for
 * readers.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/percpu.h>

#include "kernel/percpu.h"
#include "objects/table.h"
#include "records/sample.h"
#include "records/seen.h"

/* Counters by enum objtrace_not_seen.  Each CPU increments its own, in any context */
static DEFINE_PER_CPU(atomic_long_t [OBJTRACE_NR_NOT_SEEN], not_seen);

/**
 * objtrace_seen_last() - read the last function and value of an object
 * @life: life of the object
 * @last: filled in
 *
 * Context: any, NMI included; preemption disabled since the object was matched.
 */
void objtrace_seen_last(const struct objtrace_life *life, struct objtrace_seen *last)
{
	/* Pairs with the release in objtrace_seen_note() */
	unsigned long where = smp_load_acquire(&life->where);

	last->ip = where & ~OBJTRACE_FAULT_BITS ? where | OBJTRACE_FAULT_BITS : 0;
	last->value = READ_ONCE(life->value);
	last->fault = where >> OBJTRACE_FAULT_SHIFT;
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
