// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of bulk allocations of a cache.  A bulk allocation has no tracepoint, so only its
 * cache is known.
 *
 * Few caches allocate in bulk.  Such a cache takes a counter at its first bulk allocation, and has
 * the counter until module exit.  A new cache at the address of a destroyed cache goes on with the
 * counter.  A cache that finds no free counter shares one with all such caches.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "objects/bulk.h"

/* Linux 6.12 has four such caches: of the maple tree, sk_buffs, io_uring and the driver panthor */
#define MAX_CACHES	64

/**
 * struct bulk_counter - the counter of a cache
 * @cache: address of the cache, or 0 while the counter is free
 * @nr: number of the cache's bulk allocations
 *
 * A bulk allocation writes the counter, in any context.  cmpxchg() sets @cache once.  @nr is
 * incremented without order: a reader sees the number as of a moment earlier or later.
 *
 * Four counters share a cache line.  The line moves between the CPUs that allocate in bulk.
 */
struct bulk_counter {
	unsigned long	cache;
	atomic_t	nr;
};

/* In the order of the first bulk allocations.  No counter becomes free, so no gap appears */
static struct bulk_counter counters[MAX_CACHES];

/* The counter of all other caches.  Incremented as in struct bulk_counter */
static atomic_t others;

/* Return the counter of a cache.  A cache without a counter takes a free one if @takes, or NULL */
static atomic_t *counter_of(unsigned long cache, bool takes)
{
	struct bulk_counter *counter;
	unsigned long owner;

	for (counter = counters; counter < counters + MAX_CACHES; counter++) {
		owner = READ_ONCE(counter->cache);
		if (!owner && takes)
			owner = cmpxchg(&counter->cache, 0, cache) ?: cache;
		if (owner == cache)
			return &counter->nr;
		if (!owner)
			return NULL;
	}
	return &others;
}

/**
 * objtrace_bulk_add() - count a bulk allocation
 * @cache: address of the cache that allocates
 *
 * Context: any, NMI included.
 */
void objtrace_bulk_add(unsigned long cache)
{
	atomic_inc(counter_of(cache, true));
}

/**
 * objtrace_bulk_nr() - the number of bulk allocations
 * @cache: address of the cache
 *
 * A bulk allocation changes the number of its cache.  The bulk allocation of another cache changes
 * it only if both caches use the shared counter.
 *
 * Context: any, NMI included.
 * Return: the number, which wraps around
 */
u32 objtrace_bulk_nr(unsigned long cache)
{
	const atomic_t *nr = counter_of(cache, false);

	return nr ? atomic_read(nr) : 0;
}
