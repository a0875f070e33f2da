// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of functions, from BTF and symbols of this test: known functions, unknown functions, and
 * the function of a location.
 */
#include <linux/kernel.h>

#include "functions/funcs.h"
#include "kernel_btf.h"
#include "tap.h"

#define BASE	0xffffffff81000000UL

#define ALL	0x3f		/* registers of x86-64 */

static int int_id, ptr_id;

static int must(int id)
{
	if (id < 0) {
		perror("funcs_test");
		exit(99);
	}
	return id;
}

/* An argument for each letter: a pointer, an int, a type of unknown form, or "..." */
static void add_func(struct btf *btf, const char *name, const char *args)
{
	int proto = must(btf__add_func_proto(btf, int_id));

	for (; *args; args++)
		must(btf__add_func_param(btf, *args == '?' ? "" : "arg",
					 *args == 'p' ? ptr_id : *args == 'i' ? int_id : 0));
	must(btf__add_func(btf, name, BTF_FUNC_STATIC, proto));
}

static struct btf *new_btf(struct btf *base)
{
	struct btf *btf = base ? btf__new_empty_split(base) : btf__new_empty();

	must(btf ? 0 : -1);
	if (!base) {
		int_id = must(btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
		ptr_id = must(btf__add_ptr(btf, 0));
	}
	return btf;
}

static struct objtrace_names names_of(const struct btf *btf, u32 first_id)
{
	struct objtrace_names names;

	must(objtrace_names_init(&names, btf, first_id, OBJTRACE_ABI_X86_64));
	return names;
}

/* The registers of the function at a location, or one of these values */
enum { NONE = -1, UNKNOWN = -2 };

static int received_at(const struct objtrace_funcs *funcs, unsigned long ip)
{
	const struct objtrace_func *f = objtrace_funcs_find(funcs, ip);

	if (!f)
		return NONE;
	if (f->objects == ALL && !f->sure)
		return UNKNOWN;
	return f->objects == f->sure ? f->sure : -3;
}

/* The ftrace location of a function */
#define LOCATION	4

static void tell(struct objtrace_names *names, const char *symbol, unsigned long addr)
{
	objtrace_names_symbol(names, symbol, addr, addr + LOCATION);
}

static struct objtrace_funcs *finish(struct objtrace_names *names)
{
	struct objtrace_funcs *funcs = objtrace_names_build(names);

	must(funcs ? 0 : -1);
	objtrace_names_exit(names);
	return funcs;
}

static const struct {
	const char *name, *args;
} functions[] = {
	{ "none", "" },
	{ "second", "ip" },
	{ "first", "p" },
	{ "several", "p" },
	{ "several", "ip" },
	{ "again", "pp" },
	{ "again", "pp" },
	{ "local", "p" },
	{ "void_param", "v?" },
	{ "no_symbol", "p" },
	{ "alias", "p" },
	{ "same_alias", "p" },
	{ "one_name", "p" },
	{ "other_name", "pp" },
	{ "cloned", "p" },
	{ "cut", "p" },
	{ "half_known", "p" },
	{ "not_understood", "v?" },
	{ "printf", "p?" },
};

static const struct {
	const char *name;
	unsigned long offset;
} symbols[] = {
	{ "none",		0x00 },
	{ "local",		0x10 },
	{ "not_in_btf",		0x20 },
	{ "first",		0x30 },
	{ "first.isra.0",	0x40 },
	{ "second",		0x50 },
	{ "local",		0x60 },
	{ "several",		0x70 },
	{ "again",		0x80 },
	{ "void_param",		0x90 },
	{ "alias",		0xa0 },
	{ "same_alias",		0xa0 },
	{ "one_name",		0xb0 },
	{ "other_name",		0xb0 },
	{ "again",		0x80 },
	{ "cloned.constprop.0",	0xc0 },
	{ "cloned",		0xd0 },
	{ "cut.cold",		0xe0 },
	{ "cut",		0xf0 },
	{ "half_known",		0x100 },
	{ "not_understood",	0x100 },
	{ "printf",		0x110 },
};

static void test_kernel(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_funcs *funcs;
	struct objtrace_names names;
	unsigned int i;

#define AT(offset) received_at(funcs, BASE + (offset) + LOCATION)
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		add_func(btf, functions[i].name, functions[i].args);
	names = names_of(btf, 1);
	ok(names.nr == 17, "each name in the BTF is read once");
	for (i = 0; i < ARRAY_SIZE(symbols); i++)
		tell(&names, symbols[i].name, BASE + symbols[i].offset);
	objtrace_names_symbol(&names, "no_symbol", 0, 0);
	funcs = finish(&names);

	ok(funcs->nr == 18, "the table has all functions");
	ok(AT(0) == 0, "known: a function without arguments");
	ok(AT(0x50) == 2, "known: a function with a pointer after an integer");
	ok(AT(0x80) == 3, "known: a function that is in the BTF twice, with the same prototype");
	ok(AT(0xa0) == 1, "known: a function with two names of the same prototype");
	ok(AT(0xb0) == UNKNOWN, "unknown: a function with two names of different prototypes");
	ok(AT(0x100) == UNKNOWN, "unknown: a function with two names, one of an unknown prototype");
	ok(AT(0x10) == UNKNOWN && AT(0x60) == UNKNOWN, "unknown: two functions with one name");
	ok(AT(0x70) == UNKNOWN, "unknown: a function with two prototypes in the BTF");
	ok(AT(0x90) == UNKNOWN, "unknown: a function whose prototype has an unknown type");
	ok(AT(0x40) == UNKNOWN && AT(0x30) == UNKNOWN,
	   "unknown: a clone and its original");
	ok(AT(0xc0) == UNKNOWN && AT(0xd0) == UNKNOWN,
	   "unknown: a clone with a lower address than its original, and the original");
	ok(AT(0xf0) == 1, "known: a function with a cold part");
	ok(AT(0x20) == UNKNOWN, "unknown: a function that is not in the BTF");
	ok(objtrace_funcs_find(funcs, BASE + 0x114)->objects == ALL,
	   "a variadic function can receive objects in all registers");
	ok(objtrace_funcs_find(funcs, BASE + 0x114)->sure == 1,
	   "only the named argument of a variadic function is sure");
	ok(funcs->start == BASE + LOCATION, "the table starts at the first location");
	kvfree(funcs);
	btf__free(btf);
}

static void test_locations(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_funcs *funcs;
	struct objtrace_names names;

	add_func(btf, "low", "p");
	add_func(btf, "high", "ip");
	add_func(btf, "not_traced", "p");
	add_func(btf, "other", "pp");
	names = names_of(btf, 1);
	/* Addresses do not rise, as in a module */
	tell(&names, "high", BASE + 0x40);
	objtrace_names_symbol(&names, "not_traced", BASE + 0x20, 0);
	/* Two functions that cannot be traced have the name of a function that can be traced */
	objtrace_names_symbol(&names, "other", BASE + 0x30, 0);
	tell(&names, "other", BASE + 0x50);
	tell(&names, "low", BASE);
	/* So short that the next function's location is in its range */
	objtrace_names_symbol(&names, "without_btf", BASE - 4, BASE + LOCATION);
	funcs = finish(&names);

	ok(funcs->nr == 3, "the table lacks functions that cannot be traced");
	ok(received_at(funcs, BASE + LOCATION) == 1, "the location of a function is found");
	ok(received_at(funcs, BASE) == NONE && received_at(funcs, BASE + LOCATION + 1) == NONE,
	   "addresses next to the location are not found");
	ok(received_at(funcs, BASE + 0x44) == 2, "the symbols may have any order");
	ok(received_at(funcs, BASE + 0x54) == UNKNOWN,
	   "unknown: a function that shares its name with functions that cannot be traced");
	ok(received_at(funcs, BASE - 4) == NONE && received_at(funcs, 0) == NONE &&
	   received_at(funcs, ~0UL) == NONE,
	   "addresses before and after all functions are not found");
	kvfree(funcs);
	btf__free(btf);
}

static void test_module(void)
{
	struct btf *base = new_btf(NULL), *btf;
	struct objtrace_funcs *funcs;
	struct objtrace_names names;

	add_func(base, "in_kernel", "p");
	btf = new_btf(base);
	add_func(btf, "in_module", "ip");
	names = names_of(btf, btf__type_cnt(base));
	ok(names.nr == 1, "only the module's own part of its BTF is read");
	tell(&names, "in_kernel", BASE);
	tell(&names, "in_module", BASE + 0x20);
	funcs = finish(&names);
	ok(funcs->nr == 2 && received_at(funcs, BASE + 0x24) == 2 &&
	   received_at(funcs, BASE + 0x4) == UNKNOWN,
	   "functions in the module's BTF are known, functions of the kernel are not");
	kvfree(funcs);
	btf__free(btf);
	btf__free(base);
}

static void test_none(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_names names = names_of(btf, 1);
	struct objtrace_funcs *funcs;

	objtrace_names_symbol(&names, "any", BASE, 0);
	funcs = finish(&names);
	ok(!funcs->nr && received_at(funcs, BASE) == NONE && received_at(funcs, 0) == NONE,
	   "an empty table finds no function");
	kvfree(funcs);
	btf__free(btf);
}

/* Functions with one parameter of each type */
static const struct {
	const char *name;
	bool typed, strict;
} takers[] = {
	{ "struct",	true,	true },
	{ "const",	true,	true },
	{ "typedef",	true,	true },
	{ "forward",	true,	true },
	{ "union",	true,	true },
	{ "void",	true,	false },
	{ "const_void",	true,	false },
	{ "other",	false,	false },
	{ "value",	false,	false },
	{ "twofold",	false,	false },
	{ "long",	false,	false },
	{ "nothing",	false,	false },
};

static void add_takers(struct btf *btf)
{
	int tag = must(btf__add_struct(btf, "tag", 8));
	int tag_ptr = must(btf__add_ptr(btf, tag));
	const int params[] = {
		tag_ptr,
		must(btf__add_ptr(btf, must(btf__add_const(btf, tag)))),
		must(btf__add_typedef(btf, "tag_t",
				      must(btf__add_ptr(btf, must(btf__add_typedef(btf,
				   "t", tag)))))),
		must(btf__add_ptr(btf, must(btf__add_fwd(btf, "tag", BTF_FWD_STRUCT)))),
		must(btf__add_ptr(btf, must(btf__add_union(btf, "tag", 8)))),
		ptr_id,
		must(btf__add_ptr(btf, must(btf__add_const(btf, 0)))),
		must(btf__add_ptr(btf, must(btf__add_struct(btf, "tag2", 8)))),
		tag,
		must(btf__add_ptr(btf, tag_ptr)),
		must(btf__add_int(btf, "long", 8, BTF_INT_SIGNED)),
	};
	unsigned int i;
	int proto;

	for (i = 0; i < ARRAY_SIZE(takers); i++) {
		proto = must(btf__add_func_proto(btf, int_id));
		must(btf__add_func_param(btf, "first", int_id));
		if (i < ARRAY_SIZE(params))
			must(btf__add_func_param(btf, "second", params[i]));
		must(btf__add_func(btf, takers[i].name, BTF_FUNC_STATIC, proto));
	}
}

static bool take_at(const struct objtrace_funcs *funcs, unsigned long addr, bool only_struct)
{
	return objtrace_funcs_take(funcs, objtrace_funcs_find(funcs, addr + LOCATION), "tag",
				   only_struct);
}

static void test_takers(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_funcs *funcs;
	struct objtrace_names names;
	unsigned int i;

	add_takers(btf);
	names = names_of(btf, 1);
	for (i = 0; i < ARRAY_SIZE(takers); i++)
		tell(&names, takers[i].name, BASE + 0x10 * i);
	tell(&names, "unknown", BASE + 0x10 * i);
	funcs = finish(&names);
	for (i = 0; i < ARRAY_SIZE(takers); i++) {
		ok(take_at(funcs, BASE + 0x10 * i, false) == takers[i].typed,
		   "typed %s functions with a parameter of this kind: %s",
		   takers[i].typed ? "includes" : "excludes", takers[i].name);
		ok(take_at(funcs, BASE + 0x10 * i, true) == takers[i].strict,
		   "typed=strict %s functions with a parameter of this kind: %s",
		   takers[i].strict ? "includes" : "excludes", takers[i].name);
	}
	ok(!take_at(funcs, BASE + 0x10 * i, false),
	   "typed excludes a function with unknown parameters");
	kvfree(funcs);
	btf__free(btf);
}

/* Two functions with one address or name, with the same registers and different types */
static void test_types_differ(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_funcs *funcs;
	struct objtrace_names names;
	const int tag_ptr = must(btf__add_ptr(btf, must(btf__add_struct(btf, "tag", 8))));
	const int types[] = { tag_ptr, ptr_id };
	unsigned int i;
	int proto;

	for (i = 0; i < 4; i++) {
		proto = must(btf__add_func_proto(btf, int_id));
		must(btf__add_func_param(btf, "arg", types[i % 2]));
		must(btf__add_func(btf, i < 2 ? "name" : i == 2 ? "alias" : "alias2",
				   BTF_FUNC_STATIC, proto));
	}
	names = names_of(btf, 1);
	tell(&names, "name", BASE);
	tell(&names, "alias", BASE + 0x10);
	tell(&names, "alias2", BASE + 0x10);
	funcs = finish(&names);
	ok(received_at(funcs, BASE + LOCATION) == 1 && !take_at(funcs, BASE, false),
	   "two types in the BTF for one name: only the registers are known");
	ok(received_at(funcs, BASE + 0x10 + LOCATION) == 1 && !take_at(funcs, BASE + 0x10, false),
	   "two names of a function, of different types: only the registers are known");
	kvfree(funcs);
	btf__free(btf);
}

/* More functions than the initial size of the array; a module without BTF has unknown functions */
static void test_no_btf(void)
{
	struct objtrace_names names = names_of(NULL, 1);
	struct objtrace_funcs *funcs;
	const unsigned int nr = 1000;
	unsigned int i, unknown = 0;
	char name[16];

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		tell(&names, name, BASE + i * 0x10UL);
	}
	funcs = finish(&names);
	for (i = 0; i < nr; i++)
		unknown += received_at(funcs, BASE + i * 0x10UL + LOCATION) == UNKNOWN;
	ok(funcs->nr == nr && unknown == nr, "unknown: %u functions of a module without BTF", nr);
	kvfree(funcs);
}

/* Enough names for collisions of their hashes */
static void test_many(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_funcs *funcs;
	struct objtrace_names names;
	const unsigned int nr = 20000;
	unsigned int i, bad = 0;
	char name[16];

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		add_func(btf, name, i % 3 ? i % 2 ? "p" : "ip" : "");
	}
	names = names_of(btf, 1);
	for (i = nr; i-- > 0;) {
		snprintf(name, sizeof(name), "f%u", i);
		tell(&names, name, BASE + i * 0x10UL);
	}
	funcs = finish(&names);
	for (i = 0; i < nr; i++)
		bad += received_at(funcs, BASE + i * 0x10UL + LOCATION) !=
		       (i % 3 ? i % 2 ? 1 : 2 : 0);
	ok(funcs->nr == nr && !bad, "known: each of %u functions", nr);
	kvfree(funcs);
	btf__free(btf);
}

/*
 * Functions next to each other, around the ends of blocks, and far from each other.  Each address
 * from before the first function to after the last one is looked up.
 */
static void test_blocks(void)
{
	static const unsigned int distances[] = { 4, 504, 4, 4, 512, 508, 8, 5000, 512, 1, 1, 511 };
	const unsigned int block = 1 << OBJTRACE_BLOCK_BITS;
	unsigned long where = BASE, ip = BASE + LOCATION - 2 * block;
	unsigned int i, next = 0, nr = 0, bad = 0, seen = 0;
	unsigned long wanted[500];
	struct objtrace_funcs *funcs;
	struct objtrace_names names;
	char name[16];

	names = names_of(NULL, 1);
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		snprintf(name, sizeof(name), "f%u", i);
		tell(&names, name, where);
		wanted[nr++] = where + LOCATION;
		/* The first hundred functions are as near as calls can be */
		where += i < 100 ? 5 : distances[i % ARRAY_SIZE(distances)];
	}
	funcs = finish(&names);
	for (; ip <= wanted[nr - 1] + 2 * block; ip++) {
		const struct objtrace_func *f = objtrace_funcs_find(funcs, ip);
		bool is_wanted = next < nr && ip == wanted[next];

		bad += is_wanted ? f != &funcs->func[next] : !!f;
		next += is_wanted;
		seen += !!f;
	}
	ok(!bad && seen == nr && funcs->nr == nr,
	   "each of %u functions is found at its location, and at no other address (%u wrong)",
	   nr, bad);
	ok(!objtrace_funcs_find(funcs, 0) && !objtrace_funcs_find(funcs, -1UL) &&
	   !objtrace_funcs_find(funcs, BASE - (1UL << 40)) &&
	   !objtrace_funcs_find(funcs, BASE + (1UL << 32) + LOCATION),
	   "no function is found at a distant address");
	kvfree(funcs);
}

int main(void)
{
	test_kernel();
	test_locations();
	test_module();
	test_none();
	test_takers();
	test_types_differ();
	test_no_btf();
	test_many();
	test_blocks();
	return tap_done();
}
