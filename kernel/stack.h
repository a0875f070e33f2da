/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stack traces that begin above objtrace's own functions, and the kernel's stack record.
 */
#ifndef _OBJTRACE_STACK_H
#define _OBJTRACE_STACK_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "kernel/layout.h"

struct pt_regs;
struct trace_array;
struct trace_buffer;

/**
 * objtrace_kernel_flags_at() - find the options of an instance
 * @tr: the instance
 *
 * The member has 32 or 64 bits, depending on the kernel.  More members follow it.
 *
 * Context: Any, NMI included.
 * Return: the address of the member with the options, valid as long as the instance exists
 */
static inline const u64 *objtrace_kernel_flags_at(struct trace_array *tr)
{
	return &objtrace_private(tr, const u64, objtrace_layout.instance.trace_flags);
}

/**
 * objtrace_kernel_adds_stacks() - check for options that add a stack trace to each record
 * @flags: the options, read from objtrace_kernel_flags_at()
 *
 * Context: Any, NMI included.
 * Return: true if options/stacktrace or options/userstacktrace is set
 */
static __always_inline bool objtrace_kernel_adds_stacks(u64 flags)
{
	return flags & objtrace_layout.stack_options;
}

/**
 * objtrace_kernel_adds_kernel_stack() - check for the option that adds a kernel stack
 * @flags: the options, read from objtrace_kernel_flags_at()
 *
 * Context: Any, NMI included.
 * Return: true if options/stacktrace is set
 */
static inline bool objtrace_kernel_adds_kernel_stack(u64 flags)
{
	return flags & objtrace_layout.stacktrace_option;
}

/* All entries of a stack for objtrace_kernel_write_stack(); a record must fit into one page */
#define OBJTRACE_WHOLE_STACK	480

void objtrace_kernel_stack_start(struct pt_regs *regs, unsigned long ip);
void objtrace_kernel_perf_start(struct pt_regs *regs);
void objtrace_kernel_write_stack(struct trace_buffer *buffer, unsigned int context,
				 struct pt_regs *regs, unsigned int max);

#endif /* _OBJTRACE_STACK_H */
