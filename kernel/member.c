// SPDX-License-Identifier: GPL-2.0-only
/*
 * Types and members in any BTF, see kernel/member.h.  The format is described in
 * the kernel's Documentation/bpf/btf.rst.
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
 * objtrace_type_skip() - the type behind qualifiers, typedefs and tags
 * @btf: the BTF
 * @id: a type in it; replaced by the one that is found
 *
 * Context: any.
 * Return: the type; NULL for void, and for a chain that is too long
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
 * objtrace_type_size_of() - how large a value of a type is
 * @btf: the BTF
 * @id: a type in it
 *
 * Context: any.
 * Return: bytes; 0 for what has no size, as void, a flexible array or a struct of
 * which only the name is known
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
 * Before structs could tell the size of their bitfields, each of these had an
 * integer type of its own that does.
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
 * objtrace_member_at() - where a struct's member of a given number is
 * @btf: the BTF
 * @t: a struct or union in it
 * @nr: which member, below the struct's number of members
 * @member: stored here
 *
 * Context: any.
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

/* Also in anonymous structs and unions, whose members are the outer one's in C */
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
 * objtrace_member_find() - where a struct's member of a given name is
 * @btf: the BTF
 * @t: a struct or union in it
 * @name: the member, also one of an anonymous struct or union in it
 * @len: characters of @name that count
 * @member: stored here
 *
 * Context: any.
 * Return: whether there is one
 */
bool objtrace_member_find(const struct btf *btf, const struct btf_type *t,
			  const char *name, size_t len,
			  struct objtrace_member *member)
{
	return len && find_named_member(btf, t, name, len, member, OBJTRACE_TYPE_DEPTH);
}
