// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the running kernel's BTF: sizes of structs, offsets of members, prototypes of
 * functions.  Types are compared by their printed text.  objtrace refuses to load if the BTF
 * differs, with one line that names the difference.
 *
 * The format is described in the kernel's Documentation/bpf/btf.rst.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/btf.h"
#include "kernel/built.h"
#include "kernel/ksyms.h"
#include "kernel/member.h"

/* Ends of the messages */
#define UNKNOWN		"objtrace does not support this kernel"
#define REBUILD		"objtrace was built for another kernel: build objtrace for this kernel"

/* Length of the longest printed type.  Types in objtrace's tables are shorter. */
#define TYPE_LEN	256
/* Largest depth of nested pointers and qualifiers in a printed type */
#define MAX_DEPTH	16

/* The kernel's own BTF: constant, never freed */
static struct btf *vmlinux_btf;

static const struct btf_type *type_of(u32 id)
{
	return btf_type_by_id(vmlinux_btf, id);
}

static const char *name_of(u32 offset)
{
	return name_in(vmlinux_btf, offset);
}

/* Names of integer types in the debug information of gcc and clang */
static const struct {
	const char *gcc;
	const char *clang;
} integers[] = {
	{ "short int",			"short" },
	{ "short unsigned int",		"unsigned short" },
	{ "long int",			"long" },
	{ "long unsigned int",		"unsigned long" },
	{ "long long int",		"long long" },
	{ "long long unsigned int",	"unsigned long long" },
	{ "__int128 unsigned",		"unsigned __int128" },
};

/* Return clang's name of an integer, so that the text does not depend on the compiler */
static const char *integer_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(integers); i++)
		if (!strcmp(integers[i].gcc, name))
			return integers[i].clang;
	return name;
}

/**
 * struct type_text - buffer for a printed type
 * @text: the text, with a final NUL
 * @len: length of @text without the NUL
 */
struct type_text {
	char		text[TYPE_LEN];
	unsigned int	len;
};

static void put_text(struct type_text *out, const char *text)
{
	out->len += scnprintf(out->text + out->len, sizeof(out->text) - out->len,
			      "%s", text);
}

static void print_type(struct type_text *out, u32 id, unsigned int depth);

static void print_params(struct type_text *out, const struct btf_type *proto,
			 unsigned int depth)
{
	const struct btf_param *param = (const struct btf_param *)(proto + 1);
	unsigned int nr = BTF_INFO_VLEN(proto->info);
	unsigned int i;

	put_text(out, "(");
	if (!nr)
		put_text(out, "void");
	for (i = 0; i < nr; i++) {
		if (i)
			put_text(out, ", ");
		print_type(out, param[i].type, depth);
	}
	put_text(out, ")");
}

static void print_pointer(struct type_text *out, u32 target, unsigned int depth)
{
	const struct btf_type *t = target ? type_of(target) : NULL;

	if (t && kind_of(t) == BTF_KIND_FUNC_PROTO) {
		print_type(out, t->type, depth);
		put_text(out, " (*)");
		print_params(out, t, depth);
		return;
	}
	print_type(out, target, depth);
	put_text(out, out->len && out->text[out->len - 1] == '*' ? "*" : " *");
}

/* Print a type as C spells types.  A kind that no table of objtrace has prints as "?". */
static void print_type(struct type_text *out, u32 id, unsigned int depth)
{
	const struct btf_type *t = type_of(id);

	if (!id) {
		put_text(out, "void");
		return;
	}
	if (!t || !depth--) {
		put_text(out, "?");
		return;
	}
	switch (kind_of(t)) {
	case BTF_KIND_PTR:
		print_pointer(out, t->type, depth);
		break;
	case BTF_KIND_TYPE_TAG:
		print_type(out, t->type, depth);
		break;
	case BTF_KIND_CONST:
		put_text(out, "const ");
		print_type(out, t->type, depth);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_FWD:
		put_text(out, "struct ");
		put_text(out, name_of(t->name_off));
		break;
	case BTF_KIND_ENUM:
		put_text(out, "enum ");
		put_text(out, name_of(t->name_off));
		break;
	case BTF_KIND_INT:
		put_text(out, integer_name(name_of(t->name_off)));
		break;
	case BTF_KIND_TYPEDEF:
		put_text(out, name_of(t->name_off));
		break;
	default:
		put_text(out, "?");
	}
}

#define OBJTRACE_FUNC(ret, name, args)	{ #name, #ret " " #args, NULL },
#define OBJTRACE_FUNC2(ret, name, args, older) \
	{ #name, #ret " " #args, #ret " " #older },
#define OBJTRACE_ENTRY(ret, name, args)	{ #name, #ret " " #args, NULL, true },
#define OBJTRACE_MAYBE(ret, name, args)	{ #name, #ret " " #args, NULL, true },
#define OBJTRACE_ENTRY2(ret, older, name, args) \
	{ #name, #ret " " #args, #older " " #args, true },
#define OBJTRACE_ADDR(name)
static const struct {
	const char *name;
	const char *proto;
	const char *older;
	/* A kernel may lack the function: OBJTRACE_MAYBE, or objtrace only traces its entry */
	bool is_entry;
} functions[] = {
#include "objtrace_symbols.h"
};
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC

/* Structs and enums of kernel/structs.h, with their IDs in the running kernel's BTF */
static struct {
	const char	*name;
	unsigned int	kind;
	u32		id;
} types[] = {
#define OBJTRACE_STRUCT(name)	{ #name, BTF_KIND_STRUCT },
#define OBJTRACE_ENUM(name)	{ #name, BTF_KIND_ENUM },
#include "kernel/structs.h"
};

/**
 * struct enumerator - an enumerator of kernel/structs.h, in any enum
 * @name: name of the enumerator
 * @found: true if the running kernel has the enumerator
 * @value: value in the running kernel
 */
struct enumerator {
	const char	*name;
	bool		found;
	int		value;
};

static struct enumerator enumerators[] = {
#define OBJTRACE_ENUMERATOR(name)	{ #name },
#include "kernel/structs.h"
};

static bool is_same_name(const char *a, const char *b)
{
	return a[0] == b[0] && !strcmp(a, b);
}

/* Bits of lists_by_beginning[HASH]: the lists above that have a name with this beginning_of() */
enum {
	IN_FUNCTIONS	= BIT(0),
	IN_TYPES	= BIT(1),
	IN_ENUMERATORS	= BIT(2),
};

static u8 lists_by_beginning[256];

/*
 * Hash the first four characters of a name.  Most names of a kernel's BTF are in no list, and
 * their hash already shows that.
 */
static u8 beginning_of(const char *name)
{
	unsigned int i;
	u8 hash = 0;

	for (i = 0; i < 4 && name[i]; i++)
		hash = hash * 31 + name[i];
	return hash;
}

static bool may_be_in(unsigned int list, const char *name)
{
	return lists_by_beginning[beginning_of(name)] & list;
}

static void note_beginnings(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		lists_by_beginning[beginning_of(functions[i].name)] |= IN_FUNCTIONS;
	for (i = 0; i < ARRAY_SIZE(types); i++)
		lists_by_beginning[beginning_of(types[i].name)] |= IN_TYPES;
	for (i = 0; i < ARRAY_SIZE(enumerators); i++)
		lists_by_beginning[beginning_of(enumerators[i].name)] |= IN_ENUMERATORS;
}

static void note_enumerators(const struct btf_type *t)
{
	const struct btf_enum *e = (const struct btf_enum *)(t + 1);
	unsigned int i, n;
	const char *name;

	for (n = 0; n < BTF_INFO_VLEN(t->info); n++) {
		name = name_of(e[n].name_off);
		if (!may_be_in(IN_ENUMERATORS, name))
			continue;
		for (i = 0; i < ARRAY_SIZE(enumerators); i++) {
			if (enumerators[i].found || !is_same_name(enumerators[i].name, name))
				continue;
			enumerators[i].found = true;
			enumerators[i].value = e[n].val;
		}
	}
}

static void note_type(const struct btf_type *t, u32 id)
{
	unsigned int kind = kind_of(t);
	const char *name;
	unsigned int i;

	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_ENUM)
		return;
	if (kind == BTF_KIND_ENUM)
		note_enumerators(t);
	name = name_of(t->name_off);
	if (!may_be_in(IN_TYPES, name))
		return;
	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (is_same_name(types[i].name, name) && types[i].kind == kind &&
		    !types[i].id)
			types[i].id = id;
}

/* Bits of functions[]: the BTF has the function; the function has its older prototype */
static unsigned long is_described, is_older;

/* Set the function's bits, or fail after one line */
static int check_function(const struct btf_type *t)
{
	const char *name = name_of(t->name_off);
	const struct btf_type *proto;
	struct type_text out = {};
	unsigned int i;

	if (!may_be_in(IN_FUNCTIONS, name))
		return 0;
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (is_same_name(functions[i].name, name))
			break;
	if (i == ARRAY_SIZE(functions))
		return 0;

	proto = type_of(t->type);
	print_type(&out, proto->type, MAX_DEPTH);
	put_text(&out, " ");
	print_params(&out, proto, MAX_DEPTH);
	if (functions[i].older && !strcmp(out.text, functions[i].older)) {
		is_older |= BIT(i);
	} else if (strcmp(out.text, functions[i].proto)) {
		pr_err("this kernel's %s() has the prototype %s, not %s: " UNKNOWN "\n",
		       name, out.text, functions[i].proto);
		return -EOPNOTSUPP;
	}
	is_described |= BIT(i);
	return 0;
}

/**
 * objtrace_btf_init() - read the running kernel's BTF
 *
 * Walks over all types once.  Stores the IDs of the structs in kernel/structs.h, and checks the
 * prototype of each function in objtrace_symbols.h.
 *
 * Context: task, module init, after objtrace_ksyms_init().
 * Return: 0, or -EOPNOTSUPP after one line that names the missing or different item
 */
int objtrace_btf_init(void)
{
	const struct btf_type *t;
	unsigned int i;
	int ret;
	u32 id;

	BUILD_BUG_ON(ARRAY_SIZE(functions) > BITS_PER_LONG);
	vmlinux_btf = ksym(bpf_get_btf_vmlinux)();
	if (!vmlinux_btf) {
		pr_err("this kernel has no BTF (CONFIG_DEBUG_INFO_BTF)\n");
		return -EOPNOTSUPP;
	}
	if (PTR_ERR(vmlinux_btf) == -ENOMEM) {
		pr_err("the kernel ran out of memory while it read its BTF, and does not retry: reboot\n");
		return -EOPNOTSUPP;
	}
	if (IS_ERR(vmlinux_btf)) {
		pr_err("the BTF of this kernel cannot be read: error %ld\n", PTR_ERR(vmlinux_btf));
		return -EOPNOTSUPP;
	}

	note_beginnings();
	for (id = 1; (t = type_of(id)); id++) {
		if (kind_of(t) != BTF_KIND_FUNC) {
			note_type(t, id);
			continue;
		}
		ret = check_function(t);
		if (ret)
			return ret;
	}

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (is_described & BIT(i) || functions[i].is_entry)
			continue;
		pr_err("this kernel's BTF does not describe %s(): " UNKNOWN "\n",
		       functions[i].name);
		return -EOPNOTSUPP;
	}
	return 0;
}

static bool has_bit(unsigned long bits, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (is_same_name(functions[i].name, name))
			return bits & BIT(i);
	return false;
}

/**
 * objtrace_btf_describes() - check that the kernel has a function with the known prototype
 * @name: a function of objtrace_symbols.h
 *
 * Context: Any, NMI included, after objtrace_btf_init().
 * Return: true if the BTF has the function
 */
bool objtrace_btf_describes(const char *name)
{
	return has_bit(is_described, name);
}

/**
 * objtrace_btf_is_older() - check that a function has the older of its two prototypes
 * @name: a function with two prototypes in objtrace_symbols.h
 *
 * Context: Any, NMI included, after objtrace_btf_init().
 * Return: true if the function has the older prototype
 */
bool objtrace_btf_is_older(const char *name)
{
	return has_bit(is_older, name);
}

static const struct btf_type *find_listed_type(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (is_same_name(types[i].name, name))
			return types[i].id ? type_of(types[i].id) : NULL;
	return NULL;
}

static bool find_member(struct objtrace_member *place, const struct btf_type *t,
			const char *name)
{
	return objtrace_member_find(vmlinux_btf, t, name, strlen(name), place);
}

static unsigned int size_of_type(u32 id)
{
	return objtrace_type_size_of(vmlinux_btf, id);
}

static const struct enumerator *find_enumerator(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(enumerators); i++)
		if (!strcmp(enumerators[i].name, name))
			return enumerators[i].found ? &enumerators[i] : NULL;
	return NULL;
}

/**
 * objtrace_btf_has() - check that the kernel has a struct, a member or an enumerator
 * @of: a struct of kernel/structs.h, or NULL for an enumerator
 * @name: member of the struct, or NULL for the struct alone; or the enumerator
 *
 * Context: task, after objtrace_btf_init().
 * Return: true if this kernel has the struct and the member, or the enumerator
 */
bool objtrace_btf_has(const char *of, const char *name)
{
	const struct btf_type *t;
	struct objtrace_member place;

	if (!of)
		return find_enumerator(name);
	t = find_listed_type(of);
	return t && (!name || find_member(&place, t, name));
}

static int no_struct(const char *name, const char *why)
{
	pr_err("this kernel has no struct %s: %s\n", name, why);
	return -EOPNOTSUPP;
}

static int no_member(const char *struct_name, bool found, const char *member,
		     const char *why)
{
	pr_err("this kernel's struct %s has %s %s: %s\n", struct_name,
	       found ? "another" : "no", member, why);
	return -EOPNOTSUPP;
}

static bool is_at_byte(const struct objtrace_member *place)
{
	return !place->bit_size && !(place->bits % BITS_PER_BYTE);
}

static bool check_member(const struct objtrace_member *place,
			 const struct objtrace_btf_member *wanted)
{
	struct type_text out = {};

	if (!is_at_byte(place))
		return false;
	if (!wanted->proto)
		return wanted->size == OBJTRACE_ANY_SIZE ||
		       size_of_type(place->type) == wanted->size;
	print_type(&out, place->type, MAX_DEPTH);
	return !strcmp(out.text, wanted->proto);
}

/**
 * objtrace_btf_struct() - read the size of a private struct and the offsets of its members
 * @struct_name: name of the struct
 * @size: receives the size in bytes
 * @members: members to find, with pointers for their offsets
 * @nr_members: number of @members
 *
 * Context: task, after objtrace_btf_init().
 * Return: 0, or -EOPNOTSUPP after one line that names the struct and the member
 */
int objtrace_btf_struct(const char *struct_name, unsigned int *size,
			const struct objtrace_btf_member *members,
			unsigned int nr_members)
{
	const struct btf_type *t = find_listed_type(struct_name);
	struct objtrace_member place;
	unsigned int i;
	bool found;

	if (!t)
		return no_struct(struct_name, UNKNOWN);
	for (i = 0; i < nr_members; i++) {
		found = find_member(&place, t, members[i].name);
		if (!found || !check_member(&place, &members[i]))
			return no_member(struct_name, found, members[i].name, UNKNOWN);
		*members[i].offset = place.bits / BITS_PER_BYTE;
	}
	*size = t->size;
	return 0;
}

static int compare_enumerator(const struct objtrace_btf_built *built)
{
	const struct enumerator *e = find_enumerator(built->name);

	if (e && e->value == built->value)
		return 0;
	pr_err("this kernel has %s %s: " REBUILD "\n", e ? "another" : "no", built->name);
	return -EOPNOTSUPP;
}

/**
 * objtrace_btf_compare() - compare one public struct, member or enumerator with the headers
 * @built: the item as in the headers that the module was built with
 *
 * Context: task, after objtrace_btf_init().
 * Return: 0, or -EOPNOTSUPP after one line that names the different item
 */
int objtrace_btf_compare(const struct objtrace_btf_built *built)
{
	const struct btf_type *t;
	struct objtrace_member place;
	bool found;

	if (!built->of)
		return compare_enumerator(built);
	t = find_listed_type(built->of);
	if (!t)
		return no_struct(built->of, REBUILD);
	if (!built->name)
		return t->size == built->size ? 0 :
		       no_member(built->of, true, "size", REBUILD);

	found = find_member(&place, t, built->name);
	if (found && is_at_byte(&place) && place.bits / BITS_PER_BYTE == built->value &&
	    size_of_type(place.type) == built->size)
		return 0;
	return no_member(built->of, found, built->name, REBUILD);
}

/**
 * objtrace_btf_enumerator() - read the value of a private enumerator
 * @enum_name: name of the enum
 * @name: name of the enumerator
 * @value: receives the value
 *
 * Context: task, after objtrace_btf_init().
 * Return: 0, or -EOPNOTSUPP after one line that names the enumerator
 */
int objtrace_btf_enumerator(const char *enum_name, const char *name, int *value)
{
	const struct btf_type *t = find_listed_type(enum_name);
	const struct btf_enum *e;
	unsigned int i;

	if (t) {
		e = (const struct btf_enum *)(t + 1);
		for (i = 0; i < BTF_INFO_VLEN(t->info); i++) {
			if (strcmp(name_of(e[i].name_off), name))
				continue;
			*value = e[i].val;
			return 0;
		}
	}
	pr_err("this kernel's enum %s has no %s: " UNKNOWN "\n",
	       enum_name, name);
	return -EOPNOTSUPP;
}
