/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _OBJTRACE_STORE_INSN_H
#define _OBJTRACE_STORE_INSN_H

#include <linux/types.h>

/* The most bytes that a decoded instruction stores: two registers */
#define OBJTRACE_STORE_BYTES	16

/**
 * enum objtrace_store_op - operation of an instruction on memory
 * @OBJTRACE_STORE_ADD: add the operand: LDADD
 * @OBJTRACE_STORE_CLEAR: clear the bits of the operand: LDCLR
 * @OBJTRACE_STORE_XOR: exclusive or: LDEOR
 * @OBJTRACE_STORE_SET: set the bits of the operand: LDSET
 * @OBJTRACE_STORE_SMAX: the larger of two signed numbers: LDSMAX
 * @OBJTRACE_STORE_SMIN: the smaller of two signed numbers: LDSMIN
 * @OBJTRACE_STORE_UMAX: the larger of two unsigned numbers: LDUMAX
 * @OBJTRACE_STORE_UMIN: the smaller of two unsigned numbers: LDUMIN
 * @OBJTRACE_STORE_WRITE: replace by the operand: STR, STLR, STP, SWP and others
 * @OBJTRACE_STORE_COMPARE: replace if equal to a second operand: CAS, CASP
 * @OBJTRACE_STORE_EXCLUSIVE: STXR and others, which fail after an exception
 * @OBJTRACE_STORE_UNKNOWN: not decoded: SIMD, DC ZVA and others
 *
 * The first nine have the numbers of their encoding: bits 12 to 15 of LDADD and others.
 */
enum objtrace_store_op {
	OBJTRACE_STORE_ADD,
	OBJTRACE_STORE_CLEAR,
	OBJTRACE_STORE_XOR,
	OBJTRACE_STORE_SET,
	OBJTRACE_STORE_SMAX,
	OBJTRACE_STORE_SMIN,
	OBJTRACE_STORE_UMAX,
	OBJTRACE_STORE_UMIN,
	OBJTRACE_STORE_WRITE,
	OBJTRACE_STORE_COMPARE,
	OBJTRACE_STORE_EXCLUSIVE,
	OBJTRACE_STORE_UNKNOWN,
};

/**
 * struct objtrace_store_insn - decoded instruction that stores
 * @op: the operation; all other members are valid only before OBJTRACE_STORE_EXCLUSIVE
 * @addr: address of the first byte
 * @size: number of bytes of each element: 1, 2, 4 or 8
 * @nr: number of elements, 1 or 2, one after the other
 * @operand: operand of each element
 * @expected: OBJTRACE_STORE_COMPARE: the value that each element must have
 */
struct objtrace_store_insn {
	enum objtrace_store_op	op;
	u64			addr;
	unsigned int		size;
	unsigned int		nr;
	u64			operand[2];
	u64			expected[2];
};

void objtrace_store_decode(u32 insn, const u64 *regs, u64 sp, struct objtrace_store_insn *store);
void objtrace_store_apply(const struct objtrace_store_insn *store, u8 *memory);

#endif /* _OBJTRACE_STORE_INSN_H */
