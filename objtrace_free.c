// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects end when the memory that they lie in is freed: the tracepoints of kfree() and
 * kmem_cache_free() tell of that, before anybody can get the memory again.
 *
 * Nearly all memory that is freed has nothing to do with any object, so that costs two
 * loads from the filter of the table, and nothing else.
 */
#include <linux/kfence.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/tracepoint.h>

#include <trace/events/kmem.h>

#include "objtrace.h"
#include "objtrace_compat.h"
#include "objtrace_ksyms.h"

/* What objtrace_kernel_memory_start() has found of an object in that memory */
static __always_inline unsigned long start_of(unsigned long memory)
{
	return is_kfence_address((void *)memory) ? memory & PAGE_MASK : memory;
}

/* As in look_closer(): the scheduler may be next, then who frees the memory */
static noinline __clears_arg_registers
void end_objects_in(unsigned long memory, unsigned long ip)
{
	struct objtrace_match match;
	unsigned int context, pos = 0;

	/* Memory that we free ourselves, or what we call, is as free as any other */
	objtrace_fops_enter(&context);
	while (objtrace_table_match(memory, &pos, &match))
		if (match.object == memory)
			objtrace_object_free(&match, ip);
	pos = 0;
	while (objtrace_table_match_anchor(start_of(memory), &pos, &match))
		objtrace_object_free(&match, ip);
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
	preempt_enable_notrace();
}

static __always_inline void memory_freed(const void *ptr, unsigned long ip)
{
	unsigned long memory = (unsigned long)ptr;

	if (unlikely(objtrace_table_may_have(memory) ||
		     objtrace_table_may_have_anchor(start_of(memory)) ||
		     objtrace_table_may_have_inside(memory, objtrace_table_windows())))
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

/* ftrace location of the function that frees many objects at a time */
static unsigned long bulk_location;

/**
 * objtrace_free_has_entry() - whether a function frees memory without a tracepoint
 * @ip: its ftrace location
 *
 * Context: any, after objtrace_free_start().
 * Return: true if objtrace_free_entry() has to be called at its entry
 */
bool objtrace_free_has_entry(unsigned long ip)
{
	return ip == bulk_location;
}

/**
 * objtrace_free_entry() - a function is entered that frees memory without a tracepoint
 * @parent_ip: where it returns to
 * @fregs: its arguments
 *
 * That is kmem_cache_free_bulk(cache, number, objects), which kfree_rcu() calls before it
 * has sheaves.
 *
 * Context: ftrace callback, any.
 */
void objtrace_free_entry(unsigned long parent_ip, struct ftrace_regs *fregs)
{
	unsigned long nr = objtrace_arg(fregs, 1), i;
	void **objects = (void **)objtrace_arg(fregs, 2);

	for (i = 0; i < nr; i++)
		memory_freed(objects[i], parent_ip);
}

/* ftrace locations of what stands between the tracepoints and us */
static unsigned long kfree_iterator, kmem_cache_free_iterator;

/**
 * objtrace_free_is_ours() - whether a function is called because we follow frees
 * @ip: its ftrace location
 *
 * Context: any.
 * Return: true if it is
 */
bool objtrace_free_is_ours(unsigned long ip)
{
	return ip == kfree_iterator || ip == kmem_cache_free_iterator;
}

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
	bulk_location = ksym(ftrace_location)(ksym_addr(kmem_cache_free_bulk));
	kfree_iterator = ksym(ftrace_location)(ksym_addr(__traceiter_kfree));
	kmem_cache_free_iterator =
		ksym(ftrace_location)(ksym_addr(__traceiter_kmem_cache_free));
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
