/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last function and value of each object, and counters of skipped function entries.
 */
#ifndef _OBJTRACE_SEEN_H
#define _OBJTRACE_SEEN_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include "objects/table.h"
#include "objtrace_fetch.h"
#include "records/sample.h"

/**
 * enum objtrace_not_seen - why something is skipped that may concern an object: the entry or the
 *			     return of a function, memory that is freed or allocated, or the
 *			     event of a trigger
 * @OBJTRACE_NOT_SEEN_OWN: objtrace itself called the function, or the tracepoint of a free did,
 *			   for objtrace
 * @OBJTRACE_NOT_SEEN_RCU: RCU is not watching, so the trigger may be freed
 * @OBJTRACE_NOT_SEEN_OFFLINE: the CPU comes up or goes offline, and grace periods do not wait
 *			       for the CPU, see objtrace_kernel_rcu_waits()
 * @OBJTRACE_NOT_SEEN_ENDED: a followed call returned, and its object was not tracked any more
 * @OBJTRACE_NR_NOT_SEEN: number of reasons
 */
enum objtrace_not_seen {
	OBJTRACE_NOT_SEEN_OWN,
	OBJTRACE_NOT_SEEN_RCU,
	OBJTRACE_NOT_SEEN_OFFLINE,
	OBJTRACE_NOT_SEEN_ENDED,
	OBJTRACE_NR_NOT_SEEN
};

/**
 * struct objtrace_seen - where an object was seen last, and with which value
 * @ip: ftrace location of the function that received it; 0 before the first function
 * @value: the value that was read last
 * @fault: why no value was read then, or OBJTRACE_NO_FAULT
 *
 * The function and the value can be of different moments, see below.
 */
struct objtrace_seen {
	unsigned long		ip;
	u64			value;
	enum objtrace_fault	fault;
};

void objtrace_seen_last(const struct objtrace_life *life, struct objtrace_seen *last);
void objtrace_not_seen_count(enum objtrace_not_seen why);
unsigned long objtrace_not_seen_nr(enum objtrace_not_seen why);

/*
 * The members @where and @value of struct objtrace_life:
 *
 * @where is the address of the function, or 0 before the first function.  Its two highest bits,
 * which are set in all addresses of functions, hold enum objtrace_fault instead.
 *
 * Every CPU that sees the object writes both: function and value need not be of the same moment.
 * A fault is in @where alone, and never changes @value.  A @where without a fault is released
 * after its value.
 */
#define OBJTRACE_FAULT_SHIFT	(BITS_PER_LONG - 2)
#define OBJTRACE_FAULT_BITS	(3UL << OBJTRACE_FAULT_SHIFT)

/**
 * objtrace_seen_note() - store the last function and value of an object
 * @life: life of the object
 * @ip: ftrace location of the function that received the object; 0 when it is added
 * @sample: the value
 *
 * Context: any, NMI included; preemption disabled since the object was matched.
 */
static __always_inline
void objtrace_seen_note(struct objtrace_life *life, unsigned long ip,
			const struct objtrace_sample *sample)
{
	unsigned long fault = sample->fault;

	if (!fault)
		WRITE_ONCE(life->value, sample->value);
	/* Pairs with the acquire in objtrace_seen_last(), which sees the value with its function */
	smp_store_release(&life->where, (ip & ~OBJTRACE_FAULT_BITS) | fault << OBJTRACE_FAULT_SHIFT);
}

#endif /* _OBJTRACE_SEEN_H */
