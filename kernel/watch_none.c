// SPDX-License-Identifier: GPL-2.0-only
/*
 * No watchpoints: the kernel has no events of perf for debug registers.
 */
#include <linux/errno.h>

#include "kernel/watch.h"

unsigned int objtrace_watchpoint_max(void)
{
	return 0;
}

bool objtrace_watchpoint_covers(unsigned long addr, unsigned int size)
{
	return false;
}

bool objtrace_watchpoint_allows(unsigned long addr, unsigned int size)
{
	return false;
}

bool objtrace_watchpoint_handles(const char *function)
{
	return false;
}

int objtrace_watchpoint_init(int (*online)(unsigned int cpu, struct hlist_node *node),
			     int (*offline)(unsigned int cpu, struct hlist_node *node))
{
	return 0;
}

void objtrace_watchpoint_exit(void)
{
}

int objtrace_watchpoint_get(struct objtrace_watchpoint *wp,
			    const struct objtrace_watchpoint_handlers *handlers)
{
	return -EOPNOTSUPP;
}

void objtrace_watchpoint_put(struct objtrace_watchpoint *wp)
{
}

int objtrace_watchpoint_online(struct objtrace_watchpoint *wp, unsigned int cpu)
{
	return -EOPNOTSUPP;
}

void objtrace_watchpoint_offline(struct objtrace_watchpoint *wp)
{
}

struct objtrace_watchpoint *objtrace_watchpoint_of(struct perf_event *event,
						   const struct pt_regs *regs, unsigned long *ip)
{
	return NULL;
}

void objtrace_watchpoint_stored(struct objtrace_watchpoint *wp, const struct pt_regs *regs,
				u64 id, unsigned long addr, unsigned int size,
				struct objtrace_stored *stored)
{
	*stored = (struct objtrace_stored){ .is_ignored = true };
}

bool objtrace_watchpoint_is_busy(const struct objtrace_watchpoint *wp)
{
	return false;
}

bool objtrace_watchpoint_aim(struct objtrace_watchpoint *wp, unsigned long addr,
			     unsigned int size)
{
	return false;
}

void objtrace_watchpoint_rest(struct objtrace_watchpoint *wp)
{
}
