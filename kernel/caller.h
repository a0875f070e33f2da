/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caller of a function whose return address a tracer has replaced.
 *
 * To trace returns, the kernel replaces a function's return address with an address of its own
 * code, and saves the caller's address.  The address can be replaced before objtrace sees the
 * entry.  On arm64, a return probe replaces the address before ftrace runs.  On both
 * architectures, a function can be entered by the tail call of a followed function.
 */
#ifndef _OBJTRACE_CALLER_H
#define _OBJTRACE_CALLER_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "kernel/ksyms.h"
#include "objtrace_compat.h"

/* Replacement addresses of the function graph tracer and of return probes; 0 matches nothing */
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
 * struct objtrace_text - the address range of a function's code
 * @start: address of the first byte
 * @size: length in bytes
 */
struct objtrace_text {
	unsigned long	start;
	unsigned long	size;
};

unsigned long objtrace_caller_find(unsigned long now, const struct objtrace_text *inside,
				   unsigned int nr);

/**
 * objtrace_caller_is_hidden() - check for a tracer's replacement of a return address
 * @addr: return address of a function
 *
 * Context: Any, NMI included.
 * Return: true if the kernel has saved the caller's address somewhere else
 */
static __always_inline bool objtrace_caller_is_hidden(unsigned long addr)
{
	return addr && (addr == OBJTRACE_GRAPH_RETURN || addr == OBJTRACE_PROBE_RETURN);
}

/**
 * objtrace_caller_now() - read the current return address at a function's entry
 * @parent_ip: return address that ftrace passed to the callback
 * @fregs: registers that ftrace passed to the callback
 *
 * ftrace reads @parent_ip before it calls the first callback.  An earlier callback than
 * objtrace's may have replaced the address since.
 *
 * Context: ftrace callback, NMI included.
 * Return: the address, to be passed to objtrace_caller()
 */
static __always_inline unsigned long objtrace_caller_now(unsigned long parent_ip,
							 struct ftrace_regs *fregs)
{
	if (unlikely(objtrace_caller_is_hidden(parent_ip)))
		return objtrace_return_address(fregs);
	return parent_ip;
}

/**
 * objtrace_caller_beyond() - find the caller of a function that may have called others
 * @now: current return address of the function
 * @inside: candidates, one of which is the function
 * @nr: number of functions in @inside; 0 if the function has called no other function
 *
 * Context: Any, NMI included, in the context whose function returns to @now.
 * Return: an address in the caller; @now if the kernel has not saved an address
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
 * objtrace_caller() - find the caller of a function at its entry
 * @now: current return address, from objtrace_caller_now()
 *
 * Context: Any, NMI included, before the function calls another function.
 * Return: an address in the caller; @now if the kernel has not saved an address
 */
static __always_inline unsigned long objtrace_caller(unsigned long now)
{
	return objtrace_caller_beyond(now, NULL, 0);
}

#endif /* _OBJTRACE_CALLER_H */
