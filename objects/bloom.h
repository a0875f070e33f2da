/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The filter in front of the table of tracked objects, a counting Bloom filter.  It rejects
 * nearly all pointers that functions receive.
 *
 * The filter has two levels, each an array of counts of one byte.  Most pointers have a count
 * of 0 in the first level.  That check takes a handful of instructions, and the trampolines
 * have it in assembly.  False positives are rare: their number costs no time, but a single
 * hot pointer does, such as current.  The second level rejects nearly all of them.  It has two
 * counts for each pointer, both must be set, and neither depends on the first level.
 *
 * Both levels count blocks of 64 bytes: so an object with a size needs few counts for all of
 * its bytes.  In the first level the index is the number of the block, with the higher bits of
 * the address added to the lower bits.  So neighbouring blocks have neighbouring counts, and
 * their pointers share cache lines of the filter.
 *
 * The first level exists in two sizes, and each size counts all objects.  The trampolines begin
 * with the small first level, because it stays in the cache.  Pointers that pass the small level
 * are checked in the large level, too.  So no moment of a change is needed if there are more
 * objects: then more pointers take the second check.  A table for very many objects would fill the
 * small level, so its trampolines begin with the large level.
 */
#ifndef _OBJTRACE_BLOOM_H
#define _OBJTRACE_BLOOM_H

/* log2 of the bytes in each level */
#define OBJTRACE_BLOOM_SMALL_BITS	16
#define OBJTRACE_BLOOM_LARGE_BITS	20
#define OBJTRACE_BLOOM_SECOND_BITS	20

/* log2 of the size of a block, and the size: all pointers to a block have the same counts */
#define OBJTRACE_BLOOM_GRAIN_BITS	6
#define OBJTRACE_BLOOM_GRAIN		(1 << OBJTRACE_BLOOM_GRAIN_BITS)

/*
 * First level: the upper bits of (u32)(addr + (addr << SHIFT)).  The next block of memory has
 * the next count, or now and then the count after the next.
 *
 * On arm64, the small level has the upper bits of (u32)(addr << SHIFT).  One instruction computes
 * these, ubfx, in place of two.  More pointers pass if many objects have the same alignment.
 */
#define OBJTRACE_BLOOM_SHIFT(bits)	(32 - OBJTRACE_BLOOM_GRAIN_BITS - (bits))
#ifdef __aarch64__
#define OBJTRACE_BLOOM_SHIFTED_BITS	OBJTRACE_BLOOM_SMALL_BITS
#else
#define OBJTRACE_BLOOM_SHIFTED_BITS	0
#endif
#define OBJTRACE_BLOOM_IS_SHIFTED(bits)	((bits) == OBJTRACE_BLOOM_SHIFTED_BITS)

/* Alignment of a level: arm64 computes the address of a page with one instruction, adrp */
#define OBJTRACE_BLOOM_ALIGN		4096

/*
 * Second level: the upper bits of (u32)(addr >> GRAIN_BITS) * FACTOR.  The first factor is
 * 2^32 divided by the golden ratio, the second is a prime with equally mixed bits.
 */
#define OBJTRACE_BLOOM_FACTOR1		0x9e3779b1
#define OBJTRACE_BLOOM_FACTOR2		0xc2b2ae3d

#ifndef __ASSEMBLER__

#include <linux/compiler.h>
#include <linux/types.h>

/*
 * The largest object with counts of its own: four counts for each 64 bytes, raised when the
 * object is added, maybe in an NMI.  While larger objects can exist, every pointer passes.
 */
#define OBJTRACE_BLOOM_MAX_SIZE	(16 << 10)

/*
 * The counts.  A count that reaches 255 stays there until the whole filter is unused.  Adders
 * and the CPUs that free slots write them with cmpxchg, in any context.
 *
 * Readers need no order: a reader of a stale count acts like a function that was called a
 * moment earlier.  A reader that receives a pointer after the count was raised sees the count:
 * either the same CPU wrote the count, or its address depends on the pointer.
 */
extern u8 objtrace_bloom_small[1 << OBJTRACE_BLOOM_SMALL_BITS];
extern u8 objtrace_bloom_large[1 << OBJTRACE_BLOOM_LARGE_BITS];
extern u8 objtrace_bloom_second[1 << OBJTRACE_BLOOM_SECOND_BITS];

/**
 * struct objtrace_bloom_fill - how full the filter is
 * @small: counts of the small first level that are not 0
 * @large: counts of the large first level that are not 0
 * @second: counts of the second level that are not 0
 * @saturated: counts of all levels that reached 255
 */
struct objtrace_bloom_fill {
	unsigned int	small;
	unsigned int	large;
	unsigned int	second;
	unsigned int	saturated;
};

bool objtrace_bloom_add(unsigned long addr, unsigned int size);
void objtrace_bloom_del(unsigned long addr, unsigned int size);
bool objtrace_bloom_add_memory(unsigned long start);
void objtrace_bloom_del_memory(unsigned long start);
void objtrace_bloom_add_size(unsigned int size);
void objtrace_bloom_del_size(unsigned int size);
void objtrace_bloom_clean(void);
void objtrace_bloom_measure(struct objtrace_bloom_fill *fill);

/**
 * objtrace_bloom_first() - find the count of a pointer in a first level
 * @addr: the pointer
 * @bits: log2 of the size of the level
 *
 * Context: any, NMI and RCU not watching included.
 * Return: index into the level
 */
static __always_inline u32 objtrace_bloom_first(unsigned long addr, unsigned int bits)
{
	u32 factor = !OBJTRACE_BLOOM_IS_SHIFTED(bits) + (1U << OBJTRACE_BLOOM_SHIFT(bits));

	/* One multiplication: a constant factor would become several shifts and additions */
	OPTIMIZER_HIDE_VAR(factor);
	return (u32)addr * factor >> (32 - bits);
}

/**
 * objtrace_bloom_next() - find one of the two counts of a pointer in the second level
 * @addr: the pointer
 * @factor: OBJTRACE_BLOOM_FACTOR1 or OBJTRACE_BLOOM_FACTOR2, for the first or second count
 *
 * Context: any, NMI and RCU not watching included.
 * Return: index into the second level
 */
static __always_inline u32 objtrace_bloom_next(unsigned long addr, u32 factor)
{
	return (u32)(addr >> OBJTRACE_BLOOM_GRAIN_BITS) * factor >>
	       (32 - OBJTRACE_BLOOM_SECOND_BITS);
}

/**
 * objtrace_bloom_may_have() - check a pointer in the large first level
 * @addr: the pointer
 *
 * Context: any, NMI and RCU not watching included.
 * Return: 0 if the pointer is not tracked; else objtrace_bloom_next_has() must check, too
 */
static __always_inline u8 objtrace_bloom_may_have(unsigned long addr)
{
	return READ_ONCE(objtrace_bloom_large[
		objtrace_bloom_first(addr, OBJTRACE_BLOOM_LARGE_BITS)]);
}

/**
 * objtrace_bloom_next_has() - check a pointer or some memory in the second level
 * @addr: the pointer; for memory, the complement of the address of its first byte
 *
 * Context: any, NMI and RCU not watching included.
 * Return: false if the pointer is not tracked, or the memory holds no object with an anchor
 */
static __always_inline bool objtrace_bloom_next_has(unsigned long addr)
{
	return READ_ONCE(objtrace_bloom_second[
			objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR1)]) &&
	       READ_ONCE(objtrace_bloom_second[
			objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR2)]);
}

/**
 * objtrace_bloom_has() - check a pointer in both levels
 * @addr: the pointer
 *
 * Context: any, NMI and RCU not watching included.
 * Return: false if the pointer is not tracked
 */
static __always_inline bool objtrace_bloom_has(unsigned long addr)
{
	return objtrace_bloom_may_have(addr) && objtrace_bloom_next_has(addr);
}

/**
 * objtrace_bloom_has_memory() - check whether memory may hold a tracked object
 * @start: first byte of the memory
 *
 * objtrace_bloom_has() finds an object that begins at @start.
 *
 * Context: any, NMI and RCU not watching included.
 * Return: false if objtrace_bloom_add_memory() did not count @start
 */
static __always_inline bool objtrace_bloom_has_memory(unsigned long start)
{
	return objtrace_bloom_next_has(~start);
}

#endif /* !__ASSEMBLER__ */
#endif /* _OBJTRACE_BLOOM_H */
