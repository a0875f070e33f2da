// SPDX-License-Identifier: GPL-2.0-only
/*
 * The index has the kinds that users name.  The first of several types with the same name and
 * kind stays, as in a search from the first type on.
 */
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "tools/objtrace/nameindex.h"

#define MIN_SLOTS	1024

static bool is_indexed(unsigned int kind)
{
	return kind == BTF_KIND_FUNC || kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION ||
	       kind == BTF_KIND_TYPEDEF;
}

/* The hash function FNV-1a */
static unsigned int hash_of(const char *name, unsigned int kind)
{
	unsigned int hash = 2166136261u ^ kind;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

/* The slot of the type, or the free slot for it */
static struct nameindex_type *slot_of(const struct nameindex *index,
				      const struct nameindex_type *type)
{
	size_t i = type->hash & (index->nr_slots - 1);

	while (index->slots[i].name &&
	       (index->slots[i].hash != type->hash || index->slots[i].kind != type->kind ||
		strcmp(index->slots[i].name, type->name)))
		i = (i + 1) & (index->nr_slots - 1);
	return &index->slots[i];
}

static bool grow(struct nameindex *index, size_t nr_types)
{
	struct nameindex old = *index;
	size_t i, nr_slots = old.nr_slots ?: MIN_SLOTS;

	while (nr_slots < 2 * (index->nr_used + nr_types))
		nr_slots *= 2;
	if (nr_slots == old.nr_slots)
		return true;
	index->slots = calloc(nr_slots, sizeof(*index->slots));
	if (!index->slots) {
		*index = old;
		return false;
	}
	index->nr_slots = nr_slots;
	for (i = 0; i < old.nr_slots; i++)
		if (old.slots[i].name)
			*slot_of(index, &old.slots[i]) = old.slots[i];
	free(old.slots);
	return true;
}

/**
 * nameindex_add() - add the types of a BTF
 * @index: the index, zeroed before the first call
 * @btf: the BTF, which must stay in memory as long as @index
 * @first_id: the number of the first type to add
 *
 * Return: false if memory is short; then @index is unchanged.
 */
bool nameindex_add(struct nameindex *index, struct btf *btf, int first_id)
{
	int id, nr_ids = btf__type_cnt(btf);
	struct nameindex_type type = { .btf = btf }, *slot;
	const struct btf_type *t;

	if (!grow(index, nr_ids - first_id))
		return false;
	for (id = first_id; id < nr_ids; id++) {
		t = btf__type_by_id(btf, id);
		type.kind = btf_kind(t);
		if (!t->name_off || !is_indexed(type.kind))
			continue;
		type.name = btf__name_by_offset(btf, t->name_off);
		type.id = id;
		type.hash = hash_of(type.name, type.kind);
		slot = slot_of(index, &type);
		if (slot->name)
			continue;
		*slot = type;
		index->nr_used++;
	}
	return true;
}

/**
 * nameindex_find() - find a type
 * @index: the index
 * @name: the name of the type
 * @kind: BTF_KIND_FUNC, BTF_KIND_STRUCT, BTF_KIND_UNION or BTF_KIND_TYPEDEF
 *
 * Return: the type, or NULL.
 */
const struct nameindex_type *nameindex_find(const struct nameindex *index, const char *name,
					    unsigned int kind)
{
	struct nameindex_type type = { .name = name, .kind = kind, .hash = hash_of(name, kind) };
	const struct nameindex_type *slot;

	if (!index->nr_slots)
		return NULL;
	slot = slot_of(index, &type);
	return slot->name ? slot : NULL;
}

/**
 * nameindex_free() - free an index
 * @index: the index
 */
void nameindex_free(struct nameindex *index)
{
	free(index->slots);
	*index = (struct nameindex){};
}
