/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trampolines.  The kernel's code for traced functions saves all registers, and calls the callback
 * of the ftrace_ops.  A traced function calls a trampoline in place of that code.  The trampoline
 * looks up the argument registers in the Bloom filter.  Nearly all calls return then, without a
 * write to memory.  If a register passes the filter, the trampoline calls objtrace_fops_look(), as
 * the callbacks do.
 *
 * ftrace uses the trampoline of an ops if the function has no other ops.  With another ops, of a
 * kprobe, a tracer, BPF or a live patch, ftrace calls the callbacks of both.
 *
 * On arm64, a branch may be too short to reach the trampoline.  If the ops has the trampoline as
 * its direct call, the kernel's own trampoline jumps there.  A kernel without direct calls cannot
 * patch such a function, and ftrace would disable itself for ever.  In such a kernel, functions of
 * distant modules have an ops without a trampoline.  If the kernel's own text is distant from the
 * trampolines, objtrace uses no trampolines.
 */
#ifndef _OBJTRACE_TRAMP_H
#define _OBJTRACE_TRAMP_H

#include <linux/types.h>

struct ftrace_ops;

/* Trampolines that check the first register, the first two, the first three, and all registers */
#define OBJTRACE_NR_TRAMPS	4

/**
 * enum objtrace_path - the code that a function calls if no other tracer has the function
 * @OBJTRACE_PATH_TRAMPOLINE: objtrace's trampoline
 * @OBJTRACE_PATH_DIRECT_CALL: the kernel's code, which jumps to objtrace's trampoline before it
 *			       saves registers, because a branch does not reach the trampoline
 * @OBJTRACE_PATH_CALLBACK: the kernel's code, which saves all registers and calls the callback
 * @OBJTRACE_NR_PATHS: number of paths
 */
enum objtrace_path {
	OBJTRACE_PATH_TRAMPOLINE,
	OBJTRACE_PATH_DIRECT_CALL,
	OBJTRACE_PATH_CALLBACK,
	OBJTRACE_NR_PATHS
};

/* Assembly code that only traced functions call.  The argument registers do not change. */
void objtrace_tramp_small1(void);
void objtrace_tramp_small2(void);
void objtrace_tramp_small3(void);
void objtrace_tramp_small(void);
void objtrace_tramp_large1(void);
void objtrace_tramp_large2(void);
void objtrace_tramp_large3(void);
void objtrace_tramp_large(void);

void objtrace_tramp_init(bool wanted, unsigned int max_objects);
bool objtrace_tramp_is_alone(unsigned long ip);
void objtrace_tramp_set(struct ftrace_ops *ops, unsigned int nr);
const char *objtrace_tramp_why_not(void);
const char *objtrace_tramp_first_level(void);
enum objtrace_path objtrace_tramp_path(unsigned long ip);
const char *objtrace_tramp_path_name(enum objtrace_path path);

#endif /* _OBJTRACE_TRAMP_H */
