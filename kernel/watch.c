// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware watchpoints, see kernel/watch.h.
 *
 * kernel/watch_x86_64.c and kernel/watch_arm64.c have the differences of the architectures.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "kernel/irqs.h"
#include "kernel/ksyms.h"
#include "kernel/watch.h"

/**
 * objtrace_watchpoint_of() - find the watchpoint and the code of a store
 * @event: the event of perf that reports the store
 * @regs: registers of the CPU at the store
 * @ip: receives an address in the store's instruction, see objtrace_watchpoint_ip()
 *
 * Context: the handler of @event: an exception, NMI included.
 * Return: the watchpoint; NULL if the store was that of the self test
 */
struct objtrace_watchpoint *objtrace_watchpoint_of(struct perf_event *event,
						   const struct pt_regs *regs, unsigned long *ip)
{
	struct objtrace_watchpoint *wp = event->overflow_handler_context;

	if (event->hw.info.address == (unsigned long)&wp->idle) {
		wp->tested = true;
		return NULL;
	}
	*ip = objtrace_watchpoint_ip(event, regs);
	return wp;
}

static struct perf_event *create_event(struct objtrace_watchpoint *wp, unsigned int cpu)
{
	struct perf_event_attr attr;

	/* Pinned: perf never gives the register to another event meanwhile */
	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)&wp->idle;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	attr.bp_type = HW_BREAKPOINT_W;
	return objtrace_watchpoint_create(wp, &attr, cpu);
}

static bool is_installed(const struct perf_event *event)
{
	return event->state == PERF_EVENT_STATE_ACTIVE &&
	       event->oncpu == raw_smp_processor_id();
}

/* This CPU is in move_register().  Written by this CPU with interrupts disabled */
static DEFINE_PER_CPU(bool, is_moving);

/*
 * Interrupts are disabled, so the register that becomes free is free for the event again.  The
 * kernel's functions assert to lockdep that interrupts are disabled.  A probe on these functions
 * can fire a trigger: see objtrace_watchpoint_is_busy().
 */
static void move_register(struct perf_event *event, unsigned long addr, unsigned int size)
{
	this_cpu_write(is_moving, true);
	ksym(arch_uninstall_hw_breakpoint)(event);
	objtrace_watchpoint_set(event, addr, size);
	ksym(arch_install_hw_breakpoint)(event);
	this_cpu_write(is_moving, false);
}

/* Returns false if this CPU has no register */
static bool aim(struct objtrace_watchpoint *wp, unsigned long addr, unsigned int size)
{
	struct perf_event *event = *this_cpu_ptr(wp->events);

	if (!event)
		return false;
	/* perf uses the new target when it installs the event */
	if (is_installed(event))
		move_register(event, addr, size);
	else
		objtrace_watchpoint_set(event, addr, size);
	return true;
}

/**
 * objtrace_watchpoint_is_busy() - check whether this CPU may be using the debug registers
 * @wp: the watchpoint
 *
 * perf installs and removes events with interrupts disabled, under the lock of their context.  A
 * function of perf can fire a trigger in the middle of that, and in the middle of
 * objtrace_watchpoint_aim().  KVM, too, uses the registers with interrupts disabled.
 *
 * Context: Any except NMI; interrupts disabled.
 * Return: true if the caller must aim the watchpoint in an interrupt
 */
bool objtrace_watchpoint_is_busy(const struct objtrace_watchpoint *wp)
{
	const struct perf_event *event = *this_cpu_ptr(wp->events);

	return this_cpu_read(is_moving) || (event && raw_spin_is_locked(&event->ctx->lock)) ||
	       objtrace_watchpoint_is_lent();
}

/*
 * Write to the idle word.  An emulator or a confidential guest may ignore the debug registers.
 * The kernel calls the callbacks of the CPUs one after the other, so one @tested suffices.
 */
static bool reports_stores(struct objtrace_watchpoint *wp)
{
	WRITE_ONCE(wp->tested, false);
	WRITE_ONCE(wp->idle, wp->idle + 1);
	barrier();
	return READ_ONCE(wp->tested);
}

/**
 * objtrace_watchpoint_online() - allocate the debug register of a CPU that comes up
 * @wp: the watchpoint
 * @cpu: this CPU
 *
 * For the callback @online of objtrace_watchpoint_init(), which then aims the register.  The
 * kernel calls it on each CPU for a new watchpoint, too.
 *
 * Context: task, on this CPU; may sleep.
 * Return: 0, also if a CPU that comes up later has no register; for a new watchpoint, an error
 *	   of objtrace_watchpoint_get()
 */
int objtrace_watchpoint_online(struct objtrace_watchpoint *wp, unsigned int cpu)
{
	struct perf_event *event = create_event(wp, cpu);
	/* A CPU that comes up becomes active after the callbacks */
	bool is_new = cpu_active(cpu);

	if (IS_ERR(event)) {
		/* An error would keep the CPU offline */
		if (is_new)
			return PTR_ERR(event);
		wp->nr_missing++;
		return 0;
	}
	if (is_new && !reports_stores(wp)) {
		objtrace_watchpoint_release(event);
		return -ENXIO;
	}
	WRITE_ONCE(*this_cpu_ptr(wp->events), event);
	return 0;
}

/**
 * objtrace_watchpoint_offline() - free the debug register of a CPU that goes offline
 * @wp: the watchpoint
 *
 * For the callback @offline of objtrace_watchpoint_init().  The kernel calls it on each CPU for a
 * watchpoint that ends, too.
 *
 * Context: task, on this CPU; may sleep.
 */
void objtrace_watchpoint_offline(struct objtrace_watchpoint *wp)
{
	struct perf_event *event;
	struct objtrace_irqs irqs;

	irqs = objtrace_irqs_disable();
	event = *this_cpu_ptr(wp->events);
	*this_cpu_ptr(wp->events) = NULL;
	objtrace_irqs_restore(irqs);
	if (event)
		objtrace_watchpoint_release(event);
	else if (wp->nr_missing)
		wp->nr_missing--;
}

/**
 * objtrace_watchpoint_aim() - watch other bytes on this CPU
 * @wp: the watchpoint
 * @addr: address of the first byte
 * @size: number of bytes: 1, 2, 4 or 8
 *
 * The bytes must pass objtrace_watchpoint_covers() and objtrace_watchpoint_allows().
 *
 * Context: Any except NMI; interrupts disabled, and objtrace_watchpoint_is_busy() is false.
 * Return: true, or false if this CPU has no register
 */
bool objtrace_watchpoint_aim(struct objtrace_watchpoint *wp, unsigned long addr,
			     unsigned int size)
{
	return aim(wp, addr, size);
}

/**
 * objtrace_watchpoint_rest() - watch only the idle word on this CPU
 * @wp: the watchpoint
 *
 * Context: as objtrace_watchpoint_aim().
 */
void objtrace_watchpoint_rest(struct objtrace_watchpoint *wp)
{
	aim(wp, (unsigned long)&wp->idle, sizeof(wp->idle));
}

/* The dynamic hotplug state of all watchpoints.  Written by module init only; 0 without a state */
static enum cpuhp_state watch_state;

/**
 * objtrace_watchpoint_get() - allocate one debug register on each CPU
 * @wp: the watchpoint, all zero
 * @handlers: perf calls these functions in an exception for each store
 *
 * Tests on each CPU that the register reports a store.
 *
 * Context: task; may sleep.
 * Return: 0; -ENOSPC if a CPU has no free register; -ENXIO if a CPU reports no stores; -ENOMEM;
 *	   another negative errno of perf
 */
int objtrace_watchpoint_get(struct objtrace_watchpoint *wp,
			    const struct objtrace_watchpoint_handlers *handlers)
{
	int ret;

	wp->handlers = handlers;
	wp->events = alloc_percpu(struct perf_event *);
	if (!wp->events)
		return -ENOMEM;
	ret = cpuhp_state_add_instance(watch_state, &wp->node);
	if (ret) {
		free_percpu(wp->events);
		wp->events = NULL;
	}
	return ret;
}

/**
 * objtrace_watchpoint_put() - free the debug registers
 * @wp: the watchpoint, which the owner has left idle on each CPU
 *
 * No CPU calls the owner after the return.
 *
 * Context: task; may sleep.
 */
void objtrace_watchpoint_put(struct objtrace_watchpoint *wp)
{
	cpuhp_state_remove_instance(watch_state, &wp->node);
	free_percpu(wp->events);
}

/**
 * objtrace_watchpoint_init() - register the callbacks for CPU hotplug
 * @online: called on a CPU that comes up, with the member node of each watchpoint
 * @offline: called on a CPU that goes offline
 *
 * Context: task, module init.
 * Return: 0, or a negative errno after one line if the kernel has no free dynamic hotplug state
 */
int objtrace_watchpoint_init(int (*online)(unsigned int cpu, struct hlist_node *node),
			     int (*offline)(unsigned int cpu, struct hlist_node *node))
{
	int ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "objtrace:watch", online, offline);

	if (ret < 0) {
		pr_err("the kernel refused the callbacks for CPU hotplug of watchpoints: error %d\n",
		       ret);
		return ret;
	}
	watch_state = ret;
	return 0;
}

/**
 * objtrace_watchpoint_exit() - remove the callbacks for CPU hotplug
 *
 * Context: task, module exit, without any watchpoint.
 */
void objtrace_watchpoint_exit(void)
{
	if (watch_state)
		cpuhp_remove_multi_state(watch_state);
	watch_state = 0;
}
