/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that each CPU increments in memory of its own.  No cache line moves between CPUs for a
 * count.  Readers add up the counters of all CPUs.
 */
#ifndef _OBJTRACE_PERCPU_H
#define _OBJTRACE_PERCPU_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>

/**
 * objtrace_percpu_inc() - increment the counter of this CPU
 * @counter: the counter
 *
 * On x86-64, this is one instruction, and so no interrupt can come in the middle of the increment.
 * On arm64, this_cpu_inc() would disable preemption once more.
 *
 * Context: Any, NMI and RCU not watching included.
 */
static __always_inline void objtrace_percpu_inc(atomic_long_t __percpu *counter)
{
#ifdef CONFIG_X86_64
	this_cpu_inc(counter->counter);
#else
	atomic_long_inc(raw_cpu_ptr(counter));
#endif
}

/**
 * objtrace_percpu_sum() - add up the counters of all CPUs
 * @counter: the counter
 *
 * The counters may change during the call.  The sum then has some of these changes.
 *
 * Context: Any, NMI included.
 * Return: the sum, which is at least the sum of each earlier call
 */
static inline unsigned long objtrace_percpu_sum(const atomic_long_t __percpu *counter)
{
	unsigned long sum = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		sum += atomic_long_read(per_cpu_ptr(counter, cpu));
	return sum;
}

#endif /* _OBJTRACE_PERCPU_H */
