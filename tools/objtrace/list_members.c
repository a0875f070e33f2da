// SPDX-License-Identifier: GPL-2.0-only
/*
 * The members of a struct.  The members of a struct without a name count as members of the
 * outer struct, as in C.
 */
#include <fnmatch.h>
#include <stdio.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/decl.h"
#include "tools/objtrace/list.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/nosuch.h"
#include "tools/objtrace/suggest.h"

/*
 * A walk through the members.
 *
 * @pattern: the names to print, or NULL for all
 * @similar: the search for the name that was meant
 * @nr_found: number of printed members
 */
struct walk {
	const char		*pattern;
	struct suggestion	similar;
	unsigned int		nr_found;
};

static void print_member(const struct kbtf_type *type, const char *name, unsigned int bit,
			 unsigned int nr_bits)
{
	char offset[24], size[24];

	if (nr_bits) {
		snprintf(offset, sizeof(offset), "%u:%u", bit / 8, bit % 8);
		snprintf(size, sizeof(size), "0:%u", nr_bits);
	} else {
		snprintf(offset, sizeof(offset), "%u", bit / 8);
		snprintf(size, sizeof(size), "%lld",
			 (long long)btf__resolve_size(type->btf, type->id));
	}
	printf("%8s %8s  ", offset, size);
	decl_print(stdout, type, name);
	putchar('\n');
}

static void visit_member(struct walk *w, const struct kbtf_type *type, const char *name,
			 unsigned int bit, unsigned int nr_bits)
{
	if (w->pattern) {
		suggest_consider(&w->similar, name);
		if (fnmatch(w->pattern, name, 0))
			return;
	}
	w->nr_found++;
	print_member(type, name, bit, nr_bits);
}

static void walk_members(struct walk *w, const struct kbtf_type *type, unsigned int start)
{
	const struct btf_type *t = btf__type_by_id(type->btf, type->id);
	struct kbtf_type inner = *type, resolved;
	const char *name;
	unsigned int bit;
	int i;

	for (i = 0; i < btf_vlen(t); i++) {
		name = btf__name_by_offset(type->btf, btf_members(t)[i].name_off);
		bit = start + btf_member_bit_offset(t, i);
		inner.id = btf_members(t)[i].type;
		resolved = kbtf_resolve(&inner);
		if (!*name && btf_is_composite(btf__type_by_id(resolved.btf, resolved.id)))
			walk_members(w, &resolved, bit);
		else if (*name)
			visit_member(w, &inner, name, bit, btf_member_bitfield_size(t, i));
	}
}

static int no_such_member(const struct walk *w)
{
	char hint[160];

	if (!list_is_name(w->pattern))
		return usage_error_at(w->pattern, 0, "no member of the struct has such a name");
	return usage_error_at(w->pattern, 0, "the struct has no such member%s",
			      suggest_text(&w->similar, hint, sizeof(hint)));
}

/**
 * list_members() - list the members of a struct
 * @k: the BTF
 * @o: the command line
 *
 * Return: the exit code of the program.
 */
int list_members(struct kbtf *k, const struct list_options *o)
{
	struct walk walk = { .pattern = o->pattern };
	struct kbtf_type type;

	if (!kbtf_composite(k, o->struct_name, &type))
		return nosuch_struct(k, o->struct_name);
	if (o->pattern)
		suggest_init(&walk.similar, o->pattern, strlen(o->pattern));
	walk_members(&walk, &type, 0);
	return o->pattern && !walk.nr_found ? no_such_member(&walk) : EXIT_DONE;
}
