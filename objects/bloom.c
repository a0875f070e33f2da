// SPDX-License-Identifier: GPL-2.0-only
/*
 * Raise and lower the counts of the filter in front of the table, see objects/bloom.h.
 *
 * A count is exact until it reaches its limit.  Then its true value is unknown, and the count
 * stays at the limit.  It is cleared when nothing uses the filter any more.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "objects/bloom.h"

u8 objtrace_bloom_small[1 << OBJTRACE_BLOOM_SMALL_BITS] __aligned(OBJTRACE_BLOOM_ALIGN);
u8 objtrace_bloom_large[1 << OBJTRACE_BLOOM_LARGE_BITS] __aligned(OBJTRACE_BLOOM_ALIGN);
u8 objtrace_bloom_second[1 << OBJTRACE_BLOOM_SECOND_BITS] __aligned(OBJTRACE_BLOOM_ALIGN);

/* Counts that a loop handles between two calls of cond_resched() */
#define PLACES_PER_SCAN	4096

#define SATURATED	U8_MAX
#define CLEANING	INT_MIN

/*
 * Number of objects, areas of memory and large sizes in the filter.  CLEANING while saturated
 * counts are cleared: the filter is empty then, and nothing may be added.
 */
static atomic_t users;

/* Held while counts are cleared, and by tasks that wait for that.  The innermost lock. */
static DEFINE_MUTEX(cleaning_mutex);

/* Some count is SATURATED.  Set by the CPU that raised the count, cleared while CLEANING */
static bool is_saturated;

/* Add @by, 1 or -1, unless the count is SATURATED */
static __always_inline void change_count(u8 *count, int by)
{
	u8 old = READ_ONCE(*count), seen;

	while (old != SATURATED) {
		seen = cmpxchg(count, old, (u8)(old + by));
		if (seen == old)
			break;
		old = seen;
	}
	if (by > 0 && old == SATURATED - 1)
		WRITE_ONCE(is_saturated, true);
}

/* The counts of all bytes of an object are consecutive in a first level, and wrap around */
static void mark_in_first_level(u8 *level, unsigned int bits, unsigned long addr,
				unsigned int size, int by)
{
	u32 place = objtrace_bloom_first(addr, bits);
	u32 last = objtrace_bloom_first(addr + size - 1, bits);
	u32 mask = (1U << bits) - 1;

	while (place != last) {
		change_count(&level[place], by);
		place = (place + 1) & mask;
	}
	change_count(&level[last], by);
}

/* @addr is the address of a block of an object, or ~start for memory that begins at start */
static __always_inline void mark_in_second_level(unsigned long addr, int by)
{
	change_count(&objtrace_bloom_second[objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR1)], by);
	change_count(&objtrace_bloom_second[objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR2)], by);
}

/* An object of one byte has one count in each first level */
static __always_inline void mark_one_byte(unsigned long addr, int by)
{
	change_count(&objtrace_bloom_small[objtrace_bloom_first(addr, OBJTRACE_BLOOM_SMALL_BITS)],
		     by);
	change_count(&objtrace_bloom_large[objtrace_bloom_first(addr, OBJTRACE_BLOOM_LARGE_BITS)],
		     by);
	mark_in_second_level(addr, by);
}

static noinline void mark_all_bytes(unsigned long addr, unsigned int size, int by)
{
	unsigned long last = (addr + size - 1) >> OBJTRACE_BLOOM_GRAIN_BITS;
	unsigned long grain = addr >> OBJTRACE_BLOOM_GRAIN_BITS;

	mark_in_first_level(objtrace_bloom_small, OBJTRACE_BLOOM_SMALL_BITS, addr, size, by);
	mark_in_first_level(objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS, addr, size, by);
	for (; grain <= last; grain++)
		mark_in_second_level(grain << OBJTRACE_BLOOM_GRAIN_BITS, by);
}

static __always_inline void mark_in_all_levels(unsigned long addr, unsigned int size, int by)
{
	if (likely(size == 1))
		mark_one_byte(addr, by);
	else
		mark_all_bytes(addr, size, by);
}

/* Larger objects have no counts of their own: objtrace_bloom_add_size() raises all counts */
static bool is_everywhere(unsigned int size)
{
	return size > OBJTRACE_BLOOM_MAX_SIZE;
}

/**
 * objtrace_bloom_add() - let pointers to an object pass
 * @addr: first byte of the object
 * @size: size of the object: pointers to each of its bytes match
 *
 * In each function that is entered after the return, such a pointer passes the filter.
 *
 * Context: any, NMI included.
 * Return: false, with nothing done, while the filter is being cleared
 */
bool objtrace_bloom_add(unsigned long addr, unsigned int size)
{
	if (!atomic_inc_unless_negative(&users))
		return false;
	if (!is_everywhere(size))
		mark_in_all_levels(addr, size, 1);
	return true;
}

/**
 * objtrace_bloom_del() - undo objtrace_bloom_add()
 * @addr: first byte of the object
 * @size: size of the object
 *
 * Context: any, NMI included.
 */
void objtrace_bloom_del(unsigned long addr, unsigned int size)
{
	if (!is_everywhere(size))
		mark_in_all_levels(addr, size, -1);
	atomic_dec(&users);
}

/**
 * objtrace_bloom_add_memory() - let the frees and allocations of memory pass
 * @start: first byte of the memory
 *
 * Only the second level counts memory, with other hashes than pointers.
 *
 * Context: any, NMI included.
 * Return: false, with nothing done, while the filter is being cleared
 */
bool objtrace_bloom_add_memory(unsigned long start)
{
	if (!atomic_inc_unless_negative(&users))
		return false;
	mark_in_second_level(~start, 1);
	return true;
}

/**
 * objtrace_bloom_del_memory() - undo objtrace_bloom_add_memory()
 * @start: first byte of the memory
 *
 * Context: any, NMI included.
 */
void objtrace_bloom_del_memory(unsigned long start)
{
	mark_in_second_level(~start, -1);
	atomic_dec(&users);
}

static void mark_whole_level(u8 *level, unsigned int bits, int by)
{
	u32 place;

	for (place = 0; place < 1U << bits; place++) {
		if (!(place % PLACES_PER_SCAN))
			cond_resched();
		change_count(&level[place], by);
	}
}

static void mark_whole_filter(int by)
{
	mark_whole_level(objtrace_bloom_small, OBJTRACE_BLOOM_SMALL_BITS, by);
	mark_whole_level(objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS, by);
	mark_whole_level(objtrace_bloom_second, OBJTRACE_BLOOM_SECOND_BITS, by);
}

/**
 * objtrace_bloom_add_size() - prepare the filter for objects of a size
 * @size: size of each object
 *
 * The caller adds the objects later.  If they are larger than OBJTRACE_BLOOM_MAX_SIZE, every
 * pointer passes from now on.
 *
 * Context: task, may sleep.
 */
void objtrace_bloom_add_size(unsigned int size)
{
	if (!is_everywhere(size))
		return;
	/* Wait for the end of CLEANING, and sleep: the task that clears may need this CPU */
	mutex_lock(&cleaning_mutex);
	atomic_inc(&users);
	mutex_unlock(&cleaning_mutex);
	mark_whole_filter(1);
}

/* Without cond_resched(), because adders fail until the end.  Takes about a millisecond at most */
static void clear_saturated(u8 *level, unsigned int bits)
{
	u32 place;

	for (place = 0; place < 1U << bits; place++)
		if (level[place] == SATURATED)
			WRITE_ONCE(level[place], 0);
}

/* Under cleaning_mutex */
static void clear_all_saturated(void)
{
	if (atomic_cmpxchg(&users, 0, CLEANING))
		return;
	WRITE_ONCE(is_saturated, false);
	clear_saturated(objtrace_bloom_small, OBJTRACE_BLOOM_SMALL_BITS);
	clear_saturated(objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS);
	clear_saturated(objtrace_bloom_second, OBJTRACE_BLOOM_SECOND_BITS);
	/*
	 * Pairs with atomic_inc_unless_negative() in objtrace_bloom_add() and
	 * objtrace_bloom_add_memory(): counts are cleared before an adder raises them
	 */
	atomic_set_release(&users, 0);
}

/**
 * objtrace_bloom_clean() - clear saturated counts, if nothing uses the filter
 *
 * The caller has removed objects from the filter.
 *
 * Context: task, may sleep.
 */
void objtrace_bloom_clean(void)
{
	if (!READ_ONCE(is_saturated))
		return;
	mutex_lock(&cleaning_mutex);
	clear_all_saturated();
	mutex_unlock(&cleaning_mutex);
}

/**
 * objtrace_bloom_del_size() - undo objtrace_bloom_add_size()
 * @size: size of each object
 *
 * The caller has removed all objects of that size from the filter.
 *
 * Context: task, may sleep.
 */
void objtrace_bloom_del_size(unsigned int size)
{
	if (is_everywhere(size)) {
		mark_whole_filter(-1);
		atomic_dec(&users);
	}
	objtrace_bloom_clean();
}

/* Returns how many counts are not 0, and adds the saturated counts to *@saturated */
static unsigned int count_marked(const u8 *level, unsigned int bits, unsigned int *saturated)
{
	unsigned int marked = 0;
	u32 place;
	u8 count;

	for (place = 0; place < 1U << bits; place++) {
		if (!(place % PLACES_PER_SCAN))
			cond_resched();
		/* Skip eight counts at a time: nearly all are 0 */
		if (!(place % sizeof(u64)) && !READ_ONCE(*(const u64 *)&level[place])) {
			place += sizeof(u64) - 1;
			continue;
		}
		count = READ_ONCE(level[place]);
		marked += !!count;
		*saturated += count == SATURATED;
	}
	return marked;
}

/**
 * objtrace_bloom_measure() - find out how full the filter is
 * @fill: the result; it may include some of the changes during the call
 *
 * Reads all counts: adders keep no statistics.
 *
 * Context: task.
 */
void objtrace_bloom_measure(struct objtrace_bloom_fill *fill)
{
	fill->saturated = 0;
	fill->small = count_marked(objtrace_bloom_small, OBJTRACE_BLOOM_SMALL_BITS,
				   &fill->saturated);
	fill->large = count_marked(objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS,
				   &fill->saturated);
	fill->second = count_marked(objtrace_bloom_second, OBJTRACE_BLOOM_SECOND_BITS,
				    &fill->saturated);
}
