/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Disable interrupts without the tracepoints irq_disable and irq_enable, which can have triggers.
 *
 * raw_local_irq_save() fires no tracepoint, but does not tell lockdep.  lockdep then still assumes
 * that interrupts are enabled.  It warns when the kernel's code asserts that they are disabled, and,
 * with CONFIG_DEBUG_LOCKDEP, when code takes a lock or enters RCU.
 */
#ifndef _OBJTRACE_IRQS_H
#define _OBJTRACE_IRQS_H

#include <linux/compiler.h>
#include <linux/instruction_pointer.h>
#include <linux/irqflags.h>
#include <linux/types.h>

/**
 * struct objtrace_irqs - state of this CPU's interrupts before objtrace_irqs_disable()
 * @flags: the CPU's flags
 * @is_unseen: true if lockdep assumed enabled interrupts
 */
struct objtrace_irqs {
	unsigned long	flags;
	bool		is_unseen;
};

/**
 * objtrace_irqs_disable() - disable interrupts on this CPU
 *
 * Context: Any, NMI included.
 * Return: the state for objtrace_irqs_restore()
 */
static __always_inline struct objtrace_irqs objtrace_irqs_disable(void)
{
	struct objtrace_irqs irqs;

	raw_local_irq_save(irqs.flags);
	irqs.is_unseen = lockdep_hardirqs_enabled();
	if (irqs.is_unseen)
		lockdep_hardirqs_off(_THIS_IP_);
	return irqs;
}

/**
 * objtrace_irqs_restore() - restore the state of the interrupts
 * @irqs: result of objtrace_irqs_disable() on this CPU
 *
 * Context: Any, NMI included; interrupts disabled.
 */
static __always_inline void objtrace_irqs_restore(struct objtrace_irqs irqs)
{
	if (irqs.is_unseen) {
		lockdep_hardirqs_on_prepare();
		lockdep_hardirqs_on(_THIS_IP_);
	}
	raw_local_irq_restore(irqs.flags);
}

#endif /* _OBJTRACE_IRQS_H */
