/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The function that received an object, and the last value that objtrace read.
 */
#ifndef _OBJTRACE_PLACE_H
#define _OBJTRACE_PLACE_H

#include <linux/types.h>

/**
 * struct objtrace_place - the function and the argument that received an object
 * @ip: ftrace location of the function
 * @parent_ip: return address in the caller
 * @arg: number of the argument, counted from 1
 * @offset: bytes from the start of the object to the argument's address
 * @is_sure: the prototype of the function is known and has this argument
 */
struct objtrace_place {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	arg;
	unsigned int	offset;
	bool		is_sure;
};

/**
 * enum objtrace_last_state - whether the last value of an object is known
 * @OBJTRACE_LAST_VALUE: known
 * @OBJTRACE_LAST_FAULT: the value could not be read
 * @OBJTRACE_LAST_UNKNOWN: unknown: another CPU, or the interrupted code, was reading the value
 * @OBJTRACE_LAST_IO: the value is in device memory
 */
enum objtrace_last_state {
	OBJTRACE_LAST_VALUE,
	OBJTRACE_LAST_FAULT,
	OBJTRACE_LAST_UNKNOWN,
	OBJTRACE_LAST_IO,
};

/**
 * struct objtrace_last - the last value of an object, and its place
 * @state: enum objtrace_last_state
 * @value: the value, as in struct objtrace_sample
 * @ip: ftrace location of the function that received the object; 0 if the value is from when the
 *	object was added
 * @parent_ip: return address in the caller
 * @cpu: CPU that read the value
 * @ts: time of the read, by the instance's trace clock
 *
 * All members have one size: the record objtrace_value has them as an array of u64.
 */
struct objtrace_last {
	u64	state;
	u64	value;
	u64	ip;
	u64	parent_ip;
	u64	cpu;
	u64	ts;
};

#endif /* _OBJTRACE_PLACE_H */
