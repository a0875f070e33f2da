/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check that RCU protects objects and triggers on this CPU.
 */
#ifndef _OBJTRACE_RCU_H
#define _OBJTRACE_RCU_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "kernel/ksyms.h"

/**
 * objtrace_kernel_rcu_waits() - check whether grace periods wait for this CPU
 *
 * A CPU that goes offline still calls functions after RCU has stopped waiting for the CPU.  A
 * CPU that comes up calls functions before RCU waits for the CPU.  Before rcu_cpu_online()
 * (Linux 6.7), only cpu_online() is known, which is false for longer.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: false if an object that RCU protects can be freed while this CPU uses the object
 */
static __always_inline bool objtrace_kernel_rcu_waits(void)
{
	unsigned int cpu = raw_smp_processor_id();

	return likely(cpu_online(cpu)) || ksym(rcu_cpu_online)(cpu);
}

#endif /* _OBJTRACE_RCU_H */
