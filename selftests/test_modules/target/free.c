// SPDX-License-Identifier: GPL-2.0-only
/*
 * free.c - scenarios that free objects, for test.d/lifetime
 *
 * Interrupts are on: kernels for real time need that to free memory.
 */
#include <linux/ftrace.h>
#include <linux/string.h>

#include "target.h"

OTT_FUNC void ott_free_it(void *memory)
{
	kfree(memory);
	ott_barrier();
}

OTT_FUNC void ott_free_cached(void *memory)
{
	kmem_cache_free(ott_cache, memory);
	ott_barrier();
}

OTT_FUNC void ott_free_bulk(size_t n, void **memory)
{
	kmem_cache_free_bulk(ott_cache, n, memory);
	ott_barrier();
}

#ifdef OTT_NOLOCK
OTT_FUNC void ott_free_nolock(void *memory)
{
	kfree_nolock(memory);
	ott_barrier();
}
#endif

static noinline int ott_frees(unsigned int n)
{
	hand_over(ott_small);
	ott_free_it(ott_small);
	ott_small = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_cached(unsigned int n)
{
	hand_over(ott_cached);
	ott_free_cached(ott_cached);
	ott_cached = NULL;
	ott_barrier();
	return 0;
}

/* No object is at the address that is freed. */
static noinline int ott_frees_around(unsigned int n)
{
	hand_over(OTT_INNER);
	hand_over(OTT_OTHER);
	ott_free_it(ott_small);
	ott_small = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_large(unsigned int n)
{
	hand_over(OTT_DEEP);
	ott_free_it(ott_large);
	ott_large = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_bulk(unsigned int n)
{
	hand_over(ott_bulk[0]);
	hand_over(ott_bulk[1]);
	ott_free_bulk(OTT_BULK, ott_bulk);
	memset(ott_bulk, 0, sizeof(ott_bulk));
	ott_barrier();
	return 0;
}

/* hand_back() passes the object: a cache that is typesafe by RCU allows uses after the free. */
static noinline int ott_frees_typesafe(unsigned int n)
{
	hand_over(ott_typesafe);
	ott_free_it(ott_typesafe);
	hand_back(ott_typesafe);
	ott_typesafe = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_nolock(unsigned int n)
{
	if (!ott_nolock)
		return -ENOMEM;
	hand_over(ott_nolock);
	ott_free_nolock(ott_nolock);
	ott_nolock = NULL;
	ott_barrier();
	return 0;
}

/* kvfree_rcu_cb(), which RCU calls in kernels that collect no objects.  Here, nothing waits. */
static void (*free_callback)(struct rcu_head *head);

OTT_FUNC __nocfi void ott_free_rcu_cb(void *memory)
{
	struct ott_deferred *d = memory;

	free_callback(&d->rcu);
	ott_barrier();
}

static noinline int ott_frees_rcu_cb(unsigned int n)
{
	free_callback = find_function("kvfree_rcu_cb");
	if (!free_callback)
		return -EOPNOTSUPP;
	hand_over(ott_small);
	ott_free_rcu_cb(ott_small);
	ott_small = NULL;
	ott_barrier();
	return 0;
}

/*
 * Another tracer has three functions.  A callback on the first function calls the second one,
 * and a callback on the second function frees.  So ftrace goes through its list for each of
 * them.
 */
OTT_FUNC void ott_outer(void)
{
	ott_barrier();
}

OTT_FUNC void ott_inner(void)
{
	ott_barrier();
}

static void notrace ott_on_all(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static void notrace ott_on_outer(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ott_inner();
}

static void notrace ott_on_inner(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	kmem_cache_free_bulk(ott_cache, OTT_BULK, ott_bulk);
	memset(ott_bulk, 0, sizeof(ott_bulk));
}

static struct ftrace_ops tracers[] = {
	{ .func = ott_on_all }, { .func = ott_on_outer }, { .func = ott_on_inner },
};

static int trace_function(struct ftrace_ops *ops, const char *name)
{
	return ftrace_set_filter(ops, (char *)name, strlen(name), 0);
}

/* With PREEMPT_RT, freeing can sleep, and callbacks of ftrace cannot. */
static int start_tracers(void)
{
	unsigned int i;
	int ret;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return -EOPNOTSUPP;
	ret = trace_function(&tracers[0], "kmem_cache_free_bulk") ?:
	      trace_function(&tracers[0], "ott_outer") ?:
	      trace_function(&tracers[0], "ott_inner") ?:
	      trace_function(&tracers[1], "ott_outer") ?:
	      trace_function(&tracers[2], "ott_inner");
	for (i = 0; !ret && i < ARRAY_SIZE(tracers); i++)
		ret = register_ftrace_function(&tracers[i]);
	return ret;
}

/* The kernel warns if a tracer is not registered. */
static void stop_tracers(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tracers); i++)
		if (tracers[i].flags & FTRACE_OPS_FL_ENABLED)
			unregister_ftrace_function(&tracers[i]);
}

/* Only at exit: older kernels leave the freed filter in the ftrace_ops. */
void free_tracers(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tracers); i++)
		ftrace_free_filter(&tracers[i]);
}

static noinline int ott_frees_in_tracers(unsigned int n)
{
	hand_over(ott_bulk[0]);
	hand_over(ott_bulk[1]);
	ott_outer();
	ott_barrier();
	return ott_bulk[0] ? -EIO : 0;
}

/* This CPU allocates the memory again after it frees it. */
static noinline int ott_renew(unsigned int n)
{
	void *before = ott_cached;

	ott_cached = kmem_cache_alloc(ott_cache, GFP_KERNEL);
	kmem_cache_free(ott_cache, before);
	return ott_cached ? 0 : -ENOMEM;
}

/* Pass the address before and after it is added again. */
static noinline int ott_reuse(unsigned int n)
{
	void *before = ott_cached;

	hand_over(ott_cached);
	ott_free_cached(ott_cached);
	ott_cached = allocate_same(ott_cache, before, 16);
	if (ott_cached != before)
		return ott_cached ? -EAGAIN : -ENOMEM;
	hand_back(ott_cached);
	hand_over(ott_cached);
	ott_barrier();
	return 0;
}

/* The allocator may return other objects: both addresses are allocated in either case. */
static noinline int ott_reuse_bulk(unsigned int n)
{
	void *before[OTT_BULK];

	memcpy(before, ott_bulk, sizeof(before));
	ott_frees_bulk(0);
	if (!kmem_cache_alloc_bulk(ott_cache, GFP_KERNEL, OTT_BULK, ott_bulk))
		return -ENOMEM;
	hand_back(before[0]);
	hand_back(before[1]);
	ott_barrier();
	return 0;
}

static noinline void ott_frees_new(unsigned int n)
{
	void *memory = kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);

	if (memory) {
		hand_over(memory);
		ott_free_it(memory);
	}
	ott_barrier();
}

/* Another task may allocate the memory before hand_back() passes it. */
static noinline void ott_passes_freed(unsigned int n)
{
	void *memory = kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);

	if (memory) {
		hand_over(memory);
		ott_free_it(memory);
		hand_back(memory);
	}
	ott_barrier();
}

static const struct ott_scenario free_scenarios[] = {
	{ .name = "free", .frees = ott_frees,
	  .sentence = "Add and pass SMALL, and free it with kfree()." },
	{ .name = "free_cached", .frees = ott_frees_cached,
	  .sentence = "Add and pass CACHED, and free it with kmem_cache_free()." },
	{ .name = "free_around", .frees = ott_frees_around,
	  .sentence = "Add and pass INNER and OTHER, and free the memory that has both." },
	{ .name = "free_large", .frees = ott_frees_large,
	  .sentence = "Add and pass DEEP, and free the pages that have it." },
	{ .name = "free_bulk", .frees = ott_frees_bulk,
	  .sentence = "Add and pass BULK0 and BULK1, and free both in one call." },
	{ .name = "free_typesafe", .frees = ott_frees_typesafe,
	  .sentence = "Add, pass and free TYPESAFE, and pass it again." },
	{ .name = "free_nolock", .frees = ott_frees_nolock,
	  .sentence = "Add and pass NOLOCK, and free it with kfree_nolock()." },
	{ .name = "free_rcu_cb", .frees = ott_frees_rcu_cb,
	  .sentence = "Add and pass SMALL, and free it with kvfree_rcu_cb(), as RCU does." },
	{ .name = "free_in_tracers", .frees = ott_frees_in_tracers,
	  .prepare = start_tracers, .finish = stop_tracers,
	  .sentence = "Add and pass BULK0 and BULK1, and free both in nested callbacks of ftrace." },
	{ .name = "renew", .frees = ott_renew,
	  .sentence = "Replace CACHED by memory that this CPU allocates." },
	{ .name = "reuse", .frees = ott_reuse,
	  .sentence = "Add and free CACHED, allocate its address, pass it, and add it again." },
	{ .name = "reuse_bulk", .frees = ott_reuse_bulk,
	  .sentence = "Add and free BULK0 and BULK1, allocate two in bulk, and pass both addresses." },
	/* With two CPUs; race_after_free is for test.d/stress */
	{ "race_free", "Add, pass and free N new objects on each of two CPUs at once.",
	  run_race_freeing, ott_frees_new },
	{ "race_after_free", "Add, free and pass N new objects on each of two CPUs at once.",
	  run_race_freeing, ott_passes_freed },
};

OTT_GROUP(ott_free_scenarios, free_scenarios);
