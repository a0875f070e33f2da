/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who called a function, where what it returns to does not tell: to see functions return
 * the kernel lets them return to code of its own, and keeps the addresses of callers
 * somewhere else.  A function can find that in its return address already when it is
 * entered: on arm64 if it has a return probe, which is hooked in front of ftrace; and
 * anywhere if whoever is traced that way has jumped to it as its last act.
 */
#ifndef _OBJTRACE_CALLER_H
#define _OBJTRACE_CALLER_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "kernel/ksyms.h"
#include "objtrace_compat.h"

/* The code of the function graph tracer and of return probes; nothing returns to 0 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
#define OBJTRACE_GRAPH_RETURN	ksym_addr(return_to_handler)
#else
#define OBJTRACE_GRAPH_RETURN	0UL
#endif
#if defined(CONFIG_KRETPROBE_ON_RETHOOK)
#define OBJTRACE_PROBE_RETURN	ksym_addr(arch_rethook_trampoline)
#elif defined(CONFIG_KRETPROBES)
#define OBJTRACE_PROBE_RETURN	ksym_addr(__kretprobe_trampoline)
#else
#define OBJTRACE_PROBE_RETURN	0UL
#endif

/**
 * struct objtrace_text - the code of a function
 * @start: its first byte
 * @size: how long it is
 */
struct objtrace_text {
	unsigned long	start;
	unsigned long	size;
};

unsigned long objtrace_caller_find(unsigned long now, const struct objtrace_text *inside,
				   unsigned int nr);

/**
 * objtrace_caller_is_hidden() - tell whether an address stands for that of a caller
 * @addr: what a function returns to
 *
 * Context: any.
 * Return: true if the caller's is kept somewhere else
 */
static __always_inline bool objtrace_caller_is_hidden(unsigned long addr)
{
	return addr && (addr == OBJTRACE_GRAPH_RETURN || addr == OBJTRACE_PROBE_RETURN);
}

/**
 * objtrace_caller_now() - tell what to ask objtrace_caller() about a function that is
 *			   entered
 * @parent_ip: what ftrace said that it returns to
 * @fregs: what ftrace gave to the callback
 *
 * ftrace had asked before it called any callback.  One that was called before ours may
 * have hidden the caller, or hidden it once more.
 *
 * Context: ftrace callback, any.
 * Return: the caller, or what the function returns to now
 */
static __always_inline unsigned long objtrace_caller_now(unsigned long parent_ip,
							 struct ftrace_regs *fregs)
{
	if (unlikely(objtrace_caller_is_hidden(parent_ip)))
		return objtrace_return_address(fregs);
	return parent_ip;
}

/**
 * objtrace_caller_beyond() - tell where the caller of a function goes on that may have
 *			      called what calls us
 * @now: what the function returns to now, or the answer
 * @inside: functions of which that is one
 * @nr: how many; 0 if it has called nothing yet
 *
 * Context: any, NMI included; @now is that of the same context.
 * Return: an address in the caller; @now if the kernel does not know one
 */
static __always_inline
unsigned long objtrace_caller_beyond(unsigned long now,
				     const struct objtrace_text *inside, unsigned int nr)
{
	if (unlikely(objtrace_caller_is_hidden(now)))
		return objtrace_caller_find(now, inside, nr);
	return now;
}

/**
 * objtrace_caller() - tell where the caller of a function that is entered goes on
 * @now: what the function returns to now, or the answer
 *
 * Context: any, NMI included; before the function itself calls any other.
 * Return: as objtrace_caller_beyond()
 */
static __always_inline unsigned long objtrace_caller(unsigned long now)
{
	return objtrace_caller_beyond(now, NULL, 0);
}

#endif /* _OBJTRACE_CALLER_H */
