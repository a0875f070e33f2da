/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample is an object and its value at one moment.
 */
#ifndef _OBJTRACE_SAMPLE_H
#define _OBJTRACE_SAMPLE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "kernel/memory.h"
#include "kernel/percpu.h"
#include "objtrace_fetch.h"
#include "records/tally.h"

/**
 * struct objtrace_sample - an object and the value of its member at one moment
 * @object: the object
 * @id: number of the object, never reused, unlike its address
 * @fetch: how to read and show the value
 * @value: the value, extended to 64 bits by its sign if it has one; 0 if @fault
 * @fault: why there is no value, or OBJTRACE_NO_FAULT
 */
struct objtrace_sample {
	unsigned long			object;
	u64				id;
	const struct objtrace_fetch	*fetch;
	u64				value;
	enum objtrace_fault		fault;
};

enum objtrace_fault objtrace_sample_follow(const struct objtrace_fetch *fetch,
					   unsigned long *addr);
void objtrace_sample_read(const struct objtrace_fetch *fetch,
			  struct objtrace_tallies __percpu *tally,
			  struct objtrace_sample *sample);

/**
 * objtrace_sample_take() - read the value of an object
 * @fetch: how to get from the object to the value
 * @tally: the counters of the trigger; a fault is counted there
 * @object: the object
 * @id: number of the object
 *
 * Takes one read for each pointer on the way, and one read of exactly the bytes of the type.
 * All reads are of the kernel's RAM.  A value that is not read is recorded as a fault or as
 * device memory, never as a number.
 *
 * Context: any, NMI included.
 * Return: the object and its value
 */
static __always_inline
struct objtrace_sample objtrace_sample_take(const struct objtrace_fetch *fetch,
					    struct objtrace_tallies __percpu *tally,
					    unsigned long object, u64 id)
{
	unsigned long addr = object + fetch->offset[0];
	enum objtrace_fault fault = OBJTRACE_NO_FAULT;
	u64 value;

	if (fetch->nr != 1)
		fault = objtrace_sample_follow(fetch, &addr);
	if (likely(!fault))
		fault = objtrace_memory_read(addr, fetch->size, &value);
	if (likely(!fault)) {
		value = objtrace_fetch_value(fetch, value);
	} else {
		value = 0;
		objtrace_percpu_inc(&tally->nr[fault == OBJTRACE_FAULT_IO ? OBJTRACE_TALLY_IO :
							OBJTRACE_TALLY_FAULTS]);
	}
	/* Initialize all members at once: else the compiler clears the whole struct first */
	return (struct objtrace_sample){
		.object = object, .id = id, .fetch = fetch, .value = value, .fault = fault,
	};
}

/**
 * objtrace_sample_quick() - read the usual value of an object: in the linear map, without pointers
 *			     on the way
 * @fetch: how to get from the object to the value
 * @object: the object
 * @value: receives the value; only on success
 *
 * For the hot path: without a call.
 *
 * Context: any, NMI included.
 * Return: false if objtrace_sample_take() has to read the value
 */
static __always_inline bool objtrace_sample_quick(const struct objtrace_fetch *fetch,
						  unsigned long object, u64 *value)
{
	unsigned long addr = object + fetch->offset[0];
	u64 raw;

	if (fetch->nr != 1 || !objtrace_memory_is_linear(addr) ||
	    !objtrace_memory_load(addr, fetch->size, &raw))
		return false;
	*value = likely(fetch->is_raw) ? raw : objtrace_fetch_value(fetch, raw);
	return true;
}

#endif /* _OBJTRACE_SAMPLE_H */
