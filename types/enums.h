/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Enums in BTF: the names of values, and the enum of the option "enum=".
 *
 * Pure functions of the BTF, the same source in the kernel and in the unit tests.
 */
#ifndef _OBJTRACE_ENUMS_H
#define _OBJTRACE_ENUMS_H

#include <linux/types.h>

struct btf;
struct objtrace_error;
struct objtrace_fetch;
struct objtrace_spec;

const char *objtrace_enum_name(const struct btf *btf, u32 id, u64 value);
int objtrace_enum_resolve(const struct btf *btf, const struct objtrace_spec *spec,
			  struct objtrace_fetch *fetch, struct objtrace_error *error);

#endif /* _OBJTRACE_ENUMS_H */
