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
 * @offset: bytes from the start of the object to the argument's address
 * @arg: number of the argument, counted from 1
 * @is_sure: the prototype of the function is known and has this argument
 */
struct objtrace_place {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	offset;
	u8		arg;
	bool		is_sure;
};

/**
 * struct objtrace_last - the last value of an object, and its place
 * @how: OBJTRACE_CHANGE_*: whether a function or objtrace_add saw the value, or an instruction stored
 *	 it; or it is unknown: another CPU, or the interrupted code, was reading the value
 * @unsure: for OBJTRACE_CHANGE_WITHIN: a function that @place called may have changed the value
 * @is_foreseen: for OBJTRACE_CHANGE_AFTER_STORE: the CPU may still have to store @value
 * @fault: why there is no value, or OBJTRACE_NO_FAULT: an enum objtrace_fault
 * @cpu: CPU that read the value
 * @value: the value, as in struct objtrace_sample
 * @old: the value before the store, only if @is_foreseen
 * @place: the call that saw the value; the instruction, for OBJTRACE_CHANGE_AFTER_STORE; 0 for
 *	   OBJTRACE_CHANGE_AFTER_ADD and OBJTRACE_CHANGE_UNKNOWN
 * @ts: time of the read, by the instance's trace clock
 */
struct objtrace_last {
	u8			how;
	bool			unsure;
	bool			is_foreseen;
	u8			fault;
	unsigned int		cpu;
	u64			value;
	u64			old;
	struct objtrace_place	place;
	u64			ts;
};

/**
 * struct objtrace_returned - the return of a function that received an object
 * @old: the value at the entry, as in struct objtrace_sample
 * @old_fault: why there was no value, or OBJTRACE_NO_FAULT
 * @ret: the register with the return value
 * @unsure: as in struct objtrace_last
 */
struct objtrace_returned {
	u64			old;
	enum objtrace_fault	old_fault;
	unsigned long		ret;
	bool			unsure;
};

#endif /* _OBJTRACE_PLACE_H */
