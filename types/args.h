/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which argument registers a function takes, from its prototype in BTF: what is in
 * the others is left over from whatever ran before, and is no argument.
 *
 * A pure function of the BTF, the same source in the kernel and in the unit tests.
 * Both ABIs are known to both, so that either can be tested on the other.
 */
#ifndef _OBJTRACE_ARGS_H
#define _OBJTRACE_ARGS_H

#include <linux/types.h>

struct btf;

/**
 * enum objtrace_abi - how arguments are passed
 * @OBJTRACE_ABI_X86_64: System V AMD64 ABI, 3.2.3: di si dx cx r8 r9
 * @OBJTRACE_ABI_ARM64: AAPCS64, 6.8.2: x0 to x7
 */
enum objtrace_abi {
	OBJTRACE_ABI_X86_64,
	OBJTRACE_ABI_ARM64,
};

/**
 * struct objtrace_args - which argument registers a function takes
 * @used: bit N: register N of the ABI's holds an argument or a part of one
 * @objects: those of them that can hold the address of an object: pointers, and
 * integers of 8 bytes
 * @variable: those of them that are behind the last argument with a name, "...": nobody
 * knows how many the caller has filled
 */
struct objtrace_args {
	u8	used;
	u8	objects;
	u8	variable;
};

/* What objtrace_args_take() tells */
#define OBJTRACE_TAKES_STRUCT	1
#define OBJTRACE_TAKES_VOID	2

u8 objtrace_args_all(enum objtrace_abi abi);
bool objtrace_args_of(const struct btf *btf, u32 proto, enum objtrace_abi abi,
		      struct objtrace_args *args);
unsigned int objtrace_args_take(const struct btf *btf, u32 proto, const char *tag);

#endif /* _OBJTRACE_ARGS_H */
