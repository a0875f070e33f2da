/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members that a user may mean who writes the name of a macro: for sk_state of a struct sock,
 * __sk_common.skc_state.
 *
 * Pure functions of the BTF, the same source in the kernel and in the unit tests.
 */
#ifndef _OBJTRACE_SUGGEST_H
#define _OBJTRACE_SUGGEST_H

#include <linux/types.h>

struct btf;
struct btf_type;
struct objtrace_error;

void objtrace_suggest_member(const struct btf *btf, const struct btf_type *t, const char *name,
			     size_t len, struct objtrace_error *error);

#endif /* _OBJTRACE_SUGGEST_H */
