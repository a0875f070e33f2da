// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses of data and landing pads in arm64 code, which is assembled by hand with the manual.
 */
#include <linux/kernel.h>

#include "kernel/adrp.h"
#include "tap.h"

#define ADRP(rd, pages)	(0x90000000 | ((pages) & 3) << 29 | \
			 ((u32)(pages) >> 2 & 0x7ffff) << 5 | (rd))
#define ADD(rd, rn, imm)	(0x91000000 | (imm) << 10 | (rn) << 5 | (rd))
#define LDR(rd, rn, imm)	(0xf9400000 | (imm) / 8 << 10 | (rn) << 5 | (rd))
#define HINT(nr)		(0xd503201f | (nr) << 5)
#define NOP			HINT(0)
#define PACIASP			HINT(25)
#define PACIBSP			HINT(27)
#define BTI			HINT(32)
#define BTI_C			HINT(34)
#define BTI_J			HINT(36)
#define BTI_JC			HINT(38)
#define BRK(imm)		(0xd4200000 | (imm) << 5)
#define HVC(imm)		(0xd4000002 | (imm) << 5)
#define STP_FP_LR		0xa9bf7bfd

#define BASE	0xffffa94cf83ff144ULL
#define PAGE	(BASE & ~0xfffULL)

static void expect(const char *what, const u32 *code, unsigned int nr,
		   const u64 *wanted, unsigned int nr_wanted)
{
	unsigned int i, pos = 0;
	bool right = true;

	for (i = 0; i < nr_wanted; i++)
		right &= objtrace_adrp_next(code, nr, BASE, &pos) == wanted[i];
	ok(right && !objtrace_adrp_next(code, nr, BASE, &pos), "%s", what);
}

#define EXPECT(what, code, ...) do {						\
	const u64 wanted[] = { __VA_ARGS__ };					\
	expect(what, code, ARRAY_SIZE(code), wanted, ARRAY_SIZE(wanted));	\
} while (0)

static void landing_pads(void)
{
	/* A kprobe replaces an instruction with BRK */
	const u32 pads[] = { BTI_C, BTI_J, BTI_JC, PACIASP, PACIBSP, BRK(4) };
	const u32 others[] = { NOP, BTI, HINT(7), STP_FP_LR, HVC(4), BRK(4) | 1, 0 };
	unsigned int i;
	bool right = true;

	for (i = 0; i < ARRAY_SIZE(pads); i++)
		right &= objtrace_is_landing_pad(pads[i]);
	ok(right, "landing pads");
	for (i = 0; i < ARRAY_SIZE(others); i++)
		right &= !objtrace_is_landing_pad(others[i]);
	ok(right, "instructions that are no landing pad");
}

int main(void)
{
	const u32 pair[] = { ADRP(1, 0x1b72), NOP, ADD(1, 1, 0xf48) };
	const u32 load[] = { ADRP(20, 3), LDR(0, 20, 0x1a0) };
	const u32 back[] = { ADRP(0, -5), ADD(0, 0, 8) };
	/* gcc's code with section anchors */
	const u32 anchor[] = { ADRP(22, 2), ADD(22, 22, 0x40), ADD(0, 22, 0x180),
			       ADD(21, 22, 0x1a0), LDR(19, 22, 0x1a0) };
	const u32 later_page[] = { NOP, ADRP(3, 1), ADD(3, 3, 4) };
	const u32 other[] = { NOP, ADD(1, 2, 8), LDR(1, 2, 8) };
	const u32 two[] = { ADRP(1, 1), ADRP(2, 2), ADD(3, 2, 1), ADD(4, 1, 1) };

	EXPECT("ADRP and ADD", pair, PAGE + 0x1b72000 + 0xf48);
	EXPECT("ADRP and LDR", load, PAGE + 0x3000 + 0x1a0);
	EXPECT("ADRP backwards", back, PAGE - 0x5000 + 8);
	EXPECT("numbers that are added to an anchor", anchor, PAGE + 0x2040, PAGE + 0x21c0,
	       PAGE + 0x21e0, PAGE + 0x21e0);
	EXPECT("an ADRP after other code counts from its own page", later_page, PAGE + 0x1000 + 4);
	EXPECT("two registers", two, PAGE + 0x2001, PAGE + 0x1001);
	expect("registers without ADRP", other, ARRAY_SIZE(other), NULL, 0);
	expect("no code", NULL, 0, NULL, 0);
	landing_pads();
	return tap_done();
}
