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

#include "objtrace_fetch.h"

struct bpf_insn;
struct pt_regs;

/* Bits of the number of reports that a watchpoint remembers: one for a few tasks each */
#define OBJTRACE_WATCHPOINT_REPORT_BITS	6

/**
 * struct objtrace_watchpoint_handlers - the function that perf calls for each store
 * @perf: as the handler of an event
 * @bpf: as the BPF program of an event; NULL on x86-64
 *
 * OBJTRACE_WATCHPOINT_HANDLERS() defines both.
 */
struct objtrace_watchpoint_handlers {
	perf_overflow_handler_t	perf;
	unsigned int		(*bpf)(const void *ctx, const struct bpf_insn *insns);
};

/* Define handlers that call handle(event, regs), which calls objtrace_watchpoint_of() first */
#define OBJTRACE_WATCHPOINT_PERF(handle)						\
static void handle##_perf(struct perf_event *event, struct perf_sample_data *data,	\
			  struct pt_regs *regs)						\
{											\
	handle(event, regs);								\
}

#ifdef CONFIG_ARM64
#define OBJTRACE_WATCHPOINT_HANDLERS(name, handle)					\
OBJTRACE_WATCHPOINT_PERF(handle)							\
static unsigned int handle##_bpf(const void *ctx, const struct bpf_insn *insns)		\
{											\
	const struct bpf_perf_event_data_kern *data = ctx;				\
											\
	/* The first member of struct pt_regs are the registers that BPF shows */	\
	handle(data->event, (const struct pt_regs *)data->regs);			\
	return 0;									\
}											\
static const struct objtrace_watchpoint_handlers name = { handle##_perf, handle##_bpf }
#else
#define OBJTRACE_WATCHPOINT_HANDLERS(name, handle)					\
OBJTRACE_WATCHPOINT_PERF(handle)							\
static const struct objtrace_watchpoint_handlers name = { handle##_perf }
#endif

/**
 * struct objtrace_stored - the watched bytes at a store
 * @old: the bytes before the store, only if @has_old
 * @new: the bytes after the store, only without @fault
 * @fault: why @new is not known, or OBJTRACE_NO_FAULT
 * @has_old: @old is known
 * @is_ignored: no store to the watched bytes, or a second report of the same store
 * @must_rest: the instruction fails for ever while the CPU watches these bytes
 */
struct objtrace_stored {
	u64			old;
	u64			new;
	enum objtrace_fault	fault;
	bool			has_old;
	bool			is_ignored;
	bool			must_rest;
};

/**
 * struct objtrace_watchpoint - one debug register of each CPU
 * @events: perf's event of each CPU; NULL while the CPU is not online, or has no free register.
 *	    Written by the CPU itself with interrupts disabled, read by the CPU itself
 * @handlers: the functions that perf calls for each store
 * @node: entry in the kernel's list for CPU hotplug
 * @tested: the CPU that is being tested reported a store to @idle.  Written by that CPU
 * @nr_missing: CPUs that came up and had no free register.  Written by the callbacks of CPU
 *		hotplug, which the kernel calls one after the other
 * @idle: the word that the watchpoint watches while it has no other target
 * @reports: the last reports of a few tasks, on arm64: see is_second_report().  Replaced with xchg
 *	     by the handler
 */
struct objtrace_watchpoint {
	struct perf_event * __percpu	*events;
	const struct objtrace_watchpoint_handlers *handlers;
	struct hlist_node		node;
	bool				tested;
	unsigned int			nr_missing;
	u64				idle;
#ifdef CONFIG_ARM64
	u64				reports[1 << OBJTRACE_WATCHPOINT_REPORT_BITS];
#endif
};

int objtrace_watchpoint_init(int (*online)(unsigned int cpu, struct hlist_node *node),
			     int (*offline)(unsigned int cpu, struct hlist_node *node));
void objtrace_watchpoint_exit(void);
unsigned int objtrace_watchpoint_max(void);
bool objtrace_watchpoint_covers(unsigned long addr, unsigned int size);
bool objtrace_watchpoint_allows(unsigned long addr, unsigned int size);
bool objtrace_watchpoint_handles(const char *function);

int objtrace_watchpoint_get(struct objtrace_watchpoint *wp,
			    const struct objtrace_watchpoint_handlers *handlers);
void objtrace_watchpoint_put(struct objtrace_watchpoint *wp);
int objtrace_watchpoint_online(struct objtrace_watchpoint *wp, unsigned int cpu);
void objtrace_watchpoint_offline(struct objtrace_watchpoint *wp);
struct objtrace_watchpoint *objtrace_watchpoint_of(struct perf_event *event,
						   const struct pt_regs *regs, unsigned long *ip);
void objtrace_watchpoint_stored(struct objtrace_watchpoint *wp, const struct pt_regs *regs,
				u64 id, unsigned long addr, unsigned int size,
				struct objtrace_stored *stored);
bool objtrace_watchpoint_is_busy(const struct objtrace_watchpoint *wp);
bool objtrace_watchpoint_aim(struct objtrace_watchpoint *wp, unsigned long addr,
			     unsigned int size);
void objtrace_watchpoint_rest(struct objtrace_watchpoint *wp);

/* The differences of the architectures, for kernel/watch.c */
struct perf_event *objtrace_watchpoint_create(struct objtrace_watchpoint *wp,
					      struct perf_event_attr *attr, unsigned int cpu);
void objtrace_watchpoint_release(struct perf_event *event);
void objtrace_watchpoint_set(struct perf_event *event, unsigned long addr, unsigned int size);
bool objtrace_watchpoint_is_lent(void);
unsigned long objtrace_watchpoint_ip(const struct perf_event *event, const struct pt_regs *regs);

#endif /* _OBJTRACE_WATCH_KERNEL_H */
