/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slab objects, and sheaves of slab objects.
 */
#ifndef _OBJTRACE_SLAB_H
#define _OBJTRACE_SLAB_H

#include <linux/compiler.h>
#include <linux/kfence.h>
#include <linux/mm.h>
#include <linux/types.h>

/**
 * struct objtrace_slab_object - an object in a slab, and properties of its cache
 * @start: start of the object, see objtrace_kernel_memory_start()
 * @cache: address of the cache, for comparisons only
 * @ctor: constructor that initializes the objects of a new slab; or 0
 * @is_typesafe: true if the cache is SLAB_TYPESAFE_BY_RCU: RCU readers may use freed objects
 */
struct objtrace_slab_object {
	unsigned long	start;
	unsigned long	cache;
	unsigned long	ctor;
	bool		is_typesafe;
};

unsigned long objtrace_kernel_memory_start(unsigned long addr);

/**
 * objtrace_kernel_start_of() - convert an allocator's pointer to the start of the allocation
 * @memory: pointer that an allocation returns, or that is freed
 *
 * Each allocation and each free calls this function, so it only looks at the address.
 *
 * Context: Any, NMI included.
 * Return: the result that objtrace_kernel_memory_start() has for an object in this memory
 */
static __always_inline unsigned long objtrace_kernel_start_of(unsigned long memory)
{
	return is_kfence_address((void *)memory) ? memory & PAGE_MASK : memory;
}

bool objtrace_kernel_slab_object(unsigned long addr, struct objtrace_slab_object *found);
bool objtrace_kernel_has_rcu_sheaves(void);
void **objtrace_kernel_sheaf(unsigned long head, unsigned int *nr);

#endif /* _OBJTRACE_SLAB_H */
