// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slabs and sheaves.  kernel/layout.c finds the offsets of the members of private structs.
 */
#include <linux/kconfig.h>
#include <linux/kfence.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/page-flags.h>
#include <linux/pfn.h>
#include <linux/slab.h>

#include "kernel/layout.h"
#include "kernel/memory.h"
#include "kernel/slab.h"

static const struct objtrace_layout * const at = &objtrace_layout;

/**
 * struct cache - copy of members of a struct kmem_cache
 * @address: address of the struct kmem_cache
 * @flags: flags of the cache
 * @stride: distance between two objects in bytes
 * @red_left_pad: size in bytes of the red zone in front of each object; 0 without red zones
 */
struct cache {
	unsigned long	address;
	slab_flags_t	flags;
	unsigned int	stride;
	unsigned int	red_left_pad;
};

static __always_inline bool read_number(unsigned long addr, unsigned int *number)
{
	u64 value;

	if (objtrace_memory_read(addr, sizeof(*number), &value))
		return false;
	*number = value;
	return true;
}

/* Offline memory is mapped, but the kernel initializes its struct pages when it comes online */
static bool has_struct_page(unsigned long addr)
{
	return virt_addr_valid((void *)addr) &&
	       online_section(__pfn_to_section(PHYS_PFN(__pa(addr))));
}

/*
 * @slab is the first page of a slab.  The slab can be freed at any time, so all values can be
 * wrong.  The struct page itself is mapped: the caller reads its flags.
 */
static bool read_cache(const struct page *slab, struct cache *c)
{
	unsigned int flags;

	static_assert(sizeof(c->flags) == sizeof(flags));
	if (!at->slub)
		return false;
	c->address = READ_ONCE(objtrace_private(slab, unsigned long, at->slab.slab_cache));
	c->red_left_pad = 0;
	if (!read_number(c->address + at->cache.flags, &flags) ||
	    !read_number(c->address + at->cache.stride, &c->stride))
		return false;
	c->flags = (__force slab_flags_t)flags;
	if (c->flags & SLAB_RED_ZONE &&
	    !read_number(c->address + at->cache.red_left_pad, &c->red_left_pad))
		return false;
	return c->stride;
}

/* Compute the start of the object that contains @addr; 0 if @addr is in a red zone */
static unsigned long start_in_slab(const struct page *slab, unsigned long addr,
				   const struct cache *c)
{
	unsigned long first = (unsigned long)page_address(slab);
	unsigned long start = addr - (addr - first) % c->stride + c->red_left_pad;

	return start <= addr ? start : 0;
}

/**
 * objtrace_kernel_memory_start() - find the allocation that contains an object
 * @addr: address of the object
 *
 * The start of an allocation is the address that kmalloc() or kmem_cache_alloc() returned.  A
 * KFENCE object has a page of its own, and need not start at the start of the page.  The start
 * of the page represents a KFENCE object.
 *
 * Context: Any, NMI included; preemption disabled, inside of objtrace_guard_enter().
 * Return: the start of the allocation; 0 if the object is neither in a slab nor in a compound
 * page
 */
unsigned long objtrace_kernel_memory_start(unsigned long addr)
{
	struct cache cache;
	struct page *head;

	if (is_kfence_address((void *)addr))
		return addr & PAGE_MASK;
	if (!has_struct_page(addr))
		return 0;
	head = virt_to_head_page((void *)addr);
	if (PageSlab(head))
		return read_cache(head, &cache) ? start_in_slab(head, addr, &cache) : 0;
	/* Too large for a slab */
	return PageHead(head) ? (unsigned long)page_address(head) : 0;
}

/**
 * objtrace_kernel_slab_object() - find the slab object that contains an address
 * @addr: the address; the memory may be free
 * @found: receives the object; only on success
 *
 * The cache of a KFENCE object is the cache that the object was allocated from.
 *
 * Context: Any, NMI included; preemption disabled, inside of objtrace_guard_enter().
 * Return: true on success; false if the address is in no slab, or the slab was just freed
 */
bool objtrace_kernel_slab_object(unsigned long addr, struct objtrace_slab_object *found)
{
	struct cache cache;
	struct page *head;

	if (!has_struct_page(addr))
		return false;
	head = virt_to_head_page((void *)addr);
	if (!PageSlab(head) || !read_cache(head, &cache) ||
	    !objtrace_memory_copy(&found->ctor, cache.address + at->cache.ctor,
				  sizeof(found->ctor)))
		return false;
	found->start = is_kfence_address((void *)addr) ? addr & PAGE_MASK :
		       start_in_slab(head, addr, &cache);
	found->cache = cache.address;
	found->is_typesafe = cache.flags & SLAB_TYPESAFE_BY_RCU;
	return found->start;
}

/**
 * objtrace_kernel_has_rcu_sheaves() - check that kfree_rcu() can collect objects in sheaves
 *
 * Context: Any, NMI included.
 * Return: true if the kernel has sheaves and CONFIG_KVFREE_RCU_BATCHED
 */
bool objtrace_kernel_has_rcu_sheaves(void)
{
	return at->sheaves && IS_ENABLED(CONFIG_KVFREE_RCU_BATCHED);
}

/**
 * objtrace_kernel_sheaf() - find the objects of a sheaf that RCU frees
 * @head: address of the sheaf's rcu_head
 * @nr: receives the number of objects
 *
 * The rcu_head shares its memory with the sheaf's capacity, so the capacity is not valid.  The
 * limit is the capacity that the cache gives to its sheaves.
 *
 * Context: entry of the RCU callback, which owns the sheaf.
 * Return: the objects, valid during the entry; NULL if the kernel has no sheaves
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
