/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The filter in front of the table of tracked objects, a Bloom filter that counts: by it
 * nearly all pointers that functions receive are found to be none.
 *
 * It has two levels, each an array of bytes that count what is marked there.  Most
 * pointers find a 0 in the first one, which takes a handful of instructions; the
 * trampolines have them in assembly.  Some are not tracked and find something else, and
 * what makes the filter slow is never how many, but that one of them is a pointer that
 * functions receive all the time.  The second level, which has nothing in common with
 * the first one, keeps nearly all of these out: it has two places for each pointer, and
 * both have to be marked.
 *
 * Where a pointer is counted goes by the 64 bytes that it points into, in both levels,
 * so that an object with a size is in a few places for all of its bytes.  In the first
 * level they follow each other, as the addresses do: it is the address itself, its
 * higher bits added to the lower ones, without those that count within 64 bytes.  So
 * pointers that are near each other share cache lines of the filter, too.
 *
 * The first level comes in two sizes, both always complete: who looks for a few objects
 * takes the one that stays in the cache.
 */
#ifndef _OBJTRACE_BLOOM_H
#define _OBJTRACE_BLOOM_H

/* log2 of the bytes in each level */
#define OBJTRACE_BLOOM_SMALL_BITS	16
#define OBJTRACE_BLOOM_LARGE_BITS	20
#define OBJTRACE_BLOOM_SECOND_BITS	20

/* log2 of the bytes of memory that are counted together */
#define OBJTRACE_BLOOM_GRAIN_BITS	6
#define OBJTRACE_BLOOM_GRAIN		(1 << OBJTRACE_BLOOM_GRAIN_BITS)

/*
 * First level: the upper bits of (u32)(addr + (addr << SHIFT)), so that the next 64 bytes
 * of memory are in the next place, now and then in the one behind.
 */
#define OBJTRACE_BLOOM_SHIFT(bits)	(32 - OBJTRACE_BLOOM_GRAIN_BITS - (bits))

/*
 * Second level: those of (u32)(addr >> GRAIN_BITS) * FACTOR.  One factor is 2^32 by the
 * golden ratio, the other a prime whose bits are as mixed.
 */
#define OBJTRACE_BLOOM_FACTOR1		0x9e3779b1
#define OBJTRACE_BLOOM_FACTOR2		0xc2b2ae3d

#ifndef __ASSEMBLER__

#include <linux/compiler.h>
#include <linux/types.h>

/* How many objects are few: each has 256 bytes of the first level or more */
#define OBJTRACE_BLOOM_FEW	(1U << (OBJTRACE_BLOOM_SMALL_BITS - 8))

/*
 * The largest object whose bytes are marked, 1/64 of them in four places, while it is
 * added, in an NMI perhaps.  For larger ones every pointer is looked at closely.
 */
#define OBJTRACE_BLOOM_MAX_SIZE	(16 << 10)

/*
 * How often a place is marked; one that has come to 255 stays so until nothing at all is
 * marked.  Written with cmpxchg by who marks and takes marks back, in any context, and
 * read without any order by everybody: a stale count is the same as a function called a
 * moment earlier.  Who is handed a pointer after it was marked finds the mark: either has
 * the same CPU written it, or the address of the count depends on the pointer.
 */
extern u8 objtrace_bloom_small[1 << OBJTRACE_BLOOM_SMALL_BITS];
extern u8 objtrace_bloom_large[1 << OBJTRACE_BLOOM_LARGE_BITS];
extern u8 objtrace_bloom_second[1 << OBJTRACE_BLOOM_SECOND_BITS];

/**
 * struct objtrace_bloom_fill - how full the filter is
 * @small: places of the small first level that are marked
 * @large: those of the large one
 * @second: those of the second level
 * @saturated: how many of all these stay so until nothing is marked
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
unsigned int objtrace_bloom_marks(unsigned int size);
void objtrace_bloom_measure(struct objtrace_bloom_fill *fill);

/**
 * objtrace_bloom_first() - where a pointer is counted in the first level
 * @addr: the pointer
 * @bits: log2 of that level's size
 *
 * Context: any.
 * Return: index into it
 */
static __always_inline u32 objtrace_bloom_first(unsigned long addr, unsigned int bits)
{
	u32 factor = 1 + (1U << OBJTRACE_BLOOM_SHIFT(bits));

	/* Compilers would make more instructions of it than a multiplication */
	OPTIMIZER_HIDE_VAR(factor);
	return (u32)addr * factor >> (32 - bits);
}

/**
 * objtrace_bloom_next() - where a pointer is counted in the second level
 * @addr: the pointer
 * @factor: OBJTRACE_BLOOM_FACTOR1 for one of the places, OBJTRACE_BLOOM_FACTOR2 for the
 *	    other
 *
 * Context: any.
 * Return: index into it
 */
static __always_inline u32 objtrace_bloom_next(unsigned long addr, u32 factor)
{
	return (u32)(addr >> OBJTRACE_BLOOM_GRAIN_BITS) * factor >>
	       (32 - OBJTRACE_BLOOM_SECOND_BITS);
}

/**
 * objtrace_bloom_may_have() - whether the first level lets a pointer pass
 * @addr: the pointer
 *
 * Context: any, NMI and RCU not watching included.
 * Return: 0 if it is not tracked; else objtrace_bloom_has() has to look
 */
static __always_inline u8 objtrace_bloom_may_have(unsigned long addr)
{
	return READ_ONCE(objtrace_bloom_large[
		objtrace_bloom_first(addr, OBJTRACE_BLOOM_LARGE_BITS)]);
}

/**
 * objtrace_bloom_next_has() - whether the second level lets something pass
 * @addr: a pointer; or, of memory, the complement of its first byte's address
 *
 * Context: any, NMI and RCU not watching included.
 * Return: false if it is not marked
 */
static __always_inline bool objtrace_bloom_next_has(unsigned long addr)
{
	return READ_ONCE(objtrace_bloom_second[
			objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR1)]) &&
	       READ_ONCE(objtrace_bloom_second[
			objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR2)]);
}

/**
 * objtrace_bloom_has() - whether both levels let a pointer pass
 * @addr: the pointer
 *
 * Context: as objtrace_bloom_may_have().
 * Return: false if it is not tracked
 */
static __always_inline bool objtrace_bloom_has(unsigned long addr)
{
	return objtrace_bloom_may_have(addr) && objtrace_bloom_next_has(addr);
}

/**
 * objtrace_bloom_has_memory() - whether something in some memory may be tracked
 * @start: first byte of the memory
 *
 * Context: as objtrace_bloom_may_have().
 * Return: false if nothing was told of to objtrace_bloom_add_memory()
 */
static __always_inline bool objtrace_bloom_has_memory(unsigned long start)
{
	return objtrace_bloom_next_has(~start);
}

#endif /* !__ASSEMBLER__ */
#endif /* _OBJTRACE_BLOOM_H */
