/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of linux/bpf.h that bench-bpf and bench-fentry need to load a program
 */
#ifndef _BENCH_BPF_H
#define _BENCH_BPF_H

#include "bench.h"

enum { PROG_LOAD = 5 };

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

static inline s64 bpf(int command, void *attr, unsigned int size)
{
	return sys(NR_BPF, command, (s64)attr, size, 0);
}

#endif /* _BENCH_BPF_H */
