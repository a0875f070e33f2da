/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hardware watchpoints: one debug register of each CPU reports the stores to a few bytes.
 *
 * The kernel exports functions that allocate a debug register, but no function that moves a
 * register to another address in any context.  So a watchpoint is an event of perf for each CPU,
 * and this file takes the event out of its register and puts the event back, for other bytes.
 * Each CPU does so for itself.
 *
 * An idle watchpoint watches a word of its own, that only the self test writes.
 */
#ifndef _OBJTRACE_WATCH_KERNEL_H
#define _OBJTRACE_WATCH_KERNEL_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/types.h>

struct pt_regs;

/**
 * struct objtrace_watchpoint - one debug register of each CPU
 * @events: perf's event of each CPU; NULL while the CPU is not online, or has no free register.
 *	    Written by the CPU itself with interrupts disabled, read by the CPU itself
 * @handler: perf calls this function for each store.  It calls objtrace_watchpoint_of() first
 * @node: entry in the kernel's list for CPU hotplug
 * @is_set: true after objtrace_watchpoint_get().  Written by that function
 * @tested: the CPU that is being tested reported a store to @idle.  Written by that CPU
 * @nr_missing: CPUs that came up and had no free register.  Written by the callbacks of CPU
 *		hotplug, which the kernel calls one after the other
 * @idle: the word that the watchpoint watches while it has no other target
 */
struct objtrace_watchpoint {
	struct perf_event * __percpu	*events;
	perf_overflow_handler_t		handler;
	struct hlist_node		node;
	bool				is_set;
	bool				tested;
	unsigned int			nr_missing;
	u64				idle;
};

int objtrace_watchpoint_init(int (*online)(unsigned int cpu, struct hlist_node *node),
			     int (*offline)(unsigned int cpu, struct hlist_node *node));
void objtrace_watchpoint_exit(void);
unsigned int objtrace_watchpoint_max(void);
bool objtrace_watchpoint_covers(unsigned long addr, unsigned int size);
bool objtrace_watchpoint_allows(unsigned long addr, unsigned int size);

int objtrace_watchpoint_get(struct objtrace_watchpoint *wp, perf_overflow_handler_t handler);
void objtrace_watchpoint_put(struct objtrace_watchpoint *wp);
int objtrace_watchpoint_online(struct objtrace_watchpoint *wp, unsigned int cpu);
void objtrace_watchpoint_offline(struct objtrace_watchpoint *wp);
struct objtrace_watchpoint *objtrace_watchpoint_of(struct perf_event *event,
						   const struct pt_regs *regs, unsigned long *ip);
bool objtrace_watchpoint_is_busy(const struct objtrace_watchpoint *wp);
void objtrace_watchpoint_aim(struct objtrace_watchpoint *wp, unsigned long addr,
			     unsigned int size);
void objtrace_watchpoint_rest(struct objtrace_watchpoint *wp);

#endif /* _OBJTRACE_WATCH_KERNEL_H */
