// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slabs and sheaves.  Members of private structs are read by name, at the offsets that
 * kernel/layout.c found.
 */
#include <linux/kconfig.h>
#include <linux/kfence.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include <linux/slab.h>

#include "kernel/layout.h"
#include "kernel/memory.h"
#include "kernel/slab.h"

static const struct objtrace_layout * const at = &objtrace_layout;

/**
 * struct cache - what is read of the cache of a slab
 * @address: of its struct kmem_cache
 * @ctor: as there, and so are all others
 * @flags: as there
 * @stride: bytes from one object to the next
 * @red_left_pad: as there
 */
struct cache {
	unsigned long	address;
	unsigned long	ctor;
	slab_flags_t	flags;
	unsigned int	stride;
	unsigned int	red_left_pad;
};

/*
 * @slab is the first page of a slab that may be freed at any moment: all values can be wrong.
 * The caller has read the flags of the same struct page.
 */
static bool read_cache(const struct page *slab, struct cache *c)
{
	if (!at->slub)
		return false;
	c->address = READ_ONCE(objtrace_private(slab, unsigned long, at->slab.slab_cache));
	if (!objtrace_memory_copy(&c->ctor, c->address + at->cache.ctor, sizeof(c->ctor)) ||
	    !objtrace_memory_copy(&c->flags, c->address + at->cache.flags, sizeof(c->flags)) ||
	    !objtrace_memory_copy(&c->stride, c->address + at->cache.stride, sizeof(c->stride)) ||
	    !objtrace_memory_copy(&c->red_left_pad, c->address + at->cache.red_left_pad,
			  sizeof(c->red_left_pad)))
		return false;
	return c->stride;
}

/* First byte of the object of a slab that @addr lies in; 0 if it cannot be found out */
static unsigned long start_in_slab(const struct page *slab, unsigned long addr,
				   const struct cache *c)
{
	unsigned long first = (unsigned long)page_address(slab);
	unsigned long start = addr - (addr - first) % c->stride;

	if (c->flags & SLAB_RED_ZONE)
		start += c->red_left_pad;
	return start <= addr ? start : 0;
}

/**
 * objtrace_kernel_memory_start() - the memory that an object lies in
 * @addr: the object
 *
 * What kmalloc() or kmem_cache_alloc() had returned.  An object of KFENCE has two pages
 * for itself and need not begin with one: it goes by the page.
 *
 * Context: any, NMI included; preemption disabled, and our own callees kept out.
 * Return: its first byte; 0 if it is neither from there nor from a page of several
 */
unsigned long objtrace_kernel_memory_start(unsigned long addr)
{
	struct cache cache;
	struct page *head;

	if (is_kfence_address((void *)addr))
		return addr & PAGE_MASK;
	if (!virt_addr_valid((void *)addr))
		return 0;
	head = virt_to_head_page((void *)addr);
	if (PageSlab(head))
		return read_cache(head, &cache) ? start_in_slab(head, addr, &cache) : 0;
	/* Too large for a slab */
	return PageHead(head) ? (unsigned long)page_address(head) : 0;
}

/**
 * objtrace_kernel_slab_object() - what some memory is a part of
 * @addr: an address in it, which may be free
 * @found: filled in
 *
 * An object of KFENCE is one of the cache that it is there for.
 *
 * Context: as objtrace_kernel_memory_start().
 * Return: false if it is in no slab, or what is read of that makes no sense
 */
bool objtrace_kernel_slab_object(unsigned long addr, struct objtrace_slab_object *found)
{
	struct cache cache;
	struct page *head;

	if (!virt_addr_valid((void *)addr))
		return false;
	head = virt_to_head_page((void *)addr);
	if (!PageSlab(head) || !read_cache(head, &cache))
		return false;
	found->start = is_kfence_address((void *)addr) ? addr & PAGE_MASK :
		       start_in_slab(head, addr, &cache);
	found->cache = cache.address;
	found->ctor = cache.ctor;
	found->is_typesafe = cache.flags & SLAB_TYPESAFE_BY_RCU;
	return found->start;
}

/**
 * objtrace_kernel_has_rcu_sheaves() - whether kfree_rcu() collects objects in sheaves
 *
 * Context: any.
 * Return: true if it may; without CONFIG_KVFREE_RCU_BATCHED it never does
 */
bool objtrace_kernel_has_rcu_sheaves(void)
{
	return at->sheaves && IS_ENABLED(CONFIG_KVFREE_RCU_BATCHED);
}

/**
 * objtrace_kernel_sheaf() - the objects in a sheaf
 * @head: its rcu_head, at the entry of the callback that frees them
 * @nr: how many there are is stored here
 *
 * A sheaf that RCU calls back for has no capacity of its own: the head lies there.  It is
 * one of its cache's, and none of those holds more than the cache says.
 *
 * Context: that callback's entry: nobody else has the sheaf.
 * Return: the objects, for as long as that lasts
 */
void **objtrace_kernel_sheaf(unsigned long head, unsigned int *nr)
{
	unsigned long sheaf = head - at->sheaf.head;
	unsigned long cache;

	if (!at->sheaves) {
		*nr = 0;
		return NULL;
	}
	cache = objtrace_private(sheaf, unsigned long, at->sheaf.cache);
	*nr = min(objtrace_private(sheaf, unsigned int, at->sheaf.nr),
		  objtrace_private(cache, unsigned int, at->cache.sheaf_capacity));
	return &objtrace_private(sheaf, void *, at->sheaf.objects);
}
