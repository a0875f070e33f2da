/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read memory at unchecked addresses.
 *
 * A read of a device's registers can have side effects, and can raise an SError on arm64.  So
 * objtrace only reads RAM.  RAM is the memory in the kernel's linear map:
 *
 *  x86-64	init_mem_mapping() maps the RAM of the firmware's memory map, and the first
 *		megabyte, which contains the memory of a VGA card.  The range below starts
 *		after that megabyte.
 *  arm64	map_mem() maps the regions of memblock.memory except NOMAP regions.
 *
 * The linear map also contains hot-plugged memory: RAM, and memory of devices with struct pages
 * (pmem, CXL, PCI peer-to-peer memory).  The kernel's documentation of peer-to-peer memory
 * demands "regular memory with no side effects".
 *
 * In the linear map, a comparison suffices: a hole raises a page fault, which
 * __get_kernel_nofault() handles.  kernel/memory.c reads all other addresses.
 */
#ifndef _OBJTRACE_MEMORY_H
#define _OBJTRACE_MEMORY_H

#include <linux/kcsan-checks.h>
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
 * @addr: address of at most 8 bytes
 *
 * Context: Any, NMI included.
 * Return: true if all bytes are in the range of the linear map; false also for the last
 * 8 bytes of that range
 */
static __always_inline bool objtrace_memory_is_linear(unsigned long addr)
{
	return addr - OBJTRACE_LINEAR_START <
	       OBJTRACE_LINEAR_END - OBJTRACE_LINEAR_START - sizeof(u64);
}

/*
 * An interrupt between the load and the store of the task's count reads memory, too, and leaves the
 * count as it was.  For KCSAN, this is a race.
 */
static __always_inline void objtrace_pagefault_disable(void)
{
	kcsan_disable_current();
	pagefault_disable();
	kcsan_enable_current();
}

static __always_inline void objtrace_pagefault_enable(void)
{
	kcsan_disable_current();
	pagefault_enable();
	kcsan_enable_current();
}

/**
 * objtrace_memory_load() - read an address that may not be mapped
 * @addr: the address, in a range without device memory
 * @size: size in bytes: 1, 2, 4 or 8
 * @value: receives the unsigned number; only on success
 *
 * copy_from_kernel_nofault() is no alternative, because it is traced.  It and its callee
 * receive the object's address, so both entries reach objtrace's callback.  These entries took
 * several times as long as the read.
 *
 * The read is one access of exactly this size, so aligned values are not torn.
 *
 * Context: Any, NMI included.
 * Return: true on success; false if the address is not mapped
 */
static __always_inline bool objtrace_memory_load(unsigned long addr, unsigned int size,
						 u64 *value)
{
	u64 v64;
	u32 v32;
	u16 v16;
	u8 v8;

	objtrace_pagefault_disable();
	/* gcc 12 crashes if the output of an asm goto is a part of a union */
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
	objtrace_pagefault_enable();
	return true;

fault:
	objtrace_pagefault_enable();
	return false;
}

/**
 * enum objtrace_memory_kind - kind of memory that an address belongs to
 * @OBJTRACE_MEMORY_RAM: RAM that the kernel maps
 * @OBJTRACE_MEMORY_USER: memory of a process, mapped or not
 * @OBJTRACE_MEMORY_NOWHERE: neither user space nor the kernel can have the address
 * @OBJTRACE_MEMORY_UNMAPPED: the kernel maps nothing there
 * @OBJTRACE_MEMORY_DEVICE: the kernel maps memory there that is not RAM
 */
enum objtrace_memory_kind {
	OBJTRACE_MEMORY_RAM,
	OBJTRACE_MEMORY_USER,
	OBJTRACE_MEMORY_NOWHERE,
	OBJTRACE_MEMORY_UNMAPPED,
	OBJTRACE_MEMORY_DEVICE,
};

enum objtrace_memory_kind objtrace_memory_kind_of(unsigned long addr);
enum objtrace_fault objtrace_memory_read_mapped(unsigned long addr, unsigned int size,
						u64 *value);
bool objtrace_memory_copy(void *dst, unsigned long addr, size_t size);

/**
 * objtrace_memory_read() - read any address
 * @addr: the address
 * @size: size in bytes: 1, 2, 4 or 8
 * @value: receives the unsigned number; only on success
 *
 * The read is one access of exactly this size, so aligned values are not torn.
 *
 * Context: Any, NMI included.
 * Return: OBJTRACE_NO_FAULT, or the reason why @value is not set
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
