// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parameters of the module.
 *
 * The kernel parses them after it created our trace events, and before module init.  An error
 * there ends the load at once, in spite of all users of the events, and objtrace_events_drain()
 * could not wait for them.  So the functions that set a parameter return no error.  They keep the
 * text of a wrong value, and module init fails.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/stringify.h>
#include <linux/sysfs.h>

#include "objects/returns.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objtrace_params.h"

/**
 * struct number - a parameter with a number
 * @value: the number; written before module init
 * @max: its maximum; the minimum is 1
 * @wrong: text of a wrong value, or NULL.  The kernel keeps the text as long as the module.
 */
struct number {
	unsigned int	value;
	unsigned int	max;
	const char	*wrong;
};

/**
 * struct flag - a parameter that is on or off
 * @value: it is on; written before module init
 * @wrong: as in struct number
 */
struct flag {
	bool		value;
	const char	*wrong;
};

/* A parameter without "=" has no text */
static int number_set(const char *text, const struct kernel_param *kp)
{
	struct number *number = kp->arg;
	unsigned int value;

	if (!text || kstrtouint(text, 0, &value) || value < 1 || value > number->max)
		number->wrong = text ?: "";
	else
		number->value = value;
	return 0;
}

static int number_get(char *buf, const struct kernel_param *kp)
{
	const struct number *number = kp->arg;

	return sysfs_emit(buf, "%u\n", number->value);
}

/* The parameter alone switches it on, as for the kernel's own parameters */
static int flag_set(const char *text, const struct kernel_param *kp)
{
	struct flag *flag = kp->arg;

	if (kstrtobool(text ?: "1", &flag->value))
		flag->wrong = text;
	return 0;
}

static int flag_get(char *buf, const struct kernel_param *kp)
{
	const struct flag *flag = kp->arg;

	return sysfs_emit(buf, "%c\n", flag->value ? 'Y' : 'N');
}

/* Without the flag, the kernel would refuse a parameter that has no "=" */
static const struct kernel_param_ops param_ops_number = {
	.flags	= KERNEL_PARAM_OPS_FL_NOARG,
	.set	= number_set,
	.get	= number_get,
};

static const struct kernel_param_ops param_ops_flag = {
	.flags	= KERNEL_PARAM_OPS_FL_NOARG,
	.set	= flag_set,
	.get	= flag_get,
};

/* module_param() needs these names */
#define param_check_number(name, p)	__param_check(name, p, struct number)
#define param_check_flag(name, p)	__param_check(name, p, struct flag)

static struct number max_objects = {
	.value	= OBJTRACE_DEFAULT_OBJECTS,
	.max	= OBJTRACE_MAX_OBJECTS,
};
module_param(max_objects, number, 0444);
MODULE_PARM_DESC(max_objects, "limit of objects that are tracked at the same time (1 to "
		 __stringify(OBJTRACE_MAX_OBJECTS) ", default "
		 __stringify(OBJTRACE_DEFAULT_OBJECTS) ")");

static struct number after_free_ms = {
	.value	= OBJTRACE_DEFAULT_AFTER_FREE_MS,
	.max	= OBJTRACE_MAX_AFTER_FREE_MS,
};
module_param(after_free_ms, number, 0444);
MODULE_PARM_DESC(after_free_ms, "time in ms in which after-free looks for entries with a freed object (1 to "
		 __stringify(OBJTRACE_MAX_AFTER_FREE_MS) ", default "
		 __stringify(OBJTRACE_DEFAULT_AFTER_FREE_MS) ")");

static struct number max_returns = {
	.value	= OBJTRACE_DEFAULT_RETURNS,
	.max	= OBJTRACE_MAX_RETURNS,
};
module_param(max_returns, number, 0444);
MODULE_PARM_DESC(max_returns, "limit of calls that returns follows at the same time (1 to "
		 __stringify(OBJTRACE_MAX_RETURNS) ", default "
		 __stringify(OBJTRACE_DEFAULT_RETURNS) ")");

static struct flag trampoline = { .value = true };
module_param(trampoline, flag, 0444);
MODULE_PARM_DESC(trampoline, "let functions call the trampolines of objtrace instead of kernel code that saves all registers (default Y)");

static bool is_valid_number(const char *name, const struct number *number)
{
	if (!number->wrong)
		return true;
	pr_err("%s=%s is wrong: it must be a number from 1 to %u\n", name, number->wrong,
	       number->max);
	return false;
}

static bool is_valid_flag(const char *name, const struct flag *flag)
{
	if (!flag->wrong)
		return true;
	pr_err("%s=%s is wrong: it must be 0 or 1\n", name, flag->wrong);
	return false;
}

/**
 * objtrace_params_get() - get the values of the module's parameters
 * @params: gets the values
 *
 * A wrong value is logged.
 *
 * Context: task, module init.
 * Return: 0, or -EINVAL if a value is wrong
 */
int objtrace_params_get(struct objtrace_params *params)
{
	if (!is_valid_number("max_objects", &max_objects) ||
	    !is_valid_number("after_free_ms", &after_free_ms) ||
	    !is_valid_number("max_returns", &max_returns) ||
	    !is_valid_flag("trampoline", &trampoline))
		return -EINVAL;
	params->max_objects = max_objects.value;
	params->after_free_ms = after_free_ms.value;
	params->max_returns = max_returns.value;
	params->trampoline = trampoline.value;
	return 0;
}
