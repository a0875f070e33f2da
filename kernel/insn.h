/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of arm64 instructions.
 */
#ifndef _OBJTRACE_INSN_H
#define _OBJTRACE_INSN_H

#include <linux/types.h>

/* The @nr bits of an instruction from bit @low */
static inline u32 insn_bits(u32 insn, unsigned int low, unsigned int nr)
{
	return insn >> low & ((1U << nr) - 1);
}

/* Extend a number of @nr bits by its sign */
static inline u64 insn_sign_extend(u64 value, unsigned int nr)
{
	u64 sign = 1ULL << (nr - 1);

	return (value ^ sign) - sign;
}

#endif /* _OBJTRACE_INSN_H */
