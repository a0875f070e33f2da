// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths in BTF that this test makes: a member of each kind, each error at its column, and the
 * name of a member at an offset.
 */
#include <linux/kernel.h>

#include "kernel_btf.h"
#include "tap.h"
#include "types/enums.h"
#include "types/path.h"

static int must(int id)
{
	if (id < 0) {
		perror("path_test");
		exit(99);
	}
	return id;
}

/* Types, and the structs at the start of paths */
static int uchar_id, char_id, char_flag_id, schar_id, short_id, int_id, uint_id, long_id,
	   ulong_id, int128_id, bool_id, float_id, old5_id, old32_id,
	   int24_id, bytes_id;
static int color_id, sign_id, huge_id, negative_id, tiny_id, many_id, less_id;
/* No type has this number */
static int no_type_id = 1 << 20;
static int inner_id, outer_id, old_id, packed_id, small_id, union_id, empty_id, odd_id,
	   holes_id;

static int add_int(const char *name, unsigned int size, unsigned int encoding)
{
	return must(btf__add_int(kernel_btf, name, size, encoding));
}

/* Make an integer of @bits bits, @offset bits from the start of its member */
static int add_bits(unsigned int size, unsigned int offset, unsigned int bits)
{
	int id = add_int("unsigned int", size, 0);
	struct btf_type *t = (struct btf_type *)btf__type_by_id(kernel_btf, id);

	*(u32 *)(t + 1) = offset << 16 | bits;
	return id;
}

static void add_integers(void)
{
	uchar_id = add_int("unsigned char", 1, 0);
	char_id = add_int("char", 1, BTF_INT_SIGNED);
	char_flag_id = add_int("letter", 1, BTF_INT_CHAR);
	schar_id = add_int("signed char", 1, BTF_INT_SIGNED);
	short_id = add_int("short", 2, BTF_INT_SIGNED);
	int_id = add_int("int", 4, BTF_INT_SIGNED);
	uint_id = add_int("unsigned int", 4, 0);
	long_id = add_int("long", 8, BTF_INT_SIGNED);
	ulong_id = add_int("unsigned long", 8, 0);
	int128_id = add_int("__int128", 16, BTF_INT_SIGNED);
	bool_id = add_int("_Bool", 1, BTF_INT_BOOL);
	float_id = must(btf__add_float(kernel_btf, "double", 8));
	old5_id = must(btf__add_const(kernel_btf, add_bits(4, 3, 5)));
	old32_id = add_bits(4, 0, 32);
	int24_id = add_int("int24", 4, 0);
	/* Types that no compiler makes */
	((struct btf_type *)btf__type_by_id(kernel_btf, int24_id))->size = 3;
	bytes_id = must(btf__add_array(kernel_btf, int_id, uchar_id, 0));
}

static void add_enums(void)
{
	color_id = must(btf__add_enum(kernel_btf, "color", 4));
	must(btf__add_enum_value(kernel_btf, "RED", 0));
	must(btf__add_enum_value(kernel_btf, "GREEN", 1));
	must(btf__add_enum_value(kernel_btf, "BLUE", 2));
	must(btf__add_enum_value(kernel_btf, "ALSO_BLUE", 2));
	must(btf__add_enum_value(kernel_btf, "LAST", 0xfffffff0));
	sign_id = must(btf__add_enum(kernel_btf, "sign", 4));
	must(btf__add_enum_value(kernel_btf, "MINUS", -1));
	must(btf__add_enum_value(kernel_btf, "PLUS", 1));
	huge_id = must(btf__add_enum64(kernel_btf, "huge", 8, false));
	must(btf__add_enum64_value(kernel_btf, "HUGE", 1ULL << 63));
	must(btf__add_enum64_value(kernel_btf, "LARGE", 0x100000001));
	negative_id = must(btf__add_enum64(kernel_btf, "negative", 8, true));
	must(btf__add_enum64_value(kernel_btf, "LOW", -0x100000000LL));
	/* 8 bytes, although all values fit into 4 bytes */
	many_id = must(btf__add_enum(kernel_btf, "many", 8));
	must(btf__add_enum_value(kernel_btf, "MANY", 0xffffffff));
	less_id = must(btf__add_enum(kernel_btf, "less", 8));
	must(btf__add_enum_value(kernel_btf, "LESS", -1));
	/* Packed, from a compiler that did not mark negative values */
	tiny_id = must(btf__add_enum(kernel_btf, "tiny", 1));
	must(btf__add_enum_value(kernel_btf, "NONE", 0xffffffff));
	((struct btf_type *)btf__type_by_id(kernel_btf, tiny_id))->info &= ~(1U << 31);
}

static int begin_struct(const char *name, unsigned int size)
{
	return must(btf__add_struct(kernel_btf, name, size));
}

static void add(const char *name, int type, unsigned int byte)
{
	must(btf__add_field(kernel_btf, name, type, byte * 8, 0));
}

static void add_bitfield(const char *name, int type, unsigned int bit, unsigned int bits)
{
	must(btf__add_field(kernel_btf, name, type, bit, bits));
}

static int pointer_to(int id)
{
	return must(btf__add_ptr(kernel_btf, id));
}

static int array_of_nr(int id, unsigned int nr)
{
	return must(btf__add_array(kernel_btf, int_id, id, nr));
}

static int tagged(const char *tag, int id)
{
	return must(btf__add_ptr(kernel_btf, must(btf__add_type_tag(kernel_btf, tag, id))));
}

static void add_small_structs(void)
{
	int id;

	inner_id = begin_struct("inner", 24);
	add("sector", uint_id, 0);
	add("size", int_id, 4);
	add_bitfield("flag", uint_id, 64, 3);
	add_bitfield("color", color_id, 67, 2);
	add_bitfield("level", int_id, 69, 4);
	add_bitfield("sign", sign_id, 73, 2);
	add_bitfield("span", uint_id, 77, 12);
	add_bitfield("wide", ulong_id, 128, 40);

	/* Members without a size in bits: their types have the size */
	old_id = begin_struct("old", 16);
	add("five", old5_id, 1);
	add("whole", old32_id, 4);
	add("shifted", old32_id, 8);
	/* libbpf refuses this */
	((struct btf_member *)(btf__type_by_id(kernel_btf, old_id) + 1))[2].offset = 68;

	packed_id = begin_struct("packed", 24);
	add_bitfield("low", ulong_id, 0, 7);
	add_bitfield("broad", ulong_id, 7, 60);
	add_bitfield("across", ulong_id, 120, 20);
	add_bitfield("all", ulong_id, 64, 64);

	small_id = begin_struct("small", 6);
	add("mark", bytes_id, 0);
	add("half", short_id, 0);
	union_id = must(btf__add_union(kernel_btf, "either", 8));
	add("word", ulong_id, 0);
	add("half", short_id, 0);
	empty_id = begin_struct("empty", 0);
	id = array_of_nr(uchar_id, 0);
	begin_struct("hollow", 0);
	add("none", id, 0);
	id = array_of_nr(begin_struct("large", 65536), 65535);
	begin_struct("vast", 0xffff0000);
	add("part", id, 0);
	odd_id = begin_struct("odd", 4);
	add("three", int24_id, 0);
}

/* union { int u_a; struct { unsigned int; short u_b; }; } */
static int add_anonymous(void)
{
	int nested = begin_struct(NULL, 8), id;

	add("u_pad", uint_id, 0);
	add("u_b", short_id, 4);
	/* An unnamed member with a named type, as with -fms-extensions */
	nested = must(btf__add_typedef(kernel_btf, "nested_t", nested));
	id = must(btf__add_union(kernel_btf, NULL, 8));
	add("u_a", int_id, 0);
	add(NULL, nested, 0);
	return id;
}

/* struct holes { union { struct { char byte; }; int word; }; }, the inner one of 4 bytes */
static void add_holes(void)
{
	int nested = begin_struct(NULL, 4), id;

	add("byte", char_id, 0);
	id = must(btf__add_union(kernel_btf, NULL, 4));
	add(NULL, nested, 0);
	add("word", int_id, 0);
	holes_id = begin_struct("holes", 4);
	add(NULL, id, 0);
}

static int qualified(int id)
{
	id = must(btf__add_volatile(kernel_btf, id));
	id = must(btf__add_typedef(kernel_btf, "s32", id));
	id = must(btf__add_const(kernel_btf, id));
	return must(btf__add_restrict(kernel_btf, id));
}

/* struct sk, whose nested members have macros */
static void add_sk(void)
{
	int id, i, common, constant, nameless, chain, array, ptr;

	nameless = begin_struct(NULL, 8);
	add("skc_daddr", uint_id, 0);
	add("skc_rcv_saddr", uint_id, 4);
	common = begin_struct("sk_common", 16);
	add(NULL, nameless, 0);
	add("skc_state", uchar_id, 8);
	add("skc_flags", uchar_id, 9);
	add("skc_", uchar_id, 10);
	add("plain", uint_id, 12);
	array = array_of_nr(common, 2);
	ptr = pointer_to(common);
	/* l1.l2.l3.l4.deep4 is the deepest member that is suggested */
	chain = begin_struct("l5", 4);
	add("x_deep5", int_id, 0);
	for (i = 4; i > 0; i--) {
		char name[8], next[8];

		snprintf(name, sizeof(name), "x_deep%d", i);
		snprintf(next, sizeof(next), "l%d", i + 1);
		id = begin_struct("link", 4 + 4 * (6 - i));
		add(name, int_id, 0);
		add(next, chain, 4);
		chain = id;
	}
	constant = must(btf__add_const(kernel_btf, common));
	begin_struct("sk", 256);
	add("__sk_common", constant, 0);
	add("sk_flags", uint_id, 16);
	add("__state", uint_id, 20);
	add("l1", chain, 24);
	add("array", array, 96);
	add("ptr", ptr, 128);
	add("also", common, 136);
	add("and_a_third_one_with_a_name_so_long_that_the_log_lacks_room_for_it", common, 152);
}

static int add_counter(void)
{
	int id = begin_struct(NULL, 4);

	add("counter", int_id, 0);
	return must(btf__add_typedef(kernel_btf, "atomic_t", id));
}

static void add_outer(void)
{
	int fwd = must(btf__add_fwd(kernel_btf, "elsewhere", BTF_FWD_STRUCT));
	int func = must(btf__add_func_proto(kernel_btf, 0));
	int inner_ptr = pointer_to(inner_id);
	int nameless = begin_struct(NULL, 8);
	struct {
		const char	*name;
		int		type;
		unsigned int	byte;
	} m[] = {
		{ "first",	ulong_id, 0 },
		{ "in",		inner_id, 8 },
		{ NULL,		add_anonymous(), 32 },
		{ "number",	qualified(int_id), 40 },
		{ "comm",	array_of_nr(char_id, 16), 44 },
		{ "grid",	array_of_nr(array_of_nr(uint_id, 3), 2), 60 },
		{ "ptr",	inner_ptr, 88 },
		{ "data",	pointer_to(0), 96 },
		{ "big",	int128_id, 112 },
		{ "end_io",	pointer_to(func), 128 },
		{ "other",	pointer_to(fwd), 136 },
		{ "user",	tagged("user", inner_id), 144 },
		{ "percpu",	tagged("rcu", must(btf__add_type_tag(kernel_btf, "percpu",
								     inner_id))), 152 },
		{ "rcu",	tagged("rcu", qualified(inner_id)), 160 },
		{ "count",	qualified(add_counter()), 168 },
		{ "flag",	bool_id, 172 },
		{ "letter",	char_flag_id, 173 },
		{ "tiny",	schar_id, 174 },
		{ "byte",	uchar_id, 175 },
		{ "pp",		pointer_to(pointer_to(int_id)), 176 },
		{ "color",	color_id, 184 },
		{ "sign",	sign_id, 188 },
		{ "huge",	huge_id, 192 },
		{ "negative",	negative_id, 200 },
		{ "real",	float_id, 208 },
		{ "ptrs",	array_of_nr(inner_ptr, 2), 216 },
		{ "slow",	long_id, 232 },
		{ "mini",	tiny_id, 240 },
		{ "next",	outer_id = pointer_to(0), 248 },
		{ "anon",	tagged("rcu", nameless), 256 },
		{ "tail",	array_of_nr(inner_id, 0), 264 },
	};
	struct btf_type *next;
	unsigned int i;
	int ptr = outer_id;

	outer_id = begin_struct("outer", 264);
	for (i = 0; i < ARRAY_SIZE(m); i++)
		add(m[i].name, m[i].type, m[i].byte);
	next = (struct btf_type *)btf__type_by_id(kernel_btf, ptr);
	next->type = outer_id;
}

static const char *const formats[] = { "hex", "signed", "char", "symbol", "enum" };

#define OBJTRACE_ERROR(id, err, text, help)	#id,
static const char *const error_names[] = {
#include "objtrace_errors.h"
};
#undef OBJTRACE_ERROR

/* "OFFSET[ OFFSET]...: SIZE FORMAT [BITS@BIT] [signed]", or "ERROR COLUMN STRUCT" */
static void resolve(const char *command, char *text, size_t size)
{
	struct objtrace_error error = {};
	struct objtrace_spec spec = {};
	struct objtrace_fetch fetch;
	int id, ret, len = 0;
	unsigned int i;

	if (objtrace_parse(command, &spec, &error)) {
		snprintf(text, size, "not parsed: %s %u", error_names[error.id], error.pos);
		return;
	}
	id = btf__find_by_name_kind(kernel_btf, spec.struct_name, BTF_KIND_STRUCT);
	if (id < 0)
		id = must(btf__find_by_name_kind(kernel_btf, spec.struct_name,
						 BTF_KIND_UNION));
	ret = objtrace_path_resolve(kernel_btf, id, &spec, &fetch, &error);
	if (ret) {
		snprintf(text, size, "%s %u %s%s", error_names[error.id], error.pos,
			 error.in, ret == objtrace_error_errno(error.id) ? "" : " errno");
		return;
	}
	for (i = 0; i < fetch.nr; i++)
		len += scnprintf(text + len, size - len, "%s%d", i ? " " : "",
				 fetch.offset[i]);
	len += scnprintf(text + len, size - len, ": %u %s", fetch.size,
			 formats[fetch.format]);
	if (fetch.bit_size)
		len += scnprintf(text + len, size - len, " %u@%u", fetch.bit_size,
				 fetch.bit_offset);
	if (fetch.is_signed)
		len += scnprintf(text + len, size - len, " signed");
	if (fetch.struct_id != id || !fetch.enum_id != (fetch.format != OBJTRACE_FORMAT_ENUM))
		scnprintf(text + len, size - len, " with wrong types");
}

static const struct {
	const char	*command, *result;
} paths[] = {
	/* Members */
	{ "add:(outer)a->first",		"0: 8 hex" },
	{ "add:(outer)a->in.sector",		"8: 4 hex" },
	{ "add:(outer)a->in.size",		"12: 4 signed signed" },
	{ "add:(outer)a->u_a",			"32: 4 signed signed" },
	{ "add:(outer)a->u_b",			"36: 2 signed signed" },
	{ "add:(outer)a->number",		"40: 4 signed signed" },
	{ "add:(outer)a->count.counter",	"168: 4 signed signed" },
	{ "add:(outer)a->flag",			"172: 1 hex" },
	{ "add:(outer)a->letter",		"173: 1 char" },
	{ "add:(outer)a->tiny",			"174: 1 signed signed" },
	{ "add:(outer)a->byte",			"175: 1 hex" },
	{ "add:(outer)a->slow",			"232: 8 signed signed" },
	{ "add:(either)a->half",		"0: 2 signed signed" },
	/* The option "enum=" takes numbers; types_test.c has the enums */
	{ "add:(outer)a->in.sector:enum=A",	"8: 4 hex" },
	{ "add:(outer)a->in.flag:enum=A",	"16: 1 hex 3@0" },
	{ "add:(outer)a->color:enum=A",		"184: 4 enum" },
	{ "add:(outer)a->ptr:u64:enum=A",	"88: 8 hex" },
	{ "add:(outer)a:enum=A",		"0: 8 hex" },
	{ "add:(outer)a->ptr:enum=A",		"ENUM_TYPE 23 struct outer" },
	{ "add:(outer)a->ptrs.1:changes:enum=A", "ENUM_TYPE 34 struct outer" },
	/* Pointers */
	{ "add:(outer)a->ptr",			"88: 8 hex" },
	{ "add:(outer)a->data",			"96: 8 hex" },
	{ "add:(outer)a->end_io",		"128: 8 hex" },
	{ "add:(outer)a->user",			"144: 8 hex" },
	{ "add:(outer)a->ptr->size",		"88 4: 4 signed signed" },
	{ "add:(outer)a->rcu->sector",		"160 0: 4 hex" },
	{ "add:(outer)a->next->next->in.size",	"248 248 12: 4 signed signed" },
	{ "add:(outer)a->next->next->next->next->next->next->next->first",
	  "248 248 248 248 248 248 248 0: 8 hex" },
	/* Arrays */
	{ "add:(outer)a->comm.0",		"44: 1 char" },
	{ "add:(outer)a->comm[15]",		"59: 1 char" },
	{ "add:(outer)a->grid.1.2",		"80: 4 hex" },
	{ "add:(outer)a->grid[0][1]",		"64: 4 hex" },
	{ "add:(outer)a->ptrs.1->size",		"224 4: 4 signed signed" },
	{ "add:(outer)a->tail.3.size",		"340: 4 signed signed" },
	{ "add:(outer)a->tail.65535.sector",	"1573104: 4 hex" },
	/* Enums */
	{ "add:(outer)a->color",		"184: 4 enum" },
	{ "add:(outer)a->sign",			"188: 4 enum signed" },
	{ "add:(outer)a->huge",			"192: 8 enum" },
	{ "add:(outer)a->negative",		"200: 8 enum signed" },
	{ "add:(outer)a->mini",			"240: 1 enum" },
	/* Bitfields */
	{ "add:(inner)a->flag",			"8: 1 hex 3@0" },
	{ "add:(inner)a->color",		"8: 1 enum 2@3" },
	{ "add:(inner)a->level",		"8: 2 signed 4@5 signed" },
	{ "add:(inner)a->sign",			"9: 1 enum 2@1 signed" },
	{ "add:(inner)a->span",			"8: 4 hex 12@13" },
	{ "add:(inner)a->wide",			"16: 8 hex 40@0" },
	{ "add:(outer)a->ptr->level",		"88 8: 2 signed 4@5 signed" },
	{ "add:(outer)a->tail.1.level",		"296: 2 signed 4@5 signed" },
	{ "add:(old)a->five",			"1: 1 hex 5@3" },
	{ "add:(old)a->whole",			"4: 4 hex" },
	{ "add:(old)a->shifted",		"8: 8 hex 32@4" },
	{ "add:(packed)a->low",			"0: 1 hex 7@0" },
	{ "add:(packed)a->across",		"15: 4 hex 20@0" },
	{ "add:(packed)a->all",			"8: 8 hex 64@0" },
	/* The object's address */
	{ "add:(outer)a",			"0: 8 hex" },
	{ "add:(small)a",			"0: 4 hex" },
	{ "add:(either)a",			"0: 8 hex" },
	{ "add:(small)a:s16",			"0: 2 signed signed" },
	{ "add:(small)a->mark.5",		"5: 1 hex" },
	/* With a type */
	{ "add:(outer)a->in.size:x32",		"12: 4 hex" },
	{ "add:(outer)a->in.size:u8",		"12: 1 hex" },
	{ "add:(outer)a->first:s64",		"0: 8 signed signed" },
	{ "add:(outer)a->byte:char",		"175: 1 char" },
	{ "add:(outer)a->byte:s8",		"175: 1 signed signed" },
	{ "add:(outer)a->end_io:symbol",	"128: 8 symbol" },
	{ "add:(outer)a->first:symbol",		"0: 8 symbol" },
	{ "add:(outer)a->color:s32",		"184: 4 signed signed" },
	{ "add:(outer)a->count:u32",		"168: 4 hex" },
	{ "add:(outer)a->big:u64",		"112: 8 hex" },
	{ "add:(outer)a->comm:u64",		"44: 8 hex" },
	{ "add:(outer)a->real:u64",		"208: 8 hex" },
	{ "add:(vast)a->part.32767:u64",		"2147418112: 8 hex" },
	{ "add:(old)a->shifted:u16",		"8: 4 hex 16@4" },

	/* Errors */
	{ "add:(outer)a->nosuch",		"UNKNOWN_MEMBER 14 struct outer" },
	{ "add:(outer)a->firs",			"UNKNOWN_MEMBER 14 struct outer" },
	{ "add:(outer)a->first_",		"UNKNOWN_MEMBER 14 struct outer" },
	/* Members with a similar name.  The log has room for some of them. */
	{ "add:(sk)a->sk_rcv_saddr",	"UNKNOWN_MEMBER 11 struct sk (did you mean "
					"__sk_common.skc_rcv_saddr, also.skc_rcv_saddr?)" },
	{ "add:(sk)a->sk_state",	"UNKNOWN_MEMBER 11 struct sk (did you mean __state, "
					"__sk_common.skc_state, also.skc_state?)" },
	{ "add:(sk)a->state",		"UNKNOWN_MEMBER 11 struct sk (did you mean __state, "
					"__sk_common.skc_state, also.skc_state?)" },
	{ "add:(sk)a->plain",		"UNKNOWN_MEMBER 11 struct sk (did you mean "
					"__sk_common.plain, also.plain?)" },
	{ "add:(sk)a->skc_flags",	"UNKNOWN_MEMBER 11 struct sk (did you mean "
					"__sk_common.skc_flags, also.skc_flags, sk_flags?)" },
	{ "add:(sk)a->ptr->sk_daddr",	"UNKNOWN_MEMBER 16 struct sk_common (did you mean "
					"skc_daddr?)" },
	{ "add:(sk)a->x_deep1",		"UNKNOWN_MEMBER 11 struct sk (did you mean l1.x_deep1?)" },
	{ "add:(sk)a->y_deep3",		"UNKNOWN_MEMBER 11 struct sk (did you mean "
					"l1.l2.l3.x_deep3?)" },
	{ "add:(sk)a->x_deep4",		"UNKNOWN_MEMBER 11 struct sk" },
	{ "add:(sk)a->sk_",		"UNKNOWN_MEMBER 11 struct sk" },
	{ "add:(sk)a->__",		"UNKNOWN_MEMBER 11 struct sk" },
	{ "add:(sk)a->kc_flag",		"UNKNOWN_MEMBER 11 struct sk" },
	{ "add:(outer)a->bi_size",	"UNKNOWN_MEMBER 14 struct outer" },
	{ "add:(outer)a->size",		"UNKNOWN_MEMBER 14 struct outer (did you mean in.size?)" },
	{ "add:(outer)a->atomic_counter", "UNKNOWN_MEMBER 14 struct outer" },
	{ "add:(outer)a->counter",	"UNKNOWN_MEMBER 14 struct outer (did you mean "
					"count.counter?)" },
	{ "add:(outer)a->in.nosuch",		"UNKNOWN_MEMBER 17 struct inner" },
	{ "add:(outer)a->count.nosuch",		"UNKNOWN_MEMBER 20 atomic_t" },
	{ "add:(outer)a->ptrs[0]->nosuch",	"UNKNOWN_MEMBER 23 struct inner" },
	{ "add:(outer)a->anon->nosuch",		"UNKNOWN_MEMBER 20 struct outer" },
	{ "add:(either)a->nosuch",		"UNKNOWN_MEMBER 15 union either" },
	{ "add:(outer)a->first.x",		"NOT_A_STRUCT 20 struct outer" },
	{ "add:(outer)a->data->x",		"NOT_A_STRUCT 20 struct outer" },
	{ "add:(outer)a->pp->x",		"NOT_A_STRUCT 18 struct outer" },
	{ "add:(outer)a->comm.1.x",		"NOT_A_STRUCT 21 struct outer" },
	{ "add:(outer)a->other->x",		"INCOMPLETE_STRUCT 21 struct elsewhere" },
	{ "add:(outer)a->first->x",		"NOT_A_POINTER 21 struct outer" },
	{ "add:(outer)a->ptr.size",		"ARROW_NEEDED 18 struct outer" },
	{ "add:(outer)a->in->size",		"DOT_NEEDED 18 struct outer" },
	{ "add:(outer)a->count->counter",	"DOT_NEEDED 21 struct outer" },
	{ "add:(outer)a->first.0",		"NOT_AN_ARRAY 20 struct outer" },
	{ "add:(outer)a->in[0]",		"NOT_AN_ARRAY 17 struct outer" },
	{ "add:(outer)a->ptr.0",		"POINTER_INDEX 18 struct outer" },
	{ "add:(outer)a->user->size",		"USER_POINTER 20 struct outer" },
	{ "add:(outer)a->percpu->size",		"PERCPU_POINTER 22 struct outer" },
	{ "add:(outer)a->comm.16",		"INDEX_RANGE 19 struct outer" },
	{ "add:(outer)a->comm.2147483647",	"INDEX_RANGE 19 struct outer" },
	{ "add:(outer)a->grid[2][0]",		"INDEX_RANGE 19 struct outer" },
	{ "add:(outer)a->grid[1][3]",		"INDEX_RANGE 22 struct outer" },
	{ "add:(outer)a->tail.65536.size",	"INDEX_RANGE 19 struct outer" },
	{ "add:(vast)a->part.32768:u64",		"OFFSET_RANGE 18 struct vast" },
	{ "add:(outer)a->grid.1",		"INDEX_NEEDED 19 struct outer" },
	{ "add:(outer)a->comm",			"INDEX_NEEDED 14 struct outer" },
	{ "add:(outer)a->tail.size",		"INDEX_NEEDED 14 struct outer" },
	{ "add:(outer)a->tail->size",		"INDEX_NEEDED 14 struct outer" },
	{ "add:(outer)a->tail:u8",		"INDEX_NEEDED 14 struct outer" },
	{ "add:(outer)a->next->next->next->next->next->next->next->next->first",
	  "TOO_DEEP 62 struct outer" },
	{ "add:(outer)a->in",			"NOT_A_VALUE 14 struct outer" },
	{ "add:(outer)a->ptr->sector.x",	"NOT_A_STRUCT 26 struct inner" },
	{ "add:(outer)a->big",			"NOT_A_VALUE 14 struct outer" },
	{ "add:(outer)a->real",			"NOT_A_VALUE 14 struct outer" },
	{ "add:(odd)a->three",			"NOT_A_VALUE 12 struct odd" },
	{ "add:(packed)a->broad",		"NOT_A_VALUE 15 struct packed" },
	{ "add:(empty)a",			"NOT_A_VALUE 5 struct empty" },
	{ "add:(outer)a->in.size:u64",		"TYPE_TOO_WIDE 22 struct inner" },
	{ "add:(outer)a->byte:s16",		"TYPE_TOO_WIDE 19 struct outer" },
	{ "add:(small)a:u64",			"TYPE_TOO_WIDE 13 struct small" },
	{ "add:(empty)a:u8",			"TYPE_TOO_WIDE 13 struct empty" },
	{ "add:(outer)a->in.size:symbol",	"SYMBOL_SIZE 22 struct inner" },
	{ "add:(inner)a->flag:u8",		"BITFIELD_TYPE 19 struct inner" },
	{ "add:(old)a->five:u8",		"BITFIELD_TYPE 17 struct old" },
	{ "add:(hollow)a->none.0:size=auto",	"SIZE_RANGE 27 struct hollow" },
	{ "add:(vast)a->part.0.0:size=auto",	"SIZE_RANGE 27 struct vast" },
};

static void test_paths(void)
{
	char result[256];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		resolve(paths[i].command, result, sizeof(result));
		if (!ok(!strcmp(result, paths[i].result), "%s is %s", paths[i].command,
			paths[i].result))
			printf("# not %s\n", result);
	}
}

/* The value of a member in bytes that this test writes */
static const struct {
	const char	*what;
	unsigned int	size, bit_offset, bit_size;
	bool		is_signed;
	u64		raw, value;
} values[] = {
	{ "a byte",			1, 0, 0, false, 0xff, 0xff },
	{ "a signed byte",		1, 0, 0, true, 0x80, -128ULL },
	{ "a signed int",		4, 0, 0, true, 0xffffffff, -1ULL },
	{ "an unsigned int",		4, 0, 0, false, 0xffffffff, 0xffffffff },
	{ "a signed long",		8, 0, 0, true, -5ULL, -5ULL },
	{ "a bitfield",			2, 5, 4, false, 0xfe1f, 0 },
	{ "all bits of a bitfield",	2, 5, 4, false, 0x01e0, 15 },
	{ "a signed bitfield",		2, 5, 4, true, 0x0120, -7ULL },
	{ "a bitfield of one bit",	1, 7, 1, false, 0x80, 1 },
	{ "a signed bitfield of one bit", 1, 7, 1, true, 0x80, -1ULL },
	{ "a bitfield of 64 bits",	8, 0, 64, false, -5ULL, -5ULL },
};

static void test_values(void)
{
	struct objtrace_fetch fetch;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		fetch = (struct objtrace_fetch) {
			.size = values[i].size, .bit_offset = values[i].bit_offset,
			.bit_size = values[i].bit_size, .is_signed = values[i].is_signed,
		};
		ok(objtrace_fetch_value(&fetch, values[i].raw) == values[i].value,
		   "%s of %#llx is %lld", values[i].what, (unsigned long long)values[i].raw,
		   (long long)values[i].value);
	}
}

#define PAGE	(-10UL << 20)

static const struct {
	const char	*what;
	unsigned long	addr;
	unsigned int	size;
	bool		meets;
} reads[] = {
	{ "the last 8 bytes before a page",			PAGE - 8, 8, false },
	{ "7 bytes before a page, and its first byte",		PAGE - 7, 8, true },
	{ "the byte before a page, and its first byte",		PAGE - 1, 2, true },
	{ "the byte before a page",				PAGE - 1, 1, false },
	{ "the first byte of a page",				PAGE, 1, true },
	{ "the last byte of a page",				PAGE + 4095, 1, true },
	{ "the last byte of a page, and 7 bytes after it",	PAGE + 4095, 8, true },
	{ "8 bytes after a page",				PAGE + 4096, 8, false },
	{ "the last byte of the address space",			-1UL, 1, false },
	{ "8 bytes across the end of the address space",	-4UL, 8, false },
	{ "the first 8 bytes of the address space",		0, 8, false },
};

static void test_reads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reads); i++)
		ok(objtrace_fetch_meets(reads[i].addr, reads[i].size, PAGE, 4096) ==
		   reads[i].meets, "a read of %s %s", reads[i].what,
		   reads[i].meets ? "meets the page" : "does not meet the page");
}

static const struct {
	int		*id;
	u64		value;
	const char	*name;
} names[] = {
	{ &color_id,	0,			"RED" },
	{ &color_id,	2,			"BLUE" },
	{ &color_id,	3,			NULL },
	{ &color_id,	0xfffffff0,		"LAST" },
	{ &sign_id,	-1ULL,			"MINUS" },
	{ &sign_id,	1,			"PLUS" },
	{ &huge_id,	1ULL << 63,		"HUGE" },
	{ &huge_id,	0x100000001,		"LARGE" },
	{ &huge_id,	1,			NULL },
	{ &negative_id,	-0x100000000ULL,	"LOW" },
	{ &negative_id,	0,			NULL },
	{ &many_id,	0xffffffff,		"MANY" },
	{ &many_id,	-1ULL,			NULL },
	/* A value that is wider than the enum */
	{ &color_id,	0x100000001,		NULL },
	{ &color_id,	0xffffffff00000001,	NULL },
	{ &sign_id,	0xffffffff,		"MINUS" },
	{ &less_id,	-1ULL,			"LESS" },
	{ &less_id,	0xffffffff,		NULL },
	{ &tiny_id,	0xff,			"NONE" },
	{ &tiny_id,	0x7f,			NULL },
	/* A record of another objtrace has the number of any type, or of none */
	{ &outer_id,	0,			NULL },
	{ &no_type_id,	0,			NULL },
};

static void test_names(void)
{
	const char *name;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		name = objtrace_enum_name(kernel_btf, *names[i].id, names[i].value);
		ok(name && names[i].name ? !strcmp(name, names[i].name) : name == names[i].name,
		   "%#llx is %s", (unsigned long long)names[i].value,
		   names[i].name ?: "no enumerator");
	}
}

static const struct {
	int		*id;
	unsigned int	offset;
	const char	*name;
} bytes[] = {
	{ &outer_id, 0,		"first" },
	{ &outer_id, 7,		"first" },
	{ &outer_id, 8,		"in.sector" },
	{ &outer_id, 15,	"in.size" },
	{ &outer_id, 16,	"in.flag" },
	{ &outer_id, 17,	"in.level" },
	{ &outer_id, 19,	"in.span" },
	{ &outer_id, 20,	"in" },
	{ &outer_id, 28,	"in.wide" },
	{ &outer_id, 29,	"in" },
	{ &outer_id, 32,	"u_a" },
	{ &outer_id, 37,	"u_b" },
	{ &outer_id, 38,	"" },
	{ &outer_id, 47,	"comm.3" },
	{ &outer_id, 80,	"grid.1.2" },
	{ &outer_id, 84,	"" },
	{ &outer_id, 91,	"ptr" },
	{ &outer_id, 168,	"count.counter" },
	{ &outer_id, 224,	"ptrs.1" },
	{ &outer_id, 268,	"tail.0.size" },
	{ &outer_id, 292,	"tail.1.size" },
	{ &old_id, 1,		"five" },
	{ &old_id, 0,		"" },
	{ &small_id, 1,		"half" },
	{ &small_id, 4,		"" },
	{ &small_id, 100,	"" },
	{ &union_id, 1,		"word" },
	{ &holes_id, 0,		"byte" },
	{ &holes_id, 2,		"word" },
	{ &empty_id, 0,		"" },
	/* As in names[] */
	{ &color_id, 0,		"" },
	{ &no_type_id, 0,	"" },
};

static void test_bytes(void)
{
	char name[32], cut[6];
	unsigned int i;
	int len;

	for (i = 0; i < ARRAY_SIZE(bytes); i++) {
		len = objtrace_path_name(kernel_btf, *bytes[i].id, bytes[i].offset, name,
					 sizeof(name));
		if (!ok(!strcmp(name, bytes[i].name) && len == strlen(name),
			"byte %u is in \"%s\"", bytes[i].offset, bytes[i].name))
			printf("# found: \"%s\"\n", name);
	}
	len = objtrace_path_name(kernel_btf, outer_id, 292, cut, sizeof(cut));
	ok(len == 5 && !strcmp(cut, "tail."), "a long name is cut off");
	len = objtrace_path_name(kernel_btf, outer_id, 292, cut, 1);
	ok(!len && !cut[0], "a buffer of one byte gets an empty name");
}

int main(void)
{
	kernel_btf = btf__new_empty();
	add_integers();
	add_enums();
	add_small_structs();
	add_holes();
	add_outer();
	add_sk();
	test_paths();
	test_values();
	test_reads();
	test_names();
	test_bytes();
	btf__free(kernel_btf);
	return tap_done();
}
