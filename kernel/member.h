/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and members in any BTF, the kernel's or a module's: what is read at load
 * and what is read for a command share this.
 *
 * Pure functions of the BTF, the same source in the kernel and in the unit tests.
 */
#ifndef _OBJTRACE_MEMBER_H
#define _OBJTRACE_MEMBER_H

#include <linux/btf.h>
#include <linux/types.h>

#include "kernel/ksyms.h"

/*
 * Longest chain of qualifiers and typedefs, or of anonymous structs in each other,
 * that is followed.  The kernel's own limit is 32; what it has is below 8.
 */
#define OBJTRACE_TYPE_DEPTH	16

/**
 * struct objtrace_member - where in a struct a member is
 * @type: the member's type
 * @bits: its offset
 * @bit_size: its size if it is a bitfield, else 0
 */
struct objtrace_member {
	u32		type;
	unsigned int	bits;
	unsigned int	bit_size;
};

static inline unsigned int kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

static inline bool has_members(const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_STRUCT || kind_of(t) == BTF_KIND_UNION;
}

static inline const struct btf_array *array_of(const struct btf_type *t)
{
	return (const struct btf_array *)(t + 1);
}

static inline const struct btf_member *members_of(const struct btf_type *t)
{
	return (const struct btf_member *)(t + 1);
}

/* Never NULL: what has no name has an empty one */
static inline const char *name_in(const struct btf *btf, u32 offset)
{
	return ksym(btf_name_by_offset)(btf, offset) ?: "";
}

const struct btf_type *objtrace_type_skip(const struct btf *btf, u32 *id);
unsigned int objtrace_type_size_of(const struct btf *btf, u32 id);
void objtrace_member_at(const struct btf *btf, const struct btf_type *t,
			unsigned int nr, struct objtrace_member *member);
bool objtrace_member_find(const struct btf *btf, const struct btf_type *t,
			  const char *name, size_t len,
			  struct objtrace_member *member);

#endif /* _OBJTRACE_MEMBER_H */
