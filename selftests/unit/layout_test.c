// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module reads the BTF of both layouts and of both compilers.  It refuses a kernel with one
 * change, with one sentence.  This test makes the BTF.  The public structs come from the same list
 * as the headers.  Each kernel has a process of its own, because a module reads one kernel only.
 */
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/kernel.h>
#include <linux/public.h>

#include "kernel/btf.h"
#include "kernel/built.h"
#include "kernel/layout.h"
#include "kernel_btf.h"
#include "tap.h"

#define PARSE	"int (*)(struct event_command *, struct trace_event_file *, char *, char *, char *)"
#define TRIGGER	"void (*)(struct event_trigger_data *, struct trace_buffer *, void *, struct ring_buffer_event *)"
#define FREE	"void (*)(struct event_trigger_data *)"
#define PRINT	"int (*)(struct seq_file *, struct event_trigger_data *)"

enum family { SPLIT = 1, MERGED = 2, BOTH = SPLIT | MERGED };

/* The members of the private structs of Linux 6.12, in their order.  objtrace does not use the
 * members of type void *.
 */
static const struct {
	const char	*owner, *type, *name;
	enum family	in;
	unsigned int	bits;
} members[] = {
	{ "list_head",		"struct list_head *",		"next",		BOTH },
	{ "list_head",		"struct list_head *",		"prev",		BOTH },

	{ "event_command",	"struct list_head",		"list",		BOTH },
	{ "event_command",	"char *",			"name",		BOTH },
	{ "event_command",	"enum event_trigger_type",	"trigger_type",	BOTH },
	{ "event_command",	"int",				"flags",	BOTH },
	{ "event_command",	PARSE,				"parse",	BOTH },
	{ "event_command",	"void *",			"reg",		BOTH },
	{ "event_command",	"void *",			"unreg",	BOTH },
	{ "event_command",	"void *",			"unreg_all",	BOTH },
	{ "event_command",	"void *",			"set_filter",	BOTH },
	{ "event_command",	"void *",			"get_trigger_ops", SPLIT },
	{ "event_command",	TRIGGER,			"trigger",	MERGED },
	{ "event_command",	"void *",			"count_func",	MERGED },
	{ "event_command",	"void *",			"init",		MERGED },
	{ "event_command",	FREE,				"free",		MERGED },
	{ "event_command",	PRINT,				"print",	MERGED },

	{ "event_trigger_ops",	TRIGGER,			"trigger",	SPLIT },
	{ "event_trigger_ops",	"void *",			"init",		SPLIT },
	{ "event_trigger_ops",	FREE,				"free",		SPLIT },
	{ "event_trigger_ops",	PRINT,				"print",	SPLIT },

	{ "event_trigger_data",	"unsigned long",		"count",	BOTH },
	{ "event_trigger_data",	"int",				"ref",		BOTH },
	{ "event_trigger_data",	"int",				"flags",	BOTH },
	{ "event_trigger_data",	"struct event_trigger_ops *",	"ops",		SPLIT },
	{ "event_trigger_data",	"struct event_command *",	"cmd_ops",	BOTH },
	{ "event_trigger_data",	"struct event_filter *",	"filter",	BOTH },
	{ "event_trigger_data",	"char *",			"filter_str",	BOTH },
	{ "event_trigger_data",	"void *",			"private_data",	BOTH },
	{ "event_trigger_data",	"bool",				"paused",	BOTH },
	{ "event_trigger_data",	"bool",				"paused_tmp",	BOTH },
	{ "event_trigger_data",	"struct list_head",		"list",		BOTH },
	{ "event_trigger_data",	"char *",			"name",		BOTH },
	{ "event_trigger_data",	"struct list_head",		"named_list",	BOTH },
	{ "event_trigger_data",	"struct event_trigger_data *",	"named_data",	BOTH },

	{ "ftrace_event_field",	"struct list_head",		"link",		BOTH },
	{ "ftrace_event_field",	"const char *",			"name",		BOTH },
	{ "ftrace_event_field",	"const char *",			"type",		BOTH },
	{ "ftrace_event_field",	"int",				"filter_type",	BOTH },
	{ "ftrace_event_field",	"int",				"offset",	BOTH },
	{ "ftrace_event_field",	"int",				"size",		BOTH },
	{ "ftrace_event_field",	"unsigned int",			"is_signed",	BOTH, 1 },
	{ "ftrace_event_field",	"int",				"len",		BOTH },

	{ "trace_probe_event",	"unsigned int",			"flags",	BOTH },
	{ "trace_probe_event",	"struct trace_event_call",	"call",		BOTH },
	{ "trace_probe_event",	"struct list_head",		"files",	BOTH },
	{ "trace_probe_event",	"struct list_head",		"probes",	BOTH },

	{ "fetch_insn",		"int",				"op",		BOTH },
	{ "fetch_insn",		"unsigned int",			"param",	BOTH },

	{ "probe_arg",		"struct fetch_insn *",		"code",		BOTH },
	{ "probe_arg",		"bool",				"dynamic",	BOTH },
	{ "probe_arg",		"unsigned int",			"offset",	BOTH },
	{ "probe_arg",		"const char *",			"name",		BOTH },
	{ "probe_arg",		"const char *",			"comm",		BOTH },

	{ "trace_probe",	"struct list_head",		"list",		BOTH },
	{ "trace_probe",	"struct trace_probe_event *",	"event",	BOTH },
	{ "trace_probe",	"long",				"size",		BOTH },
	{ "trace_probe",	"unsigned int",			"nr_args",	BOTH },
	{ "trace_probe",	"struct probe_arg []",		"args",		BOTH },

	{ "array_buffer",	"struct trace_array *",		"tr",		BOTH },
	{ "array_buffer",	"struct trace_buffer *",	"buffer",	BOTH },
	{ "array_buffer",	"int",				"cpu",		BOTH },

	{ "trace_array",	"struct list_head",		"list",		BOTH },
	{ "trace_array",	"char *",			"name",		BOTH },
	{ "trace_array",	"struct array_buffer",		"array_buffer",	BOTH },
	{ "trace_array",	"unsigned int",			"trace_flags",	SPLIT },
	{ "trace_array",	"u64",				"trace_flags",	MERGED },

	{ "stack_entry",	"unsigned long",		"ent",		BOTH },
	{ "stack_entry",	"int",				"size",		BOTH },
	{ "stack_entry",	"unsigned long []",		"caller",	BOTH },

	{ "slab",		"unsigned long",		"flags",	BOTH },
	{ "slab",		"struct kmem_cache *",		"slab_cache",	BOTH },

	{ "kmem_cache",		"void *",			"cpu_slab",	BOTH },
	{ "kmem_cache",		"unsigned int",			"flags",	BOTH },
	{ "kmem_cache",		"unsigned long",		"min_partial",	BOTH },
	{ "kmem_cache",		"unsigned int",			"size",		BOTH },
	{ "kmem_cache",		"unsigned int",			"object_size",	BOTH },
	{ "kmem_cache",		"unsigned int",			"red_left_pad",	BOTH },
	{ "kmem_cache",		"unsigned int",			"sheaf_capacity", BOTH },
	{ "kmem_cache",		"void *",			"ctor",		BOTH },

	{ "callback_head",	"struct callback_head *",	"next",		BOTH },
	{ "callback_head",	"void *",			"func",		BOTH },

	{ "slab_sheaf",		"struct callback_head",		"callback_head", BOTH },
	{ "slab_sheaf",		"struct kmem_cache *",		"cache",	BOTH },
	{ "slab_sheaf",		"unsigned int",			"size",		BOTH },
	{ "slab_sheaf",		"int",				"node",		BOTH },
	{ "slab_sheaf",		"void * []",			"objects",	BOTH },
};

/* The public structs: see linux/public.h */
static const struct {
	const char	*owner, *name;
} public_members[] = {
#define OBJTRACE_SIZE(type)		{ #type, NULL },
#define OBJTRACE_MEMBER(type, member)	{ #type, #member },
#include "kernel/structs.h"
};

#define SPLIT_LAYOUT	"split, needs_rec 2;"					\
	" command 80: 0 16 24 28 32; ops 32: 0 16 24;"				\
	" data 112: 0 16 24 40 48 64 88;"
#define MERGED_LAYOUT	"merged, needs_rec 2;"					\
	" command 112: 0 16 24 28 32; ops 112: 72 96 104;"			\
	" data 104: 0 0 16 32 40 56 80;"
#define TRACE_LAYOUTS	" field 56: 24 36 40; probe_event 96: 8 80;"		\
	" probe 40: 0 32 40; probe_arg 32: 0 16 24; fetch_insn 8: 4;"				\
	" instance 56: 16 24 48; array_buffer 24: 8; stack_entry 16: 8 16 4 8 9"
#define SLAB_LAYOUTS	TRACE_LAYOUTS "; slab 16: 8; cache 48: 8 24 32 40"
#define OTHER_LAYOUTS	SLAB_LAYOUTS " 36; sheaf 32: 0 16 24 32\n"

#define UNKNOWN	": objtrace does not support this kernel\n"
#define REBUILD	": objtrace was built for another kernel: build objtrace for this kernel\n"

/*
 * The kernels: the change of each, and the message of the module.  A member, an enumerator, or a
 * struct if @name is NULL, has another name, type or value.  Or a member is in an anonymous struct
 * in an anonymous union, after a long if @behind.  A function has another prototype, or is missing
 * if @ret is NULL.
 */
static const struct kernel {
	const char	*what;
	enum family	family;
	bool		clang;
	const char	*said;
	const char	*owner, *name, *to_name, *to_type;
	unsigned int	to_bits;
	bool		nested, behind;
	int		to_value;
	const char	*func, *ret, *args;
} kernels[] = {
	{ "a split kernel built by gcc", SPLIT, false, SPLIT_LAYOUT OTHER_LAYOUTS },
	{ "a split kernel built by clang", SPLIT, true, SPLIT_LAYOUT OTHER_LAYOUTS },
	{ "a merged kernel built by gcc", MERGED, false, MERGED_LAYOUT OTHER_LAYOUTS },
	{ "a merged kernel built by clang", MERGED, true, MERGED_LAYOUT OTHER_LAYOUTS },

	{ "a private member in an anonymous struct", MERGED, false,
	  "merged, needs_rec 2;"
	  " command 112: 0 16 24 28 32; ops 112: 72 96 104;"
	  " data 112: 0 0 16 32 48 64 88;" OTHER_LAYOUTS,
	  "event_trigger_data", "private_data", .nested = true, .behind = true },
	{ "a public member in an anonymous struct", SPLIT, true, SPLIT_LAYOUT OTHER_LAYOUTS,
	  "trace_event_file", "tr", .nested = true },
	{ "the older prototype of a function", MERGED, false,
	  MERGED_LAYOUT OTHER_LAYOUTS "tracing_update_buffers is older\n",
	  .func = "tracing_update_buffers", .ret = "int", .args = "(void)" },

	{ "no SLUB", SPLIT, false, SPLIT_LAYOUT TRACE_LAYOUTS "\n",
	  "kmem_cache", "red_left_pad", "obj_offset" },
	{ "SLUB without sheaves", SPLIT, true, SPLIT_LAYOUT SLAB_LAYOUTS "\n",
	  "slab_sheaf", .to_name = "sheaf" },
	{ "a sheaf whose head shares its place", MERGED, false,
	  MERGED_LAYOUT OTHER_LAYOUTS, "slab_sheaf", "callback_head", .nested = true },
	{ "a kernel with another type of stack records", SPLIT, false,
	  "this kernel's enum trace_type has no TRACE_STACK" UNKNOWN,
	  "trace_type", "TRACE_STACK", "TRACE_STACKS" },
	{ "a kernel without the option for stacks", MERGED, true,
	  "this kernel's enum trace_iterator_bits has no TRACE_ITER_STACKTRACE_BIT" UNKNOWN,
	  "trace_iterator_bits", "TRACE_ITER_STACKTRACE_BIT", "TRACE_ITER_STACK_BIT" },
	{ "a kernel of clang, without the bits of options", MERGED, false,
	  MERGED_LAYOUT OTHER_LAYOUTS, "trace_iterator_bits", .to_name = "other_bits" },
	{ "stack records without entries", SPLIT, true,
	  "this kernel's struct stack_entry has no caller" UNKNOWN,
	  "stack_entry", "caller", "callers" },
	{ "a sheaf that does not say how many objects it has", MERGED, false,
	  "this kernel's struct slab_sheaf has no size" UNKNOWN,
	  "slab_sheaf", "size", "nr_objects" },
	{ "caches that do not say how many objects a sheaf has", SPLIT, false,
	  "this kernel's struct kmem_cache has no sheaf_capacity" UNKNOWN,
	  "kmem_cache", "sheaf_capacity", "capacity" },
	{ "a slab of another kind", MERGED, false,
	  "this kernel's struct slab has another slab_cache" UNKNOWN,
	  "slab", "slab_cache", .to_type = "struct slab *" },
	{ "caches with flags of 64 bits", SPLIT, true,
	  "this kernel's struct kmem_cache has another flags" UNKNOWN,
	  "kmem_cache", "flags", .to_type = "unsigned long" },

	{ "a renamed member", SPLIT, false,
	  "this kernel's struct event_trigger_data has no named_list" UNKNOWN,
	  "event_trigger_data", "named_list", "names" },
	{ "a member that is smaller", MERGED, true,
	  "this kernel's struct event_trigger_data has another count" UNKNOWN,
	  "event_trigger_data", "count", .to_type = "int" },
	{ "a member that is a bitfield, at the start of a byte", SPLIT, false,
	  "this kernel's struct event_command has another flags" UNKNOWN,
	  "event_command", "flags", .to_bits = 8 },
	{ "a member that is another struct", MERGED, false,
	  "this kernel's struct trace_probe_event has another call" UNKNOWN,
	  "trace_probe_event", "call", .to_type = "struct list_head" },
	{ "a callback with another argument", MERGED, false,
	  "this kernel's struct event_command has another parse" UNKNOWN,
	  "event_command", "parse",
	  .to_type = "int (*)(struct event_command *, struct trace_event_file *, char *, char *, const char *)" },
	{ "a callback with an argument more", SPLIT, true,
	  "this kernel's struct event_trigger_ops has another free" UNKNOWN,
	  "event_trigger_ops", "free",
	  .to_type = "void (*)(struct event_trigger_data *, int)" },
	{ "a callback of the older kind", SPLIT, false,
	  "this kernel's struct event_command has no parse" UNKNOWN,
	  "event_command", "parse", "func" },
	{ "a renamed struct", MERGED, false,
	  "this kernel has no struct event_trigger_data" UNKNOWN,
	  "event_trigger_data", .to_name = "trigger_data" },
	{ "neither family", SPLIT, false,
	  "this kernel's struct event_command has no trigger" UNKNOWN,
	  "event_command", "get_trigger_ops", "trigger_ops" },
	{ "the split family without its other struct", SPLIT, false,
	  "this kernel has no struct event_trigger_ops" UNKNOWN,
	  "event_trigger_ops", .to_name = "trigger_ops" },
	{ "a renamed enumerator", SPLIT, true,
	  "this kernel's enum event_command_flags has no EVENT_CMD_FL_NEEDS_REC" UNKNOWN,
	  "event_command_flags", "EVENT_CMD_FL_NEEDS_REC", "EVENT_CMD_FL_REC" },
	{ "no such enum", MERGED, false,
	  "this kernel's enum event_command_flags has no EVENT_CMD_FL_NEEDS_REC" UNKNOWN,
	  "event_command_flags", .to_name = "command_flags" },
	{ "a function with another argument", MERGED, false,
	  "this kernel's update_cond_flag() has the prototype void (struct trace_event_file *, unsigned long), not void (struct trace_event_file *)" UNKNOWN,
	  .func = "update_cond_flag", .ret = "void",
	  .args = "(struct trace_event_file *, unsigned long)" },
	{ "a function that returns another integer", SPLIT, true,
	  "this kernel's kallsyms_lookup_name() has the prototype unsigned long long (const char *), not unsigned long (const char *)" UNKNOWN,
	  .func = "kallsyms_lookup_name", .ret = "unsigned long long",
	  .args = "(const char *)" },
	{ "a function that a kernel may lack", MERGED, true,
	  MERGED_LAYOUT OTHER_LAYOUTS "kfree_nolock is not there\n",
	  .func = "kfree_nolock" },
	{ "a function that a kernel may lack, with an older result", MERGED, false,
	  MERGED_LAYOUT OTHER_LAYOUTS, .func = "kmem_cache_alloc_bulk_noprof", .ret = "int",
	  .args = "(struct kmem_cache *, gfp_t, size_t, void **)" },
	{ "a function that a kernel may lack, with another argument", SPLIT, false,
	  "this kernel's rcu_free_sheaf() has the prototype void (struct slab_sheaf *), not void (struct callback_head *)" UNKNOWN,
	  .func = "rcu_free_sheaf", .ret = "void", .args = "(struct slab_sheaf *)" },
	{ "a function that BTF lacks", SPLIT, false,
	  "this kernel's BTF does not describe tracing_log_err()" UNKNOWN,
	  .func = "tracing_log_err" },

	{ "a public member elsewhere", SPLIT, false,
	  "this kernel's struct trace_event_file has another flags" REBUILD,
	  "trace_event_file", "flags", .nested = true, .behind = true },
	{ "a public member of another size", MERGED, true,
	  "this kernel's struct ftrace_ops has another func" REBUILD,
	  "ftrace_ops", "func", .to_type = "int" },
	{ "a public member that is a bitfield", MERGED, false,
	  "this kernel's struct trace_event has another type" REBUILD,
	  "trace_event", "type", .to_bits = 32 },
	{ "a renamed public member", SPLIT, false,
	  "this kernel's struct kprobe has no symbol_name" REBUILD,
	  "kprobe", "symbol_name", "name" },
	{ "a public struct of another size", MERGED, false,
	  "this kernel's struct trace_event_call has another size" REBUILD,
	  "trace_event_call", "flags", .nested = true, .behind = true },
	{ "a renamed public struct", SPLIT, true,
	  "this kernel has no struct trace_event_class" REBUILD,
	  "trace_event_class", .to_name = "event_class" },
	{ "an anonymous enumerator of another value", SPLIT, true,
	  "this kernel has another EVENT_FILE_FL_WAS_ENABLED_BIT" REBUILD,
	  "enum", "EVENT_FILE_FL_WAS_ENABLED_BIT", .to_value = 100 },
	{ "a renamed anonymous enumerator", MERGED, false,
	  "this kernel has no TRACE_EVENT_FL_KPROBE" REBUILD,
	  "enum", "TRACE_EVENT_FL_KPROBE", "TRACE_EVENT_FL_FUNCTION" },

	{ "no BTF at all", .said = "this kernel has no BTF (CONFIG_DEBUG_INFO_BTF)\n" },
};

/*
 * Make types of their text
 */

static const struct {
	const char	*clang, *gcc;
	unsigned int	size, encoding;
} integers[] = {
	{ "char",		"char",			 1, BTF_INT_CHAR },
	{ "int",		"int",			 4, BTF_INT_SIGNED },
	{ "unsigned int",	"unsigned int",		 4, 0 },
	{ "unsigned char",	"unsigned char",	 1, 0 },
	{ "short",		"short int",		 2, BTF_INT_SIGNED },
	{ "unsigned short",	"short unsigned int",	 2, 0 },
	{ "long",		"long int",		 8, BTF_INT_SIGNED },
	{ "unsigned long",	"long unsigned int",	 8, 0 },
	{ "long long",		"long long int",	 8, BTF_INT_SIGNED },
	{ "unsigned long long",	"long long unsigned int", 8, 0 },
	{ "_Bool",		"_Bool",		 1, BTF_INT_BOOL },
};

static const struct {
	const char	*name, *type;
} typedefs[] = {
	{ "u8", "unsigned char" }, { "u16", "unsigned short" },
	{ "umode_t", "unsigned short" },
	{ "u32", "unsigned int" }, { "s32", "int" }, { "bool", "_Bool" },
	{ "u64", "unsigned long long" },
	{ "size_t", "unsigned long" },
	{ "gfp_t", "unsigned int" },
	{ "loff_t", "long long" },
};

static const struct kernel *kernel;

static int must(int id)
{
	if (id < 0) {
		perror("layout_test");
		_exit(99);
	}
	return id;
}

static int find(const char *name, unsigned int kind)
{
	return btf__find_by_name_kind(kernel_btf, name, kind);
}

static int add_integer(const char *name)
{
	unsigned int i;
	int id;

	for (i = 0; i < ARRAY_SIZE(integers); i++) {
		if (strcmp(integers[i].clang, name))
			continue;
		if (!kernel->clang)
			name = integers[i].gcc;
		id = find(name, BTF_KIND_INT);
		return id > 0 ? id : must(btf__add_int(kernel_btf, name, integers[i].size,
						       integers[i].encoding));
	}
	fprintf(stderr, "no type %s\n", name);
	_exit(99);
}

static int add_named(const char *name)
{
	unsigned int i;
	int id;

	if (!strcmp(name, "void"))
		return 0;
	if (!strncmp(name, "struct ", 7)) {
		id = find(name + 7, BTF_KIND_STRUCT);
		return id > 0 ? id : must(btf__add_fwd(kernel_btf, name + 7, BTF_FWD_STRUCT));
	}
	if (!strncmp(name, "enum ", 5))
		return must(btf__add_enum(kernel_btf, name + 5, 4));
	for (i = 0; i < ARRAY_SIZE(typedefs); i++)
		if (!strcmp(typedefs[i].name, name))
			return must(btf__add_typedef(kernel_btf, name,
						     add_integer(typedefs[i].type)));
	return add_integer(name);
}

static int add_type(const char *text);

/* strsep() at the commas that are outside of an argument's own prototype */
static char *next_arg(char **rest)
{
	char *arg = *rest, *end = arg;
	int depth = 0;

	if (!arg)
		return NULL;
	for (; *end && (*end != ',' || depth); end++)
		depth += (*end == '(') - (*end == ')');
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return arg;
}

/* @args: "(TYPE, ...)" or "(void)" */
static int add_proto(const char *ret, const char *args)
{
	char text[512], *rest = text, *arg;
	int ids[16], nr = 0, id, i;

	snprintf(text, sizeof(text), "%.*s", (int)strlen(args) - 2, args + 1);
	while (strcmp(args, "(void)") && (arg = next_arg(&rest)))
		ids[nr++] = add_type(arg + strspn(arg, " "));
	id = must(btf__add_func_proto(kernel_btf, add_type(ret)));
	for (i = 0; i < nr; i++)
		must(btf__add_func_param(kernel_btf, "", ids[i]));
	return id;
}

static int add_type(const char *text)
{
	const char *func = strstr(text, " (*)");
	size_t len = strlen(text);
	char name[256];

	if (func) {
		snprintf(name, sizeof(name), "%.*s", (int)(func - text), text);
		return must(btf__add_ptr(kernel_btf, add_proto(name, func + strlen(" (*)"))));
	}
	if (text[len - 1] == '*') {
		len -= 1 + (text[len - 2] == ' ');
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		return must(btf__add_ptr(kernel_btf, add_type(name)));
	}
	if (text[len - 1] == ']') {
		snprintf(name, sizeof(name), "%.*s", (int)len - 3, text);
		return must(btf__add_array(kernel_btf, add_integer("int"), add_type(name), 0));
	}
	if (!strncmp(text, "const ", 6))
		return must(btf__add_const(kernel_btf, add_type(text + 6)));
	return add_named(text);
}

/*
 * The kernel's BTF
 */

/**
 * struct open_struct - a struct that members are added to
 * @id: type of the struct
 * @bits: size of the members in bits
 */
struct open_struct {
	int		id;
	unsigned int	bits;
};

static struct open_struct begin_struct(const char *name)
{
	return (struct open_struct) { must(btf__add_struct(kernel_btf, name, 0)) };
}

static void add_member(struct open_struct *s, const char *name, int type,
		       unsigned int bits)
{
	unsigned int size = 8 * btf__resolve_size(kernel_btf, type);
	unsigned int align = 8 * btf__align_of(kernel_btf, type);
	struct btf_type *t;

	s->bits = (s->bits + align - 1) / align * align;
	must(btf__add_field(kernel_btf, name, type, s->bits, bits));
	s->bits += bits ?: size;
	/* libbpf needs the size of a struct before its members are known */
	t = (struct btf_type *)btf__type_by_id(kernel_btf, s->id);
	t->size = (s->bits + 63) / 64 * 8;
}

/* Make union { struct { long; @type @name; }; }, with the long if @behind */
static int add_nested(const char *name, int type)
{
	int word = add_integer("long"), id;
	struct open_struct s;

	s = begin_struct(NULL);
	if (kernel->behind)
		add_member(&s, "word", word, 0);
	add_member(&s, name, type, 0);
	id = must(btf__add_union(kernel_btf, NULL, s.bits / 8));
	must(btf__add_field(kernel_btf, NULL, s.id, 0, 0));
	return id;
}

/* Check that the kernel's change is in the struct @owner, and in its member @name if any */
static bool changed(const char *owner, const char *name)
{
	if (!kernel->owner || strcmp(kernel->owner, owner))
		return false;
	return name && kernel->name ? !strcmp(kernel->name, name) : name == kernel->name;
}

static const char *name_in(const char *owner, const char *name)
{
	if (changed(owner, name) && kernel->to_name)
		return kernel->to_name;
	return name ?: owner;
}

/* Make the type of a member.  All types must exist before their struct is begun. */
static int member_type(const char *owner, const char *name, const char *text)
{
	bool change = changed(owner, name);
	int type = add_type(change && kernel->to_type ? kernel->to_type : text);

	return change && kernel->nested ? add_nested(name, type) : type;
}

static void add_changed_member(struct open_struct *s, const char *owner,
			       const char *name, int type, unsigned int bits)
{
	bool change = changed(owner, name);

	add_member(s, change && kernel->nested ? NULL : name_in(owner, name), type,
		   change && kernel->to_bits ? kernel->to_bits : bits);
}

/* Make the struct whose members start at @first.  Return the start of the next struct */
static unsigned int add_private_struct(unsigned int first)
{
	const char *owner = members[first].owner;
	int types[ARRAY_SIZE(members)];
	struct open_struct s;
	unsigned int i, end;

	for (end = first; end < ARRAY_SIZE(members) && !strcmp(members[end].owner, owner);
	     end++)
		if (members[end].in & kernel->family)
			types[end] = member_type(owner, members[end].name,
						 members[end].type);
	s = begin_struct(name_in(owner, NULL));
	for (i = first; i < end; i++)
		if (members[i].in & kernel->family)
			add_changed_member(&s, owner, members[i].name, types[i],
					   members[i].bits);
	return end;
}

static unsigned int add_public_struct(unsigned int first)
{
	const char *owner = public_members[first].owner;
	int types[ARRAY_SIZE(public_members)];
	struct open_struct s;
	unsigned int i, end;

	for (end = first; end < ARRAY_SIZE(public_members) &&
	     !strcmp(public_members[end].owner, owner); end++)
		if (public_members[end].name)
			types[end] = member_type(owner, public_members[end].name,
						 "unsigned long");
	s = begin_struct(name_in(owner, NULL));
	for (i = first; i < end; i++)
		if (public_members[i].name)
			add_changed_member(&s, owner, public_members[i].name, types[i], 0);
	return end;
}

static void add_enumerator(const char *name, int value)
{
	if (changed("enum", name) && kernel->to_value)
		value = kernel->to_value;
	must(btf__add_enum_value(kernel_btf, name_in("enum", name), value));
}

static void add_public_enum(void)
{
	must(btf__add_enum(kernel_btf, NULL, 4));
#define OBJTRACE_ENUMERATOR(name) add_enumerator(#name, name);
#include "kernel/structs.h"
}

static void add_enums(void)
{
	const char *owner = "event_command_flags";

	must(btf__add_enum(kernel_btf, name_in(owner, NULL), 4));
	must(btf__add_enum_value(kernel_btf, "EVENT_CMD_FL_POST_TRIGGER", 1));
	must(btf__add_enum_value(kernel_btf, name_in(owner, "EVENT_CMD_FL_NEEDS_REC"), 2));
	must(btf__add_enum(kernel_btf, name_in("trace_type", NULL), 4));
	must(btf__add_enum_value(kernel_btf, name_in("trace_type", "TRACE_STACK"), 4));
	must(btf__add_enum(kernel_btf, name_in("trace_iterator_bits", NULL), 4));
	must(btf__add_enum_value(kernel_btf, name_in("trace_iterator_bits",
						     "TRACE_ITER_USERSTACKTRACE_BIT"), 0));
	must(btf__add_enum_value(kernel_btf, name_in("trace_iterator_bits",
						     "TRACE_ITER_STACKTRACE_BIT"), 3));
	must(btf__add_enum(kernel_btf, "trace_iterator_flags", 4));
	must(btf__add_enum_value(kernel_btf, "TRACE_ITER_USERSTACKTRACE", 1 << 0));
	must(btf__add_enum_value(kernel_btf, "TRACE_ITER_STACKTRACE", 1 << 3));
}

static void add_function(const char *name, const char *ret, const char *args)
{
	if (kernel->func && !strcmp(kernel->func, name)) {
		ret = kernel->ret;
		args = kernel->args;
	}
	if (ret)
		must(btf__add_func(kernel_btf, name, BTF_FUNC_STATIC, add_proto(ret, args)));
}

static void make_btf(void)
{
	unsigned int i = 0;

	kernel_btf = btf__new_empty();
	while (i < ARRAY_SIZE(public_members))
		i = add_public_struct(i);
	add_public_enum();
	for (i = 0; i < ARRAY_SIZE(members); )
		i = add_private_struct(i);
	add_enums();
#define OBJTRACE_FUNC(ret, name, args) add_function(#name, #ret, #args);
#define OBJTRACE_ENTRY(ret, name, args) add_function(#name, #ret, #args);
#define OBJTRACE_MAYBE(ret, name, args) add_function(#name, #ret, #args);
#define OBJTRACE_ENTRY2(ret, older, name, args) add_function(#name, #ret, #args);
#define OBJTRACE_ADDR(name)
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC
	/* A later struct with the same name is another struct */
	begin_struct("event_command");
}

/*
 * The module on that kernel
 */

int _printk(const char *fmt, ...)
{
	static const char prefix[] = KBUILD_MODNAME ": ";
	char text[1024];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (strncmp(text, prefix, strlen(prefix)))
		return printf("no prefix: %s", text);
	fputs(text + strlen(prefix), stdout);
	return len;
}

static void print_layout(void)
{
	const struct objtrace_layout *at = &objtrace_layout;

	printf("%s, needs_rec %d;", at->split ? "split" : "merged", at->needs_rec);
	printf(" command %u: %u %u %u %u %u;", at->command.size, at->command.list,
	       at->command.name, at->command.trigger_type, at->command.flags,
	       at->command.parse);
	printf(" ops %u: %u %u %u;", at->ops.size, at->ops.trigger, at->ops.free,
	       at->ops.print);
	printf(" data %u: %u %u %u %u %u %u %u;", at->data.size, at->data.count,
	       at->data.ops, at->data.cmd_ops, at->data.filter_str,
	       at->data.private_data, at->data.list, at->data.named_list);
	printf(" field %u: %u %u %u;", at->field.size, at->field.type, at->field.offset,
	       at->field.length);
	printf(" probe_event %u: %u %u;", at->probe_event.size, at->probe_event.call,
	       at->probe_event.probes);
	printf(" probe %u: %u %u %u;", at->probe.size, at->probe.list, at->probe.nr_args,
	       at->probe.args);
	printf(" probe_arg %u: %u %u %u; fetch_insn %u: %u;", at->probe_arg.size,
	       at->probe_arg.code, at->probe_arg.name, at->probe_arg.comm,
	       at->fetch_insn.size, at->fetch_insn.param);
	printf(" instance %u: %u %u %u; array_buffer %u: %u", at->instance.size,
	       at->instance.name, at->instance.array_buffer, at->instance.trace_flags,
	       at->array_buffer.size, at->array_buffer.buffer);
	printf("; stack_entry %u: %u %u %d %llx %llx", at->stack_entry.size,
	       at->stack_entry.nr, at->stack_entry.caller, at->stack_type,
	       (unsigned long long)at->stacktrace_option,
	       (unsigned long long)at->stack_options);
	if (at->slub)
		printf("; slab %u: %u; cache %u: %u %u %u %u", at->slab.size,
		       at->slab.slab_cache, at->cache.size, at->cache.flags,
		       at->cache.stride, at->cache.red_left_pad, at->cache.ctor);
	if (at->sheaves)
		printf(" %u; sheaf %u: %u %u %u %u", at->cache.sheaf_capacity,
		       at->sheaf.size, at->sheaf.head, at->sheaf.cache, at->sheaf.nr,
		       at->sheaf.objects);
	puts("");
	if (objtrace_btf_is_older("tracing_update_buffers"))
		puts("tracing_update_buffers is older");
	if (!objtrace_btf_describes("kfree_nolock"))
		puts("kfree_nolock is not there");
}

/* Run in a process of its own, with stdout @out.  The exit status is the errno */
static void load_module(int out)
{
	int ret;

	dup2(out, STDOUT_FILENO);
	if (kernel->family)
		make_btf();
	ret = objtrace_btf_init();
	if (!ret)
		ret = objtrace_layout_init();
	if (!ret)
		print_layout();
	btf__free(kernel_btf);
	exit(-ret);
}

static void test_kernel(void)
{
	bool good = kernel->said[strlen(kernel->said) - 1] == '\n' &&
		    strstr(kernel->said, "needs_rec");
	char said[1024] = "";
	ssize_t len, nr = 0;
	int out[2], status;
	pid_t pid;

	fflush(stdout);
	must(pipe(out));
	pid = must(fork());
	if (!pid)
		load_module(out[1]);
	close(out[1]);
	while ((len = read(out[0], said + nr, sizeof(said) - 1 - nr)) > 0)
		nr += len;
	close(out[0]);
	waitpid(pid, &status, 0);
	ok(!strcmp(said, kernel->said) && WIFEXITED(status) &&
	   WEXITSTATUS(status) == (good ? 0 : EOPNOTSUPP), "%s is %s", kernel->what,
	   good ? "known" : "refused");
	if (strcmp(said, kernel->said))
		printf("# said: %s# not:  %s", said, kernel->said);
}

int main(void)
{
	for (kernel = kernels; kernel < kernels + ARRAY_SIZE(kernels); kernel++)
		test_kernel();
	return tap_done();
}
