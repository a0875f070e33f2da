// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of names: each name of each kind is found, the first of several types stays, and other
 * names are not found, also after the table has grown.
 */
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "tools/objtrace/nameindex.h"
#include "tap.h"

#define NR_STRUCTS	5000

static void name_of(char *name, size_t size, int i)
{
	snprintf(name, size, "s%d", i);
}

static struct btf *make_kernel(void)
{
	struct btf *btf = btf__new_empty();
	char name[16];
	int i;

	for (i = 1; i <= NR_STRUCTS; i++) {
		name_of(name, sizeof(name), i);
		btf__add_struct(btf, name, i);
	}
	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	btf__add_typedef(btf, "s1", 2);
	btf__add_struct(btf, "s2", 8);
	btf__add_struct(btf, NULL, 8);
	return btf;
}

static struct btf *make_module(struct btf *kernel)
{
	struct btf *btf = btf__new_empty_split(kernel);

	btf__add_struct(btf, "s3", 8);
	btf__add_union(btf, "u", 8);
	btf__add_struct(btf, "own", 8);
	return btf;
}

static bool finds(const struct nameindex *index, const char *name, unsigned int kind,
		  const struct btf *btf, int id)
{
	const struct nameindex_type *type = nameindex_find(index, name, kind);

	return type && type->btf == btf && type->id == id && type->kind == kind &&
	       !strcmp(type->name, name);
}

static int nr_found(const struct nameindex *index, const struct btf *btf)
{
	char name[16];
	int i, nr = 0;

	for (i = 1; i <= NR_STRUCTS; i++) {
		name_of(name, sizeof(name), i);
		nr += finds(index, name, BTF_KIND_STRUCT, btf, i);
	}
	return nr;
}

int main(void)
{
	struct btf *kernel = make_kernel(), *module = make_module(kernel);
	struct nameindex index = {};
	int first = btf__type_cnt(kernel);

	ok(!nameindex_find(&index, "s1", BTF_KIND_STRUCT), "an empty table has no name");
	ok(nameindex_add(&index, kernel, 1), "the names of the kernel are added");
	ok(nr_found(&index, kernel) == NR_STRUCTS, "each struct of the kernel is found");
	ok(finds(&index, "s1", BTF_KIND_TYPEDEF, kernel, NR_STRUCTS + 2),
	   "a typedef with the name of a struct is found");
	ok(!nameindex_find(&index, "s1", BTF_KIND_UNION), "no union has the name of a struct");
	ok(!nameindex_find(&index, "own", BTF_KIND_STRUCT), "the struct of the module is not known");
	ok(!nameindex_find(&index, "", BTF_KIND_STRUCT), "a struct without a name is not found");
	ok(!nameindex_find(&index, "int", BTF_KIND_INT), "an integer is not found");
	ok(nameindex_add(&index, module, first), "the names of the module are added");
	ok(nr_found(&index, kernel) == NR_STRUCTS, "each struct of the kernel is still found");
	ok(finds(&index, "u", BTF_KIND_UNION, module, first + 1), "the union of the module is found");
	ok(finds(&index, "own", BTF_KIND_STRUCT, module, first + 2),
	   "the struct of the module is found");
	nameindex_free(&index);
	ok(!nameindex_find(&index, "s1", BTF_KIND_STRUCT), "a table that was freed has no name");
	btf__free(module);
	btf__free(kernel);
	return tap_done();
}
