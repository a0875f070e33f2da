/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and members in the BTF of the kernel or of a module.  Module init and the commands use
 * these functions.
 *
 * The results depend on the BTF alone.  The unit tests build the same source.
 */
#ifndef _OBJTRACE_MEMBER_H
#define _OBJTRACE_MEMBER_H

#include <linux/btf.h>
#include <linux/types.h>

#include "kernel/ksyms.h"

/*
 * Length of the longest chain of qualifiers and typedefs, or of nested anonymous structs, that
 * objtrace follows.  The kernel's own limit is 32.  Chains in Debian's kernels are below 8.
 */
#define OBJTRACE_TYPE_DEPTH	16

/**
 * struct objtrace_member - type and offset of a struct's member
 * @type: ID of the member's type
 * @bits: offset in bits
 * @bit_size: size of a bitfield in bits; 0 if the member is no bitfield
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

/* Never NULL: an item without a name has an empty name */
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
