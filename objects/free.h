/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delete an object when the memory around the object is freed.
 */
#ifndef _OBJTRACE_FREE_H
#define _OBJTRACE_FREE_H

#include <linux/types.h>

struct ftrace_regs;

void objtrace_free_init(void);
int objtrace_free_start(void);
void objtrace_free_stop(void);
void objtrace_free_exit(void);
bool objtrace_free_has_entry(unsigned long ip);
void objtrace_free_entry(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_regs *fregs);

/* ftrace locations of the functions that call the tracepoints' probes.  Written at init only. */
extern unsigned long objtrace_free_iterators[2];

/**
 * objtrace_free_is_ours() - check for a function that runs because objtrace follows frees
 * @ip: ftrace location of the function
 *
 * Context: Any, NMI included.
 * Return: true if the function calls the probes of a free's tracepoint
 */
static inline bool objtrace_free_is_ours(unsigned long ip)
{
	return ip == objtrace_free_iterators[0] || ip == objtrace_free_iterators[1];
}

#endif /* _OBJTRACE_FREE_H */
