// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follow a call to its return, see kernel/return.h.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <asm/current.h>
#ifdef CONFIG_ARM64
#include <asm/sysreg.h>
#endif

#include "kernel/ksyms.h"
#include "kernel/return.h"
#include "objtrace_compat.h"

/**
 * struct entered - registers for the handler of the return probe, and data for take_data()
 * @regs: the registers that the handler reads and writes
 * @data: the data of the call
 * @size: length in bytes of @data
 * @is_followed: set by take_data(), which the handler calls if its pool has an entry
 */
struct entered {
	struct pt_regs	regs;
	const void	*data;
	size_t		size;
	bool		is_followed;
};

/* The return probe.  Registered and unregistered under event_mutex */
static struct kretprobe probe;

/* The place of the return probe.  Nothing calls this function. */
static noinline void probed_function(void)
{
	barrier();
}

/* Called by the handler of the return probe */
static int take_data(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct entered *entered = container_of(regs, struct entered, regs);

	memcpy(ri->data, entered->data, entered->size);
	entered->is_followed = true;
	return 0;
}

/**
 * objtrace_return_start() - allocate the entries of followed calls
 * @returned: called at each return of a followed call, with the data of the call as the member
 *	      data of its entry
 * @most: number of calls that can be followed at the same time
 *
 * Context: task, event_mutex held.
 * Return: 0, -ENOMEM, or another error of register_kretprobe()
 */
int objtrace_return_start(kretprobe_handler_t returned, unsigned int most)
{
	BUILD_BUG_ON(offsetof(struct kretprobe_instance, data) % __alignof__(u64));
	/* The kernel writes to the struct, also when it fails */
	probe = (struct kretprobe){
		.kp.addr	= (kprobe_opcode_t *)probed_function,
		.kp.flags	= KPROBE_FLAG_DISABLED,
		.handler	= returned,
		.entry_handler	= take_data,
		.maxactive	= most,
		.data_size	= OBJTRACE_RETURN_DATA,
	};
	return register_kretprobe(&probe);
}

/**
 * objtrace_return_stop() - stop following calls
 *
 * Waits for a grace period.  Calls that have not returned stay in the stacks of their tasks, and
 * the kernel frees their entries.
 *
 * Context: task, event_mutex held, when no call of objtrace_return_follow() is possible.
 */
void objtrace_return_stop(void)
{
	unregister_kretprobe(&probe);
}

#ifdef CONFIG_X86_64
/* The kernel's own list of functions without return probes has this function only */
static bool switches_task(unsigned long ip)
{
	return objtrace_is_entry_of(ip, ksym_addr(__switch_to));
}

/*
 * The handlers of kprobes that are optimized or use ftrace are no NMI, and neither are those of
 * kretprobes.  A followed call that returns in a handler clears current_kprobe.  Then the kernel
 * lets probes hit in the handler of a probe, without end.
 */
static bool in_probe_handler(void)
{
	return raw_cpu_read(*(struct kprobe * __percpu *)ksym_addr(current_kprobe));
}

/* Where the function's return address is on the stack */
static void find_return_address(struct pt_regs *regs, unsigned long ip,
				const unsigned long *args)
{
	const unsigned long *link = &args[OBJTRACE_ARGS_LINK];

	if (*link == ip + MCOUNT_INSN_SIZE)
		regs->sp = (unsigned long)(link + 1);
	else
		regs->sp = objtrace_fregs((struct ftrace_regs *)*link)->regs.sp;
}

static void set_return_address(const struct pt_regs *regs, unsigned long ip,
			       const unsigned long *args)
{
	/* The handler has written to the stack */
}
#else
static bool switches_task(unsigned long ip)
{
	return false;
}

/*
 * The handler of a kprobe's breakpoint masks debug exceptions and is no NMI.  A followed call that
 * returns in the handler clears current_kprobe, and the kernel dies of the kprobe's next exception.
 */
static bool in_probe_handler(void)
{
	return read_sysreg(daif) & PSR_D_BIT;
}

/* The frame pointer and the return address of the function, at their saved registers */
static void locate(unsigned long ip, const unsigned long *args, unsigned long **fp,
		   unsigned long **lr)
{
	unsigned long *link = (unsigned long *)&args[OBJTRACE_ARGS_LINK];

	if (*link == ip + MCOUNT_INSN_SIZE) {
		*fp = link + 1;
		*lr = link + 2;
		return;
	}
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
	*fp = (unsigned long *)&objtrace_fregs((struct ftrace_regs *)*link)->fp;
	*lr = (unsigned long *)&objtrace_fregs((struct ftrace_regs *)*link)->lr;
#else
	*fp = (unsigned long *)&ftrace_get_regs((struct ftrace_regs *)*link)->regs[29];
	*lr = (unsigned long *)&ftrace_get_regs((struct ftrace_regs *)*link)->regs[30];
#endif
}

static void find_return_address(struct pt_regs *regs, unsigned long ip,
				const unsigned long *args)
{
	unsigned long *fp, *lr;

	locate(ip, args, &fp, &lr);
	regs->regs[29] = *fp;
	regs->regs[30] = *lr;
}

static void set_return_address(const struct pt_regs *regs, unsigned long ip,
			       const unsigned long *args)
{
	unsigned long *fp, *lr;

	locate(ip, args, &fp, &lr);
	*lr = regs->regs[30];
}
#endif

/*
 * A suspend to RAM resumes in the middle of its caller.  The functions in between never return, and
 * the next return of the task would take their entry.  The graph tracer has the same problem, so
 * the kernel pauses it.
 */
static bool may_never_return(void)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	return atomic_read(&current->tracing_graph_pause);
#else
	return false;
#endif
}

/*
 * Check for a function that the kernel calls at each return of a followed call.  If objtrace
 * followed the call, its return would make the same call, without end.
 */
static bool handles_returns(unsigned long ip)
{
	if (objtrace_is_entry_of(ip, ksym_addr(objpool_push)))
		return true;
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	/* The kernel sets the handler to NULL when the return probe is unregistered */
	return objtrace_is_entry_of(ip, (__force unsigned long)READ_ONCE(probe.rh->handler)) ||
	       objtrace_is_entry_of(ip, ksym_addr(arch_rethook_trampoline_callback)) ||
	       objtrace_is_entry_of(ip, ksym_addr(arch_rethook_fixup_return));
#else
	return objtrace_is_entry_of(ip, ksym_addr(__kretprobe_trampoline_handler)) ||
	       objtrace_is_entry_of(ip, ksym_addr(__kretprobe_find_ret_addr)) ||
	       objtrace_is_entry_of(ip, ksym_addr(arch_kretprobe_fixup_return)) ||
	       objtrace_is_entry_of(ip, ksym_addr(recycle_rp_inst));
#endif
}

/**
 * objtrace_return_follow() - follow a call to its return
 * @ip: ftrace location of the function
 * @args: arguments of objtrace_fops_look()
 * @data: data for the function that is called at the return; copied
 * @size: length in bytes of @data, at most OBJTRACE_RETURN_DATA
 *
 * Context: ftrace callback or trampoline, NMI included; preemption disabled, RCU watching.
 * Return: OBJTRACE_FOLLOWED, or why the call is not followed
 */
enum objtrace_followed objtrace_return_follow(unsigned long ip, const unsigned long *args,
					      const void *data, size_t size)
{
	struct entered entered = { .data = data, .size = size };

	if (in_nmi() || in_probe_handler() || handles_returns(ip))
		return OBJTRACE_NOT_FOLLOWED_NMI;
	if (switches_task(ip) || may_never_return())
		return OBJTRACE_NOT_FOLLOWED_SWITCH;
	find_return_address(&entered.regs, ip, args);
	ksym(pre_handler_kretprobe)(&probe.kp, &entered.regs);
	if (!entered.is_followed)
		return OBJTRACE_NOT_FOLLOWED_POOL;
	set_return_address(&entered.regs, ip, args);
	return OBJTRACE_FOLLOWED;
}

#ifdef CONFIG_KRETPROBE_ON_RETHOOK
/**
 * objtrace_return_first() - begin a loop over the followed calls of the running task
 *
 * Context: as objtrace_return_follow(), or a followed call that returns.
 * Return: the position for objtrace_return_next()
 */
struct llist_node *objtrace_return_first(void)
{
	return READ_ONCE(current->rethooks.first);
}

static struct kretprobe_instance *own_instance(struct llist_node *node)
{
	struct rethook_node *rethook = container_of(node, struct rethook_node, llist);

	return rethook->rethook == probe.rh ?
	       container_of(rethook, struct kretprobe_instance, node) : NULL;
}
#else
struct llist_node *objtrace_return_first(void)
{
	return READ_ONCE(current->kretprobe_instances.first);
}

static struct kretprobe_instance *own_instance(struct llist_node *node)
{
	struct kretprobe_instance *ri = container_of(node, struct kretprobe_instance, llist);

	return ri->rph == probe.rph ? ri : NULL;
}
#endif

/**
 * objtrace_return_next() - find the next followed call, from the innermost to the outermost
 * @pos: position of the loop
 *
 * The stack belongs to the running task: an interrupt removes the entries that it has pushed.  A
 * call of an earlier return probe of objtrace is no followed call.
 *
 * Context: as objtrace_return_first().
 * Return: the data of the call; NULL at the end
 */
void *objtrace_return_next(struct llist_node **pos)
{
	struct kretprobe_instance *ri;

	while (*pos) {
		ri = own_instance(*pos);
		*pos = (*pos)->next;
		if (ri)
			return ri->data;
	}
	return NULL;
}
