// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look up structs by name while modules are loaded and unloaded: the BTF with the struct, the
 * lifetime of the BTF, and the references, which must all be put.
 */
#include <linux/kernel.h>

#include "kernel_btf.h"
#include "tap.h"
#include "types/path.h"
#include "types/types.h"

/* The loaded modules in this order, with the references to their BTF */
#define NR_MODULES	(OBJTRACE_MAX_MODULE_BTFS + 2)
static struct btf *modules[NR_MODULES];
static int references[NR_MODULES];
static unsigned int nr_searches;

s32 objtrace_bpf_find_btf_id(const char *name, u32 kind, struct btf **btf)
{
	unsigned int i;
	int id;

	nr_searches++;
	for (i = 0; i < NR_MODULES; i++) {
		if (!modules[i])
			continue;
		id = btf__find_by_name_kind(modules[i], name, kind);
		if (id < 0)
			continue;
		*btf = modules[i];
		references[i]++;
		return id;
	}
	return -ENOENT;
}

void objtrace_btf_put(struct btf *btf)
{
	unsigned int i;

	for (i = 0; i < NR_MODULES; i++)
		if (modules[i] == btf)
			references[i]--;
}

static int must(int id)
{
	if (id < 0) {
		perror("types_test");
		exit(99);
	}
	return id;
}

static void add_struct(struct btf *btf, const char *name, const char *member,
		       const char *other)
{
	int type = must(btf__add_int(btf, "long", 8, BTF_INT_SIGNED));

	must(btf__add_struct(btf, name, 16));
	must(btf__add_field(btf, member, type, 0, 0));
	if (other)
		must(btf__add_field(btf, other, type, 64, 0));
}

static void add_kernel(void)
{
	kernel_btf = btf__new_empty();
	must(btf__add_struct(kernel_btf, NULL, 8));
	must(btf__add_fwd(kernel_btf, "bio", BTF_FWD_STRUCT));
	must(btf__add_fwd(kernel_btf, "private0", BTF_FWD_STRUCT));
	must(btf__add_fwd(kernel_btf, "elsewhere", BTF_FWD_UNION));
	/* The type with this name is no struct */
	must(btf__add_typedef(kernel_btf, "bio", 0));
	must(btf__add_enum(kernel_btf, "bio", 4));
	must(btf__add_enum_value(kernel_btf, "BIO", 1));
	add_struct(kernel_btf, "bios", "wrong", NULL);
	add_struct(kernel_btf, "bio", "first", NULL);
	must(btf__add_union(kernel_btf, "thread", 8));
	add_struct(kernel_btf, "twice", "one", "same");
	add_struct(kernel_btf, "twice", "same", "other");
}

static int add_enum(const char *name, const char *first, const char *second)
{
	int id = must(btf__add_enum(kernel_btf, name, 4));

	must(btf__add_enum_value(kernel_btf, first, 1));
	if (second)
		must(btf__add_enum_value(kernel_btf, second, 2));
	return id;
}

static void add_enums(void)
{
	int id;

	add_enum("state", "STATE_NEW", "STATE_OLD");
	must(btf__add_typedef(kernel_btf, "kind_t", add_enum(NULL, "KIND_A", "KIND_B")));
	/* The same enum twice, and others with one of its enumerators */
	add_enum(NULL, "EQUAL", "EQUAL_MAX");
	add_enum(NULL, "EQUAL", "EQUAL_MAX");
	add_enum(NULL, "SHARED", "FIRST");
	add_enum("second", "SHARED", "SECOND");
	add_enum(NULL, "OTHER", "SHARED");
	/* All enumerators are in another one, too */
	add_enum(NULL, "SHARED", NULL);
	/* Two of the same name, and an enumerator with the name of an enum */
	add_enum("twin", "TWIN_ONE", "TWIN_BOTH");
	add_enum("twin", "TWIN_BOTH", "TWIN_TWO");
	add_enum("twins", "state", NULL);
	must(btf__add_enum(kernel_btf, "declared", 4));
	id = must(btf__add_enum64(kernel_btf, "wide", 8, false));
	must(btf__add_enum64_value(kernel_btf, "WIDE", 1ULL << 40));
	must(btf__add_const(kernel_btf, id));
}

static void load_module(unsigned int nr)
{
	char name[16];

	modules[nr] = btf__new_empty_split(kernel_btf);
	snprintf(name, sizeof(name), "private%u", nr);
	add_struct(modules[nr], name, "own", NULL);
	add_struct(modules[nr], "bio", "wrong", NULL);
	snprintf(name, sizeof(name), "union%u", nr);
	must(btf__add_union(modules[nr], name, 8));
	snprintf(name, sizeof(name), "enum%u", nr);
	must(btf__add_enum(modules[nr], name, 4));
	must(btf__add_enum_value(modules[nr], "VALUE", 7));
}

static struct objtrace_fetch found;
static struct objtrace_error error;

static int get(const char *path)
{
	struct objtrace_spec spec;
	char command[64];

	snprintf(command, sizeof(command), "add:%s", path);
	memset(&error, 0, sizeof(error));
	memset(&found, 0xff, sizeof(found));
	if (objtrace_parse(command, &spec, &error))
		return 1;
	return objtrace_types_resolve(&spec, &found, &error);
}

static int get_private(unsigned int nr)
{
	char path[32];

	snprintf(path, sizeof(path), "(private%u)a->own", nr);
	return get(path);
}

static bool is_refused(const char *path, enum objtrace_error_id id, unsigned int pos)
{
	int ret = get(path);

	return ret && ret == objtrace_error_errno(id) && error.id == id && error.pos == pos;
}

static bool is_named(u32 number, u32 id, const char *name)
{
	char text[16] = "untouched";

	return objtrace_types_member(number, id, 0, text, sizeof(text)) == strlen(name) &&
	       !strcmp(text, name);
}

static void test_kernel_structs(void)
{
	nr_searches = 0;
	ok(!get("(bio)a->first") && !found.btf && is_named(0, found.struct_id, "first"),
	   "a struct of the kernel is found");
	ok(!get("(thread)a") && !found.btf && found.struct_size == 8,
	   "a union of the kernel is found");
	ok(is_refused("(bio)a->wrong", OBJTRACE_ERR_UNKNOWN_MEMBER, 12) &&
	   !strcmp(error.in, "struct bio"), "an unknown member of a struct is refused");
	ok(!get("(twice)a->one") && is_named(0, found.struct_id, "one"),
	   "of two structs with one name, a member selects the first");
	ok(!get("(twice)a->other") && is_named(0, found.struct_id, "same") &&
	   found.offset[0] == 8, "of two structs with one name, a member selects the second");
	ok(is_refused("(twice)a->same", OBJTRACE_ERR_AMBIGUOUS_STRUCT, 5),
	   "of two structs with one name, a member of both is refused");
	ok(is_refused("(twice)a", OBJTRACE_ERR_AMBIGUOUS_STRUCT, 5),
	   "of two structs with one name, a path without a member is refused");
	ok(is_refused("(twice)a->nosuch", OBJTRACE_ERR_UNKNOWN_MEMBER, 14) &&
	   !strcmp(error.in,
	   "struct twice"), "of two structs with one name, a member of neither is refused");
	ok(!nr_searches, "modules are not searched for a struct of the kernel");
	objtrace_types_put(0);

	ok(is_refused("(nosuch)a", OBJTRACE_ERR_UNKNOWN_STRUCT, 5),
	   "an unknown struct is refused");
	ok(is_refused("(bi)a", OBJTRACE_ERR_UNKNOWN_STRUCT, 5),
	   "the beginning of a struct's name is refused");
	ok(is_refused("(long)a", OBJTRACE_ERR_UNKNOWN_STRUCT, 5),
	   "a type that is no struct is refused");
	ok(is_refused("(elsewhere)a", OBJTRACE_ERR_INCOMPLETE_STRUCT, 5),
	   "a struct that is only declared is refused");
}

static void test_module_structs(void)
{
	u32 number, id;

	ok(is_refused("(private0)a->nosuch", OBJTRACE_ERR_UNKNOWN_MEMBER, 17) &&
	   !strcmp(error.in, "struct private0") && !references[0],
	   "an unknown member of a module's struct is refused");
	ok(!get("(private0)a->own") && found.btf && references[0] == 1 &&
	   is_named(found.btf, found.struct_id, "own"),
	   "a struct of a module is found, and its BTF is kept");
	number = found.btf;
	id = found.struct_id;
	ok(!get("(union0)a") && found.btf == number && references[0] == 1,
	   "a union of this module is found, and uses the same BTF");
	ok(!get("(private1)a") && found.btf != number && references[1] == 1,
	   "the BTF of another module has another number");
	objtrace_types_put(found.btf);
	objtrace_types_put(number);
	objtrace_types_put(number);
	ok(is_named(number, id, "own") && references[0] == 1,
	   "names are found after the last trigger of the struct");
	ok(is_named(number + 100, id, ""), "an unknown BTF number has no names");
}

static void test_enumerators(void)
{
	u32 id = must(btf__find_by_name_kind(kernel_btf, "bio", BTF_KIND_ENUM));
	char text[16];

	ok(objtrace_types_enumerator(0, id, 1, text, sizeof(text)) == 3 &&
	   !strcmp(text, "BIO"), "a value of the kernel's enum has a name");
	ok(!objtrace_types_enumerator(0, id, 2, text, sizeof(text)) && !text[0],
	   "a value without an enumerator has no name");
	ok(!get("(private0)a"), "a struct of a module is found again");
	id = must(btf__find_by_name_kind(modules[0], "enum0", BTF_KIND_ENUM));
	ok(objtrace_types_enumerator(found.btf, id, 7, text, 4) == 3 &&
	   !strcmp(text,
	   "VAL"), "a value of a module's enum has a name, which is cut off if it is long");
	objtrace_types_put(found.btf);
	ok(!objtrace_types_enumerator(found.btf + 100, id, 7, text, sizeof(text)),
	   "an enum of an unknown BTF number has no names");
}

/* Whether a command has this name for the value */
static bool shows(const char *command, u64 value, const char *name)
{
	char text[16] = "";

	return !get(command) && found.format == OBJTRACE_FORMAT_ENUM && found.enum_id &&
	       objtrace_types_enumerator(found.btf, found.enum_id, value, text, sizeof(text)) &&
	       !strcmp(text, name);
}

static bool is_refused_with(const char *command, enum objtrace_error_id id, const char *in)
{
	const char *place = strstr(command, "enum=") + strlen("enum=");
	bool right = is_refused(command, id, strlen("add:") + place - command) &&
		     !strcmp(error.in, in);

	if (!right)
		printf("# %s: %s, column %u\n", error.in, objtrace_error_text(error.id), error.pos);
	return right;
}

/* The forms without a struct: the enum is in the kernel */
static void test_plain_enum(void)
{
	struct objtrace_fetch fetch = { .format = OBJTRACE_FORMAT_HEX };
	struct objtrace_spec spec;

	ok(!objtrace_parse("add:a,8:u32", &spec, &error) &&
	   !objtrace_types_enum(&spec, &fetch, &error) &&
	   fetch.format == OBJTRACE_FORMAT_HEX && !fetch.enum_id,
	   "a command without enum= keeps its format");
	ok(!objtrace_parse("add:a,8:u32:enum=STATE_OLD", &spec, &error) &&
	   !objtrace_types_enum(&spec, &fetch, &error) &&
	   fetch.format == OBJTRACE_FORMAT_ENUM && fetch.enum_id && !fetch.btf,
	   "an offset can have an enum of the kernel");
	ok(!objtrace_parse("add:a,8:char:enum=state", &spec, &error) &&
	   objtrace_types_enum(&spec, &fetch, &error) == -EINVAL &&
	   error.id == OBJTRACE_ERR_ENUM_TYPE && error.pos == 18, "but no character");
	ok(!objtrace_parse("add:a:enum=state:symbol", &spec, &error) &&
	   objtrace_types_enum(&spec, &fetch, &error) == -EINVAL &&
	   error.id == OBJTRACE_ERR_ENUM_TYPE && error.pos == 11, "and no symbol");
}

static void test_enum_option(void)
{
	ok(shows("(bio)a->first:enum=state", 2, "STATE_OLD"), "an enum by its name");
	ok(shows("(bio)a->first:enum=STATE_OLD", 1, "STATE_NEW"), "by an enumerator");
	ok(shows("(bio)a->first:enum=kind_t", 2, "KIND_B"), "by the name of a typedef");
	ok(shows("(bio)a->first:u8:enum=KIND_A", 1, "KIND_A"), "with a type");
	ok(shows("(bio)a->first:enum=WIDE", 1ULL << 40, "WIDE"), "an enum of 64 bits");
	ok(shows("(bio)a->first:enum=EQUAL", 2, "EQUAL_MAX"), "of two equal enums, any");
	ok(shows("(bio)a->first:enum=SECOND", 1, "SHARED"), "by an enumerator of it alone");
	ok(!shows("(bio)a->first:enum=state", 3, ""), "a value without a name has none");

	ok(is_refused_with("(bio)a->first:enum=SHARED", OBJTRACE_ERR_AMBIGUOUS_ENUM,
			   "enum=FIRST, enum=second, enum=OTHER"),
	   "an enumerator of several enums is refused");
	ok(is_refused_with("(bio)a->first:enum=twin", OBJTRACE_ERR_AMBIGUOUS_ENUM,
			   "enum=TWIN_ONE, enum=TWIN_TWO"), "so is a name of several enums");
	ok(is_refused_with("(bio)a->first:enum=declared", OBJTRACE_ERR_UNKNOWN_ENUM,
			   ""), "so is an enum without enumerators");
	ok(is_refused_with("(bio)a->first:enum=old", OBJTRACE_ERR_UNKNOWN_ENUM,
			   "enum=STATE_OLD"), "so is the end of a name");
	ok(is_refused_with("(bio)a->first:enum=State", OBJTRACE_ERR_UNKNOWN_ENUM,
			   "enum=state"), "so is a name with other capitals");
	ok(is_refused_with("(bio)a->first:enum=a", OBJTRACE_ERR_UNKNOWN_ENUM,
			   "enum=KIND_A"), "so is the end of several names");
	ok(is_refused_with("(bio)a->first:enum=tate", OBJTRACE_ERR_UNKNOWN_ENUM,
			   ""),
	   "a part of a word is no hint");
	ok(is_refused_with("(bio)a->first:enum=bios", OBJTRACE_ERR_UNKNOWN_ENUM,
			   ""),
	   "a struct is no enum");
	ok(is_refused_with("(bio)a->first:enum=VALUE", OBJTRACE_ERR_UNKNOWN_ENUM,
			   ""),
	   "no enum of a module is found for a struct of the kernel");

	ok(shows("(private0)a->own:enum=VALUE", 7, "VALUE") && found.btf,
	   "an enum of the struct's module is found");
	objtrace_types_put(found.btf);
	ok(shows("(private0)a->own:enum=state", 1, "STATE_NEW") && found.btf,
	   "so is one of the kernel");
	objtrace_types_put(found.btf);
	ok(is_refused_with("(private2)a->own:enum=enum1", OBJTRACE_ERR_UNKNOWN_ENUM,
			   "") && !references[2],
	   "that of another module is not, and the BTF is not kept");
}

/* More modules than the cache has entries: used BTF stays, and the oldest unused BTF is put */
static void test_room(void)
{
	u32 numbers[NR_MODULES] = {}, ids[NR_MODULES] = {};
	unsigned int i, nr_kept = 0;
	bool kept = true;

	for (i = 0; i < OBJTRACE_MAX_MODULE_BTFS; i++) {
		kept &= !get_private(i);
		numbers[i] = found.btf;
		ids[i] = found.struct_id;
	}
	ok(kept, "%d modules are in use", OBJTRACE_MAX_MODULE_BTFS);
	get_private(i);
	ok(error.id == OBJTRACE_ERR_MODULE_STRUCTS && error.pos == 5 && !references[i],
	   "a struct of one more module is refused");
	objtrace_types_put(numbers[9]);
	objtrace_types_put(numbers[4]);
	ok(!get_private(i) && references[i] == 1 && !references[4] && references[9] == 1,
	   "a new module replaces the oldest BTF without a trigger");
	ok(is_named(numbers[4], ids[4], "") && is_named(numbers[9], ids[9], "own") &&
	   is_named(found.btf, found.struct_id,
	   "own"), "the number of the replaced BTF has no names");
	objtrace_types_put(found.btf);
	ok(!get_private(i) && references[i] == 1,
	   "the BTF of the new module is kept without a trigger");
	for (i = 0; i < NR_MODULES; i++)
		nr_kept += references[i];
	ok(nr_kept == OBJTRACE_MAX_MODULE_BTFS, "each kept BTF has one reference");

	objtrace_types_exit();
	for (i = 0, nr_kept = 0; i < NR_MODULES; i++)
		nr_kept += references[i] != 0;
	ok(!nr_kept, "exit drops all references");
}

int main(void)
{
	unsigned int i;

	add_kernel();
	add_enums();
	for (i = 0; i < NR_MODULES; i++)
		load_module(i);
	test_kernel_structs();
	test_module_structs();
	test_enumerators();
	test_plain_enum();
	test_enum_option();
	test_room();
	for (i = 0; i < NR_MODULES; i++)
		btf__free(modules[i]);
	btf__free(kernel_btf);
	return tap_done();
}
