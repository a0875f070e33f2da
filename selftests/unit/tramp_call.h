/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call the module's trampolines in user space, as traced functions call them.
 */
#ifndef _UNIT_TRAMP_CALL_H
#define _UNIT_TRAMP_CALL_H

/* The argument registers, and then a register that is no argument but must not change */
#ifdef __x86_64__
#define TRAMP_NR_ARGS		6
#else
#define TRAMP_NR_ARGS		8
#endif
#define TRAMP_NR_REGS		(TRAMP_NR_ARGS + 1)

/* Offsets in struct tramp_call, for tramp_call_ARCH.S */
#define TRAMP_CALL_TRAMP	0
#define TRAMP_CALL_REGS		8
#define TRAMP_CALL_RETURN	(TRAMP_CALL_REGS + 8 * TRAMP_NR_REGS)
#define TRAMP_CALL_PARENT	(TRAMP_CALL_RETURN + 8)

#ifndef __ASSEMBLER__

#include <stddef.h>

/**
 * struct tramp_call - a call of a traced function
 * @tramp: the trampoline that the function calls
 * @regs: the registers before the call; replaced by the registers after it
 * @ret: receives the address at which the trampoline returns to the function
 * @parent: receives the return address of the function
 */
struct tramp_call {
	void		(*tramp)(void);
	unsigned long	regs[TRAMP_NR_REGS];
	unsigned long	ret;
	unsigned long	parent;
};

_Static_assert(offsetof(struct tramp_call, tramp) == TRAMP_CALL_TRAMP, "tramp");
_Static_assert(offsetof(struct tramp_call, regs) == TRAMP_CALL_REGS, "regs");
_Static_assert(offsetof(struct tramp_call, ret) == TRAMP_CALL_RETURN, "ret");
_Static_assert(offsetof(struct tramp_call, parent) == TRAMP_CALL_PARENT, "parent");

/**
 * tramp_call() - load registers, and call a traced function
 * @call: the call
 *
 * Every other register that a callee must preserve is checked, too.
 *
 * Return: 0; another number if such a register has changed
 */
long tramp_call(struct tramp_call *call);

#endif /* !__ASSEMBLER__ */
#endif /* _UNIT_TRAMP_CALL_H */
