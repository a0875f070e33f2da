/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of linux/bpf.h that programs need to build and load a BPF program
 */
#ifndef _BENCH_BPF_H
#define _BENCH_BPF_H

#include "bench.h"

enum { MAP_CREATE = 0, PROG_LOAD = 5 };
enum { LOOKUP = 1, READ_KERNEL = 113 };

struct prog_attr {
	unsigned int type, nr_insns;
	u64 insns, license;
	unsigned int log_level, log_size;
	u64 log;
	unsigned int version, flags;
	char name[16];
	unsigned int ifindex, attach_type, prog_btf, func_info_size;
	u64 func_info;
	unsigned int nr_func_infos, line_info_size;
	u64 line_info;
	unsigned int nr_line_infos, attach_id, attach_btf;
};

struct insn {
	unsigned char op, regs;		/* destination, and source << 4 */
	short offset;
	int imm;
};

#define LOAD64		0x79	/* destination = *(u64 *)(source + offset) */
#define STORE64		0x7b	/* *(u64 *)(destination + offset) = source */
#define LOAD_IMM64	0x18	/* two instructions; source 1: a map's descriptor */
#define MOVE		0xbf
#define MOVE_IMM	0xb7
#define ADD_IMM		0x07
#define CALL		0x85
#define EXIT		0x95

#define FRAME		10	/* the register with the end of the stack */

/* Each of these functions writes instructions to @at, and returns the place after them */

static inline struct insn *put(struct insn *at, int op, int to, int from, int offset, int imm)
{
	at->op = op;
	at->regs = to | from << 4;
	at->offset = offset;
	at->imm = imm;
	return at + 1;
}

static inline struct insn *put_map(struct insn *at, int to, int map)
{
	at = put(at, LOAD_IMM64, to, 1, 0, map);
	return put(at, 0, 0, 0, 0, 0);
}

static inline struct insn *put_stack(struct insn *at, int to, int offset)
{
	at = put(at, MOVE, to, FRAME, 0, 0);
	return put(at, ADD_IMM, to, 0, 0, offset);
}

static inline s64 bpf(int command, void *attr, unsigned int size)
{
	return sys(NR_BPF, command, (s64)attr, size, 0);
}

#endif /* _BENCH_BPF_H */
