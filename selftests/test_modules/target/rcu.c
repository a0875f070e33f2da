// SPDX-License-Identifier: GPL-2.0-only
/*
 * rcu.c - scenarios that free objects with kfree_rcu(), for test.d/lifetime
 */
#include <linux/rcupdate.h>

#include "target.h"

#define NR_FILLERS	512	/* more objects than any sheaf has */

static struct ott_deferred *fillers[NR_FILLERS];
static void *rcu_before;	/* ott_rcu when it was passed to kfree_rcu() */

OTT_FUNC void ott_free_rcu(void *memory)
{
	struct ott_deferred *d = memory;

	kfree_rcu(d, rcu);
	ott_barrier();
}

/* The fillers fill a sheaf: kfree_rcu() frees a sheaf once it is full. */
static int allocate_fillers(struct kmem_cache *cache, unsigned int nr)
{
	unsigned int i;

	if (nr > NR_FILLERS)
		return -EINVAL;
	for (i = 0; i < nr; i++) {
		fillers[i] = cache ? kmem_cache_alloc(cache, GFP_KERNEL) :
			     kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);
		if (!fillers[i])
			break;
	}
	if (i == nr)
		return 0;
	while (i--)
		kfree(fillers[i]);
	return -ENOMEM;
}

/* Until the grace period ends, hand_back() passes the same object. */
static OTT_FUNC void free_after_grace_period(void *memory, unsigned int nr_fillers)
{
	unsigned int i;

	hand_over(memory);
	rcu_read_lock();
	ott_free_rcu(memory);
	for (i = 0; i < nr_fillers; i++)
		kfree_rcu(fillers[i], rcu);
	hand_back(memory);
	rcu_read_unlock();
}

/* The caches of kmalloc() may have sheaves, too. */
static noinline int ott_frees_rcu(unsigned int n)
{
	int ret = allocate_fillers(NULL, n);

	if (ret)
		return ret;
	free_after_grace_period(ott_small, n);
	ott_small = NULL;
	rcu_barrier();
	return 0;
}

static noinline int ott_frees_rcu_cached(unsigned int n)
{
	int ret = allocate_fillers(ott_sheaves, n);

	if (ret)
		return ret;
	free_after_grace_period(ott_rcu, n);
	rcu_before = ott_rcu;
	ott_rcu = NULL;
	rcu_barrier();
	return 0;
}

static noinline int ott_frees_rcu_shrunk(unsigned int n)
{
	free_after_grace_period(ott_rcu, 0);
	ott_rcu = NULL;
	return 0;
}

/* Shrinking the cache frees a sheaf that is not full. */
static void shrink_sheaves(void)
{
	if (ott_sheaves)
		kmem_cache_shrink(ott_sheaves);
	rcu_barrier();
}

/* Runs on the CPU that freed the object.  The CPU may have allocated it again. */
static noinline int ott_reuse_rcu(unsigned int n)
{
	void *now = ott_rcu;

	if (!ott_sheaves)
		return -EOPNOTSUPP;
	if (now != rcu_before) {
		now = allocate_same(ott_sheaves, rcu_before, 16 * n);
		kmem_cache_free(ott_sheaves, ott_rcu);
		ott_rcu = now;
	}
	if (now != rcu_before)
		return now ? -EAGAIN : -ENOMEM;
	hand_back(now);
	hand_over(now);
	ott_barrier();
	return 0;
}

static const struct ott_scenario rcu_scenarios[] = {
	{ .name = "free_rcu", .frees = ott_frees_rcu,
	  .sentence = "Add and pass SMALL, free it and N others with kfree_rcu(), and pass it." },
	{ .name = "free_rcu_cached", .frees = ott_frees_rcu_cached,
	  .sentence = "Add and pass RCU, free it and N others with kfree_rcu(), and pass it." },
	{ .name = "free_rcu_shrunk", .frees = ott_frees_rcu_shrunk, .finish = shrink_sheaves,
	  .sentence = "Add and pass RCU, free it with kfree_rcu(), pass it, and shrink its cache." },
	{ .name = "reuse_rcu", .frees = ott_reuse_rcu,
	  .sentence = "Allocate the address of RCU after free_rcu_cached, pass it and add it." },
};

OTT_GROUP(ott_rcu_scenarios, rcu_scenarios);
