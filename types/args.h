/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the argument registers of a function from its prototype in BTF.  All other registers hold
 * stale values.
 *
 * Pure functions of the BTF, the same source in the kernel and in the unit tests.  Each build
 * knows both ABIs, so that the unit tests check both of them on any host.
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
 * @used: bit N: argument register N of the ABI holds an argument or a part of an argument
 * @objects: registers of @used that can hold the address of an object: pointers, and
 * integers of 8 bytes
 * @variable: registers of @used that can hold "...": it is unknown how many of them the caller
 * fills
 */
struct objtrace_args {
	u8	used;
	u8	objects;
	u8	variable;
};

/* Bits that objtrace_args_take() returns */
#define OBJTRACE_TAKES_STRUCT	1
#define OBJTRACE_TAKES_VOID	2

u8 objtrace_args_all(enum objtrace_abi abi);
bool objtrace_args_of(const struct btf *btf, u32 proto, enum objtrace_abi abi,
		      struct objtrace_args *args);
unsigned int objtrace_args_take(const struct btf *btf, u32 proto, const char *tag);

#endif /* _OBJTRACE_ARGS_H */
