/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members by name: (STRUCT)FIELD->a.b->c.2.d against BTF, and back from an offset to
 * the name.
 *
 *   a.b     member of a struct or union; also one of an anonymous struct in it
 *   a->b    member of what the pointer a leads to
 *   a.2     element of an array; of a flexible one, any of the first 65536
 *
 * Pure functions of the BTF, the same source in the kernel and in the unit tests: no
 * kernel state, no allocation.
 */
#ifndef _OBJTRACE_PATH_H
#define _OBJTRACE_PATH_H

#include <linux/types.h>

#include "command/parse.h"
#include "objtrace_fetch.h"

struct btf;

int objtrace_path_resolve(const struct btf *btf, u32 id,
			  const struct objtrace_spec *spec,
			  struct objtrace_fetch *fetch,
			  struct objtrace_error *error);
int objtrace_path_name(const struct btf *btf, u32 id, unsigned int offset,
		       char *buf, size_t size);
const char *objtrace_path_enumerator(const struct btf *btf, u32 id, u64 value);
void objtrace_fetch_set_type(struct objtrace_fetch *fetch, enum objtrace_type type);

#endif /* _OBJTRACE_PATH_H */
