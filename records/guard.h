/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guard keeps our own callees out of the records: objtrace passes tracked objects to
 * traced functions, too.
 */
#ifndef _OBJTRACE_GUARD_H
#define _OBJTRACE_GUARD_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/percpu.h>

#include "objtrace_compat.h"

/*
 * One bit for each interrupt context, see objtrace_context(), that runs our code on this CPU.
 * Only this CPU changes the bits.  An interrupt restores the bits that it found, so plain
 * accesses are enough.
 */
DECLARE_PER_CPU(unsigned int, objtrace_guard_contexts);

/**
 * objtrace_guard_enter() - keep our own callees out of the records
 *
 * Functions that are entered in this context on this CPU until objtrace_guard_leave() are
 * our own callees.  Interrupts in between have a context of their own.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: the bit for objtrace_guard_leave(), which the caller must call; 0 if the caller is
 * in one of our own callees already
 */
static __always_inline unsigned int objtrace_guard_enter(void)
{
	unsigned int bit = BIT(objtrace_context());

	if (raw_cpu_read(objtrace_guard_contexts) & bit)
		return 0;
	raw_cpu_or(objtrace_guard_contexts, bit);
	barrier();
	return bit;
}

/**
 * objtrace_guard_leave() - stop keeping functions out of the records
 * @bit: the bit that objtrace_guard_enter() returned
 *
 * Context: any, NMI included; preemption disabled since objtrace_guard_enter().
 */
static __always_inline void objtrace_guard_leave(unsigned int bit)
{
	barrier();
	raw_cpu_and(objtrace_guard_contexts, ~bit);
}

#endif /* _OBJTRACE_GUARD_H */
