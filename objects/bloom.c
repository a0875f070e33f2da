// SPDX-License-Identifier: GPL-2.0-only
/*
 * The filter in front of the table, see objects/bloom.h: marking and taking marks
 * back.
 *
 * Counts are exact, up to one that has reached its limit: from then on nobody knows how
 * often that place is marked, and it stays as it is.  When nothing is marked any more it
 * can be cleared, and is.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "objects/bloom.h"

u8 objtrace_bloom_small[1 << OBJTRACE_BLOOM_SMALL_BITS] ____cacheline_aligned_in_smp;
u8 objtrace_bloom_large[1 << OBJTRACE_BLOOM_LARGE_BITS] ____cacheline_aligned_in_smp;
u8 objtrace_bloom_second[1 << OBJTRACE_BLOOM_SECOND_BITS] ____cacheline_aligned_in_smp;

/* Places that are gone through without a chance for others to run */
#define PLACES_PER_SCAN	4096

#define SATURATED	U8_MAX
#define CLEANING	INT_MIN

/*
 * How often somebody has marked something and not taken it back.  CLEANING while
 * saturated counts are cleared: then nothing is marked, and nobody may mark.
 */
static atomic_t users;

/* Who clears, and who can wait for that.  Nothing is taken inside of it. */
static DEFINE_MUTEX(cleaning_mutex);

/* Some count is SATURATED.  Set by who has made it so, cleared while CLEANING */
static bool is_saturated;

/* Count one mark more or less */
static void change_count(u8 *count, int by)
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

/* The places in a first level of all bytes of an object, which follow each other */
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

/* The places in the second level of 64 bytes, or, by its complement, of memory */
static void mark_in_second_level(unsigned long addr, int by)
{
	change_count(&objtrace_bloom_second[objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR1)], by);
	change_count(&objtrace_bloom_second[objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR2)], by);
}

static void mark_in_all_levels(unsigned long addr, unsigned int size, int by)
{
	unsigned long last = (addr + size - 1) >> OBJTRACE_BLOOM_GRAIN_BITS;
	unsigned long grain = addr >> OBJTRACE_BLOOM_GRAIN_BITS;

	mark_in_first_level(objtrace_bloom_small, OBJTRACE_BLOOM_SMALL_BITS, addr, size, by);
	mark_in_first_level(objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS, addr, size, by);
	for (; grain <= last; grain++)
		mark_in_second_level(grain << OBJTRACE_BLOOM_GRAIN_BITS, by);
}

/* Whether an object is so large that all places are marked for it instead of its own */
static bool is_everywhere(unsigned int size)
{
	return size > OBJTRACE_BLOOM_MAX_SIZE;
}

/**
 * objtrace_bloom_add() - let pointers to an object pass
 * @addr: its first byte
 * @size: bytes of it that pointers to can match
 *
 * From when this returns on who is handed such a pointer finds that it passes.
 *
 * Context: any, NMI included.
 * Return: false if it cannot be done now, while the filter is being cleared
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
 * objtrace_bloom_del() - take back what objtrace_bloom_add() has done
 * @addr: as there
 * @size: as there
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
 * objtrace_bloom_add_memory() - let who frees some memory pass
 * @start: its first byte
 *
 * These are marked in the second level alone, by other places than pointers.
 *
 * Context: any, NMI included.
 * Return: as objtrace_bloom_add()
 */
bool objtrace_bloom_add_memory(unsigned long start)
{
	if (!atomic_inc_unless_negative(&users))
		return false;
	mark_in_second_level(~start, 1);
	return true;
}

/**
 * objtrace_bloom_del_memory() - take back what objtrace_bloom_add_memory() has done
 * @start: as there
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
 * objtrace_bloom_add_size() - there will be objects of a size
 * @size: their bytes
 *
 * To be called before the first of them is added.  If they are very large every pointer
 * passes from now on.
 *
 * Context: task, may sleep.
 */
void objtrace_bloom_add_size(unsigned int size)
{
	if (!is_everywhere(size))
		return;
	/* Not CLEANING.  Who clears may be a task that only runs if this one sleeps */
	mutex_lock(&cleaning_mutex);
	atomic_inc(&users);
	mutex_unlock(&cleaning_mutex);
	mark_whole_filter(1);
}

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
	/* Pairs with the atomic_inc_unless_negative() of who marks next: cleared before */
	atomic_set_release(&users, 0);
}

/**
 * objtrace_bloom_clean() - clear what has saturated, if nothing is marked
 *
 * To be called when objects have gone.
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
 * objtrace_bloom_del_size() - take back what objtrace_bloom_add_size() has done
 * @size: as there
 *
 * To be called when the last of these objects has gone.
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

/**
 * objtrace_bloom_marks() - how much of the filter an object takes
 * @size: its bytes
 *
 * Context: any.
 * Return: places in the first level, perhaps a few more; twice as many in the second one
 */
unsigned int objtrace_bloom_marks(unsigned int size)
{
	/* For the large ones it does not matter any more */
	if (is_everywhere(size))
		return 1;
	return (size - 1) / OBJTRACE_BLOOM_GRAIN + 2 - (size == 1);
}

/* How many places of a level are marked */
static unsigned int count_marked(const u8 *level, unsigned int bits, unsigned int *saturated)
{
	unsigned int marked = 0;
	u32 place;
	u8 count;

	for (place = 0; place < 1U << bits; place++) {
		if (!(place % PLACES_PER_SCAN))
			cond_resched();
		/* Nearly all are 0: eight at a time */
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
 * @fill: what is found; if objects come and go meanwhile some of them are in it
 *
 * Goes through all of it: nobody who marks counts this.
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
