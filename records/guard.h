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

/* The bit of a context is this much higher while a trigger fires in the context */
#define OBJTRACE_GUARD_FIRING	32

/*
 * Two bits for each interrupt context, see objtrace_context(), of this CPU: the lower one is set
 * while our code runs in the context, the upper one while a trigger fires there.
 *
 * Only this CPU changes the bits.  An interrupt restores the bits that it found, so plain
 * accesses are enough.
 */
DECLARE_PER_CPU(unsigned long, objtrace_guard_contexts);

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
static __always_inline unsigned long objtrace_guard_enter(void)
{
	unsigned long bit = BIT(objtrace_context());

	if (raw_cpu_read(objtrace_guard_contexts) & bit)
		return 0;
	raw_cpu_or(objtrace_guard_contexts, bit);
	barrier();
	return bit;
}

/**
 * objtrace_guard_enter_firing() - as objtrace_guard_enter(), and let no second trigger fire
 *
 * The record objtrace_add runs the triggers of its event.  A hist trigger among them can write a
 * synthetic event with an objtrace trigger, which would add another object, and so on.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: the bits for objtrace_guard_leave(), which the caller must call; 0 if a trigger fires in
 * this context already
 */
static __always_inline unsigned long objtrace_guard_enter_firing(void)
{
	unsigned int context = objtrace_context();
	unsigned long bits = BIT(context) | BIT(context + OBJTRACE_GUARD_FIRING);

	bits &= ~raw_cpu_read(objtrace_guard_contexts);
	if (!(bits >> OBJTRACE_GUARD_FIRING))
		return 0;
	raw_cpu_or(objtrace_guard_contexts, bits);
	barrier();
	return bits;
}

/**
 * objtrace_guard_fires_inside() - check where a trigger fires
 * @bits: the bits that objtrace_guard_enter_firing() returned; the result has no meaning for 0
 *
 * Context: any, NMI included.
 * Return: true if the caller of objtrace_guard_enter_firing() is in one of our own callees
 */
static __always_inline bool objtrace_guard_fires_inside(unsigned long bits)
{
	return !(bits & GENMASK(OBJTRACE_GUARD_FIRING - 1, 0));
}

/**
 * objtrace_guard_leave() - stop keeping functions out of the records
 * @bits: the bits that objtrace_guard_enter() or objtrace_guard_enter_firing() returned
 *
 * Context: any, NMI included; preemption disabled since the bits were returned.
 */
static __always_inline void objtrace_guard_leave(unsigned long bits)
{
	barrier();
	raw_cpu_and(objtrace_guard_contexts, ~bits);
}

#endif /* _OBJTRACE_GUARD_H */
