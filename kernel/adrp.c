// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decode arm64 instructions: addresses of data, and landing pads.
 *
 * kallsyms of arm64 6.1 has no data symbols.  objtrace takes the address of
 * trigger_commands from the code of trigger_process_regex() there.
 *
 * Instruction formats: Arm Architecture Reference Manual, C6.2 (ADRP, ADD
 * immediate, LDR immediate unsigned offset, BTI, PACIASP, PACIBSP, BRK).  The
 * functions depend on their arguments alone.  The unit tests build this file, too.
 */
#include <linux/types.h>

#include "kernel/adrp.h"
#include "kernel/insn.h"

#define NR_REGS		32
#define PAGE_BITS	12

static bool insn_is_adrp(u32 insn)
{
	return (insn & 0x9f000000) == 0x90000000;
}

/* 64 bit, immediate not shifted */
static bool insn_is_add(u32 insn)
{
	return (insn & 0xffc00000) == 0x91000000;
}

/* 64 bit, unsigned offset */
static bool insn_is_ldr(u32 insn)
{
	return (insn & 0xffc00000) == 0xf9400000;
}

/* The immediate: 21 bits with a sign, in pages, relative to the instruction's page */
static u64 adrp_target(u32 insn, u64 addr)
{
	u64 pages = insn_bits(insn, 5, 19) << 2 | insn_bits(insn, 29, 2);

	pages = insn_sign_extend(pages, 21);
	return (addr & ~((1ULL << PAGE_BITS) - 1)) + (pages << PAGE_BITS);
}

/**
 * objtrace_adrp_next() - find the next address of data in a function's code
 * @insn: code of the function
 * @nr: number of instructions
 * @addr: address of the function
 * @pos: index of the instruction to start from, 0 at first; becomes the index after the match
 *
 * Finds the sums of ADRP and ADD, and the addresses that LDR loads from.  The
 * search ignores branches and all other writes to registers, so an address may be
 * wrong.  The caller has to check the address.
 *
 * Context: Any, NMI included.
 * Return: an address, or 0 if the code has no further address
 */
u64 objtrace_adrp_next(const u32 *insn, unsigned int nr, u64 addr,
		       unsigned int *pos)
{
	u64 value[NR_REGS] = {};
	unsigned int i, rd, rn;
	u64 found;

	for (i = 0; i < nr; i++) {
		rd = insn_bits(insn[i], 0, 5);
		rn = insn_bits(insn[i], 5, 5);
		found = 0;
		if (insn_is_adrp(insn[i])) {
			value[rd] = adrp_target(insn[i], addr + i * sizeof(*insn));
		} else if (insn_is_add(insn[i]) && value[rn]) {
			found = value[rn] + insn_bits(insn[i], 10, 12);
			value[rd] = found;
		} else if (insn_is_ldr(insn[i]) && value[rn]) {
			found = value[rn] + insn_bits(insn[i], 10, 12) * sizeof(u64);
		}
		if (found && i >= *pos) {
			*pos = i + 1;
			return found;
		}
	}
	return 0;
}

/**
 * objtrace_is_landing_pad() - check that an instruction can be the target of "br x16"
 * @insn: the instruction
 *
 * In a guarded page, a branch to any other instruction raises an exception.  A kprobe's
 * breakpoint raises no such exception, so a BRK counts as the instruction that it replaced.
 *
 * Context: Any, NMI included.
 * Return: true if the instruction is a landing pad or a BRK
 */
bool objtrace_is_landing_pad(u32 insn)
{
	switch (insn) {
	case 0xd503245f:	/* BTI c */
	case 0xd503249f:	/* BTI j */
	case 0xd50324df:	/* BTI jc */
	case 0xd503233f:	/* PACIASP */
	case 0xd503237f:	/* PACIBSP */
		return true;
	default:
		/* BRK */
		return (insn & 0xffe0001f) == 0xd4200000;
	}
}
