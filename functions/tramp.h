/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trampolines: what traced functions call in place of the kernel's code that saves all
 * registers and calls the callback of their ftrace_ops.  They look up the registers that
 * can hold an object in the filter, and return.  No more is done for nearly all calls;
 * nothing is saved, and no memory is written.  What passes the filter goes to
 * objtrace_fops_look(), as from the callbacks.
 *
 * ftrace uses the trampoline of an ops for a function as long as no other ops is there.
 * With another one, of a kprobe, a tracer, BPF or a live patch, it calls the callbacks of
 * both; these must do by themselves all that there is to do.
 *
 * Where a branch to the trampoline is too far arm64 jumps to it by way of its own
 * trampoline, if the ops names ours as the target of direct calls, too.  Kernels that
 * know no direct calls would have ftrace disable itself for ever: there functions of
 * modules so far away need an ops without a trampoline, and if the kernel is, all do.
 */
#ifndef _OBJTRACE_TRAMP_H
#define _OBJTRACE_TRAMP_H

#include <linux/types.h>

struct ftrace_ops;

/* Those for functions with objects in the first, two and three registers, and in any */
#define OBJTRACE_NR_TRAMPS	4

/**
 * enum objtrace_path - what a function calls that is traced by nothing else
 * @OBJTRACE_PATH_TRAMPOLINE: a trampoline of ours
 * @OBJTRACE_PATH_DIRECT_CALL: the kernel's code, which jumps to a trampoline of ours
 *			       before it saves anything: the function is too far away
 * @OBJTRACE_PATH_CALLBACK: the kernel's code, which calls the callback of the ftrace_ops
 * @OBJTRACE_NR_PATHS: how many there are
 */
enum objtrace_path {
	OBJTRACE_PATH_TRAMPOLINE,
	OBJTRACE_PATH_DIRECT_CALL,
	OBJTRACE_PATH_CALLBACK,
	OBJTRACE_NR_PATHS
};

/* In assembly, and called by traced functions alone: they change none of their arguments */
void objtrace_tramp_small1(void);
void objtrace_tramp_small2(void);
void objtrace_tramp_small3(void);
void objtrace_tramp_small(void);
void objtrace_tramp_large1(void);
void objtrace_tramp_large2(void);
void objtrace_tramp_large3(void);
void objtrace_tramp_large(void);

void objtrace_tramp_init(bool wanted);
bool objtrace_tramp_is_alone(unsigned long ip);
void objtrace_tramp_set(struct ftrace_ops *ops, unsigned int nr, unsigned long marks);
const char *objtrace_tramp_why_not(void);
const char *objtrace_tramp_asks(unsigned long marks);
enum objtrace_path objtrace_tramp_path(unsigned long ip);
const char *objtrace_tramp_path_name(enum objtrace_path path);

#endif /* _OBJTRACE_TRAMP_H */
