/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types by name.  libbpf looks at each type for a name, and BTF has 150,000 types.
 */
#ifndef _TOOLS_OBJTRACE_NAMEINDEX_H
#define _TOOLS_OBJTRACE_NAMEINDEX_H

#include <stdbool.h>
#include <stddef.h>

struct btf;

/**
 * struct nameindex_type - a type with a name
 * @name: the name, in the memory of @btf; NULL marks a free slot
 * @btf: the BTF that has the type
 * @id: the number of the type in @btf
 * @kind: BTF_KIND_...
 * @hash: the hash of @name and @kind
 */
struct nameindex_type {
	const char	*name;
	struct btf	*btf;
	int		id;
	unsigned int	kind;
	unsigned int	hash;
};

/**
 * struct nameindex - a hash table of types
 * @slots: the types; a type is in the first free slot from its hash on
 * @nr_slots: number of slots, a power of two, or 0 for an empty index
 * @nr_used: number of types, at most half of @nr_slots
 */
struct nameindex {
	struct nameindex_type	*slots;
	size_t			nr_slots;
	size_t			nr_used;
};

bool nameindex_add(struct nameindex *index, struct btf *btf, int first_id);
const struct nameindex_type *nameindex_find(const struct nameindex *index, const char *name,
					    unsigned int kind);
void nameindex_free(struct nameindex *index);

#endif /* _TOOLS_OBJTRACE_NAMEINDEX_H */
