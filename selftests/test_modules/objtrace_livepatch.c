// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_livepatch - replace ott_step2() of objtrace_target, for test.d/neighbours/livepatch.tc
 *
 * The new function stores 0x35 in the object, and ott_step2() stores 0x30.
 */
#include <linux/livepatch.h>
#include <linux/module.h>

#include "clear_arg_registers.h"
#include "target/target.h"

static OTT_FUNC void patched_step2(OTT_ARGS)
{
	struct ott_object *obj = a2;

	WRITE_ONCE(obj->value, 0x35);
	clear_arg_registers();
	ott_barrier();
}

static struct klp_func functions[] = {
	{ .old_name = "ott_step2", .new_func = patched_step2 },
	{},
};

static struct klp_object objects[] = {
	{ .name = "objtrace_target", .funcs = functions },
	{},
};

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init livepatch_init(void)
{
	return klp_enable_patch(&patch);
}

/* The kernel does not unload a patch that is enabled */
static void __exit livepatch_exit(void)
{
}

module_init(livepatch_init);
module_exit(livepatch_exit);

MODULE_DESCRIPTION("Replace a function that the objtrace selftests trace");
MODULE_AUTHOR("The objtrace maintainers");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
