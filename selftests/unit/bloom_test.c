// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Bloom filter: all added pointers pass, and few other pointers pass.  All counts are 0 after
 * the last object is removed, even if counts have saturated.  The same with several threads.
 */
#include <pthread.h>

#include <linux/kernel.h>

#include "objects/bloom.h"
#include "tap.h"

#define BASE		0xffff888000000000UL
#define MEMORY		(64UL << 30)

#define SMALL		OBJTRACE_BLOOM_SMALL_BITS
#define LARGE		OBJTRACE_BLOOM_LARGE_BITS
#define SECOND		OBJTRACE_BLOOM_SECOND_BITS

#define NR_THREADS	4

/* The thread sanitizer checks each cleared byte: 2 million bytes in a round */
#define RACE_ROUNDS	(TAP_RACES_ONLY ? 30 : 300)

static u64 random_state;

static u64 random_u64(void)
{
	u64 x = random_state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* A random address of a slab object of @size bytes, in 64 GiB of memory */
static unsigned long random_object(unsigned int size)
{
	unsigned long page = random_u64() % (MEMORY / 4096);

	return BASE + page * 4096 + random_u64() % (4096 / size) * size;
}

/* A sanitizer would check each of the many accesses */
__attribute__((no_sanitize("address", "thread", "undefined")))
static unsigned int count_marked(const u8 *level, unsigned int bits)
{
	unsigned int i, n = 0;

	for (i = 0; i < 1U << bits; i++)
		n += level[i] != 0;
	return n;
}

static bool is_clean(void)
{
	return !count_marked(objtrace_bloom_small, SMALL) &&
	       !count_marked(objtrace_bloom_large, LARGE) &&
	       !count_marked(objtrace_bloom_second, SECOND);
}

/* The check of the trampolines with the small level */
static bool small_may_have(unsigned long addr)
{
	return READ_ONCE(objtrace_bloom_small[objtrace_bloom_first(addr, SMALL)]);
}

static bool passes(unsigned long addr)
{
	return small_may_have(addr) && objtrace_bloom_has(addr);
}

/* Also with the arithmetic of the assembly code: with 32 bits of the address */
static void test_places(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < 100000; i++) {
		unsigned long addr = random_u64();
		u32 low = addr, middle = addr >> 6;

		wrong += objtrace_bloom_first(addr, LARGE) != low * 65U >> 12;
		wrong += objtrace_bloom_first(addr, SMALL) !=
			 (OBJTRACE_BLOOM_IS_SHIFTED(SMALL) ? (u16)middle : low * 1025U >> 16);
		wrong += objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR1) !=
			 middle * 0x9e3779b1U >> 12;
		wrong += objtrace_bloom_next(addr, OBJTRACE_BLOOM_FACTOR2) !=
			 middle * 0xc2b2ae3dU >> 12;
	}
	ok(!wrong,
	   "the byte of an address is the byte that the trampolines check (%u wrong)", wrong);
}

static void test_basics(void)
{
	unsigned long object = BASE + 0x12340;

	ok(!passes(object) && !objtrace_bloom_has(object), "no address passes an empty filter");
	ok(objtrace_bloom_add(object, 1) && passes(object), "an added address passes");
	ok(!passes(object + 0x80) && !passes(object - 0x80), "addresses next to it do not pass");
	ok(objtrace_bloom_add(object, 1) && passes(object), "an address can be added twice");
	objtrace_bloom_del(object, 1);
	ok(passes(object), "an address that was added twice passes after one removal");
	objtrace_bloom_del(object, 1);
	ok(!passes(object) && is_clean(), "the filter is empty after the second removal");
}

static void test_memory(void)
{
	unsigned long start = BASE + 0x4000;

	ok(!objtrace_bloom_has_memory(start), "no memory passes an empty filter");
	ok(objtrace_bloom_add_memory(start) && objtrace_bloom_has_memory(start),
	   "the free of added memory passes");
	ok(!passes(start) && !objtrace_bloom_has(start), "a pointer to added memory does not pass");
	ok(objtrace_bloom_add(start, 1), "an object at the start of added memory can be added");
	objtrace_bloom_del_memory(start);
	ok(!objtrace_bloom_has_memory(start) && passes(start),
	   "removing the memory does not remove the object");
	objtrace_bloom_del(start, 1);
	ok(is_clean(), "the filter is empty after the removal");
}

/* All bytes pass for any address of the object, even if the lower 32 bits overflow */
static void test_size(unsigned int size)
{
	unsigned long object, addr;
	unsigned long borders[] = { BASE, BASE + 0xffffffc0, BASE + 0xffffffff - size / 2 };
	unsigned int round, wrong = 0, near = 0;

	for (round = 0; round < 40; round++) {
		object = round < ARRAY_SIZE(borders) ? borders[round] :
			 BASE + random_u64() % MEMORY;
		wrong += !objtrace_bloom_add(object, size);
		for (addr = object; addr < object + size; addr++)
			wrong += !passes(addr);
		near += passes(object - 129) + passes(object + size + 128);
		objtrace_bloom_del(object, size);
		wrong += !is_clean();
	}
	ok(!wrong, "all %u bytes of an object pass (%u wrong)", size, wrong);
	ok(near <= 1, "addresses 128 bytes outside of the object do not pass (%u did)", near);
}

/* The counts of an object in a first level, maybe a few too few for large objects */
static unsigned int most_counts(unsigned int size)
{
	return (size - 1) / OBJTRACE_BLOOM_GRAIN + 2 - (size == 1);
}

static void test_counts(void)
{
	unsigned int i, size, most, wrong = 0;

	for (i = 0; i < 200; i++) {
		size = 1 + random_u64() % (i & 1 ? 300 : OBJTRACE_BLOOM_MAX_SIZE);
		most = most_counts(size);
		objtrace_bloom_add(BASE + i * 0x10007, size);
		/* A block of 64 bytes sometimes has two counts in a first level */
		wrong += count_marked(objtrace_bloom_second, SECOND) > 2 * most;
		most += most / 32 + 1;
		wrong += count_marked(objtrace_bloom_large, LARGE) > most;
		wrong += count_marked(objtrace_bloom_small, SMALL) > most;
		objtrace_bloom_del(BASE + i * 0x10007, size);
	}
	ok(!wrong && is_clean(),
	   "an object uses a count for each block that it can touch (%u wrong)", wrong);
}

static void test_large(void)
{
	unsigned int size = OBJTRACE_BLOOM_MAX_SIZE + 1, i, n = 0;

	objtrace_bloom_add_size(OBJTRACE_BLOOM_MAX_SIZE);
	ok(is_clean(), "the announcement of a small size changes nothing");
	objtrace_bloom_add_size(size);
	ok(objtrace_bloom_add(BASE + 5, size) && objtrace_bloom_add(BASE + 0x1000, 1),
	   "a very large object and a small object are added");
	for (i = 0; i < 10000; i++)
		n += passes(random_u64());
	ok(n == 10000, "every pointer passes while a very large size is announced");
	objtrace_bloom_del(BASE + 5, size);
	objtrace_bloom_del_size(size);
	ok(passes(BASE + 0x1000) && !passes(BASE + 0x2000),
	   "without a very large size, only the small object passes");
	objtrace_bloom_del(BASE + 0x1000, 1);
	objtrace_bloom_del_size(OBJTRACE_BLOOM_MAX_SIZE);
	ok(is_clean(), "the filter is empty after the removal");
	objtrace_bloom_add_size(size);
	for (i = 0; i < 300; i++)
		objtrace_bloom_add(BASE, 100);
	for (i = 0; i < 300; i++)
		objtrace_bloom_del(BASE, 100);
	objtrace_bloom_del_size(size);
	ok(is_clean(), "the filter is empty after the removal, even if a count saturated");
}

static void test_saturation(void)
{
	unsigned long object = BASE + 0x7777777, other = BASE + 0x1000;
	unsigned int i;

	for (i = 0; i < 1000; i++)
		objtrace_bloom_add(object, 200);
	objtrace_bloom_add(other, 1);
	for (i = 0; i < 999; i++)
		objtrace_bloom_del(object, 200);
	ok(passes(object) && passes(object + 199),
	   "an object that was added 1000 times passes after 999 removals");
	objtrace_bloom_del(object, 200);
	objtrace_bloom_clean();
	ok(passes(object) && passes(other),
	   "a saturated count stays while another object is added");
	objtrace_bloom_del(other, 1);
	ok(!passes(other) && passes(object),
	   "an object without a saturated count is removed exactly");
	objtrace_bloom_clean();
	ok(!passes(object) && is_clean(),
	   "the saturated counts are cleared after the last removal");
	for (i = 0; i < 254; i++)
		objtrace_bloom_add(object, 1);
	for (i = 0; i < 254; i++)
		objtrace_bloom_del(object, 1);
	ok(is_clean(), "254 adds and 254 removals leave the filter empty");
}

#define NR_OBJECTS	3000

static unsigned long objects[65536];
static unsigned int sizes[NR_OBJECTS];

static void test_measure(void)
{
	struct objtrace_bloom_fill fill;
	u64 seed = random_state;
	unsigned int i;

	objtrace_bloom_measure(&fill);
	ok(!fill.small && !fill.large && !fill.second && !fill.saturated,
	   "an empty filter has no used bytes");
	for (i = 0; i < 50; i++)
		objtrace_bloom_add(random_object(64), 1 + i * 20);
	for (i = 0; i < 255; i++)
		objtrace_bloom_add_memory(BASE);
	objtrace_bloom_measure(&fill);
	ok(fill.small == count_marked(objtrace_bloom_small, SMALL) &&
	   fill.large == count_marked(objtrace_bloom_large, LARGE) &&
	   fill.second == count_marked(objtrace_bloom_second, SECOND) &&
	   fill.small > 50 && fill.saturated == 2,
	   "a filter with %u, %u and %u used bytes is measured, 2 bytes saturated", fill.small,
	   fill.large, fill.second);
	random_state = seed;
	for (i = 0; i < 50; i++)
		objtrace_bloom_del(random_object(64), 1 + i * 20);
	for (i = 0; i < 255; i++)
		objtrace_bloom_del_memory(BASE);
	objtrace_bloom_clean();
	ok(is_clean(), "the filter is empty after the removal");
}

/* Objects are added and removed, and all present objects pass */
static void test_churn(void)
{
	unsigned int round, i, wrong = 0;
	bool marked[NR_OBJECTS] = {};

	for (round = 0; round < 100000; round++) {
		i = random_u64() % NR_OBJECTS;
		if (marked[i]) {
			wrong += !passes(objects[i]) || !passes(objects[i] + sizes[i] - 1) ||
				 !passes(objects[i] + random_u64() % sizes[i]);
			objtrace_bloom_del(objects[i], sizes[i]);
		} else {
			objects[i] = BASE + random_u64() % MEMORY;
			sizes[i] = round & 7 ? 1 : 1 + random_u64() % 2000;
			wrong += !objtrace_bloom_add(objects[i], sizes[i]);
		}
		marked[i] = !marked[i];
	}
	for (i = 0; i < NR_OBJECTS; i++)
		if (marked[i])
			objtrace_bloom_del(objects[i], sizes[i]);
	ok(!wrong && is_clean(),
	   "each of 100000 objects passes between its add and its removal (%u wrong)", wrong);
}

/*
 * The share of 100000 other objects that pass the first level is about the share of its counts that
 * are in use.  The second level has twice as many counts in use, and checks two counts for each of
 * these objects.
 */
static void test_density(unsigned int nr, unsigned int size, bool adjacent)
{
	const unsigned int tries = 100000;
	unsigned int i, first = 0, small = 0, both = 0, nr_places = 1 << SMALL, expected;
	unsigned long addr = random_object(size);

	for (i = 0; i < nr; i++) {
		objects[i] = adjacent ? addr + i * size : random_object(size);
		objtrace_bloom_add(objects[i], 1);
	}
	for (i = 0; i < tries; i++) {
		addr = random_object(size) ^ (MEMORY << 1);
		first += !!objtrace_bloom_may_have(addr);
		small += small_may_have(addr);
		both += objtrace_bloom_has(addr);
	}
	expected = (u64)tries * nr >> LARGE;
	ok(first <= expected + expected / 4 + 30 &&
	   both <= (u64)expected * expected * expected * 4 / tries / tries * 3 / 2 + 10,
	   "%u %s objects of %u bytes: of 100000 other addresses %u pass the first level, %u both levels, %u the small level",
	   nr, adjacent ? "adjacent" : "scattered", size, first, both, small);
	/* A shifted address is a multiple of the alignment, so few of the counts are in use */
	if (OBJTRACE_BLOOM_IS_SHIFTED(SMALL) && size > OBJTRACE_BLOOM_GRAIN)
		nr_places /= size / OBJTRACE_BLOOM_GRAIN;
	if (nr <= nr_places / 4) {
		expected = (u64)tries * nr / nr_places;
		ok(small <= expected + expected / 4 + 30, "the small level rejects enough of them");
	}
	for (i = 0; i < nr; i++)
		objtrace_bloom_del(objects[i], 1);
	ok(is_clean(), "the filter is empty after the removal");
}

static unsigned int nr_wrong, nr_refused;
static pthread_barrier_t start;

/* Counts saturate and are cleared all the time.  A refused addition changes no count. */
static void *mark_and_check(void *arg)
{
	unsigned long own = BASE + (unsigned long)arg * 64, shared = BASE + 0x10000;
	unsigned int round, i, marked;

	for (round = 0; round < RACE_ROUNDS; round++) {
		pthread_barrier_wait(&start);
		/* The filter is empty now, and other threads begin to add */
		if (!arg)
			objtrace_bloom_clean();
		marked = 0;
		for (i = 0; i < 300; i++)
			marked += objtrace_bloom_add(shared, 1);
		__atomic_fetch_add(&nr_refused, 300 - marked, __ATOMIC_RELAXED);
		if (objtrace_bloom_add(own, 100)) {
			if (!passes(own) || !passes(own + 99))
				__atomic_fetch_add(&nr_wrong, 1, __ATOMIC_RELAXED);
			objtrace_bloom_del(own, 100);
		}
		if (marked && !passes(shared))
			__atomic_fetch_add(&nr_wrong, 1, __ATOMIC_RELAXED);
		while (marked--)
			objtrace_bloom_del(shared, 1);
	}
	return NULL;
}

static void test_race(void)
{
	pthread_t threads[NR_THREADS];
	unsigned long i;

	pthread_barrier_init(&start, NULL, NR_THREADS);
	for (i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, mark_and_check, (void *)i);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
	objtrace_bloom_clean();
	ok(!nr_wrong && is_clean(),
	   "added objects pass while threads saturate counts (%u wrong, %u refused)",
	   nr_wrong, nr_refused);
}

static bool is_over;

static void *saturate_and_clean(void *unused)
{
	unsigned int i, marked;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		marked = 0;
		for (i = 0; i < 300; i++)
			marked += objtrace_bloom_add(BASE, 1);
		while (marked--)
			objtrace_bloom_del(BASE, 1);
		objtrace_bloom_clean();
	}
	return NULL;
}

/* All bytes of very large objects pass, while counts are cleared all the time */
static void test_race_large(void)
{
	unsigned int size = OBJTRACE_BLOOM_MAX_SIZE + 1, i, wrong = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, saturate_and_clean, NULL);
	objtrace_bloom_add_size(size);
	for (i = 0; i < 1000; i++)
		wrong += !passes(random_u64());
	objtrace_bloom_del_size(size);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	objtrace_bloom_clean();
	ok(!wrong && is_clean(),
	   "every pointer passes while counts are cleared, with a very large size (%u wrong)", wrong);
}

static void test_alone(void)
{
	test_places();
	test_basics();
	test_memory();
	test_size(1);
	test_size(2);
	test_size(64);
	test_size(65);
	test_size(1000);
	test_size(OBJTRACE_BLOOM_MAX_SIZE);
	test_counts();
	test_large();
	test_saturation();
	test_measure();
	test_churn();
	test_density(1, 256, false);
	test_density(64, 64, false);
	test_density(64, 64, true);
	test_density(64, 4096, true);
	test_density(256, 1024, false);
	test_density(4096, 8, false);
	test_density(4096, 256, false);
	test_density(4096, 4096, true);
	test_density(65536, 64, false);
	test_density(65536, 512, false);
}

int main(void)
{
	if (!TAP_RACES_ONLY)
		test_alone();
	test_race();
	test_race_large();
	return tap_done();
}
