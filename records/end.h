/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of an object, and the address of a freed object that a function received.
 */
#ifndef _OBJTRACE_END_H
#define _OBJTRACE_END_H

#include <linux/types.h>

struct objtrace_fetch;

/**
 * struct objtrace_end - the end of an object
 * @object: the object
 * @id: number of the object
 * @hits: how many function entries received the object
 * @age: how long the object was tracked, by the instance's trace clock
 * @ip: address in the function that freed the memory, for OBJTRACE_DEL_FREE; else 0
 * @by: ftrace location of the last function that received the object, for OBJTRACE_DEL_FREE; 0 if
 *	no function received the object
 * @reason: OBJTRACE_DEL_*
 */
struct objtrace_end {
	unsigned long	object;
	u64		id;
	unsigned long	hits;
	u64		age;
	unsigned long	ip;
	unsigned long	by;
	unsigned int	reason;
};

/**
 * struct objtrace_hint - a freed object whose address a function received
 * @object: the object
 * @id: number of the object
 * @age: time since the free, by the instance's trace clock
 * @freed_by: address in the function that freed the memory
 * @fetch: the type of the object
 */
struct objtrace_hint {
	unsigned long			object;
	u64				id;
	u64				age;
	unsigned long			freed_by;
	const struct objtrace_fetch	*fetch;
};

#endif /* _OBJTRACE_END_H */
