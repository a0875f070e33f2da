/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The function that received an object, and the last value that objtrace read.
 */
#ifndef _OBJTRACE_PLACE_H
#define _OBJTRACE_PLACE_H

#include <linux/types.h>

#include "objtrace_fetch.h"

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
 * struct objtrace_last - the last value of an object, and its place
 * @how: OBJTRACE_CHANGE_*: whether a function or objtrace_add saw the value, or an instruction stored
 *	 it; or it is unknown: another CPU, or the interrupted code, was reading the value
 * @fault: why there is no value, or OBJTRACE_NO_FAULT
 * @value: the value, as in struct objtrace_sample
 * @place: the function entry that saw the value, for OBJTRACE_CHANGE_AFTER_CALL; the instruction,
 *	   for OBJTRACE_CHANGE_AFTER_STORE; else 0
 * @cpu: CPU that read the value
 * @ts: time of the read, by the instance's trace clock
 */
struct objtrace_last {
	u8			how;
	enum objtrace_fault	fault;
	u64			value;
	struct objtrace_place	place;
	unsigned int		cpu;
	u64			ts;
};

#endif /* _OBJTRACE_PLACE_H */
