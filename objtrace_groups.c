// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which functions call us: those that can receive an object.
 *
 * They are in groups by the last of their arguments that can be one.  Each group has
 * its ftrace_ops, whose callback looks at no more arguments than that.  No function is
 * in two: where one has several ops, ftrace goes through all ops that there are.  More
 * groups would save less than they cost, each in every function that something else
 * traces, too, and when it is unregistered.
 *
 * Modules are followed as they come and go.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/ftrace.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_funcs.h"
#include "objtrace_groups.h"
#include "objtrace_kernel.h"
#include "objtrace_known.h"
#include "objtrace_ksyms.h"

/*
 * No flags: RECURSION and RCU would put arm64 on the slow list function, and the
 * arguments are there without SAVE_REGS.
 */
static struct ftrace_ops groups[OBJTRACE_NR_GROUPS] = {
#if OBJTRACE_NR_GROUPS > 1
	{ .func = objtrace_fops_entry1 },
	{ .func = objtrace_fops_entry2 },
	{ .func = objtrace_fops_entry3 },
#endif
	{ .func = objtrace_fops_entry },
};

/*
 * Under groups_mutex: how many triggers need them, and how many groups are registered,
 * from the first one on.  Taken inside of event_mutex, and by the module notifier.
 */
static DEFINE_MUTEX(groups_mutex);
static unsigned int nr_users;
static unsigned int nr_registered;

/* The group of a function that can receive an object */
static unsigned int group_of(const struct objtrace_func *func)
{
	return min_t(unsigned int, fls(func->objects), OBJTRACE_NR_GROUPS) - 1;
}

/*
 * Functions
 */

/* Append those that are in a group to @ips, if it is not NULL, and count them */
static unsigned int list_functions(const struct objtrace_funcs *funcs, unsigned int group,
				   unsigned long *ips)
{
	const struct objtrace_func *f;
	unsigned int nr = 0;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		if (!f->objects || group_of(f) != group)
			continue;
		if (ips)
			ips[nr] = funcs->start + f->offset;
		nr++;
	}
	return nr;
}

/* Of all parts; or only of one if that is not NULL */
static unsigned int list_group(const struct objtrace_funcs *only, unsigned int group,
			       unsigned long *ips)
{
	const struct objtrace_funcs *funcs;
	unsigned int nr = 0, i;

	if (only)
		return list_functions(only, group, ips);
	for (i = 0; (funcs = objtrace_known_part(i)); i++)
		nr += list_functions(funcs, group, ips ? ips + nr : NULL);
	return nr;
}

enum { REPLACE, ADD, REMOVE };

/* Change which functions a group has: by all, or by those of one part */
static int change_group(unsigned int group, const struct objtrace_funcs *only, int how)
{
	unsigned int nr = list_group(only, group, NULL);
	unsigned long *ips;
	int ret;

	/* Without functions of its own an ops would trace all that there are */
	if (!nr)
		return how == REPLACE ? -ENOENT : 0;
	ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return -ENOMEM;
	list_group(only, group, ips);
	ret = ftrace_set_filter_ips(&groups[group], ips, nr, how == REMOVE, how == REPLACE);
	kvfree(ips);
	return ret;
}

/* As long as they are registered: then they get all that is known */
static int change_groups(const struct objtrace_funcs *funcs, int how)
{
	unsigned int group;
	int ret = 0;

	for (group = 0; group < nr_registered; group++)
		ret = change_group(group, funcs, how) ?: ret;
	return ret;
}

static void add_module(const struct module *module, bool is_init)
{
	const struct objtrace_funcs *funcs = objtrace_known_add(module, is_init);
	int ret = funcs ? change_groups(funcs, ADD) : 0;

	if (ret)
		pr_warn("functions of the module %s are not traced: %d\n", module->name, ret);
}

static void drop_module(const struct module *module, bool is_init)
{
	const struct objtrace_funcs *funcs = objtrace_known_module(module, is_init);

	if (!funcs)
		return;
	/* What could not be added is not there; ftrace itself forgets functions that go */
	change_groups(funcs, REMOVE);
	objtrace_known_drop(module, is_init);
}

static int module_changed(struct notifier_block *nb, unsigned long state, void *module)
{
	mutex_lock(&groups_mutex);
	switch (state) {
	case MODULE_STATE_COMING:
		add_module(module, false);
		add_module(module, true);
		break;
	case MODULE_STATE_LIVE:
		/* If nothing was known yet when it came */
		add_module(module, false);
		drop_module(module, true);
		break;
	case MODULE_STATE_GOING:
		drop_module(module, true);
		drop_module(module, false);
		break;
	}
	mutex_unlock(&groups_mutex);
	return NOTIFY_DONE;
}

/* Behind the kernel's own, which make a module's BTF available and its functions traced */
static struct notifier_block module_notifier = {
	.notifier_call	= module_changed,
};

/*
 * Arming
 */

/* Under groups_mutex.  Stops at one that ftrace does not let go. */
static void unregister_groups(void)
{
	while (nr_registered && !unregister_ftrace_function(&groups[nr_registered - 1]))
		nr_registered--;
}

/*
 * Waits for callbacks, so it is not done under event_mutex.  A trigger that is
 * set or removed meanwhile waits for it all the same.
 */
static void disarm_work_fn(struct work_struct *work)
{
	mutex_lock(&groups_mutex);
	if (!nr_users)
		unregister_groups();
	mutex_unlock(&groups_mutex);
}

static DECLARE_WORK(disarm_work, disarm_work_fn);

/**
 * objtrace_groups_are_stuck() - whether functions may call us for ever
 *
 * Once ftrace has disabled itself it unregisters nothing: the module has to stay.
 * Says so, the first time.
 *
 * Context: task.
 * Return: true if the module must never be removed
 */
bool objtrace_groups_are_stuck(void)
{
	if (!ksym(ftrace_is_dead)())
		return false;
	pr_err_once("ftrace is dead and keeps calling this module: it can no longer be removed\n");
	return true;
}

static int register_groups(void)
{
	int ret = objtrace_known_prepare();

	while (!ret && nr_registered < OBJTRACE_NR_GROUPS) {
		ret = change_group(nr_registered, NULL, REPLACE) ?:
		      register_ftrace_function(&groups[nr_registered]);
		if (!ret)
			nr_registered++;
	}
	if (!ret)
		return 0;
	unregister_groups();
	/* It can die on the way, with some functions patched to call us */
	if (objtrace_groups_are_stuck())
		__module_get(THIS_MODULE);
	return ret;
}

/**
 * objtrace_groups_arm() - trace functions, for one more trigger
 *
 * Context: task, event_mutex held.
 * Return: 0; -ENODEV if ftrace is dead; -ENOMEM; another negative errno if it refuses
 */
int objtrace_groups_arm(void)
{
	int ret = 0;

	mutex_lock(&groups_mutex);
	if (ksym(ftrace_is_dead)())
		ret = -ENODEV;
	else if (!nr_registered)
		ret = register_groups();
	if (!ret)
		nr_users++;
	mutex_unlock(&groups_mutex);
	return ret;
}

/**
 * objtrace_groups_disarm() - one trigger less needs functions to be traced
 *
 * With the last one tracing stops, some time after this returns.
 *
 * Context: task, event_mutex held.
 */
void objtrace_groups_disarm(void)
{
	mutex_lock(&groups_mutex);
	if (!--nr_users)
		schedule_work(&disarm_work);
	mutex_unlock(&groups_mutex);
}

/**
 * objtrace_groups_follow_probe() - whether our callback follows a probe that fires
 * @ip: ftrace location of the function on whose entry the probe is
 * @args: registers from one of which it has taken an object
 *
 * Context: from the probe, preemption disabled and RCU watching.
 * Return: true if the callback for the same entry is still to come, and looks at all of
 * the registers
 */
bool objtrace_groups_follow_probe(unsigned long ip, unsigned int args)
{
	const struct objtrace_func *func = objtrace_known_find(ip);

	if (!func || !args || args & ~func->objects)
		return false;
	return objtrace_kernel_probe_is_first(&groups[group_of(func)]);
}

/**
 * objtrace_groups_init() - follow modules
 *
 * Context: task, module init.
 * Return: 0 or a negative errno
 */
int objtrace_groups_init(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * objtrace_groups_exit() - wait until no function is traced, and forget them all
 *
 * If ftrace has disabled itself and cannot unregister, traced functions go on
 * calling us, and this never returns: a hung rmmod, but the machine lives.
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_groups_exit(void)
{
	unsigned int group;

	flush_work(&disarm_work);
	unregister_module_notifier(&module_notifier);
	if (nr_registered) {
		pr_err("ftrace is dead and keeps calling this module: its removal will never finish\n");
		for (;;)
			schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
	}
	for (group = 0; group < OBJTRACE_NR_GROUPS; group++)
		ftrace_free_filter(&groups[group]);
	objtrace_known_exit();
}
