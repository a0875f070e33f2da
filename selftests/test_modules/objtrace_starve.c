// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_starve - let allocations of objtrace fail, for test.d/lifetime/no_memory.tc and
 * test.d/stress/fuzz.tc
 *
 * The parameter nth is written at run time.  With nth=N, call number N from objtrace to one of the
 * functions in starved[] fails, as the function does if memory runs out.  The kernel's log gets a
 * line with the function and the place of the call, for scripts/check-allocations.sh.  With nth=0,
 * no call fails.  Reading the parameter returns the number of calls since it was written.
 *
 * A call fails only if it would return to objtrace: calls from the kernel's own code pass.  The
 * functions with is_indirect fail for any caller.  objtrace calls some of them at the end of a
 * function, so that they return to the kernel, and the kernel calls others for objtrace.
 *
 * With lasting=1, all calls after number N fail, too.
 *
 * With one_in=N, each call fails at random, one in N calls on the average.  The parameter seed
 * chooses the calls.  The parameter failures is their number.  Calls of trace_event_reg() do not
 * fail at random: an event that could not be enabled keeps the flag for comms (Linux 6.12).
 * When the event is disabled later, the kernel ends a recording of comms that it did not start.
 *
 * With hold=1, a load of objtrace stops between the creation of its events and module init.  It
 * goes on with hold=0, or after HOLD_SECONDS.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/delay.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/trace_events.h>

/* A number that no allocation counts up to */
#define NEVER	LONG_MAX

/* So that a test that ends early leaves no task behind */
#define HOLD_SECONDS	60

static int fail_call(struct kprobe *kp, struct pt_regs *regs);

/*
 * Functions that allocate, with the values that they return without memory.  A kernel has some of
 * the names only.
 */
static struct starved {
	const char	*name;
	long		value;
	bool		is_indirect;	/* the call does not return to objtrace */
	bool		frees_null;	/* without its first argument, the function frees */
	unsigned int	reg_types;	/* values of its second argument, an enum trace_reg, that allocate */
	bool		is_flawed;	/* the kernel does not undo all that preceded the failure */
	unsigned int	gfp_args;	/* kernels differ in the argument, from 1 to this, with GFP flags */
	struct kprobe	kp;
} starved[] = {
	{ "__alloc_percpu" },
	{ "__kmalloc", .gfp_args = 1 },
	{ "__kmalloc_cache_noprof", .gfp_args = 1 },
	{ "__kmalloc_large_noprof", .gfp_args = 1 },
	{ "__kmalloc_noprof", .gfp_args = 1 },
	{ "__kvmalloc_node_noprof", .gfp_args = 3 },
	{ "__ring_buffer_alloc" },
	{ "kasprintf" },
	{ "kmalloc_large", .gfp_args = 1 },
	{ "kmalloc_trace", .gfp_args = 1 },
	{ "kvmalloc_node", .gfp_args = 1 },
	{ "pcpu_alloc_noprof" },
	{ "tracefs_create_dir" },
	{ "tracefs_create_file" },
	{ "__cpuhp_setup_state",		-ENOSPC },
	{ "ftrace_set_filter_ips",		-ENOMEM },
	{ "perf_event_create_kernel_counter",	-ENOMEM },
	{ "register_ftrace_function",		-ENOMEM },
	{ "register_kprobe",			-ENOMEM },
	{ "register_kretprobe",			-ENOMEM },
	{ "register_module_notifier",		-ENOMEM },
	{ "seq_open_private",			-ENOMEM, .is_indirect = true },
	{ "set_trigger_filter",			-ENOMEM, .frees_null = true },
	{ "single_open",			-ENOMEM },
	{ "single_open_size",			-ENOMEM, .is_indirect = true },
	{ "trace_event_reg",			-ENOMEM, .is_indirect = true, .is_flawed = true,
	  .reg_types = BIT(TRACE_REG_REGISTER) | BIT(TRACE_REG_PERF_REGISTER) },
	{ "tracepoint_probe_register",		-ENOMEM },
	{ "tracing_update_buffers",		-ENOMEM },
};

static atomic_long_t calls;
static long nth;
static bool lasting;
static unsigned int one_in;
static unsigned int seed;
static atomic_long_t failures;
static bool hold;
static bool is_probing;

static struct kprobe lookup_probe = {
	.symbol_name	= "kallsyms_lookup_name",
	.flags		= KPROBE_FLAG_DISABLED,
};

/* Static calls: with IBT an indirect call of this function would fault */
DEFINE_STATIC_CALL_NULL(lookup, kallsyms_lookup_name);
DEFINE_STATIC_CALL_NULL(module_of, __module_address);

/* A kprobe at the entry of a function: no instruction has changed the stack */
static unsigned long caller_of(const struct pt_regs *regs)
{
#if defined(CONFIG_X86_64)
	return *(unsigned long *)regs->sp;
#elif defined(CONFIG_ARM64)
	return procedure_link_pointer(regs);
#else
#error "this architecture needs the return address at the entry of a function"
#endif
}

/* Whether the call needs no memory, or an argument has the flags of an allocation that cannot fail */
static bool cannot_fail(const struct starved *function, struct pt_regs *regs)
{
	const unsigned long flags = (__force unsigned long)(GFP_KERNEL | __GFP_NOFAIL);
	unsigned long arg;
	unsigned int i;

	for (i = 1; i <= function->gfp_args; i++) {
		arg = regs_get_kernel_argument(regs, i);
		if (arg < U32_MAX && (arg & flags) == flags)
			return true;
	}
	if (function->is_flawed && READ_ONCE(one_in))
		return true;
	if (function->reg_types && !(function->reg_types & BIT((u32)regs_get_kernel_argument(regs, 1))))
		return true;
	return function->frees_null && !regs_get_kernel_argument(regs, 0);
}

/* Leaves the register of the return value as it is */
static noinline notrace void return_at_once(void)
{
	asm volatile("");
}

/* Whether the seed chooses the call.  CPUs share the numbers of calls. */
static bool is_chosen(long call, unsigned int chance)
{
	return jhash_2words(call, seed, 0) < U32_MAX / chance;
}

static bool must_fail(long call)
{
	unsigned int chance = READ_ONCE(one_in);

	if (chance)
		return is_chosen(call, chance);
	return call == READ_ONCE(nth) || (call > nth && lasting);
}

static int fail_call(struct kprobe *kp, struct pt_regs *regs)
{
	const struct starved *function = container_of(kp, struct starved, kp);
	unsigned long site = caller_of(regs);
	const struct module *module = static_call(module_of)(site);
	long call;

	if (!function->is_indirect && (!module || strcmp(module->name, "objtrace")))
		return 0;
	if (cannot_fail(function, regs))
		return 0;
	call = atomic_long_inc_return(&calls);
	if (!must_fail(call))
		return 0;
	atomic_long_inc(&failures);
	if (call == nth)
		pr_info("%s() fails for %pS\n", function->name, (void *)site);
	regs_set_return_value(regs, function->value);
	instruction_pointer_set(regs, (unsigned long)return_at_once);
	return 1;
}

/*
 * A kprobe that was optimized to a jump cannot change where the task goes on.  One with a post
 * handler is not optimized; but this handler keeps a kprobe that is called by ftrace from it.
 */
static void after_call(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static int start_probe(struct starved *function, kprobe_post_handler_t post_handler)
{
	function->kp = (struct kprobe){
		.symbol_name	= function->name,
		.pre_handler	= fail_call,
		.post_handler	= post_handler,
	};
	return register_kprobe(&function->kp);
}

static void stop_probes(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(starved); i++)
		if (starved[i].kp.addr)
			unregister_kprobe(&starved[i].kp);
	for (i = 0; i < ARRAY_SIZE(starved); i++)
		starved[i].kp = (struct kprobe){};
	is_probing = false;
}

static int start_probes(void)
{
	struct starved *function;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(starved); i++) {
		function = &starved[i];
		if (!static_call(lookup)(function->name))
			continue;
		ret = start_probe(function, NULL);
		if (!ret && !(function->kp.flags & KPROBE_FLAG_FTRACE)) {
			unregister_kprobe(&function->kp);
			ret = start_probe(function, after_call);
		}
		if (ret) {
			pr_err("no kprobe on %s: %d\n", function->name, ret);
			function->kp = (struct kprobe){};
		}
	}
	if (ret)
		stop_probes();
	else
		is_probing = true;
	return ret;
}

/* Parameters on the command line are set before init */
static int need_probes(void)
{
	if (!static_call_query(lookup))
		return -EINVAL;
	return is_probing ? 0 : start_probes();
}

static int nth_set(const char *val, const struct kernel_param *kp)
{
	long number;
	int ret = kstrtol(val, 0, &number);

	if (!ret && number < 0)
		ret = -EINVAL;
	if (!ret && number)
		ret = need_probes();
	if (ret)
		return ret;
	if (number)
		atomic_long_set(&calls, 0);
	WRITE_ONCE(nth, number ?: NEVER);
	return 0;
}

static int nth_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&calls));
}

/* Write the parameter only while no thread allocates */
static int one_in_set(const char *val, const struct kernel_param *kp)
{
	unsigned int number;
	int ret = kstrtouint(val, 0, &number);

	if (!ret && number)
		ret = need_probes();
	if (ret)
		return ret;
	WRITE_ONCE(nth, NEVER);
	if (number) {
		atomic_long_set(&calls, 0);
		atomic_long_set(&failures, 0);
	}
	WRITE_ONCE(one_in, number);
	return 0;
}

static int failures_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&failures));
}

static const struct kernel_param_ops nth_ops = { .set = nth_set, .get = nth_get };
static const struct kernel_param_ops one_in_ops = { .set = one_in_set, .get = param_get_uint };
static const struct kernel_param_ops failures_ops = { .get = failures_get };
module_param_cb(nth, &nth_ops, NULL, 0600);
MODULE_PARM_DESC(nth, "the call that fails; read: the number of calls");
module_param_cb(one_in, &one_in_ops, &one_in, 0600);
MODULE_PARM_DESC(one_in, "one in so many calls fails, at random; 0: none");
module_param(seed, uint, 0600);
MODULE_PARM_DESC(seed, "chooses the calls that fail at random");
module_param_cb(failures, &failures_ops, NULL, 0400);
MODULE_PARM_DESC(failures, "the number of calls that failed since one_in was written");
module_param(lasting, bool, 0600);
MODULE_PARM_DESC(lasting, "all calls after number nth fail, too");
module_param(hold, bool, 0600);
MODULE_PARM_DESC(hold, "a load of objtrace stops before module init");

static int hold_load(struct notifier_block *nb, unsigned long state, void *module)
{
	unsigned long end = jiffies + HOLD_SECONDS * HZ;

	if (state != MODULE_STATE_COMING || strcmp(((struct module *)module)->name, "objtrace"))
		return NOTIFY_DONE;
	while (READ_ONCE(hold) && time_before(jiffies, end))
		msleep(20);
	return NOTIFY_DONE;
}

/* Called last, after the kernel created the events */
static struct notifier_block load_nb = {
	.notifier_call	= hold_load,
	.priority	= INT_MIN,
};

static int __init starve_init(void)
{
	void *find, *module_address;
	int ret = register_kprobe(&lookup_probe);

	if (ret)
		return ret;
	find = lookup_probe.addr;
	unregister_kprobe(&lookup_probe);
	kernel_param_lock(THIS_MODULE);
	static_call_update(lookup, find);
	module_address = (void *)static_call(lookup)("__module_address");
	if (module_address)
		static_call_update(module_of, module_address);
	kernel_param_unlock(THIS_MODULE);
	return module_address ? register_module_notifier(&load_nb) : -EOPNOTSUPP;
}

static void __exit starve_exit(void)
{
	unregister_module_notifier(&load_nb);
	kernel_param_lock(THIS_MODULE);
	stop_probes();
	kernel_param_unlock(THIS_MODULE);
}

module_init(starve_init);
module_exit(starve_exit);

MODULE_DESCRIPTION("Let allocations of objtrace fail, for the objtrace selftests");
MODULE_AUTHOR("The objtrace maintainers");
MODULE_LICENSE("GPL");
