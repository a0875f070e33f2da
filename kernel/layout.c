// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the offsets of the kernel's private structs in its BTF, see kernel/layout.h.
 *
 * The result depends on the BTF alone.  User space builds this file, too: the unit tests, and
 * layout-check, which checks kernels that are not running.
 */
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/stringify.h>

#include "kernel/btf.h"
#include "kernel/built.h"
#include "kernel/layout.h"

/* Written by objtrace_layout_init() only */
struct objtrace_layout objtrace_layout __ro_after_init;

#define AT(place) (&objtrace_layout.place)

static const struct objtrace_btf_member command_members[] = {
	{ "list",	  NULL,	sizeof(struct list_head), AT(command.list) },
	{ "name",	  NULL,	sizeof(char *),		  AT(command.name) },
	{ "trigger_type", NULL,	sizeof(int),		  AT(command.trigger_type) },
	{ "flags",	  NULL,	sizeof(int),		  AT(command.flags) },
	{ "parse",	  __stringify(OBJTRACE_PARSE_PROTO), 0, AT(command.parse) },
};

static const struct objtrace_btf_member ops_members[] = {
	{ "trigger",	__stringify(OBJTRACE_TRIGGER_PROTO), 0, AT(ops.trigger) },
	{ "free",	__stringify(OBJTRACE_FREE_PROTO), 0, AT(ops.free) },
	{ "print",	__stringify(OBJTRACE_PRINT_PROTO), 0, AT(ops.print) },
};

static const struct objtrace_btf_member data_members[] = {
	{ "count",	  NULL,	sizeof(long),		  AT(data.count) },
	{ "cmd_ops",	  NULL,	sizeof(void *),		  AT(data.cmd_ops) },
	{ "filter_str",	  NULL,	sizeof(char *),		  AT(data.filter_str) },
	{ "private_data", NULL,	sizeof(void *),		  AT(data.private_data) },
	{ "list",	  NULL,	sizeof(struct list_head), AT(data.list) },
	{ "named_list",	  NULL,	sizeof(struct list_head), AT(data.named_list) },
	/* Last, because only the split family has this member */
	{ "ops",	  NULL,	sizeof(void *),		  AT(data.ops) },
};

static const struct objtrace_btf_member field_members[] = {
	{ "type",	NULL,	sizeof(char *),	AT(field.type) },
	{ "offset",	NULL,	sizeof(int),	AT(field.offset) },
	{ "size",	NULL,	sizeof(int),	AT(field.length) },
};

static const struct objtrace_btf_member probe_event_members[] = {
	{ "call",	"struct trace_event_call", 0,	  AT(probe_event.call) },
	{ "probes",	NULL,	sizeof(struct list_head), AT(probe_event.probes) },
};

static const struct objtrace_btf_member probe_members[] = {
	{ "list",	NULL,	sizeof(struct list_head), AT(probe.list) },
	{ "nr_args",	NULL,	sizeof(int),		  AT(probe.nr_args) },
	/* A flexible array, without a size */
	{ "args",	NULL,	0,			  AT(probe.args) },
};

static const struct objtrace_btf_member probe_arg_members[] = {
	{ "code",	"struct fetch_insn *", 0, AT(probe_arg.code) },
	{ "name",	NULL,	sizeof(char *),	AT(probe_arg.name) },
	{ "comm",	NULL,	sizeof(char *),	AT(probe_arg.comm) },
};

static const struct objtrace_btf_member fetch_insn_members[] = {
	{ "param",	NULL,	sizeof(int),	AT(fetch_insn.param) },
};

static const struct objtrace_btf_member instance_members[] = {
	{ "name",	  NULL,	sizeof(char *),		AT(instance.name) },
	{ "array_buffer", "struct array_buffer", 0,	AT(instance.array_buffer) },
	/* 32 or 64 bits */
	{ "trace_flags",  NULL,	OBJTRACE_ANY_SIZE,	AT(instance.trace_flags) },
};

static const struct objtrace_btf_member array_buffer_members[] = {
	{ "buffer",	"struct trace_buffer *", 0,	AT(array_buffer.buffer) },
};

static const struct objtrace_btf_member stack_entry_members[] = {
	{ "size",	NULL,	sizeof(int),	AT(stack_entry.nr) },
	/* An array with or without a size */
	{ "caller",	NULL,	OBJTRACE_ANY_SIZE, AT(stack_entry.caller) },
};

static const struct objtrace_btf_member slab_members[] = {
	{ "slab_cache",	"struct kmem_cache *", 0, AT(slab.slab_cache) },
};

static const struct objtrace_btf_member cache_members[] = {
	{ "flags",	  NULL,	sizeof(int),	AT(cache.flags) },
	{ "size",	  NULL,	sizeof(int),	AT(cache.stride) },
	{ "red_left_pad", NULL,	sizeof(int),	AT(cache.red_left_pad) },
	{ "ctor",	  NULL,	sizeof(void *),	AT(cache.ctor) },
	/* Last, because only kernels with sheaves have this member */
	{ "sheaf_capacity", NULL, sizeof(int),	AT(cache.sheaf_capacity) },
};

static const struct objtrace_btf_member sheaf_members[] = {
	/* The headers define rcu_head as callback_head, for members too */
	{ "callback_head", "struct callback_head", 0, AT(sheaf.head) },
	{ "cache",	"struct kmem_cache *", 0, AT(sheaf.cache) },
	{ "size",	NULL,	sizeof(int),	AT(sheaf.nr) },
	/* A flexible array, without a size */
	{ "objects",	NULL,	0,		AT(sheaf.objects) },
};

static const struct objtrace_btf_member perf_event_members[] = {
	{ "orig_overflow_handler", NULL, sizeof(void *), AT(perf_event.orig_overflow_handler) },
};

#define read_struct(name, where, members) \
	objtrace_btf_struct(name, AT(where.size), members, ARRAY_SIZE(members))

static int read_probe_structs(void)
{
	int ret;

	ret = read_struct("trace_probe_event", probe_event, probe_event_members);
	if (!ret)
		ret = read_struct("trace_probe", probe, probe_members);
	if (!ret)
		ret = read_struct("probe_arg", probe_arg, probe_arg_members);
	if (!ret)
		ret = read_struct("fetch_insn", fetch_insn, fetch_insn_members);
	return ret;
}

static int read_instance_structs(void)
{
	int ret;

	ret = read_struct("trace_array", instance, instance_members);
	if (!ret)
		ret = read_struct("array_buffer", array_buffer, array_buffer_members);
	return ret;
}

/* clang describes only one of the enums: on old kernels, nothing but constants has the bits */
static int read_option(const char *bit_name, const char *flag_name, u64 *option)
{
	bool has_bits = objtrace_btf_has("trace_iterator_bits", NULL);
	int value;
	int ret;

	ret = objtrace_btf_enumerator(has_bits ? "trace_iterator_bits" : "trace_iterator_flags",
				      has_bits ? bit_name : flag_name, &value);
	if (!ret)
		*option = has_bits ? 1ULL << value : (u32)value;
	return ret;
}

static int read_stacks(void)
{
	u64 user;
	int ret;

	ret = read_struct("stack_entry", stack_entry, stack_entry_members);
	if (!ret)
		ret = objtrace_btf_enumerator("trace_type", "TRACE_STACK", AT(stack_type));
	if (!ret)
		ret = read_option("TRACE_ITER_STACKTRACE_BIT", "TRACE_ITER_STACKTRACE",
				  AT(stacktrace_option));
	if (!ret)
		ret = read_option("TRACE_ITER_USERSTACKTRACE_BIT",
				  "TRACE_ITER_USERSTACKTRACE", &user);
	if (!ret)
		objtrace_layout.stack_options = objtrace_layout.stacktrace_option | user;
	return ret;
}

/* objtrace does not look for objects in slabs of the SLAB allocator */
static int read_slab_structs(void)
{
	bool sheaves = objtrace_btf_has("slab_sheaf", NULL);
	int ret;

	objtrace_layout.slub = objtrace_btf_has("kmem_cache", "red_left_pad");
	if (!objtrace_layout.slub)
		return 0;
	objtrace_layout.sheaves = sheaves;
	ret = read_struct("slab", slab, slab_members);
	if (!ret)
		ret = objtrace_btf_struct("kmem_cache", AT(cache.size), cache_members,
					  ARRAY_SIZE(cache_members) - !sheaves);
	if (!ret && sheaves)
		ret = read_struct("slab_sheaf", sheaf, sheaf_members);
	return ret;
}

static int read_perf_struct(void)
{
	if (!objtrace_btf_has("perf_event", "orig_overflow_handler"))
		return 0;
	return read_struct("perf_event", perf_event, perf_event_members);
}

static int read_trigger_structs(void)
{
	bool split = objtrace_btf_has("event_command", "get_trigger_ops");
	int ret;

	objtrace_layout.split = split;
	ret = read_struct("event_command", command, command_members);
	if (!ret)
		ret = read_struct(split ? "event_trigger_ops" : "event_command",
				  ops, ops_members);
	if (!ret)
		ret = objtrace_btf_struct("event_trigger_data", AT(data.size),
					  data_members,
					  ARRAY_SIZE(data_members) - !split);
	if (!ret)
		ret = read_struct("ftrace_event_field", field, field_members);
	if (!ret)
		ret = objtrace_btf_enumerator("event_command_flags",
					      "EVENT_CMD_FL_NEEDS_REC",
					      AT(needs_rec));
	return ret;
}

/* Compare the public structs with the headers that the module was built with */
static int check_public_structs(void)
{
	const struct objtrace_btf_built *built;
	int ret = 0;

	for (built = objtrace_built; !ret && (built->of || built->name); built++)
		ret = objtrace_btf_compare(built);
	return ret;
}

/**
 * objtrace_layout_init() - check the public structs and fill in objtrace_layout
 *
 * Context: task, module init, after objtrace_btf_init().
 * Return: 0, or -EOPNOTSUPP after one line that names the missing or different item
 */
int objtrace_layout_init(void)
{
	int ret;

	ret = check_public_structs();
	if (!ret)
		ret = read_trigger_structs();
	if (!ret)
		ret = read_probe_structs();
	if (!ret)
		ret = read_instance_structs();
	if (!ret)
		ret = read_stacks();
	if (!ret)
		ret = read_slab_structs();
	if (!ret)
		ret = read_perf_struct();
	return ret;
}
