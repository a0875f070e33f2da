/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A watched object, and a store to its member.
 */
#ifndef _OBJTRACE_STORE_H
#define _OBJTRACE_STORE_H

#include <linux/types.h>

struct objtrace_sample;

/**
 * struct objtrace_arming - the CPUs report stores to the member of an object
 * @object: the object
 * @id: number of the object
 * @window: time until the last CPU was armed, in ns
 * @cpus: number of CPUs that report stores: those without a free register do not
 */
struct objtrace_arming {
	unsigned long	object;
	u64		id;
	u64		window;
	unsigned int	cpus;
};

/**
 * struct objtrace_write - a store to the member of an object
 * @sample: the object and the new value
 * @old: the value before
 * @ip: address in the instruction that stored
 */
struct objtrace_write {
	const struct objtrace_sample	*sample;
	u64				old;
	unsigned long			ip;
};

#endif /* _OBJTRACE_STORE_H */
