/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follow a call to its return.
 *
 * A return probe of the kernel (struct kretprobe) has a pool of entries, a stack of entries for
 * each task, and code that replaces a return address.  The unwinders of the kernel know that code.
 * objtrace registers a disabled return probe, which traces no function.  When a function is
 * entered that receives an object, objtrace calls the handler of the return probe.
 *
 * The kernel skips the entries of a return probe that is unregistered, and frees each entry when
 * its function returns or its task exits.  No code of the module runs for such an entry.
 */
#ifndef _OBJTRACE_RETURN_H
#define _OBJTRACE_RETURN_H

#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/types.h>

#include <asm/ftrace.h>

#include "objtrace_compat.h"

/*
 * Index in the arguments of objtrace_fops_look().  A trampoline has its own return address there,
 * and a callback has its struct ftrace_regs.
 */
#if defined(CONFIG_X86_64)
#define OBJTRACE_ARGS_LINK	(7 + (IS_ENABLED(CONFIG_FRAME_POINTER) ? 4 : 0))
#else
#define OBJTRACE_ARGS_LINK	11
#endif

/* Limit in bytes of the data of a followed call */
#define OBJTRACE_RETURN_DATA	96

/**
 * enum objtrace_followed - whether a call is followed to its return
 * @OBJTRACE_FOLLOWED: yes
 * @OBJTRACE_NOT_FOLLOWED_POOL: no: max_returns calls are followed already
 * @OBJTRACE_NOT_FOLLOWED_NMI: no: the function was entered in an NMI, in the handler of a probe,
 *	or in a debug exception of arm64, or the function handles the returns of followed calls
 * @OBJTRACE_NOT_FOLLOWED_SWITCH: no: the function switches to another task before it returns, or
 *	suspends the machine and may never return
 * @OBJTRACE_NR_FOLLOWED: number of values
 */
enum objtrace_followed {
	OBJTRACE_FOLLOWED,
	OBJTRACE_NOT_FOLLOWED_POOL,
	OBJTRACE_NOT_FOLLOWED_NMI,
	OBJTRACE_NOT_FOLLOWED_SWITCH,
	OBJTRACE_NR_FOLLOWED
};

int objtrace_return_start(kretprobe_handler_t returned, unsigned int most);
void objtrace_return_stop(void);
enum objtrace_followed objtrace_return_follow(unsigned long ip, const unsigned long *args,
					      const void *data, size_t size);
void *objtrace_return_next(struct llist_node **pos);
struct llist_node *objtrace_return_first(void);

#endif /* _OBJTRACE_RETURN_H */
