// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stores of arm64: their addresses and values.  An assembler made the numbers from the text beside
 * them.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/store_insn.h"
#include "tap.h"

#define BASE	0xffff000012345600ULL
#define SP	0xffff800080001000ULL
#define X1	0x1122334455667788ULL
#define X2	0x99aabbccddeeff00ULL

/* The memory before each store */
#define OLD	0x8070605040302010ULL
#define OLD2	0xf0e0d0c0b0a09080ULL

static const u64 regs[31] = {
	[0] = BASE, [1] = X1, [2] = X2, [3] = -16, [4] = 8, [5] = OLD, [7] = 3, [8] = 0x80,
	[9] = -1, [10] = OLD, [11] = OLD2, [12] = 12, [13] = 13, [14] = OLD, [29] = 29,
	[30] = 30,
};

static const struct known {
	const char	*text;
	u32		insn;
	u64		addr;
	unsigned int	size;
	unsigned int	nr;
	u64		after[2];
} known[] = {
	{ "str x1, [x0]", 0xf9000001, BASE, 8, 1, { X1 } },
	{ "str xzr, [x0, #8]", 0xf900041f, BASE + 8, 8, 1, { 0 } },
	{ "str w1, [x0, #4]", 0xb9000401, BASE + 4, 4, 1, { (u32)X1 } },
	{ "strh w1, [x0, #2]", 0x79000401, BASE + 2, 2, 1, { (u16)X1 } },
	{ "strb w1, [x0, #4095]", 0x393ffc01, BASE + 4095, 1, 1, { (u8)X1 } },
	{ "str x1, [sp, #32760]", 0xf93fffe1, SP + 32760, 8, 1, { X1 } },
	{ "stur x1, [x0, #-8]", 0xf81f8001, BASE - 8, 8, 1, { X1 } },
	{ "sturb w1, [x0, #255]", 0x380ff001, BASE + 255, 1, 1, { (u8)X1 } },
	{ "sttr x1, [x0, #8]", 0xf8008801, BASE + 8, 8, 1, { X1 } },
	{ "str x1, [x0], #16", 0xf8010401, BASE, 8, 1, { X1 } },
	{ "strh w1, [x0, #-2]!", 0x781fec01, BASE - 2, 2, 1, { (u16)X1 } },
	{ "str x1, [sp, #-16]!", 0xf81f0fe1, SP - 16, 8, 1, { X1 } },
	{ "str x1, [x0, x4]", 0xf8246801, BASE + 8, 8, 1, { X1 } },
	{ "str x1, [x0, x4, lsl #3]", 0xf8247801, BASE + 64, 8, 1, { X1 } },
	{ "str w1, [x0, w3, sxtw #2]", 0xb823d801, BASE - 64, 4, 1, { (u32)X1 } },
	{ "str w1, [x0, w3, sxtw]", 0xb823c801, BASE - 16, 4, 1, { (u32)X1 } },
	{ "str w1, [x0, w3, uxtw]", 0xb8234801, BASE + 0xfffffff0, 4, 1, { (u32)X1 } },
	{ "strh w1, [x0, x3, sxtx #1]", 0x7823f801, BASE - 32, 2, 1, { (u16)X1 } },
	{ "str x1, [x0, xzr]", 0xf83f6801, BASE, 8, 1, { X1 } },
	{ "stlr x1, [x0]", 0xc89ffc01, BASE, 8, 1, { X1 } },
	{ "stlrb w1, [x0]", 0x089ffc01, BASE, 1, 1, { (u8)X1 } },
	{ "stllr w1, [x0]", 0x889f7c01, BASE, 4, 1, { (u32)X1 } },
	{ "stlur x1, [x0, #-8]", 0xd91f8001, BASE - 8, 8, 1, { X1 } },
	{ "stlurh w1, [x0, #6]", 0x59006001, BASE + 6, 2, 1, { (u16)X1 } },
	{ "stp x1, x2, [x0]", 0xa9000801, BASE, 8, 2, { X1, X2 } },
	{ "stp x1, x2, [x0, #-512]", 0xa9200801, BASE - 512, 8, 2, { X1, X2 } },
	{ "stp w1, w2, [x0, #252]", 0x291f8801, BASE + 252, 4, 2, { (u32)X1, (u32)X2 } },
	{ "stp x1, xzr, [x0], #16", 0xa8817c01, BASE, 8, 2, { X1, 0 } },
	{ "stp x29, x30, [sp, #-32]!", 0xa9be7bfd, SP - 32, 8, 2, { 29, 30 } },
	{ "stnp x1, x2, [x0, #16]", 0xa8010801, BASE + 16, 8, 2, { X1, X2 } },
	{ "ldadd x7, x1, [x0]", 0xf8270001, BASE, 8, 1, { OLD + 3 } },
	{ "ldaddal w9, w1, [x0]", 0xb8e90001, BASE, 4, 1, { (u32)OLD - 1 } },
	{ "staddb w8, [x0]", 0x3828001f, BASE, 1, 1, { (u8)OLD + 0x80 } },
	{ "ldclr x7, x1, [x0]", 0xf8271001, BASE, 8, 1, { OLD & ~3ULL } },
	{ "ldeor x9, x1, [x0]", 0xf8292001, BASE, 8, 1, { ~OLD } },
	{ "ldset x7, x1, [x0]", 0xf8273001, BASE, 8, 1, { OLD | 3 } },
	{ "ldsmax x7, x1, [x0]", 0xf8274001, BASE, 8, 1, { 3 } },
	{ "ldsmaxb w8, w1, [x0]", 0x38284001, BASE, 1, 1, { (u8)OLD } },
	{ "ldsmin x7, x1, [x0]", 0xf8275001, BASE, 8, 1, { OLD } },
	{ "ldsminb w8, w1, [x0]", 0x38285001, BASE, 1, 1, { 0x80 } },
	{ "ldumax x7, x1, [x0]", 0xf8276001, BASE, 8, 1, { OLD } },
	{ "ldumin x7, x1, [sp]", 0xf82773e1, SP, 8, 1, { 3 } },
	{ "swp x7, x1, [x0]", 0xf8278001, BASE, 8, 1, { 3 } },
	{ "swpalh w9, w1, [x0]", 0x78e98001, BASE, 2, 1, { 0xffff } },
	{ "cas x5, x1, [x0]", 0xc8a57c01, BASE, 8, 1, { X1 } },
	{ "cas x7, x1, [x0]", 0xc8a77c01, BASE, 8, 1, { OLD } },
	{ "casalh w5, w1, [x0]", 0x48e5fc01, BASE, 2, 1, { (u16)X1 } },
	{ "casb w5, wzr, [x0]", 0x08a57c1f, BASE, 1, 1, { 0 } },
	{ "casp x10, x11, x12, x13, [x0]", 0x482a7c0c, BASE, 8, 2, { 12, 13 } },
	{ "caspal w10, w11, w12, w13, [x0]", 0x086afc0c, BASE, 4, 2, { (u32)OLD, OLD >> 32 } },
	{ "casp x14, x15, x12, x13, [x0]", 0x482e7c0c, BASE, 8, 2, { OLD, OLD2 } },
};

struct other {
	const char	*text;
	u32		insn;
};

static const struct other exclusive[] = {
	{ "stxr w1, x2, [x0]", 0xc8017c02 },
	{ "stlxrb w1, w2, [x0]", 0x0801fc02 },
	{ "stxp w1, x2, x3, [x0]", 0xc8210c02 },
	{ "stlxp w1, w2, w3, [x0]", 0x88218c02 },
};

static const struct other unknown[] = {
	{ "str q0, [x0]", 0x3d800000 },
	{ "str d0, [x0, #8]", 0xfd000400 },
	{ "str b0, [x0, x4]", 0x3c246800 },
	{ "stur q0, [x0, #1]", 0x3c801000 },
	{ "str q0, [x0], #16", 0x3c810400 },
	{ "stp q0, q1, [x0]", 0xad000400 },
	{ "st1 {v0.16b}, [x0]", 0x4c007000 },
	{ "dc zva, x0", 0xd50b7420 },
	{ "stgp x1, x2, [x0]", 0x69000801 },
	{ "stg x0, [x0]", 0xd9200800 },
	{ "st64b x0, [x10]", 0xf83f9140 },
};

/* Stores whose bytes are all known, on memory of the size that the store has */
static void stores(void)
{
	const u64 old[2] = { OLD, OLD2 };
	struct objtrace_store_insn store;
	const struct known *k;
	u64 new[2];
	u8 memory[OBJTRACE_STORE_BYTES];
	unsigned int i;

	for (k = known; k < known + ARRAY_SIZE(known); k++) {
		objtrace_store_decode(k->insn, regs, SP, &store);
		memcpy(memory, old, sizeof(memory));
		memset(new, 0, sizeof(new));
		if (store.op < OBJTRACE_STORE_EXCLUSIVE && store.size * store.nr <= sizeof(memory)) {
			objtrace_store_apply(&store, memory);
			for (i = 0; i < store.nr; i++)
				memcpy(&new[i], memory + i * store.size, store.size);
		}
		ok(store.addr == k->addr && store.size == k->size && store.nr == k->nr &&
		   !memcmp(new, k->after, sizeof(new)) &&
		   !memcmp(memory + store.size * store.nr,
			   (const u8 *)old + store.size * store.nr,
			   sizeof(memory) - store.size * store.nr), "%s", k->text);
	}
}

static void others(const struct other *o, unsigned int nr, enum objtrace_store_op op)
{
	struct objtrace_store_insn store;

	for (; nr--; o++) {
		objtrace_store_decode(o->insn, regs, SP, &store);
		ok(store.op == op, "%s", o->text);
	}
}

/* Each instruction has a size that fits, whatever it is */
static void all_numbers(void)
{
	u8 memory[OBJTRACE_STORE_BYTES] = {};
	struct objtrace_store_insn store;
	bool right = true;
	u64 insn;

	for (insn = 0; insn >> 32 == 0; insn += 0x1003) {
		objtrace_store_decode(insn, regs, SP, &store);
		if (store.op >= OBJTRACE_STORE_EXCLUSIVE)
			continue;
		right &= store.nr >= 1 && store.size * store.nr <= sizeof(memory);
		objtrace_store_apply(&store, memory);
	}
	ok(right, "no instruction stores more than two registers");
}

int main(void)
{
	stores();
	others(exclusive, ARRAY_SIZE(exclusive), OBJTRACE_STORE_EXCLUSIVE);
	others(unknown, ARRAY_SIZE(unknown), OBJTRACE_STORE_UNKNOWN);
	all_numbers();
	return tap_done();
}
