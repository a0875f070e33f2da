/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading memory at addresses that nobody vouches for.
 *
 * A read of a device's registers can have side effects, and can be an SError on arm64.
 * objtrace therefore reads RAM alone.  RAM is the memory that the kernel's linear map maps:
 *
 *  x86-64	init_mem_mapping() maps the RAM of the firmware's memory map, and the first
 *		megabyte, which has the memory of a VGA card in it.  The range below starts
 *		after that megabyte.
 *  arm64	map_mem() maps the regions of memblock.memory without those that are NOMAP.
 *
 * Memory that is plugged in later is in the linear map, too: RAM, and the memory of devices
 * that have struct pages (pmem, CXL, PCI peer-to-peer memory).  The kernel's documentation of
 * peer-to-peer memory demands "regular memory with no side effects".
 *
 * A read in the linear map needs a comparison alone: a hole in it is a page fault, which
 * __get_kernel_nofault() handles.  kernel/memory.c reads all other addresses.
 */
#ifndef _OBJTRACE_MEMORY_H
#define _OBJTRACE_MEMORY_H

#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "objtrace_fetch.h"

#if defined(CONFIG_X86_64)
#define OBJTRACE_LINEAR_START	(PAGE_OFFSET + SZ_1M)
#define OBJTRACE_LINEAR_END	VMALLOC_START
#elif defined(CONFIG_ARM64)
#define OBJTRACE_LINEAR_START	PAGE_OFFSET
#define OBJTRACE_LINEAR_END	PAGE_END
#endif

/**
 * objtrace_memory_is_linear() - check for an address in the linear map
 * @addr: first byte of at most 8
 *
 * Context: any.
 * Return: true if all bytes are in the range of the linear map; false also for the last
 * bytes of that range
 */
static __always_inline bool objtrace_memory_is_linear(unsigned long addr)
{
	return addr - OBJTRACE_LINEAR_START <
	       OBJTRACE_LINEAR_END - OBJTRACE_LINEAR_START - sizeof(u64);
}

/**
 * objtrace_memory_load() - read an address that may not be mapped
 * @addr: where, in a range without device memory
 * @size: bytes: 1, 2, 4 or 8
 * @value: set to the unsigned number there; only on success
 *
 * copy_from_kernel_nofault() would do the same.  But that function is traced: with the
 * address of an object it is taken for a receiver of the object, and so is its callee.  That
 * took several times as long as the read.
 *
 * One access of exactly this size: aligned values are not torn.
 *
 * Context: any, NMI included.
 * Return: false if the address is not mapped
 */
static __always_inline bool objtrace_memory_load(unsigned long addr, unsigned int size,
						 u64 *value)
{
	u64 v64;
	u32 v32;
	u16 v16;
	u8 v8;

	pagefault_disable();
	/* No union of these: gcc 12 crashes when an asm goto has a part of one as output */
	if (likely(size == sizeof(u64))) {
		__get_kernel_nofault(&v64, (void *)addr, u64, fault);
		*value = v64;
	} else if (size == sizeof(u32)) {
		__get_kernel_nofault(&v32, (void *)addr, u32, fault);
		*value = v32;
	} else if (size == sizeof(u16)) {
		__get_kernel_nofault(&v16, (void *)addr, u16, fault);
		*value = v16;
	} else {
		__get_kernel_nofault(&v8, (void *)addr, u8, fault);
		*value = v8;
	}
	pagefault_enable();
	return true;

fault:
	pagefault_enable();
	return false;
}

enum objtrace_fault objtrace_memory_read_mapped(unsigned long addr, unsigned int size,
						u64 *value);
bool objtrace_memory_copy(void *dst, unsigned long addr, size_t size);

/**
 * objtrace_memory_read() - read any address
 * @addr: where
 * @size: bytes: 1, 2, 4 or 8
 * @value: set to the unsigned number there; only on success
 *
 * One access of exactly this size: aligned values are not torn.
 *
 * Context: any, NMI included.
 * Return: OBJTRACE_NO_FAULT, or why @value is not set
 */
static __always_inline
enum objtrace_fault objtrace_memory_read(unsigned long addr, unsigned int size, u64 *value)
{
	if (unlikely(!objtrace_memory_is_linear(addr)))
		return objtrace_memory_read_mapped(addr, size, value);
	return likely(objtrace_memory_load(addr, size, value)) ? OBJTRACE_NO_FAULT :
								  OBJTRACE_FAULT;
}

#endif /* _OBJTRACE_MEMORY_H */
