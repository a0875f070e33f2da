// SPDX-License-Identifier: GPL-2.0-only
/*
 * Types and members in any BTF, see kernel/member.h.  The kernel's Documentation/bpf/btf.rst
 * describes the format.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/member.h"

static bool is_modifier(const struct btf_type *t)
{
	switch (kind_of(t)) {
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return true;
	}
	return false;
}

/**
 * objtrace_type_skip() - resolve qualifiers, typedefs and tags
 * @btf: the BTF
 * @id: ID of a type in @btf; replaced by the ID of the resolved type
 *
 * Context: Any, NMI included.
 * Return: the resolved type; NULL for void, or if the chain is too long
 */
const struct btf_type *objtrace_type_skip(const struct btf *btf, u32 *id)
{
	const struct btf_type *t;
	unsigned int depth;

	for (depth = 0; depth < OBJTRACE_TYPE_DEPTH; depth++) {
		t = *id ? btf_type_by_id(btf, *id) : NULL;
		if (!t || !is_modifier(t))
			return t;
		*id = t->type;
	}
	return NULL;
}

/**
 * objtrace_type_size_of() - compute the size of a type, through typedefs and arrays
 * @btf: the BTF
 * @id: ID of a type in @btf
 *
 * Context: Any, NMI included.
 * Return: size in bytes; 0 for a type without a size: void, a flexible array, or an incomplete
 * struct
 */
unsigned int objtrace_type_size_of(const struct btf *btf, u32 id)
{
	const struct btf_type *t;
	unsigned int depth, nr = 1;

	for (depth = 0; depth < OBJTRACE_TYPE_DEPTH; depth++) {
		t = objtrace_type_skip(btf, &id);
		if (!t)
			return 0;
		switch (kind_of(t)) {
		case BTF_KIND_PTR:
			return nr * sizeof(void *);
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_FLOAT:
			return nr * t->size;
		case BTF_KIND_ARRAY:
			nr *= array_of(t)->nelems;
			id = array_of(t)->type;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

/*
 * Older BTF has no size of a bitfield in the struct.  The bitfield's integer type has the size.
 */
static void apply_integer(struct objtrace_member *member, const struct btf_type *t)
{
	u32 data = *(const u32 *)(t + 1);

	if (BTF_INT_BITS(data) == t->size * BITS_PER_BYTE)
		return;
	member->bits += BTF_INT_OFFSET(data);
	member->bit_size = BTF_INT_BITS(data);
}

/**
 * objtrace_member_at() - read the type and the offset of a member by its index
 * @btf: the BTF
 * @t: a struct or union in @btf
 * @nr: index of the member, less than the number of members
 * @member: receives the type and the offset
 *
 * Context: Any, NMI included.
 */
void objtrace_member_at(const struct btf *btf, const struct btf_type *t,
			unsigned int nr, struct objtrace_member *member)
{
	const struct btf_member *m = &members_of(t)[nr];
	const struct btf_type *type;
	u32 id = m->type;

	member->type = m->type;
	if (BTF_INFO_KFLAG(t->info)) {
		member->bits = BTF_MEMBER_BIT_OFFSET(m->offset);
		member->bit_size = BTF_MEMBER_BITFIELD_SIZE(m->offset);
		return;
	}
	member->bits = m->offset;
	member->bit_size = 0;
	type = objtrace_type_skip(btf, &id);
	if (type && kind_of(type) == BTF_KIND_INT)
		apply_integer(member, type);
}

static bool is_member_named(const char *found, const char *name, size_t len)
{
	return !strncmp(found, name, len) && !found[len];
}

/* Also search anonymous structs and unions: in C, their members belong to the outer struct */
static bool find_named_member(const struct btf *btf, const struct btf_type *t, const char *name,
			      size_t len, struct objtrace_member *member, unsigned int depth)
{
	struct objtrace_member outer;
	const struct btf_type *inner;
	unsigned int i;
	const char *found;

	for (i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		found = name_in(btf, members_of(t)[i].name_off);
		if (found[0]) {
			if (!is_member_named(found, name, len))
				continue;
			objtrace_member_at(btf, t, i, member);
			return true;
		}
		objtrace_member_at(btf, t, i, &outer);
		inner = objtrace_type_skip(btf, &outer.type);
		if (depth && inner && has_members(inner) &&
		    find_named_member(btf, inner, name, len, member, depth - 1)) {
			member->bits += outer.bits;
			return true;
		}
	}
	return false;
}

/**
 * objtrace_member_find() - find a member by its name, also in anonymous structs
 * @btf: the BTF
 * @t: a struct or union in @btf
 * @name: name of the member, which can be in an anonymous struct or union
 * @len: length of the name; @name need not end there
 * @member: receives the type and the offset; only on success
 *
 * Context: Any, NMI included.
 * Return: true if the struct has the member
 */
bool objtrace_member_find(const struct btf *btf, const struct btf_type *t,
			  const char *name, size_t len,
			  struct objtrace_member *member)
{
	return len && find_named_member(btf, t, name, len, member, OBJTRACE_TYPE_DEPTH);
}
