// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C, the type of a name is on both sides of the name.  btf_dump__emit_type_decl() of libbpf
 * also writes such types, but it renames the second of two structs with the same tag, and writes
 * all members of a struct without a tag.
 */
#include <stdbool.h>
#include <string.h>

#include "tools/objtrace/decl.h"
#include "tools/objtrace/kbtf.h"

/* A declaration up to here.  @needs_blank: a word must not follow without a blank */
struct decl {
	FILE		*out;
	struct btf	*btf;
	bool		needs_blank;
};

static void print_left(struct decl *d, int id);
static void print_right(struct decl *d, int id);

static void print_word(struct decl *d, const char *word)
{
	if (!*word)
		return;
	if (d->needs_blank)
		fputc(' ', d->out);
	fputs(word, d->out);
	d->needs_blank = true;
}

static void print_sign(struct decl *d, const char *sign)
{
	if (d->needs_blank)
		fputc(' ', d->out);
	fputs(sign, d->out);
	d->needs_blank = false;
}

static const struct btf_type *type_at(const struct decl *d, int id)
{
	return btf__type_by_id(d->btf, id);
}

/* A pointer to such a type has parentheses around it */
static bool is_behind_name(const struct btf_type *t)
{
	return btf_is_array(t) || btf_is_func_proto(t);
}

static const char *qualifier_of(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_CONST:
		return "const";
	case BTF_KIND_VOLATILE:
		return "volatile";
	case BTF_KIND_RESTRICT:
		return "restrict";
	}
	return "";
}

static const char *keyword_of(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
		return "struct";
	case BTF_KIND_UNION:
		return "union";
	case BTF_KIND_FWD:
		return btf_kflag(t) ? "union" : "struct";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return "enum";
	case BTF_KIND_UNKN:
		return "void";
	}
	return "";
}

static void print_pointer(struct decl *d, const struct btf_type *t)
{
	print_left(d, t->type);
	print_sign(d, is_behind_name(type_at(d, t->type)) ? "(*" : "*");
}

static bool qualifies_pointer(const struct decl *d, const struct btf_type *t)
{
	while (btf_is_mod(t) || btf_is_type_tag(t))
		t = type_at(d, t->type);
	return btf_is_ptr(t);
}

/*
 * A qualifier is before the type, but behind the asterisk of a pointer.  The elements of an array
 * have its qualifiers, too.
 */
static void print_qualified(struct decl *d, const struct btf_type *t)
{
	bool is_behind = qualifies_pointer(d, t);

	if (!is_behind && !btf_is_array(type_at(d, t->type)))
		print_word(d, qualifier_of(t));
	print_left(d, t->type);
	if (is_behind)
		print_word(d, qualifier_of(t));
}

static void print_left(struct decl *d, int id)
{
	const struct btf_type *t = type_at(d, id);

	if (btf_is_ptr(t)) {
		print_pointer(d, t);
	} else if (btf_is_mod(t)) {
		print_qualified(d, t);
	} else if (btf_is_type_tag(t) || btf_is_func_proto(t)) {
		print_left(d, t->type);
	} else if (btf_is_array(t)) {
		print_left(d, btf_array(t)->type);
	} else {
		print_word(d, keyword_of(t));
		print_word(d, btf__name_by_offset(d->btf, t->name_off));
		if (!t->name_off && btf_is_composite(t))
			print_word(d, "{...}");
	}
}

static void print_params(struct decl *d, const struct btf_type *t)
{
	const struct btf_param *params = btf_params(t);
	struct kbtf_type type = { .btf = d->btf };
	int i;

	fputc('(', d->out);
	for (i = 0; i < btf_vlen(t); i++) {
		type.id = params[i].type;
		fputs(i ? ", " : "", d->out);
		decl_print(d->out, &type, btf__name_by_offset(d->btf, params[i].name_off));
	}
	fputs(i ? ")" : "void)", d->out);
}

static void print_right(struct decl *d, int id)
{
	const struct btf_type *t = type_at(d, id);

	if (btf_is_ptr(t)) {
		if (is_behind_name(type_at(d, t->type)))
			fputc(')', d->out);
		print_right(d, t->type);
	} else if (btf_is_mod(t) || btf_is_type_tag(t)) {
		print_right(d, t->type);
	} else if (btf_is_array(t)) {
		fprintf(d->out, "[%u]", btf_array(t)->nelems);
		print_right(d, btf_array(t)->type);
	} else if (btf_is_func_proto(t)) {
		print_params(d, t);
		print_right(d, t->type);
	}
}

/**
 * decl_print() - print the declaration of a name, or a type alone
 * @out: the stream
 * @type: the type
 * @name: the name, or an empty text
 *
 * The declaration of a function has its parameters.
 *
 * A parameter without a type and a name is the "..." of variable arguments.
 */
void decl_print(FILE *out, const struct kbtf_type *type, const char *name)
{
	struct decl d = { .out = out, .btf = type->btf };

	if (!type->id && *name == '\0') {
		fputs("...", out);
		return;
	}
	print_left(&d, type->id);
	print_word(&d, name);
	print_right(&d, type->id);
}
