// SPDX-License-Identifier: GPL-2.0-only
/*
 * kill.c - scenarios that disable ftrace until the next boot, for test.d/zombie
 *
 * ftrace does the same to itself when it finds an unexpected instruction.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>

#include "target.h"

static void (*ftrace_kill_fn)(void);

static __nocfi int run_kill_ftrace(void (*function)(unsigned int n), unsigned int n)
{
	ftrace_kill_fn = find_function("ftrace_kill");
	if (!ftrace_kill_fn)
		return -ENOENT;
	ftrace_kill_fn();
	return 0;
}

/* Of the kprobe on a function that ftrace calls to register or unregister. */
static struct kprobe kill_probe;
static atomic_t calls_left;
static bool returns_at_once;

#if defined(CONFIG_X86_64)
static void return_at_once(struct pt_regs *regs)
{
	regs->ip = *(unsigned long *)regs->sp;
	regs->sp += sizeof(long);
}
#elif defined(CONFIG_ARM64)
static void return_at_once(struct pt_regs *regs)
{
	instruction_pointer_set(regs, procedure_link_pointer(regs));
}
#endif

static __nocfi int kill_at_last_call(struct kprobe *kp, struct pt_regs *regs)
{
	if (atomic_dec_return(&calls_left))
		return 0;
	ftrace_kill_fn();
	if (!returns_at_once)
		return 0;
	return_at_once(regs);
	return 1;
}

/* The kernel optimizes no probe that has a post_handler, so the pre_handler may change the ip. */
static void after_call(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

void stop_killing(void)
{
	if (kill_probe.pre_handler)
		unregister_kprobe(&kill_probe);
}

/* Disable ftrace at call number @n from now on.  With @skip, the function does nothing then. */
static int kill_ftrace_at(const char *symbol, unsigned int n, bool skip)
{
	int ret;

	if (kill_probe.pre_handler || !n)
		return -EINVAL;
	ftrace_kill_fn = find_function("ftrace_kill");
	if (!ftrace_kill_fn)
		return -ENOENT;
	atomic_set(&calls_left, n);
	returns_at_once = skip;
	kill_probe = (struct kprobe){
		.symbol_name	= symbol,
		.pre_handler	= kill_at_last_call,
		.post_handler	= after_call,
	};
	ret = register_kprobe(&kill_probe);
	if (ret)
		kill_probe = (struct kprobe){};
	return ret;
}

/* The ftrace_ops stays registered. */
static int run_kill_before(void (*function)(unsigned int n), unsigned int n)
{
	return kill_ftrace_at("unregister_ftrace_function", n, false);
}

/* ftrace patches no function. */
static int run_kill_inside(void (*function)(unsigned int n), unsigned int n)
{
	return kill_ftrace_at("ftrace_replace_code", n, true);
}

/* ftrace patches all functions of the ftrace_ops. */
static int run_kill_late(void (*function)(unsigned int n), unsigned int n)
{
	return kill_ftrace_at("ftrace_arch_code_modify_post_process", n, false);
}

static const struct ott_scenario kill_scenarios[] = {
	{ "kill_ftrace", "Disable ftrace at once.", run_kill_ftrace },
	{ "kill_before", "Disable ftrace before it unregisters the ftrace_ops number N from now on.",
	  run_kill_before },
	{ "kill_inside", "Disable ftrace when it patches functions for the Nth time, and skip that.",
	  run_kill_inside },
	{ "kill_late", "Disable ftrace after it patches functions for the Nth time.",
	  run_kill_late },
};

OTT_GROUP(ott_kill_scenarios, kill_scenarios);
