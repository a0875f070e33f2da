// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of arguments, for prototypes in BTF that this test makes: each rule of both ABIs,
 * and prototypes whose registers are unknown.
 */
#include <linux/kernel.h>

#include "kernel/member.h"
#include "kernel_btf.h"
#include "tap.h"
#include "types/args.h"

/* Types of arguments and results; types that C does not have are in lower case */
#define TYPES								\
	X(VOID) X(CHAR) X(BOOL) X(SHORT) X(INT) X(LONG) X(ULONG) X(INT128)	\
	X(ENUM) X(ENUM8) X(ENUM64) X(FLOAT) X(DOUBLE) X(LONGDOUBLE)	\
	X(PTR) X(FUNCTION) X(NAMED) X(NOTHING)				\
	X(KUID) X(SOCKPTR) X(PAIR) X(THREE) X(UNION)			\
	X(EMPTY) X(EMPTY_ARRAY)						\
	X(PTRS) X(CHARS) X(NESTED) X(ENUMS) X(PADDED) X(EMPTIES)	\
	X(PACKED) X(PACKED_PTR) X(PACKED_INNER) X(PACKED_WELL)		\
	X(PACKED128) X(PACKED_ARRAY)					\
	X(BITS) X(OLD_BITS) X(STRADDLING) X(BITS128)			\
	X(INT128S) X(UNION128) X(LARGE)					\
	X(FLOATS) X(FOUR_FLOATS) X(FLEXIBLE) X(ALIGNED) X(LOST) X(LOST24) X(DEEP)	\
	X(fwd) X(array) X(proto) X(int24) X(chain) X(nosuch)

enum type {
	END, ELLIPSIS,
#define X(name)	name,
	TYPES
#undef X
	NR_TYPES,
};

static const char *const type_names[] = {
	[ELLIPSIS] = "...",
#define X(name)	[name] = #name,
	TYPES
#undef X
};

static int ids[NR_TYPES];

static int must(int id)
{
	if (id < 0) {
		perror("args_test");
		exit(99);
	}
	return id;
}

static int add_int(const char *name, unsigned int size, unsigned int encoding)
{
	return must(btf__add_int(kernel_btf, name, size, encoding));
}

static struct btf_type *type_at(int id)
{
	return (struct btf_type *)btf__type_by_id(kernel_btf, id);
}

static int pointer_to(int id)
{
	return must(btf__add_ptr(kernel_btf, id));
}

static int array_of_nr(int id, unsigned int nr)
{
	return must(btf__add_array(kernel_btf, ids[INT], id, nr));
}

static int begin_struct(unsigned int size)
{
	return must(btf__add_struct(kernel_btf, NULL, size));
}

static int begin_union(unsigned int size)
{
	return must(btf__add_union(kernel_btf, NULL, size));
}

static void add(int type, unsigned int byte)
{
	must(btf__add_field(kernel_btf, NULL, type, byte * 8, 0));
}

static void add_bitfield(int type, unsigned int bit, unsigned int bits)
{
	must(btf__add_field(kernel_btf, NULL, type, bit, bits));
}

static void add_scalars(void)
{
	int id;

	ids[CHAR] = add_int("char", 1, BTF_INT_SIGNED);
	ids[BOOL] = add_int("_Bool", 1, BTF_INT_BOOL);
	ids[SHORT] = add_int("short", 2, BTF_INT_SIGNED);
	ids[INT] = add_int("int", 4, BTF_INT_SIGNED);
	ids[LONG] = add_int("long", 8, BTF_INT_SIGNED);
	ids[ULONG] = add_int("unsigned long", 8, 0);
	ids[INT128] = add_int("__int128", 16, BTF_INT_SIGNED);
	ids[ENUM] = must(btf__add_enum(kernel_btf, "color", 4));
	/* 8 bytes, although all values fit into 4 bytes */
	ids[ENUM8] = must(btf__add_enum(kernel_btf, "many", 8));
	ids[ENUM64] = must(btf__add_enum64(kernel_btf, "huge", 8, false));
	ids[FLOAT] = must(btf__add_float(kernel_btf, "float", 4));
	ids[DOUBLE] = must(btf__add_float(kernel_btf, "double", 8));
	ids[LONGDOUBLE] = must(btf__add_float(kernel_btf, "long double", 16));
	ids[PTR] = pointer_to(0);
	ids[proto] = must(btf__add_func_proto(kernel_btf, 0));
	ids[FUNCTION] = pointer_to(ids[proto]);
	id = must(btf__add_typedef(kernel_btf, "object_t", ids[PTR]));
	id = must(btf__add_volatile(kernel_btf, must(btf__add_restrict(kernel_btf, id))));
	ids[NAMED] = must(btf__add_const(kernel_btf, id));
	ids[NOTHING] = must(btf__add_typedef(kernel_btf, "nothing_t", 0));
}

/* Types of the kernel */
static void add_kernel_structs(void)
{
	int id;

	ids[KUID] = begin_struct(4);
	add(ids[INT], 0);
	id = begin_union(8);
	add(ids[PTR], 0);
	add(ids[PTR], 0);
	ids[SOCKPTR] = begin_struct(16);
	add(id, 0);
	add_bitfield(ids[BOOL], 64, 1);
	ids[PAIR] = begin_struct(16);
	add(ids[LONG], 0);
	add(ids[PTR], 8);
	id = array_of_nr(ids[LONG], 2);
	ids[THREE] = begin_struct(24);
	add(ids[PTR], 0);
	add(id, 8);
	ids[EMPTY] = begin_struct(0);
	id = array_of_nr(ids[LONG], 0);
	ids[EMPTY_ARRAY] = begin_struct(0);
	add(id, 0);
	ids[UNION] = begin_union(8);
	add(ids[INT], 0);
	add(ids[NAMED], 0);
}

static void add_nested_structs(void)
{
	int id, inner;

	id = array_of_nr(ids[PTR], 2);
	ids[PTRS] = begin_struct(16);
	add(id, 0);
	id = array_of_nr(ids[CHAR], 11);
	ids[CHARS] = begin_struct(11);
	add(id, 0);
	/* struct { struct { int; short; }; union { struct { void *; }; int; }; } */
	id = begin_struct(8);
	add(ids[PTR], 0);
	inner = begin_union(8);
	add(id, 0);
	add(ids[INT], 0);
	id = begin_struct(8);
	add(ids[INT], 0);
	add(ids[SHORT], 4);
	ids[NESTED] = begin_struct(16);
	add(id, 0);
	add(inner, 8);
	ids[ENUMS] = begin_struct(16);
	add(ids[ENUM64], 0);
	add(ids[ENUM8], 8);
	ids[PADDED] = begin_struct(16);
	add(ids[CHAR], 0);
	add(ids[PTR], 8);
	/* Too many members to look at each member */
	id = array_of_nr(ids[EMPTY], UINT_MAX);
	ids[EMPTIES] = begin_struct(8);
	add(id, 0);
	add(ids[PTR], 0);
}

static void add_packed_structs(void)
{
	int id;

	ids[PACKED] = begin_struct(12);
	add(ids[INT], 0);
	add(ids[LONG], 4);
	ids[PACKED_PTR] = begin_struct(16);
	add(ids[PTR], 0);
	add(ids[INT], 9);
	ids[PACKED_INNER] = begin_struct(16);
	add(ids[PACKED], 0);
	add(ids[INT], 12);
	/* At an offset with the alignment of all members */
	ids[PACKED_WELL] = begin_struct(16);
	add(ids[INT], 0);
	add(ids[PACKED], 4);
	ids[PACKED128] = begin_struct(17);
	add(ids[CHAR], 0);
	add(ids[INT128], 1);
	id = begin_struct(5);
	add(ids[INT], 0);
	add(ids[CHAR], 4);
	id = array_of_nr(id, 3);
	ids[PACKED_ARRAY] = begin_struct(15);
	add(id, 0);
}

static void add_bitfields(void)
{
	int id = add_int("long", 8, 0);

	/* Older BTF has the size of a bitfield in its integer type */
	*(u32 *)(type_at(id) + 1) = 60;
	ids[OLD_BITS] = begin_struct(8);
	add(id, 0);
	ids[BITS] = begin_struct(16);
	add_bitfield(ids[LONG], 0, 64);
	add(ids[PTR], 8);
	ids[STRADDLING] = begin_struct(16);
	add_bitfield(ids[LONG], 0, 60);
	add_bitfield(ids[LONG], 60, 60);
	ids[BITS128] = begin_struct(16);
	add_bitfield(ids[INT128], 0, 100);
}

static void add_large_structs(void)
{
	int id = array_of_nr(ids[LONG], 2);

	ids[INT128S] = begin_struct(16);
	add(ids[INT128], 0);
	ids[UNION128] = begin_union(16);
	add(ids[INT128], 0);
	add(id, 0);
	id = array_of_nr(ids[LONG], 8);
	ids[LARGE] = begin_struct(72);
	add(id, 0);
	add(ids[DOUBLE], 64);
}

/* Types that compilers pass in different ways, or that C tells apart and BTF does not */
static void add_strange_structs(void)
{
	unsigned int i;
	int id;

	ids[FLOATS] = begin_struct(8);
	add(ids[FLOAT], 0);
	add(ids[INT], 4);
	id = array_of_nr(ids[LONGDOUBLE], 4);
	ids[FOUR_FLOATS] = begin_struct(64);
	add(id, 0);
	id = array_of_nr(ids[INT], 0);
	ids[FLEXIBLE] = begin_struct(4);
	add(ids[INT], 0);
	add(id, 4);
	ids[ALIGNED] = begin_struct(16);
	add(ids[PTR], 0);
	ids[LOST] = begin_union(8);
	ids[LOST24] = begin_union(24);
	for (i = 0, id = ids[PTR]; i <= OBJTRACE_TYPE_DEPTH; i++) {
		ids[DEEP] = begin_struct(8);
		add(id, 0);
		id = ids[DEEP];
	}
}

static void add_no_arguments(void)
{
	unsigned int i;

	ids[fwd] = must(btf__add_fwd(kernel_btf, "elsewhere", BTF_FWD_STRUCT));
	ids[array] = array_of_nr(ids[LONG], 1);
	ids[int24] = add_int("int24", 4, 0);
	/* Types that no compiler makes */
	type_at(ids[int24])->size = 3;
	ids[chain] = ids[PTR];
	for (i = 0; i <= OBJTRACE_TYPE_DEPTH; i++)
		ids[chain] = must(btf__add_const(kernel_btf, ids[chain]));
	ids[nosuch] = 1000000;
}

#define FIVE(type)	type, type, type, type, type
#define SEVEN(type)	FIVE(type), type, type
#define UNKNOWN		{ 0, 0xff }
#define NR_PARAMS	10

static const struct {
	enum type		ret;
	enum type		params[NR_PARAMS];
	struct objtrace_args	x86_64, arm64;
} prototypes[] = {
	/* One register for each argument */
	{ VOID, {},				{ 0x00, 0x00 }, { 0x00, 0x00 } },
	{ VOID, { INT },			{ 0x01, 0x00 }, { 0x01, 0x00 } },
	{ VOID, { PTR },			{ 0x01, 0x01 }, { 0x01, 0x01 } },
	{ VOID, { INT, PTR },			{ 0x03, 0x02 }, { 0x03, 0x02 } },
	{ VOID, { PTR, BOOL, PTR },		{ 0x07, 0x05 }, { 0x07, 0x05 } },
	{ VOID, { CHAR, SHORT, BOOL, LONG },	{ 0x0f, 0x08 }, { 0x0f, 0x08 } },
	{ VOID, { ULONG, FUNCTION, NAMED },	{ 0x07, 0x07 }, { 0x07, 0x07 } },
	{ VOID, { ENUM, ENUM8, ENUM64, PTR },	{ 0x0f, 0x08 }, { 0x0f, 0x08 } },
	{ VOID, { FIVE(PTR), INT, PTR, INT },	{ 0x3f, 0x1f }, { 0xff, 0x5f } },
	{ VOID, { FIVE(PTR), FIVE(PTR) },	{ 0x3f, 0x3f }, { 0xff, 0xff } },
	{ VOID, { FIVE(INT), FIVE(INT) },	{ 0x3f, 0x00 }, { 0xff, 0x00 } },
	/* Two registers, from an even register on for arm64 */
	{ VOID, { INT128, PTR },		{ 0x07, 0x04 }, { 0x07, 0x04 } },
	{ VOID, { INT, INT128, PTR },		{ 0x0f, 0x08 }, { 0x1d, 0x10 } },
	{ VOID, { PTR, INT, INT128, PTR },	{ 0x1f, 0x11 }, { 0x1f, 0x11 } },
	{ VOID, { FIVE(INT), INT128, PTR },	{ 0x3f, 0x20 }, { 0xdf, 0x00 } },
	{ VOID, { FIVE(INT), INT128, INT },	{ 0x3f, 0x00 }, { 0xdf, 0x00 } },
	{ VOID, { SEVEN(INT), INT128, PTR },	{ 0x3f, 0x00 }, { 0x7f, 0x00 } },
	/* Vector registers */
	{ VOID, { DOUBLE, PTR },		{ 0x01, 0x01 }, { 0x01, 0x01 } },
	{ VOID, { PTR, FLOAT, LONGDOUBLE, PTR }, { 0x03, 0x03 }, { 0x03, 0x03 } },
	/* Structs */
	{ VOID, { KUID, PTR },			{ 0x03, 0x02 }, { 0x03, 0x02 } },
	{ VOID, { PTR, SOCKPTR, INT },		{ 0x0f, 0x03 }, { 0x0f, 0x03 } },
	{ VOID, { PAIR, PTR },			{ 0x07, 0x07 }, { 0x07, 0x07 } },
	{ VOID, { INT, PAIR },			{ 0x07, 0x06 }, { 0x07, 0x06 } },
	{ VOID, { FIVE(INT), PAIR, INT },	{ 0x3f, 0x00 }, { 0xff, 0x60 } },
	{ VOID, { FIVE(INT), PAIR, PTR },	{ 0x3f, 0x20 }, { 0xff, 0xe0 } },
	{ VOID, { SEVEN(INT), PAIR, INT },	{ 0x3f, 0x00 }, { 0x7f, 0x00 } },
	{ VOID, { SEVEN(INT), PAIR, PTR },	{ 0x3f, 0x00 }, { 0x7f, 0x00 } },
	{ VOID, { THREE, PTR },			{ 0x01, 0x01 }, { 0x03, 0x02 } },
	{ VOID, { SEVEN(INT), THREE, PTR },	{ 0x3f, 0x00 }, { 0xff, 0x00 } },
	{ VOID, { SEVEN(INT), INT, THREE, PTR }, { 0x3f, 0x00 }, { 0xff, 0x00 } },
	{ VOID, { LARGE, PTR },			{ 0x01, 0x01 }, { 0x03, 0x02 } },
	{ VOID, { EMPTY, PTR },			{ 0x01, 0x01 }, { 0x01, 0x01 } },
	{ VOID, { INT, EMPTY_ARRAY, PTR },	{ 0x03, 0x02 }, { 0x03, 0x02 } },
	{ VOID, { EMPTIES, INT },		{ 0x03, 0x01 }, { 0x03, 0x01 } },
	{ VOID, { UNION, INT },			{ 0x03, 0x01 }, { 0x03, 0x01 } },
	{ VOID, { PTRS, INT },			{ 0x07, 0x03 }, { 0x07, 0x03 } },
	{ VOID, { CHARS, PTR },			{ 0x07, 0x04 }, { 0x07, 0x04 } },
	{ VOID, { NESTED, INT },		{ 0x07, 0x02 }, { 0x07, 0x02 } },
	{ VOID, { ENUMS, PTR },			{ 0x07, 0x04 }, { 0x07, 0x04 } },
	{ VOID, { PADDED, INT },		{ 0x07, 0x02 }, { 0x07, 0x02 } },
	/* Packed structs */
	{ VOID, { PACKED, PTR },		{ 0x01, 0x01 }, { 0x07, 0x04 } },
	{ VOID, { PACKED_PTR, INT },		{ 0x01, 0x00 }, { 0x07, 0x01 } },
	{ VOID, { PACKED_INNER, INT },		{ 0x01, 0x00 }, { 0x07, 0x00 } },
	{ VOID, { PACKED_WELL, INT },		{ 0x07, 0x02 }, { 0x07, 0x02 } },
	{ VOID, { PACKED128, PTR },		{ 0x01, 0x01 }, { 0x03, 0x02 } },
	/* Bitfields */
	{ VOID, { BITS, INT },			{ 0x07, 0x02 }, { 0x07, 0x02 } },
	{ VOID, { OLD_BITS, INT },		{ 0x03, 0x00 }, { 0x03, 0x00 } },
	{ VOID, { STRADDLING, PTR },		{ 0x07, 0x04 }, { 0x07, 0x04 } },
	/* Aligned to 16 bytes */
	{ VOID, { INT128S, PTR },		{ 0x07, 0x04 }, { 0x07, 0x04 } },
	{ VOID, { INT, INT128S, PTR },		{ 0x0f, 0x08 }, { 0x1d, 0x10 } },
	{ VOID, { INT, UNION128, INT },		{ 0x0f, 0x06 }, { 0x1d, 0x0c } },
	{ VOID, { FIVE(INT), UNION128, PTR },	{ 0x3f, 0x20 }, { 0xdf, 0xc0 } },
	{ VOID, { SEVEN(INT), UNION128, PTR },	{ 0x3f, 0x00 }, { 0x7f, 0x00 } },
	/* Variadic */
	{ VOID, { ELLIPSIS },			{ 0x3f, 0x3f, 0x3f }, { 0xff, 0xff, 0xff } },
	{ VOID, { INT, ELLIPSIS },		{ 0x3f, 0x3e, 0x3e }, { 0xff, 0xfe, 0xfe } },
	{ VOID, { PTR, ELLIPSIS },		{ 0x3f, 0x3f, 0x3e }, { 0xff, 0xff, 0xfe } },
	{ VOID, { FIVE(INT), PAIR, ELLIPSIS },	{ 0x3f, 0x20, 0x20 }, { 0xff, 0xe0, 0x80 } },
	{ VOID, { SEVEN(INT), ELLIPSIS },	{ 0x3f, 0x00 }, { 0xff, 0x80, 0x80 } },
	{ VOID, { SEVEN(INT), PAIR, ELLIPSIS },	{ 0x3f, 0x00 }, { 0x7f, 0x00 } },
	/* The register with the address of a result */
	{ THREE, {},				{ 0x01, 0x00 }, { 0x00, 0x00 } },
	{ THREE, { PTR },			{ 0x03, 0x02 }, { 0x01, 0x01 } },
	{ THREE, { FIVE(INT), PTR },		{ 0x3f, 0x00 }, { 0x3f, 0x20 } },
	{ THREE, { INT, ELLIPSIS },		{ 0x3f, 0x3c, 0x3c }, { 0xff, 0xfe, 0xfe } },
	{ LARGE, { PTR },			{ 0x03, 0x02 }, { 0x01, 0x01 } },
	{ PACKED, { PTR },			{ 0x03, 0x02 }, { 0x01, 0x01 } },
	{ PAIR, { PTR },			{ 0x01, 0x01 }, { 0x01, 0x01 } },
	{ EMPTY, { PTR },			{ 0x01, 0x01 }, { 0x01, 0x01 } },
	{ INT128, { PTR },			{ 0x01, 0x01 }, { 0x01, 0x01 } },
	{ LONGDOUBLE, { PTR },			{ 0x01, 0x01 }, { 0x01, 0x01 } },
	{ NOTHING, { PTR },			{ 0x01, 0x01 }, { 0x01, 0x01 } },
	/* Unknown types */
	{ VOID, { PTR, VOID, PTR },		UNKNOWN, UNKNOWN },
	{ VOID, { PTR, VOID },			UNKNOWN, UNKNOWN },
	{ VOID, { PTR, ELLIPSIS, PTR },		UNKNOWN, UNKNOWN },
	{ VOID, { PTR, NOTHING },		UNKNOWN, UNKNOWN },
	{ VOID, { SEVEN(INT), INT, VOID, INT },	UNKNOWN, UNKNOWN },
	{ VOID, { FLOATS },			UNKNOWN, UNKNOWN },
	{ VOID, { FOUR_FLOATS },		UNKNOWN, UNKNOWN },
	{ VOID, { FLEXIBLE },			UNKNOWN, UNKNOWN },
	{ VOID, { ALIGNED },			UNKNOWN, UNKNOWN },
	{ VOID, { LOST },			UNKNOWN, UNKNOWN },
	{ VOID, { LOST24 },			UNKNOWN, UNKNOWN },
	{ VOID, { PACKED_ARRAY },		UNKNOWN, UNKNOWN },
	{ VOID, { BITS128 },			UNKNOWN, UNKNOWN },
	{ VOID, { DEEP },			UNKNOWN, UNKNOWN },
	{ VOID, { fwd },			UNKNOWN, UNKNOWN },
	{ VOID, { array },			UNKNOWN, UNKNOWN },
	{ VOID, { proto },			UNKNOWN, UNKNOWN },
	{ VOID, { int24 },			UNKNOWN, UNKNOWN },
	{ VOID, { chain },			UNKNOWN, UNKNOWN },
	{ VOID, { nosuch },			UNKNOWN, UNKNOWN },
	{ fwd, { PTR },				UNKNOWN, { 0x01, 0x01 } },
	{ array, { PTR },			UNKNOWN, { 0x01, 0x01 } },
	{ chain, { PTR },			UNKNOWN, { 0x01, 0x01 } },
	{ nosuch, { PTR },			UNKNOWN, { 0x01, 0x01 } },
	{ FLOATS, { PTR },			UNKNOWN, { 0x01, 0x01 } },
};

/* Make BTF and the text "RESULT(PARAM, ...)" of a prototype */
static int add_prototype(enum type ret, const enum type *params, char *text, size_t size)
{
	int id = must(btf__add_func_proto(kernel_btf, ids[ret]));
	unsigned int i;
	int len;

	len = scnprintf(text, size, "%s(", type_names[ret]);
	for (i = 0; i < NR_PARAMS && params[i] != END; i++) {
		must(btf__add_func_param(kernel_btf, params[i] == ELLIPSIS ? NULL : "arg",
					 ids[params[i]]));
		len += scnprintf(text + len, size - len, "%s%s", i ? ", " : "",
				 type_names[params[i]]);
	}
	scnprintf(text + len, size - len, ")");
	return id;
}

static void test_prototype(int id, enum objtrace_abi abi, const char *text,
			   const struct objtrace_args *expected)
{
	const char *where = abi == OBJTRACE_ABI_ARM64 ? "arm64" : "x86-64";
	struct objtrace_args args = UNKNOWN;
	bool known = expected->objects <= expected->used, found;

	found = objtrace_args_of(kernel_btf, id, abi, &args);
	if (!known)
		ok(!found && !memcmp(&args, expected, sizeof(args)),
		   "%s has unknown registers on %s", text, where);
	else
		ok(found && !memcmp(&args, expected, sizeof(args)),
		   "%s uses the registers %#x, %#x of them for objects and %#x for \"...\", on %s", text,
		   expected->used, expected->objects, expected->variable, where);
	if (found != known || memcmp(&args, expected, sizeof(args)))
		printf("# found: %s %#x %#x %#x\n", found ? "known" : "unknown", args.used,
		       args.objects, args.variable);
}

static void test_prototypes(void)
{
	char text[256];
	unsigned int i;
	int id;

	for (i = 0; i < ARRAY_SIZE(prototypes); i++) {
		id = add_prototype(prototypes[i].ret, prototypes[i].params, text,
				   sizeof(text));
		test_prototype(id, OBJTRACE_ABI_X86_64, text, &prototypes[i].x86_64);
		test_prototype(id, OBJTRACE_ABI_ARM64, text, &prototypes[i].arm64);
	}
}

static void test_no_prototypes(void)
{
	static const struct objtrace_args unknown = UNKNOWN;
	const struct {
		const char	*what;
		int		id;
	} no[] = {
		{ "void", 0 }, { "an int", ids[INT] }, { "a struct", ids[PAIR] },
		{ "a pointer to a prototype", ids[FUNCTION] },
		{ "an ID without a type", ids[nosuch] },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(no); i++)
		test_prototype(no[i].id, OBJTRACE_ABI_X86_64, no[i].what, &unknown);
}

int main(void)
{
	kernel_btf = btf__new_empty();
	add_scalars();
	add_kernel_structs();
	add_nested_structs();
	add_packed_structs();
	add_bitfields();
	add_large_structs();
	add_strange_structs();
	add_no_arguments();
	test_prototypes();
	test_no_prototypes();
	btf__free(kernel_btf);
	return tap_done();
}
