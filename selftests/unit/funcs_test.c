// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of functions from BTF that is made here and symbols that are told: what is
 * known, what is not, and which function an address is the entry of.
 */
#include <linux/kernel.h>

#include "objtrace_funcs.h"
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

/* An argument for each letter: a pointer, an int, what is not understood, or "..." */
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

/* What @ip is the entry of: its object registers, or -1 */
static int objects_at(const struct objtrace_funcs *funcs, unsigned long ip)
{
	const struct objtrace_func *f = objtrace_funcs_find(funcs, ip);

	return f ? f->objects : -1;
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

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		add_func(btf, functions[i].name, functions[i].args);
	names = names_of(btf, 1);
	ok(names.nr == 17, "each name of the BTF once");
	for (i = 0; i < ARRAY_SIZE(symbols); i++)
		objtrace_names_symbol(&names, symbols[i].name, BASE + symbols[i].offset);
	objtrace_names_symbol(&names, "no_symbol", 0);
	funcs = finish(&names);

	ok(funcs->nr == 6, "functions with one prototype and one address are known");
	ok(objects_at(funcs, BASE) == 0, "one without arguments");
	ok(objects_at(funcs, BASE + 0x54) == 2, "one with a pointer behind an integer");
	ok(objects_at(funcs, BASE + 0x84) == 3, "one that the BTF has twice, the same");
	ok(objects_at(funcs, BASE + 0xa4) == 1, "one with two names, the same");
	ok(objects_at(funcs, BASE + 0xb4) == -1, "not one with two that differ");
	ok(objects_at(funcs, BASE + 0x104) == -1, "not one with a name that is not understood");
	ok(objects_at(funcs, BASE + 0x14) == -1 && objects_at(funcs, BASE + 0x64) == -1,
	   "not one of two with one name");
	ok(objects_at(funcs, BASE + 0x74) == -1, "not one with two prototypes");
	ok(objects_at(funcs, BASE + 0x94) == -1, "not one that is not understood");
	ok(objects_at(funcs, BASE + 0x44) == -1 && objects_at(funcs, BASE + 0x34) == -1,
	   "neither a clone nor what it was made from");
	ok(objects_at(funcs, BASE + 0xd4) == -1, "also if the clone stands first");
	ok(objects_at(funcs, BASE + 0xf4) == 1, "one that has a cold part");
	ok(objects_at(funcs, BASE + 0x24) == -1, "not one without BTF");
	ok(objects_at(funcs, BASE + 0x114) == ALL, "one with variable arguments");
	ok(objtrace_funcs_find(funcs, BASE + 0x114)->variable == (ALL & ~1), "which they are");
	ok(funcs->start == BASE, "where they are");
	kvfree(funcs);
	btf__free(btf);
}

static void test_entries(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_funcs *funcs;
	struct objtrace_names names;

	add_func(btf, "low", "p");
	add_func(btf, "high", "ip");
	names = names_of(btf, 1);
	/* Not by rising address, as those of a module */
	objtrace_names_symbol(&names, "high", BASE + 0x40);
	objtrace_names_symbol(&names, "low", BASE);
	funcs = finish(&names);

	ok(objects_at(funcs, BASE) == 1 && objects_at(funcs, BASE + 8) == 1,
	   "an entry is up to 8 bytes behind the first");
	ok(objects_at(funcs, BASE + 9) == -1, "no further");
	ok(objects_at(funcs, BASE + 0x40) == 2 && objects_at(funcs, BASE + 0x48) == 2,
	   "the last function");
	ok(objects_at(funcs, BASE + 0x3f) == -1, "before a function");
	ok(objects_at(funcs, BASE + 0x49) == -1, "behind all of them");
	ok(objects_at(funcs, BASE - 1) == -1 && objects_at(funcs, 0) == -1,
	   "before all of them");
	ok(objects_at(funcs, ~0UL) == -1, "the highest address");
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
	ok(names.nr == 1, "of a module's BTF only what is its own");
	objtrace_names_symbol(&names, "in_kernel", BASE);
	objtrace_names_symbol(&names, "in_module", BASE + 0x20);
	funcs = finish(&names);
	ok(funcs->nr == 1 && objects_at(funcs, BASE + 0x24) == 2, "is known there");
	kvfree(funcs);
	btf__free(btf);
	btf__free(base);
}

static void test_none(void)
{
	struct btf *btf = new_btf(NULL);
	struct objtrace_names names = names_of(btf, 1);
	struct objtrace_funcs *funcs;

	objtrace_names_symbol(&names, "any", BASE);
	funcs = finish(&names);
	ok(!funcs->nr && objects_at(funcs, BASE) == -1 && objects_at(funcs, 0) == -1,
	   "no function at all");
	kvfree(funcs);
	btf__free(btf);
}

/* Enough names that hashes meet */
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
		objtrace_names_symbol(&names, name, BASE + i * 0x10UL);
	}
	funcs = finish(&names);
	for (i = 0; i < nr; i++)
		bad += objects_at(funcs, BASE + i * 0x10UL + 4) !=
		       (i % 3 ? i % 2 ? 1 : 2 : 0);
	ok(funcs->nr == nr && !bad, "%u functions", nr);
	kvfree(funcs);
	btf__free(btf);
}

int main(void)
{
	test_kernel();
	test_entries();
	test_module();
	test_none();
	test_many();
	return tap_done();
}
