/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolve the member path of a command, as (STRUCT)FIELD->a.b->c.2.d, in BTF; and find the name
 * of the member at an offset.
 *
 *   a.b     member of a struct or union, or of an anonymous struct inside of it
 *   a->b    member of the struct or union that the pointer a points to
 *   a.2     element of an array; of a flexible array, any of the first 65536 elements
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
void objtrace_fetch_set_type(struct objtrace_fetch *fetch, enum objtrace_type type);

#endif /* _OBJTRACE_PATH_H */
