// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read addresses outside of the linear map: vmalloc areas, modules, the kernel's image,
 * stacks, per-CPU memory, and the addresses of wrong pointers.  See kernel/memory.h.
 *
 * The entry of the active page tables decides, without a lock:
 *
 *  - objtrace does not read device memory (arm64) and memory of the types UC and UC- (x86-64).  A
 *    read can have side effects.  For this reason, the CPU does not read such memory speculatively.
 *  - objtrace reads the kernel's image.  Newer arm64 kernels do not map the image's data in the
 *    linear map.
 *  - objtrace reads any other page only if the linear map has the page, too.  The linear map has
 *    no pages of ioremap_wc() and ioremap_cache() of a device.
 *
 * objtrace reads a cached page in the linear map.  Another CPU may replace the mapping at any
 * time.  The value is from the old page then, and never from a device's register.
 *
 * Memory of other types that bypass the caches, such as WC, must be read through its own mapping,
 * and so must a value in two pages.  In these cases, another CPU may replace the mapping between
 * the check and the read.  __get_kernel_nofault() handles the page fault.  No value is used as an
 * address without a check.
 */
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/types.h>

#include "kernel/memory.h"
#include "objtrace_compat.h"
#include "objtrace_fetch.h"

/**
 * enum mapping - how the kernel maps a page
 * @UNMAPPED: the page is not mapped
 * @DEVICE: a read can have side effects
 * @UNCACHED: a read has no side effects, and bypasses the CPU's caches
 * @CACHED: a read uses the CPU's caches, as in the linear map
 * @IMAGE: the page belongs to the kernel's image; on x86-64 also to a module
 */
enum mapping {
	UNMAPPED,
	DEVICE,
	UNCACHED,
	CACHED,
	IMAGE,
};

#if defined(CONFIG_X86_64)

/*
 * Lower addresses are not canonical.  A read there is a general protection fault, and a
 * warning.
 */
#define READ_START	(-1UL << __VIRTUAL_MASK_SHIFT)
#define USER_END	(1UL << __VIRTUAL_MASK_SHIFT)

/* The range of the kernel's image and modules, without other mappings */
#define IMAGE_START	__START_KERNEL_map
#define IMAGE_END	MODULES_END

/* The vsyscall page is user memory to the kernel, and a page fault there can be fatal */
#define NO_READ_PAGE	VSYSCALL_ADDR

/*
 * A page table can be freed and reused at any time: flush_tlb_kernel_range() does not wait for
 * this CPU if the hardware broadcasts the flush.  So an entry can be any number.  It is only
 * used as an address in the linear map.
 */
static bool read_entry(unsigned long table, unsigned int index, pteval_t *entry)
{
	unsigned long addr = table + index * sizeof(*entry);
	u64 raw;

	if (!objtrace_memory_is_linear(addr) ||
	    !objtrace_memory_load(addr, sizeof(raw), &raw))
		return false;
	/* Xen's entries have machine addresses, in all levels */
	*entry = pte_val(native_make_pte(raw));
	return true;
}

/*
 * The bit PCD is set for the types UC, UC- and WT.  If PCD, PWT and PAT are clear, the type is
 * WB.
 */
static enum mapping mapping_of(pteval_t entry, bool is_large)
{
	if (entry & _PAGE_PCD)
		return DEVICE;
	return entry & (_PAGE_PWT | (is_large ? _PAGE_PAT_LARGE : _PAGE_PAT)) ? UNCACHED :
										CACHED;
}

static enum mapping translate_address(unsigned long addr, u64 *phys)
{
	unsigned int shift = P4D_SHIFT + (pgtable_l5_enabled() ? PAGE_SHIFT - 3 : 0);
	unsigned long table = (unsigned long)__va(read_cr3_pa());
	bool is_large = false;
	pteval_t entry;
	u64 within;

	if (addr - IMAGE_START < IMAGE_END - IMAGE_START)
		return IMAGE;
	for (;; shift -= PAGE_SHIFT - 3) {
		if (!read_entry(table, addr >> shift & (PTRS_PER_PTE - 1), &entry) ||
		    !(entry & _PAGE_PRESENT))
			return UNMAPPED;
		is_large = shift > PAGE_SHIFT && shift <= PUD_SHIFT && entry & _PAGE_PSE;
		if (is_large || shift <= PAGE_SHIFT)
			break;
		table = (unsigned long)__va(entry & PTE_PFN_MASK);
	}
	within = (1ULL << shift) - 1;
	*phys = (entry & PTE_PFN_MASK & ~within) | (addr & within);
	return mapping_of(entry, is_large);
}

static unsigned long linear_address(u64 phys)
{
	return (unsigned long)__va(phys);
}

#elif defined(CONFIG_ARM64)

#define READ_START	OBJTRACE_KERNEL_START
#define USER_END	TASK_SIZE_MAX

/* Memory types in a byte of MAIR_EL1.  The upper half is 0 for Device memory only. */
#define ATTR_SHIFT		56
#define IS_DEVICE(attr)		(!((attr) >> 4))
#define ATTR_NORMAL		0xff
#define ATTR_NORMAL_TAGGED	0xf0

#define PAR_ADDRESS		GENMASK_ULL(51, PAGE_SHIFT)

/*
 * The instruction AT translates as a read does, so it is safe while a page table is freed.  The
 * kernel uses AT in is_spurious_el1_translation_fault(), with interrupts disabled.  An NMI can
 * interrupt that function, so this function restores the register PAR_EL1.
 */
static enum mapping translate_address(unsigned long addr, u64 *phys)
{
	unsigned long flags;
	u64 before, par;
	unsigned int attr;

	raw_local_irq_save(flags);
	before = read_sysreg_par();
	asm volatile("at s1e1r, %0" : : "r" (addr));
	isb();
	par = read_sysreg_par();
	write_sysreg(before, par_el1);
	raw_local_irq_restore(flags);

	if (par & SYS_PAR_EL1_F)
		return UNMAPPED;
	*phys = (par & PAR_ADDRESS) | offset_in_page(addr);
	attr = par >> ATTR_SHIFT;
	if (IS_DEVICE(attr))
		return DEVICE;
	if (attr != ATTR_NORMAL && attr != ATTR_NORMAL_TAGGED)
		return UNCACHED;
	/* The whole image has this difference.  Another mapping can have it by chance */
	return addr - *phys == kimage_voffset ? IMAGE : CACHED;
}

/* PHYS_OFFSET can be negative, so the subtraction is unsigned */
static unsigned long linear_address(u64 phys)
{
	u64 offset = phys - PHYS_OFFSET;

	return offset < PAGE_END - PAGE_OFFSET ? PAGE_OFFSET + offset : 0;
}

#endif

/* Check that no byte of the range has a user address or an address that must not be read */
static bool may_read(unsigned long addr, unsigned int size)
{
#ifdef NO_READ_PAGE
	if (objtrace_fetch_meets(addr, size, NO_READ_PAGE, PAGE_SIZE))
		return false;
#endif
	return addr >= READ_START && addr + size - 1 >= addr;
}

/* Find the page of @addr in the linear map, unless the page belongs to the image */
static enum objtrace_fault find_ram(unsigned long addr, enum mapping *mapping,
				    unsigned long *linear)
{
	u64 phys = 0;

	*mapping = translate_address(addr, &phys);
	if (*mapping == UNMAPPED)
		return OBJTRACE_FAULT;
	if (*mapping == IMAGE)
		return OBJTRACE_NO_FAULT;
	*linear = linear_address(phys);
	if (*mapping == DEVICE || !objtrace_memory_is_linear(*linear))
		return OBJTRACE_FAULT_IO;
	return OBJTRACE_NO_FAULT;
}

/* Check that the page of @addr is RAM: read the page in the linear map */
static enum objtrace_fault check_page(unsigned long addr)
{
	enum objtrace_fault fault;
	enum mapping mapping;
	unsigned long linear;
	u64 unused;

	fault = find_ram(addr, &mapping, &linear);
	if (fault || mapping == IMAGE)
		return fault;
	return objtrace_memory_load(linear, sizeof(u8), &unused) ? OBJTRACE_NO_FAULT :
								    OBJTRACE_FAULT_IO;
}

/* Read through the mapping at @addr itself */
static enum objtrace_fault read_checked(unsigned long addr, unsigned int size, u64 *value)
{
	enum objtrace_fault fault = check_page(addr);

	if (!fault && offset_in_page(addr) + size > PAGE_SIZE)
		fault = check_page(addr + size - 1);
	if (fault)
		return fault;
	return objtrace_memory_load(addr, size, value) ? OBJTRACE_NO_FAULT : OBJTRACE_FAULT;
}

/**
 * objtrace_memory_read_mapped() - read an address outside of the linear map
 * @addr: the address
 * @size: size in bytes: 1, 2, 4 or 8
 * @value: receives the unsigned number; only on success
 *
 * Only objtrace_memory_read() calls this function.
 *
 * Context: Any, NMI included.
 * Return: OBJTRACE_NO_FAULT, or the reason why @value is not set
 */
enum objtrace_fault objtrace_memory_read_mapped(unsigned long addr, unsigned int size,
						u64 *value)
{
	enum objtrace_fault fault;
	enum mapping mapping;
	unsigned long linear;

	if (!may_read(addr, size))
		return OBJTRACE_FAULT;
	if (offset_in_page(addr) + size > PAGE_SIZE)
		return read_checked(addr, size, value);
	fault = find_ram(addr, &mapping, &linear);
	if (fault)
		return fault;
	if (mapping == CACHED)
		return objtrace_memory_load(linear, size, value) ? OBJTRACE_NO_FAULT :
								    OBJTRACE_FAULT_IO;
	return read_checked(addr, size, value);
}

/**
 * objtrace_memory_kind_of() - find out which kind of memory an address belongs to
 * @addr: the address of one byte
 *
 * Another CPU can map or unmap the address at any time.
 *
 * Context: Any, NMI included.
 * Return: the kind of memory
 */
enum objtrace_memory_kind objtrace_memory_kind_of(unsigned long addr)
{
	u64 unused;

	if (addr < USER_END)
		return OBJTRACE_MEMORY_USER;
	if (addr < READ_START)
		return OBJTRACE_MEMORY_NOWHERE;
	switch (objtrace_memory_read(addr, sizeof(u8), &unused)) {
	case OBJTRACE_NO_FAULT:
		return OBJTRACE_MEMORY_RAM;
	case OBJTRACE_FAULT_IO:
		return OBJTRACE_MEMORY_DEVICE;
	default:
		return OBJTRACE_MEMORY_UNMAPPED;
	}
}

/**
 * objtrace_memory_copy() - copy memory from any address
 * @dst: receives the copy
 * @addr: the address; device memory is not read
 * @size: size in bytes
 *
 * Context: Any, NMI included.
 * Return: true on success; false if a byte cannot be read
 */
bool objtrace_memory_copy(void *dst, unsigned long addr, size_t size)
{
	size_t done, step;
	u64 value;

	for (done = 0; done < size; done += step) {
		step = size - done >= sizeof(u64) ? sizeof(u64) :
		       size - done >= sizeof(u32) ? sizeof(u32) : 1;
		if (objtrace_memory_read(addr + done, step, &value))
			return false;
		memcpy(dst + done, &value, step);
	}
	return true;
}
