// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decode arm64 instructions that store: the address, and the value after the store.
 *
 * A watchpoint of arm64 reports a store before its execution.
 *
 * Instruction formats: Arm Architecture Reference Manual, C4.1 (loads and stores) and C6.2.  The
 * functions depend on their arguments alone.  The unit tests build this file, too.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "kernel/insn.h"
#include "kernel/store_insn.h"

#define SP_OR_ZR	31

/**
 * struct store_regs - an instruction and the registers at its execution
 * @insn: the instruction
 * @regs: registers x0 to x30
 * @sp: the stack pointer
 */
struct store_regs {
	u32		insn;
	const u64	*regs;
	u64		sp;
};

static u32 bits(const struct store_regs *at, unsigned int low, unsigned int nr)
{
	return insn_bits(at->insn, low, nr);
}

static u64 signed_bits(const struct store_regs *at, unsigned int low, unsigned int nr)
{
	return insn_sign_extend(bits(at, low, nr), nr);
}

static u64 register_or_zero(const struct store_regs *at, u32 nr)
{
	return nr >= SP_OR_ZR ? 0 : at->regs[nr];
}

/* The register whose number is at a bit of the instruction; number 31 stands for 0 */
static u64 data(const struct store_regs *at, unsigned int low)
{
	return register_or_zero(at, bits(at, low, 5));
}

/* The same for the upper register of a pair */
static u64 next_data(const struct store_regs *at, unsigned int low)
{
	return register_or_zero(at, bits(at, low, 5) + 1);
}

/* The base register: number 31 stands for the stack pointer */
static u64 base(const struct store_regs *at)
{
	u32 nr = bits(at, 5, 5);

	return nr == SP_OR_ZR ? at->sp : at->regs[nr];
}

static void one(struct objtrace_store_insn *store, enum objtrace_store_op op, u64 addr,
		unsigned int size, u64 operand)
{
	*store = (struct objtrace_store_insn){
		.op = op, .addr = addr, .size = size, .nr = 1, .operand = { operand },
	};
}

/* The offset register: extended or shifted */
static u64 register_offset(const struct store_regs *at)
{
	unsigned int shift = bits(at, 12, 1) ? bits(at, 30, 2) : 0;
	u64 offset = data(at, 16);

	switch (bits(at, 13, 3)) {
	case 2:
		return (u64)(u32)offset << shift;
	case 6:
		return (u64)(s64)(s32)offset << shift;
	default:
		return offset << shift;
	}
}

/* LDADD and others, SWP; the other encodings are loads, or are unknown */
static void decode_atomic(const struct store_regs *at, struct objtrace_store_insn *store)
{
	u32 op = bits(at, 12, 4);

	if (op <= OBJTRACE_STORE_WRITE)
		one(store, op, base(at), 1 << bits(at, 30, 2), data(at, 16));
}

/* STR, STUR, STTR with one register */
static void decode_register(const struct store_regs *at, struct objtrace_store_insn *store)
{
	unsigned int scale = bits(at, 30, 2);
	u64 addr = base(at);

	if (bits(at, 24, 1))
		addr += (u64)bits(at, 10, 12) << scale;
	else if (bits(at, 21, 1))
		addr += register_offset(at);
	else if (bits(at, 10, 2) != 1)
		addr += signed_bits(at, 12, 9);
	one(store, OBJTRACE_STORE_WRITE, addr, 1 << scale, data(at, 0));
}

/* STP, STNP */
static void decode_pair(const struct store_regs *at, struct objtrace_store_insn *store)
{
	unsigned int scale = 2 + bits(at, 31, 1);
	u64 addr = base(at);

	/* Not with the offset added afterwards */
	if (bits(at, 23, 2) != 1)
		addr += signed_bits(at, 15, 7) << scale;
	one(store, OBJTRACE_STORE_WRITE, addr, 1 << scale, data(at, 0));
	store->nr = 2;
	store->operand[1] = data(at, 10);
}

static void decode_compare(const struct store_regs *at, struct objtrace_store_insn *store)
{
	one(store, OBJTRACE_STORE_COMPARE, base(at), 1 << bits(at, 30, 2), data(at, 0));
	store->expected[0] = data(at, 16);
}

static void decode_compare_pair(const struct store_regs *at, struct objtrace_store_insn *store)
{
	one(store, OBJTRACE_STORE_COMPARE, base(at), 4 << bits(at, 30, 1), data(at, 0));
	store->nr = 2;
	store->operand[1] = next_data(at, 0);
	store->expected[0] = data(at, 16);
	store->expected[1] = next_data(at, 16);
}

/* CAS, CASP, STLR and STLLR, STXR and others; bit 23 tells pairs of these groups apart */
static void decode_ordered(const struct store_regs *at, struct objtrace_store_insn *store)
{
	switch (bits(at, 21, 1) | bits(at, 23, 1) << 1) {
	case 0:
		store->op = OBJTRACE_STORE_EXCLUSIVE;
		break;
	case 1:
		if (bits(at, 31, 1))
			store->op = OBJTRACE_STORE_EXCLUSIVE;
		else
			decode_compare_pair(at, store);
		break;
	case 2:
		one(store, OBJTRACE_STORE_WRITE, base(at), 1 << bits(at, 30, 2), data(at, 0));
		break;
	default:
		decode_compare(at, store);
	}
}

/**
 * objtrace_store_decode() - decode an instruction that stores
 * @insn: the instruction, which is known to store
 * @regs: registers x0 to x30 before the instruction
 * @sp: the stack pointer before the instruction
 * @store: receives the result
 *
 * Context: Any, NMI included.
 */
void objtrace_store_decode(u32 insn, const u64 *regs, u64 sp, struct objtrace_store_insn *store)
{
	const struct store_regs at = { .insn = insn, .regs = regs, .sp = sp };

	*store = (struct objtrace_store_insn){ .op = OBJTRACE_STORE_UNKNOWN };
	/* CAS, STLR, STXR */
	if ((insn & 0x3f000000) == 0x08000000)
		decode_ordered(&at, store);
	/* STP and STNP of general registers, without a tag */
	else if ((insn & 0x7e400000) == 0x28000000)
		decode_pair(&at, store);
	/* LDADD and others, SWP */
	else if ((insn & 0x3f200c00) == 0x38200000)
		decode_atomic(&at, store);
	/* STR: an offset in the instruction, or the offset of a register */
	else if ((insn & 0x3fc00000) == 0x39000000 || (insn & 0x3fe00c00) == 0x38200800 ||
		 (insn & 0x3fe00000) == 0x38000000)
		decode_register(&at, store);
	/* STLUR */
	else if ((insn & 0x3fe00c00) == 0x19000000)
		one(store, OBJTRACE_STORE_WRITE, base(&at) + signed_bits(&at, 12, 9),
		    1 << bits(&at, 30, 2), data(&at, 0));
}

/* The bits of a value that an element has */
static u64 cut(const struct objtrace_store_insn *store, u64 value)
{
	return value & ~0ULL >> (64 - 8 * store->size);
}

static s64 as_signed(const struct objtrace_store_insn *store, u64 value)
{
	return insn_sign_extend(value, 8 * store->size);
}

static u64 element(const struct objtrace_store_insn *store, unsigned int i, u64 old)
{
	u64 operand = cut(store, store->operand[i]);
	bool is_above = as_signed(store, operand) > as_signed(store, old);

	switch (store->op) {
	case OBJTRACE_STORE_ADD:
		return old + operand;
	case OBJTRACE_STORE_CLEAR:
		return old & ~operand;
	case OBJTRACE_STORE_XOR:
		return old ^ operand;
	case OBJTRACE_STORE_SET:
		return old | operand;
	case OBJTRACE_STORE_SMAX:
		return is_above ? operand : old;
	case OBJTRACE_STORE_SMIN:
		return is_above ? old : operand;
	case OBJTRACE_STORE_UMAX:
		return max(old, operand);
	case OBJTRACE_STORE_UMIN:
		return min(old, operand);
	default:
		return operand;
	}
}

/**
 * objtrace_store_apply() - carry out a decoded store on a copy of the memory
 * @store: the store, with an operation before OBJTRACE_STORE_EXCLUSIVE
 * @memory: @nr times @size bytes of @store, as before the store; receives the bytes after it
 *
 * Context: Any, NMI included.
 */
void objtrace_store_apply(const struct objtrace_store_insn *store, u8 *memory)
{
	u64 old[2] = {}, new;
	unsigned int i;

	for (i = 0; i < store->nr; i++) {
		memcpy(&old[i], memory + i * store->size, store->size);
		if (store->op == OBJTRACE_STORE_COMPARE && old[i] != cut(store, store->expected[i]))
			return;
	}
	for (i = 0; i < store->nr; i++) {
		new = element(store, i, old[i]);
		memcpy(memory + i * store->size, &new, store->size);
	}
}
