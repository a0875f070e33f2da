// SPDX-License-Identifier: GPL-2.0-only
/*
 * Delete an object when the memory around the object is freed.  The tracepoints of kfree()
 * and kmem_cache_free() fire before the memory can be allocated again.
 *
 * Some functions free memory without a tracepoint.  objtrace traces such a function with ftrace,
 * and has a kprobe after its entry, because each of the two can miss a call:
 *
 * - If another tracer traces the function, too, ftrace walks its list of callbacks.  A callback can
 *   call a traced function, for which ftrace walks the list again.  A third walk inside of the
 *   second is skipped.
 * - The kernel runs no kprobe while it runs another kprobe on the same CPU, even in an
 *   interrupt of that kprobe.
 *
 * The second handling of a free finds no object.
 *
 * Nearly all freed memory contains no object.  The check then costs two loads from the Bloom
 * filter.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cache.h>
#include <linux/init.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include <trace/events/kmem.h>

#include "kernel/btf.h"
#include "kernel/caller.h"
#include "kernel/ksyms.h"
#include "kernel/slab.h"
#include "objects/bloom.h"
#include "objects/free.h"
#include "objects/object.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objtrace_compat.h"
#include "records/guard.h"
#include "records/seen.h"
#include "records/value.h"

/*
 * The functions that fire the tracepoints, for objtrace_caller_beyond().  Written by
 * objtrace_free_init() only, before the tracepoints call this file.
 */
static struct objtrace_text freeing[2] __ro_after_init;

/*
 * How often preemption is disabled for the probes of a tracepoint.  Written by on_measured_kfree()
 * only, before the tracepoints call the functions that read it.
 */
static unsigned int tracepoint_levels __read_mostly;

/* Clear the argument registers, see objtrace_fops_look(): the allocator continues */
static noinline __clears_arg_registers
void end_objects_in(unsigned long memory, unsigned long ip, unsigned int context)
{
	unsigned long start = objtrace_kernel_start_of(memory);
	unsigned long freed_by = objtrace_caller_beyond(ip, freeing, ARRAY_SIZE(freeing));
	struct objtrace_match match __uninitialized;
	unsigned int pos = 0;
	unsigned long bit;

	/* The result does not matter: a free inside of objtrace's own code counts, too */
	bit = objtrace_guard_enter();
	while (objtrace_table_match(memory, &pos, &match))
		if (match.object == memory && !match.owner->is_freed)
			objtrace_object_free(&match, start, freed_by, context);
	pos = 0;
	while (objtrace_table_match_anchor(start, &pos, &match))
		if (!match.owner->is_freed)
			objtrace_object_free(&match, start, freed_by, context);
	objtrace_guard_leave(bit);
}

/*
 * Newer kernels call tracepoints with preemption enabled.  @levels is the number of times that
 * preemption is disabled since the free.
 */
static noinline __clears_arg_registers
void look_into_freed_memory(unsigned long memory, unsigned long ip, unsigned int levels)
{
	preempt_disable_notrace();
	/*
	 * RCU protects the triggers.  An object must be deleted with its memory, even on a CPU
	 * that is not online: see objtrace_kernel_rcu_waits().  A CPU frees no memory while
	 * grace periods do not wait for the CPU.  After rcutree_report_cpu_dead(), the CPU only
	 * reports its death.  Before rcutree_report_cpu_starting(), it neither allocates nor
	 * frees.
	 */
	if (rcu_is_watching())
		end_objects_in(memory, ip, objtrace_record_context() - levels);
	else
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_RCU);
	preempt_enable_notrace();
}

static __always_inline void memory_freed(const void *ptr, unsigned long ip, unsigned int levels)
{
	unsigned long memory = (unsigned long)ptr;

	if (unlikely(objtrace_bloom_has(memory) ||
		     objtrace_bloom_has_memory(objtrace_kernel_start_of(memory))))
		look_into_freed_memory(memory, ip, levels);
}

static void on_kfree(void *data, unsigned long call_site, const void *ptr)
{
	memory_freed(ptr, call_site, tracepoint_levels);
}

static void on_kmem_cache_free(void *data, unsigned long call_site, const void *ptr,
			       const struct kmem_cache *cache)
{
	memory_freed(ptr, call_site, tracepoint_levels);
}

static void objects_freed(void **objects, unsigned long nr, unsigned long ip)
{
	unsigned long i;

	for (i = 0; i < nr; i++)
		memory_freed(objects[i], ip, 0);
}

static void sheaf_freed(unsigned long head, unsigned long ip)
{
	unsigned int nr;
	void **objects = objtrace_kernel_sheaf(head, &nr);

	objects_freed(objects, nr, ip);
}

/*
 * Preemption is disabled until the object is deleted.  Otherwise the scheduler could run with the
 * object's address in an argument register, and seem to receive the object.
 */
static noinline void memory_around_freed(unsigned long part, unsigned long ip)
{
	unsigned long memory;
	unsigned int context;

	preempt_disable_notrace();
	context = objtrace_guard_enter();
	memory = objtrace_kernel_memory_start(part);
	objtrace_guard_leave(context);
	memory_freed((void *)memory, ip, IS_ENABLED(CONFIG_PREEMPT_COUNT));
	preempt_enable_notrace();
}

/**
 * struct free_entry - a function that frees or allocates memory, and has no tracepoint
 * @name: name of the function
 * @frees: the arguments of the function
 * @location: ftrace location of the function; 0 if the kernel lacks or cannot trace the function
 * @kp: the kprobe after the entry; its address is NULL if the kprobe is not registered
 *
 * Written by objtrace_free_init() and objtrace_free_exit() only.  The kernel changes @kp.
 */
struct free_entry {
	const char	*name;
	enum {
		FREES_ARRAY,	/* a cache or NULL, the number of objects, the objects */
		FREES_OBJECT,	/* the object */
		FREES_SHEAF,	/* the rcu_head of a sheaf of objects */
		FREES_AROUND,	/* the rcu_head in the object */
		ALLOCATES,	/* the cache, which allocates many objects */
	} frees;
	unsigned long	location;
	struct kprobe	kp;
};

/* Number of arguments that handle_free_entry() needs */
#define NR_FREE_ARGS	3

/*
 * The record names the caller as the function that frees.  RCU is the caller of an RCU callback,
 * so the record names the callback itself.
 *
 * ftrace's list function and some handlers of kprobes disable preemption.  The count in the record
 * is then 1 too high.
 */
static void handle_free_entry(const struct free_entry *e, const unsigned long args[NR_FREE_ARGS],
			      unsigned long caller)
{
	switch (e->frees) {
	case FREES_ARRAY:
		objects_freed((void **)args[2], args[1], caller);
		break;
	case FREES_OBJECT:
		memory_freed((void *)args[0], caller, 0);
		break;
	case FREES_SHEAF:
		sheaf_freed(args[0], e->location);
		break;
	case FREES_AROUND:
		memory_around_freed(args[0], e->location);
		break;
	case ALLOCATES:
		objtrace_tomb_bulk(args[0]);
		break;
	}
}

/* The arguments are still in their registers */
static __clears_arg_registers int on_kprobe(struct kprobe *kp, struct pt_regs *regs)
{
	const unsigned long args[NR_FREE_ARGS] = {
		regs_get_kernel_argument(regs, 0),
		regs_get_kernel_argument(regs, 1),
		regs_get_kernel_argument(regs, 2),
	};

	handle_free_entry(container_of(kp, struct free_entry, kp), args,
			  objtrace_caller(objtrace_probe_return_address(regs)));
	return 0;
}

#define ENTRY(function, arguments) \
	{ .name = function, .frees = arguments, \
	  .kp = { .pre_handler = on_kprobe, .flags = KPROBE_FLAG_DISABLED } }

/* See objtrace_symbols.h */
static struct free_entry entries[] = {
	ENTRY("kmem_cache_free_bulk",		FREES_ARRAY),
	ENTRY("kfree_nolock",			FREES_OBJECT),
	ENTRY("rcu_free_sheaf",			FREES_SHEAF),
	ENTRY("rcu_free_sheaf_nobarn",		FREES_SHEAF),
	ENTRY("kvfree_rcu_cb",			FREES_AROUND),
	ENTRY("kmem_cache_alloc_bulk",		ALLOCATES),
	ENTRY("kmem_cache_alloc_bulk_noprof",	ALLOCATES),
};

/* The lowest and the highest ftrace location in entries[] */
static unsigned long lowest __ro_after_init = ULONG_MAX, highest __ro_after_init;

/*
 * In kernels where all functions are in the last group, each entry calls this function.  So the
 * range is checked first.
 */
static const struct free_entry *find_free_entry(unsigned long ip)
{
	const struct free_entry *e;

	if (likely(ip < lowest || ip > highest))
		return NULL;
	for (e = entries; e < entries + ARRAY_SIZE(entries); e++)
		if (e->location == ip)
			return e;
	return NULL;
}

/**
 * objtrace_free_has_entry() - check for a function that frees or allocates without a tracepoint
 * @ip: ftrace location of the function
 *
 * Context: Any, NMI included.
 * Return: true if objtrace_free_entry() has to handle the function's entry
 */
bool objtrace_free_has_entry(unsigned long ip)
{
	return find_free_entry(ip);
}

/**
 * objtrace_free_entry() - handle the entry of a function that frees or allocates memory
 *			   without a tracepoint
 * @ip: ftrace location of the function
 * @parent_ip: return address of the function
 * @fregs: registers of the function
 *
 * Context: ftrace callback, NMI included.
 */
void objtrace_free_entry(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_regs *fregs)
{
	const struct free_entry *e = find_free_entry(ip);
	const unsigned long args[NR_FREE_ARGS] = {
		objtrace_arg(fregs, 0), objtrace_arg(fregs, 1), objtrace_arg(fregs, 2),
	};

	if (e)
		handle_free_entry(e, args, objtrace_caller(objtrace_caller_now(parent_ip, fregs)));
}

unsigned long objtrace_free_iterators[2] __ro_after_init;

/* The tracepoints call this file.  Under the mutex of functions/groups.c */
static bool following;

/*
 * Called each time that functions are armed, because enable_kprobe() can fail silently: it
 * returns 0 and does nothing while the user has disarmed all kprobes.
 */
static void enable_kprobes(void)
{
	struct free_entry *e;

	for (e = entries; e < entries + ARRAY_SIZE(entries); e++)
		if (e->kp.addr && enable_kprobe(&e->kp))
			pr_warn_once("the kprobe on %s() cannot be enabled\n", e->name);
}

static void disable_kprobes(void)
{
	struct free_entry *e;

	for (e = entries; e < entries + ARRAY_SIZE(entries); e++)
		if (e->kp.addr)
			disable_kprobe(&e->kp);
}

/*
 * The task in measure_tracepoint().  Written under the mutex of functions/groups.c.  Only the task
 * itself can see that it is equal to current.
 */
static struct task_struct *measuring;

/*
 * Other tasks and interrupts free memory at the same time.  @call_site does not tell that objtrace
 * frees: return probes and function_graph replace the return address.
 */
static void on_measured_kfree(void *data, unsigned long call_site, const void *ptr)
{
	if (!ptr && READ_ONCE(measuring) == current && in_task())
		tracepoint_levels = preempt_count();
}

/*
 * Read the preemption count in a probe, once: preemption is enabled here.  Not a part of module
 * init, because a load enables no event.  Other tracers see that objtrace frees NULL.
 */
static int measure_tracepoint(void)
{
	static bool is_measured;	/* under the mutex of functions/groups.c */
	int ret;

	if (is_measured)
		return 0;
	ret = register_trace_kfree(on_measured_kfree, NULL);
	if (ret)
		return ret;
	WRITE_ONCE(measuring, current);
	kfree(NULL);
	WRITE_ONCE(measuring, NULL);
	unregister_trace_kfree(on_measured_kfree, NULL);
	is_measured = true;
	return 0;
}

/**
 * objtrace_free_start() - register the tracepoints of frees and enable the kprobes
 *
 * Context: task, under the mutex of functions/groups.c; may be under event_mutex.
 * Return: 0, or a negative errno
 */
int objtrace_free_start(void)
{
	int ret;

	enable_kprobes();
	if (following)
		return 0;
	ret = measure_tracepoint() ?: register_trace_kfree(on_kfree, NULL);
	if (ret)
		return ret;
	ret = register_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	if (ret)
		unregister_trace_kfree(on_kfree, NULL);
	following = !ret;
	return ret;
}

/**
 * objtrace_free_stop() - unregister the tracepoints of frees and disable the kprobes
 *
 * No trigger has an object any more.
 *
 * Context: task, under the mutex of functions/groups.c.
 */
void objtrace_free_stop(void)
{
	disable_kprobes();
	if (!following)
		return;
	unregister_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	unregister_trace_kfree(on_kfree, NULL);
	following = false;
}

/* Check for a function that this kernel must have */
static bool is_required(const struct free_entry *e)
{
	return e->frees == FREES_ARRAY ||
	       (e->frees == FREES_SHEAF && objtrace_kernel_has_rcu_sheaves());
}

static void __init warn_missing(const struct free_entry *e)
{
	pr_warn("%s() cannot be traced in this kernel: objects that it %s\n", e->name,
		e->frees == ALLOCATES ? "allocates can cause false hints of after-free for a while" :
		"frees stay tracked until del or clear ends them");
}

/*
 * The kprobe is on the instruction after the call of ftrace.  A kprobe on the call itself would
 * use ftrace.
 */
static void __init register_behind(struct free_entry *e)
{
	e->kp.addr = (void *)(e->location + MCOUNT_INSN_SIZE);
	if (register_kprobe(&e->kp)) {
		pr_warn("the kernel refused a kprobe on %s()\n", e->name);
		e->kp.addr = NULL;
	}
}

static void __init set_text(struct objtrace_text *text, unsigned long start)
{
	text->start = start;
	text->size = objtrace_ksyms_size(start);
}

/**
 * objtrace_free_init() - find the functions that free or allocate memory
 *
 * Warns of each function that cannot be traced.  The BTF of the kernel has to describe a function,
 * because a module may have a symbol of the same name.
 *
 * Context: task, module init, after objtrace_layout_init().
 */
void __init objtrace_free_init(void)
{
	struct free_entry *e;
	unsigned long addr;
	bool described;

	objtrace_free_iterators[0] = ksym(ftrace_location)(ksym_addr(__traceiter_kfree));
	objtrace_free_iterators[1] =
		ksym(ftrace_location)(ksym_addr(__traceiter_kmem_cache_free));
	set_text(&freeing[0], (unsigned long)kfree);
	set_text(&freeing[1], (unsigned long)kmem_cache_free);
	for (e = entries; e < entries + ARRAY_SIZE(entries); e++) {
		described = objtrace_btf_describes(e->name);
		addr = described ? ksym(kallsyms_lookup_name)(e->name) : 0;
		e->location = addr ? ksym(ftrace_location)(addr) : 0;
		if (e->location) {
			lowest = min(lowest, e->location);
			highest = max(highest, e->location);
			register_behind(e);
		} else if (described || is_required(e)) {
			warn_missing(e);
		}
	}
}

/**
 * objtrace_free_exit() - wait until no tracepoint and no kprobe calls this module
 *
 * Context: task, module exit after objtrace_free_stop(), or module init that fails.
 */
void objtrace_free_exit(void)
{
	struct kprobe *registered[ARRAY_SIZE(entries)];
	struct free_entry *e;
	int nr = 0;

	for (e = entries; e < entries + ARRAY_SIZE(entries); e++)
		if (e->kp.addr)
			registered[nr++] = &e->kp;
	unregister_kprobes(registered, nr);
	tracepoint_synchronize_unregister();
}
