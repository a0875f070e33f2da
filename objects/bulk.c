// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of bulk allocations of a cache.  A bulk allocation has no tracepoint, so only its
 * cache is known.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/kernel.h>

#include "objects/bulk.h"

#define BITS	8

/*
 * Bulk allocations by a hash of the cache's address.  Incremented in any context, without order.
 */
static atomic_t counters[1 << BITS];

/**
 * objtrace_bulk_add() - count a bulk allocation
 * @cache: address of the cache that allocates
 *
 * Context: any, NMI included.
 */
void objtrace_bulk_add(unsigned long cache)
{
	atomic_inc(&counters[hash_64(cache, BITS)]);
}

/**
 * objtrace_bulk_nr() - the number of bulk allocations
 * @cache: address of the cache
 *
 * A bulk allocation changes the number of its cache.
 *
 * Context: any, NMI included.
 * Return: the number, which wraps around
 */
u32 objtrace_bulk_nr(unsigned long cache)
{
	return atomic_read(&counters[hash_64(cache, BITS)]);
}
