// SPDX-License-Identifier: GPL-2.0-only
/*
 * Enums in BTF, see types/enums.h.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "command/parse.h"
#include "kernel/member.h"
#include "objtrace_fetch.h"
#include "types/enums.h"

/* Most enums that an error can list.  The log has room for about five. */
#define MAX_FOUND	8

static u64 enumerator_at(const struct btf *btf, const struct btf_type *t, unsigned int nr,
			 const char **name)
{
	const struct btf_enum64 *wide = (const struct btf_enum64 *)(t + 1) + nr;
	const struct btf_enum *e = (const struct btf_enum *)(t + 1) + nr;

	if (kind_of(t) == BTF_KIND_ENUM64) {
		*name = name_in(btf, wide->name_off);
		return (u64)wide->val_hi32 << 32 | wide->val_lo32;
	}
	*name = name_in(btf, e->name_off);
	return BTF_INFO_KFLAG(t->info) ? (u64)(s64)e->val : (u32)e->val;
}

static bool is_enum(const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_ENUM || kind_of(t) == BTF_KIND_ENUM64;
}

static unsigned int nr_enumerators(const struct btf_type *t)
{
	return BTF_INFO_VLEN(t->info);
}

/**
 * objtrace_enum_name() - find the name of an enum's value
 * @btf: BTF of the enum
 * @id: the enum, as objtrace_path_resolve() and objtrace_enum_resolve() store it
 * @value: the value, as objtrace_fetch_value() returns it
 *
 * The ring buffer can have records of an objtrace that was unloaded, or of the last boot.  Then
 * @btf is another one, and @id is any type of @btf, or none.
 *
 * Context: any, NMI included; the caller keeps @btf from being freed.
 * Return: the first enumerator with this value, or NULL
 */
const char *objtrace_enum_name(const struct btf *btf, u32 id, u64 value)
{
	const struct btf_type *t = btf_type_by_id(btf, id);
	const char *name;
	unsigned int i;
	u64 mask;

	if (!t || !is_enum(t))
		return NULL;
	/* Older BTF does not record the sign of an enum, so compare only the bits that it has */
	mask = t->size < sizeof(u64) ? (1ULL << t->size * BITS_PER_BYTE) - 1 : U64_MAX;
	/* With enum=, the value can have more bits than the enum: zeros, or copies of the sign */
	if (value & ~mask && (value | mask >> 1) != U64_MAX)
		return NULL;
	for (i = 0; i < nr_enumerators(t); i++)
		if (!((enumerator_at(btf, t, i, &name) ^ value) & mask))
			return name;
	return NULL;
}

/**
 * struct enum_search - search for the enum of a command
 * @btf: the BTF: of the kernel; or of a module, which includes the kernel's
 * @name: name of an enum or of an enumerator
 * @ids: the enums that were found, without equal ones
 * @nr: number of @ids
 */
struct enum_search {
	const struct btf	*btf;
	const char		*name;
	u32			ids[MAX_FOUND];
	unsigned int		nr;
};

/* Return the enum that a type is, without typedefs; or NULL.  @id becomes the enum's. */
static const struct btf_type *to_enum(const struct btf *btf, u32 *id)
{
	const struct btf_type *t = objtrace_type_skip(btf, id);

	/* A declaration has no enumerators */
	return t && is_enum(t) && nr_enumerators(t) ? t : NULL;
}

static bool has_enumerator(const struct btf *btf, const struct btf_type *t, const char *name)
{
	const char *found;
	unsigned int i;

	for (i = 0; i < nr_enumerators(t); i++) {
		enumerator_at(btf, t, i, &found);
		if (found[0] == name[0] && !strcmp(found, name))
			return true;
	}
	return false;
}

/* The BTF of a kernel can have an enum several times */
static bool is_equal_enum(const struct btf *btf, const struct btf_type *a,
			  const struct btf_type *b)
{
	const char *name_a, *name_b;
	unsigned int i;

	if (nr_enumerators(a) != nr_enumerators(b) || a->size != b->size)
		return false;
	for (i = 0; i < nr_enumerators(a); i++)
		if (enumerator_at(btf, a, i, &name_a) != enumerator_at(btf, b, i, &name_b) ||
		    strcmp(name_a, name_b))
			return false;
	return true;
}

static void note_enum(struct enum_search *search, const struct btf_type *t, u32 id)
{
	unsigned int i;

	for (i = 0; i < search->nr; i++)
		if (is_equal_enum(search->btf, t, btf_type_by_id(search->btf, search->ids[i])))
			return;
	if (search->nr < MAX_FOUND)
		search->ids[search->nr++] = id;
}

/* Note the enums with this name: also a typedef has a name */
static void search_names(struct enum_search *search)
{
	const struct btf_type *t;
	const char *name;
	u32 id, enum_id;

	for (id = 1; (t = btf_type_by_id(search->btf, id)); id++) {
		if (!t->name_off)
			continue;
		name = name_in(search->btf, t->name_off);
		if (name[0] != search->name[0] || strcmp(name, search->name))
			continue;
		enum_id = id;
		t = to_enum(search->btf, &enum_id);
		if (t)
			note_enum(search, t, enum_id);
	}
}

/* Note the enums with an enumerator of this name */
static void search_enumerators(struct enum_search *search)
{
	const struct btf_type *t;
	u32 id;

	for (id = 1; (t = btf_type_by_id(search->btf, id)); id++)
		if (is_enum(t) && has_enumerator(search->btf, t, search->name))
			note_enum(search, t, id);
}

/* Find a name that stands for one of the found enums alone: its own, or an enumerator */
static const char *own_name(const struct enum_search *search, unsigned int nr)
{
	const struct btf_type *t = btf_type_by_id(search->btf, search->ids[nr]);
	const char *name = name_in(search->btf, t->name_off);
	unsigned int i, other;

	if (name[0] && strcmp(name, search->name))
		return name;
	for (i = 0; i < nr_enumerators(t); i++) {
		enumerator_at(search->btf, t, i, &name);
		for (other = 0; other < search->nr; other++)
			if (other != nr && has_enumerator(search->btf,
				btf_type_by_id(search->btf, search->ids[other]), name))
				break;
		if (other == search->nr)
			return name;
	}
	return NULL;
}

static void list_name(struct objtrace_error *error, const char *name)
{
	objtrace_error_add(error, "%senum=%s", error->in[0] ? ", " : "", name);
}

static int refuse_ambiguous(const struct enum_search *search, const struct objtrace_spec *spec,
			    struct objtrace_error *error)
{
	int ret = objtrace_error_set(error, OBJTRACE_ERR_AMBIGUOUS_ENUM, spec->enum_pos);
	const char *name;
	unsigned int i;

	for (i = 0; i < search->nr; i++) {
		name = own_name(search, i);
		if (name)
			list_name(error, name);
	}
	return ret;
}

/* Check for TCP_ESTABLISHED if the command has established or tcp_established */
static bool is_similar(const char *name, const char *wanted)
{
	size_t len = strlen(name), end = strlen(wanted);

	if (len < end || strcasecmp(name + len - end, wanted))
		return false;
	return len == end || name[len - end - 1] == '_';
}

/* Add the similar names, as far as there is room; the log needs no name twice */
static void list_similar(const struct btf *btf, const struct objtrace_spec *spec,
			 struct objtrace_error *error)
{
	const struct btf_type *t;
	const char *name;
	unsigned int i;
	u32 id;

	for (id = 1; (t = btf_type_by_id(btf, id)); id++) {
		/* A declaration is not listed: it has no enumerators */
		if (!is_enum(t) || !nr_enumerators(t))
			continue;
		name = name_in(btf, t->name_off);
		if (is_similar(name, spec->enum_name) && !strstr(error->in, name))
			list_name(error, name);
		for (i = 0; i < nr_enumerators(t); i++) {
			enumerator_at(btf, t, i, &name);
			if (is_similar(name, spec->enum_name) && !strstr(error->in, name))
				list_name(error, name);
		}
	}
}

static int refuse_unknown(const struct btf *btf, const struct objtrace_spec *spec,
			  struct objtrace_error *error)
{
	int ret = objtrace_error_set(error, OBJTRACE_ERR_UNKNOWN_ENUM, spec->enum_pos);

	list_similar(btf, spec, error);
	return ret;
}

/**
 * objtrace_enum_resolve() - show a value by the enum of the command's option "enum="
 * @btf: the BTF: of the kernel; or of the module with the object's struct, which includes the
 *	 kernel's
 * @spec: the command; nothing is done without the option
 * @fetch: its format and its enum are set
 * @error: filled in on failure, with the names that the command can have instead
 *
 * The name of an enum has precedence over an enumerator.
 *
 * Context: task.  Walks over all types.
 * Return: 0, or the negative errno of @error
 */
int objtrace_enum_resolve(const struct btf *btf, const struct objtrace_spec *spec,
			  struct objtrace_fetch *fetch, struct objtrace_error *error)
{
	struct enum_search search = { .btf = btf, .name = spec->enum_name };

	if (!spec->enum_name[0])
		return 0;
	if (spec->type == OBJTRACE_TYPE_CHAR || spec->type == OBJTRACE_TYPE_SYMBOL)
		return objtrace_error_set(error, OBJTRACE_ERR_ENUM_TYPE, spec->enum_pos);
	search_names(&search);
	if (!search.nr)
		search_enumerators(&search);
	if (!search.nr)
		return refuse_unknown(btf, spec, error);
	if (search.nr > 1)
		return refuse_ambiguous(&search, spec, error);
	fetch->format = OBJTRACE_FORMAT_ENUM;
	fetch->enum_id = search.ids[0];
	return 0;
}
