/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quarantine.h - memory that KASAN keeps after it was freed
 */
#ifndef QUARANTINE_H
#define QUARANTINE_H

#include <linux/kconfig.h>
#include <linux/slab.h>

/**
 * end_quarantine() - let a cache allocate the objects again that were freed to it
 * @cache: cache with other objects in each slab, so that no slab becomes empty
 *
 * KASAN delays the free of an object until much other memory is freed.  Shrinking the cache ends
 * the delay.
 *
 * Context: task
 */
static inline void end_quarantine(struct kmem_cache *cache)
{
	if (IS_ENABLED(CONFIG_KASAN_GENERIC))
		kmem_cache_shrink(cache);
}

#endif /* QUARANTINE_H */
