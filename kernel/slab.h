/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slabs and sheaves, which memory is a part of.
 */
#ifndef _OBJTRACE_SLAB_H
#define _OBJTRACE_SLAB_H

#include <linux/compiler.h>
#include <linux/kfence.h>
#include <linux/mm.h>
#include <linux/types.h>

/**
 * struct objtrace_slab_object - memory that a slab cache gives out as one object
 * @start: its first byte, as objtrace_kernel_memory_start() has it
 * @cache: whose it is; only compared
 * @ctor: the function that sets objects up, once, when their slab is new; or 0
 * @is_typesafe: the cache is SLAB_TYPESAFE_BY_RCU: who has a pointer may use the object
 *		 after it was freed
 */
struct objtrace_slab_object {
	unsigned long	start;
	unsigned long	cache;
	unsigned long	ctor;
	bool		is_typesafe;
};

unsigned long objtrace_kernel_memory_start(unsigned long addr);

/**
 * objtrace_kernel_start_of() - what objtrace_kernel_memory_start() finds of an object in
 *				some memory
 * @memory: the memory, as who allocates or frees it has it
 *
 * Asked of all memory that is allocated or freed: looks at nothing but the address.
 *
 * Context: any, NMI included.
 * Return: what stands for the memory in the table
 */
static __always_inline unsigned long objtrace_kernel_start_of(unsigned long memory)
{
	return is_kfence_address((void *)memory) ? memory & PAGE_MASK : memory;
}

bool objtrace_kernel_slab_object(unsigned long addr, struct objtrace_slab_object *found);
bool objtrace_kernel_has_rcu_sheaves(void);
void **objtrace_kernel_sheaf(unsigned long head, unsigned int *nr);

#endif /* _OBJTRACE_SLAB_H */
