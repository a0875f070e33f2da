// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects end when the memory that they lie in is freed: the tracepoints of kfree() and
 * kmem_cache_free() tell of that, before anybody can get the memory again.  Functions
 * that free and have no tracepoint are traced: their arguments tell, when they are entered.
 *
 * Nearly all memory that is freed has nothing to do with any object, so that costs two
 * loads from the filter in front of the table, and nothing else.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cache.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include <trace/events/kmem.h>

#include "objtrace.h"
#include "objtrace_btf.h"
#include "objtrace_caller.h"
#include "objtrace_compat.h"
#include "objtrace_kernel.h"
#include "objtrace_ksyms.h"

/*
 * The functions with the tracepoints, which may be traced themselves.  Written by
 * objtrace_free_init() only, before anything can read it.
 */
static struct objtrace_text freeing[2] __ro_after_init;

/* As in objtrace_fops_look(): the scheduler may be next, then who frees the memory */
static noinline __clears_arg_registers
void end_objects_in(unsigned long memory, unsigned long ip)
{
	unsigned long start = objtrace_kernel_start_of(memory);
	unsigned long freed_by = objtrace_caller_beyond(ip, freeing, ARRAY_SIZE(freeing));
	struct objtrace_match match;
	unsigned int context, pos = 0;

	/* Memory that we free ourselves, or what we call, is as free as any other */
	objtrace_fops_enter(&context);
	while (objtrace_table_match(memory, &pos, &match))
		if (match.object == memory && !match.owner->is_freed)
			objtrace_object_free(&match, start, freed_by);
	pos = 0;
	while (objtrace_table_match_anchor(start, &pos, &match))
		if (!match.owner->is_freed)
			objtrace_object_free(&match, start, freed_by);
	objtrace_fops_leave(context);
}

/* Newer kernels call tracepoints with preemption enabled */
static noinline __clears_arg_registers
void look_closer(unsigned long memory, unsigned long ip)
{
	preempt_disable_notrace();
	/* Without RCU nothing holds the triggers */
	if (rcu_is_watching())
		end_objects_in(memory, ip);
	else
		objtrace_stats_not_seen(OBJTRACE_NOT_SEEN_RCU);
	preempt_enable_notrace();
}

static __always_inline void memory_freed(const void *ptr, unsigned long ip)
{
	unsigned long memory = (unsigned long)ptr;

	if (unlikely(objtrace_bloom_has(memory) ||
		     objtrace_bloom_has_memory(objtrace_kernel_start_of(memory))))
		look_closer(memory, ip);
}

static void on_kfree(void *data, unsigned long call_site, const void *ptr)
{
	memory_freed(ptr, call_site);
}

static void on_kmem_cache_free(void *data, unsigned long call_site, const void *ptr,
			       const struct kmem_cache *cache)
{
	memory_freed(ptr, call_site);
}

static void objects_freed(void **objects, unsigned long nr, unsigned long ip)
{
	unsigned long i;

	for (i = 0; i < nr; i++)
		memory_freed(objects[i], ip);
}

static void sheaf_freed(unsigned long head, unsigned long ip)
{
	unsigned int nr;
	void **objects = objtrace_kernel_sheaf(head, &nr);

	objects_freed(objects, nr, ip);
}

/* What was found has ended before the scheduler can find it in a register */
static noinline void memory_around_freed(unsigned long part, unsigned long ip)
{
	unsigned long memory;
	unsigned int context;

	preempt_disable_notrace();
	objtrace_fops_enter(&context);
	memory = objtrace_kernel_memory_start(part);
	objtrace_fops_leave(context);
	memory_freed((void *)memory, ip);
	preempt_enable_notrace();
}

/**
 * struct free_entry - a function that frees or allocates memory, and has no tracepoint
 * @name: its name
 * @frees: by what it is told what to free
 * @location: its ftrace location; 0 if the kernel has no such function
 *
 * @location is written by objtrace_free_init() only, before anything can read it.
 */
struct free_entry {
	const char	*name;
	enum {
		FREES_ARRAY,	/* a cache or NULL, their number, the objects */
		FREES_OBJECT,	/* the object */
		FREES_SHEAF,	/* the rcu_head of a sheaf of objects */
		FREES_AROUND,	/* the rcu_head in the object */
		ALLOCATES,	/* the cache, from which it takes many */
	} frees;
	unsigned long	location;
};

/* See objtrace_symbols.h */
static struct free_entry entries[] __ro_after_init = {
	{ "kmem_cache_free_bulk",	FREES_ARRAY },
	{ "kfree_nolock",		FREES_OBJECT },
	{ "rcu_free_sheaf",		FREES_SHEAF },
	{ "rcu_free_sheaf_nobarn",	FREES_SHEAF },
	{ "kvfree_rcu_cb",		FREES_AROUND },
	{ "kmem_cache_alloc_bulk",	ALLOCATES },
	{ "kmem_cache_alloc_bulk_noprof", ALLOCATES },
};

/* The first and the last of their locations */
static unsigned long lowest __ro_after_init = ULONG_MAX, highest __ro_after_init;

/* Where a kernel cannot call our callbacks alone this is asked about each function */
static const struct free_entry *find_entry(unsigned long ip)
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
 * objtrace_free_has_entry() - whether a function frees or allocates memory without a
 *			       tracepoint
 * @ip: its ftrace location
 *
 * Context: any.
 * Return: true if objtrace_free_entry() has to be called at its entry
 */
bool objtrace_free_has_entry(unsigned long ip)
{
	return find_entry(ip);
}

/**
 * objtrace_free_entry() - a function is entered that frees or allocates memory without a
 *			   tracepoint
 * @ip: its ftrace location
 * @parent_ip: where it returns to
 * @fregs: its arguments
 *
 * Who has freed is its caller.  Where RCU calls it, which calls whatever it was given, it
 * is the function itself.
 *
 * Context: ftrace callback, any.
 */
void objtrace_free_entry(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_regs *fregs)
{
	const struct free_entry *e = find_entry(ip);

	if (!e)
		return;
	parent_ip = objtrace_caller(objtrace_caller_now(parent_ip, fregs));
	switch (e->frees) {
	case FREES_ARRAY:
		objects_freed((void **)objtrace_arg(fregs, 2), objtrace_arg(fregs, 1),
			      parent_ip);
		break;
	case FREES_OBJECT:
		memory_freed((void *)objtrace_arg(fregs, 0), parent_ip);
		break;
	case FREES_SHEAF:
		sheaf_freed(objtrace_arg(fregs, 0), ip);
		break;
	case FREES_AROUND:
		memory_around_freed(objtrace_arg(fregs, 0), ip);
		break;
	case ALLOCATES:
		objtrace_tomb_bulk(objtrace_arg(fregs, 0));
		break;
	}
}

unsigned long objtrace_free_iterators[2] __ro_after_init;

/* Whether the tracepoints call us; under the lock of who arms */
static bool following;

/**
 * objtrace_free_start() - follow what is freed
 *
 * Context: task, under the lock of who arms; may be under event_mutex.
 * Return: 0, also if it is followed already; or a negative errno
 */
int objtrace_free_start(void)
{
	int ret;

	if (following)
		return 0;
	ret = register_trace_kfree(on_kfree, NULL);
	if (ret)
		return ret;
	ret = register_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	if (ret)
		unregister_trace_kfree(on_kfree, NULL);
	following = !ret;
	return ret;
}

/**
 * objtrace_free_stop() - no objects are left that could be freed
 *
 * Context: task, under the lock of who arms.
 */
void objtrace_free_stop(void)
{
	if (!following)
		return;
	unregister_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	unregister_trace_kfree(on_kfree, NULL);
	following = false;
}

/**
 * objtrace_free_exit() - wait until no tracepoint calls us
 *
 * Context: task, module exit, after objtrace_free_stop().
 */
void objtrace_free_exit(void)
{
	tracepoint_synchronize_unregister();
}

/* Of the others a kernel may have none, if it has nothing for them to free */
static bool has_to_be_there(const struct free_entry *e)
{
	return e->frees == FREES_ARRAY ||
	       (e->frees == FREES_SHEAF && objtrace_kernel_has_rcu_sheaves());
}

static void __init tell_of_missing(const struct free_entry *e)
{
	pr_warn("%s() cannot be traced in this kernel: what it %s\n", e->name,
		e->frees == ALLOCATES ? "allocates can be a hint of after-free for a while" :
		"frees stays tracked until del or clear ends it");
}

static void __init set_text(struct objtrace_text *text, unsigned long start)
{
	text->start = start;
	text->size = objtrace_ksyms_size(start);
}

/**
 * objtrace_free_init() - find the functions that free or allocate memory without a
 *			  tracepoint, and those between the tracepoints and us
 *
 * Says so of each that will not be noticed.  One that BTF does not describe is not looked
 * for: a module may have a symbol of this name.
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
		} else if (described || has_to_be_there(e)) {
			tell_of_missing(e);
		}
	}
}
