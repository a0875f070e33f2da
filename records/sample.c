// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading the values of objects, see records/sample.h.
 */
#include <linux/types.h>

#include "kernel/memory.h"
#include "objtrace_fetch.h"
#include "records/sample.h"

/**
 * objtrace_sample_follow() - follow all pointers to the address of a value
 * @fetch: how to get from the object to the value
 * @addr: address of the first pointer; on success set to the address of the value
 *
 * Context: any, NMI included.
 * Return: OBJTRACE_NO_FAULT, or why a pointer is not read
 */
enum objtrace_fault objtrace_sample_follow(const struct objtrace_fetch *fetch,
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

/**
 * objtrace_sample_read() - read the value of an object, out of line
 * @fetch: how to get from the object to the value
 * @tally: the counters of the trigger
 * @sample: the object; the value is stored here
 *
 * Does the same as objtrace_sample_take(), for callers that are not on the hot path.
 *
 * Context: any, NMI included.
 */
void objtrace_sample_read(const struct objtrace_fetch *fetch,
			  struct objtrace_tallies __percpu *tally,
			  struct objtrace_sample *sample)
{
	*sample = objtrace_sample_take(fetch, tally, sample->object, sample->id);
}
