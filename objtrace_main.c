// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace: follow kernel objects through the functions that receive them.
 *
 * README.rst describes its use, include/objtrace.h its design.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/panic.h>

#include "files/tracefs.h"
#include "functions/groups.h"
#include "functions/tramp.h"
#include "kernel/btf.h"
#include "kernel/ksyms.h"
#include "kernel/layout.h"
#include "objects/expect.h"
#include "objects/free.h"
#include "objects/object.h"
#include "objects/returns.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objects/watch.h"
#include "objtrace_compat.h"
#include "objtrace_params.h"
#include "objtrace_trigger.h"
#include "records/changes.h"
#include "records/events.h"
#include "records/record.h"
#include "types/types.h"

/*
 * The kernel creates no trace events for a module loaded with "insmod -f", and the module may
 * have been built for another kernel.
 */
static int check_taints(void)
{
	if (!test_bit(TAINT_FORCED_MODULE, &THIS_MODULE->taints))
		return 0;
	pr_err("loaded with insmod -f: build objtrace for this kernel instead\n");
	return -ENOEXEC;
}

/*
 * Tags break two assumptions: pointers to one object have equal bits, and every object has a
 * kernel address, see objtrace_is_kernel_range().
 */
static int check_pointers(void)
{
	if (!objtrace_pointers_are_tagged())
		return 0;
	pr_err("this kernel's pointers have tags (CONFIG_KASAN_HW_TAGS): boot with kasan=off\n");
	return -EOPNOTSUPP;
}

static int check_kernel(void)
{
	return check_pointers() ?: objtrace_ksyms_init() ?: objtrace_btf_init() ?:
	       objtrace_layout_init();
}

/* Also called if start_objects() failed half way */
static void stop_objects(void)
{
	objtrace_watch_exit();
	objtrace_expect_exit();
	objtrace_object_exit();
	objtrace_tomb_exit();
	objtrace_record_exit();
	objtrace_types_exit();
	objtrace_changes_exit();
	objtrace_table_exit();
}

static int start_objects(unsigned int max_objects)
{
	int ret = objtrace_table_init(max_objects) ?: objtrace_record_init() ?:
		  objtrace_object_init() ?: objtrace_watch_init();

	if (ret)
		stop_objects();
	return ret;
}

static int __init start_module(const struct objtrace_params *params)
{
	int ret;

	objtrace_events_init();
	objtrace_free_init();
	objtrace_tomb_init(params->after_free_ms);
	objtrace_returns_init(params->max_returns);
	ret = start_objects(params->max_objects);
	if (ret)
		goto err_free_exit;
	objtrace_tramp_init(params->trampoline, params->max_objects);
	ret = objtrace_groups_init();
	if (ret)
		goto err_stop_objects;
	ret = objtrace_tracefs_init();
	if (ret)
		goto err_groups_exit;
	ret = objtrace_trigger_init();
	if (ret)
		goto err_tracefs_exit;
	/* Triggers may exist from here on, so nothing may fail any more */
	objtrace_tracefs_start();
	return 0;

err_tracefs_exit:
	objtrace_tracefs_exit();
err_groups_exit:
	objtrace_groups_exit();
err_stop_objects:
	stop_objects();
err_free_exit:
	objtrace_free_exit();
	return ret;
}

static int __init objtrace_init(void)
{
	struct objtrace_params params;
	int ret;

	ret = check_taints() ?: objtrace_params_get(&params) ?: check_kernel() ?:
	      objtrace_events_check() ?: start_module(&params);
	/* All other errors are logged already */
	if (ret == -ENOMEM)
		pr_err("out of memory\n");
	if (ret)
		objtrace_events_drain();
	return ret;
}

static void __exit objtrace_exit(void)
{
	objtrace_tracefs_exit();
	objtrace_trigger_exit();
	objtrace_groups_exit();
	objtrace_free_exit();
	stop_objects();
}

module_init(objtrace_init);
module_exit(objtrace_exit);

MODULE_DESCRIPTION("Follow kernel objects through the functions that receive them");
MODULE_AUTHOR("The objtrace maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION(OBJTRACE_VERSION);
