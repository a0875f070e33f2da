// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table: alone, with several threads, and with a signal handler that adds
 * in the middle of an addition, as an NMI does in the kernel.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>

#include <linux/kernel.h>

#include "objects/bloom.h"
#include "objects/table.h"
#include "tap.h"

static struct objtrace_owner owners[300];

#define OWNER(n)	(&owners[n])
#define OBJECT(n)	(0xffff888000000000UL + (unsigned long)(n) * 0x40)

#define NR_THREADS	4

/*
 * The address sanitizer is fast, and its timing shows a missing barrier.  The other programs need
 * fewer rounds: the thread sanitizer finds a race at any timing, and threads that yield have many
 * bad timings.
 */
#ifdef __SANITIZE_ADDRESS__
#define RACE_ROUNDS	50
#define RACE_CALLS	20000
#else
#define RACE_ROUNDS	(TAP_RACES_ONLY ? 10 : 20)
#define RACE_CALLS	5000
#endif

/* A table, and owners whose objects are one byte */
static void begin(unsigned int max_objects)
{
	unsigned int i;

	objtrace_table_init(max_objects);
	for (i = 0; i < ARRAY_SIZE(owners); i++)
		objtrace_owner_init(OWNER(i), 1, false);
}

/* Add an object in memory that starts at @start */
static int add_in(unsigned long start, unsigned long object, unsigned int owner,
		  atomic_long_t *budget)
{
	struct objtrace_match match;
	int ret = objtrace_table_add(object, start, OWNER(owner), budget, &match);

	if (!ret)
		objtrace_table_publish(match.slot);
	return ret;
}

/* Add an object in unknown memory */
static int add(unsigned long object, unsigned int owner, atomic_long_t *budget)
{
	return add_in(0, object, owner, budget);
}

static unsigned int count_matches(unsigned long addr)
{
	struct objtrace_match match;
	unsigned int pos = 0, n = 0;

	if (!objtrace_bloom_has(addr))
		return 0;
	while (objtrace_table_match(addr, &pos, &match))
		n++;
	return n;
}

/* Find an object by the memory that is freed */
static unsigned int count_anchors(unsigned long start)
{
	struct objtrace_match match;
	unsigned int pos = 0, n = 0;

	if (!objtrace_bloom_has_memory(start))
		return 0;
	while (objtrace_table_match_anchor(start, &pos, &match))
		n += match.object != start && match.slot->object == match.object;
	return n;
}

/* End all objects in memory that is freed, as the tracepoints do */
static unsigned int free_memory(unsigned long start)
{
	struct objtrace_match match;
	unsigned int pos = 0, n = 0;

	while (objtrace_table_match(start, &pos, &match))
		n += match.object == start && objtrace_table_end(&match);
	pos = 0;
	while (objtrace_table_match_anchor(start, &pos, &match))
		n += objtrace_table_end(&match);
	return n;
}

/* End forgotten objects, as the reaper does */
static unsigned int reap(void)
{
	struct objtrace_match match;
	unsigned int pos = 0, n = 0;

	while (objtrace_table_next_forgotten(&pos, &match))
		n += objtrace_table_end(&match);
	objtrace_table_collect();
	objtrace_table_free_collected();
	return n;
}

/* Forget all objects, as at the removal of a trigger, and prepare the owner for new objects */
static unsigned int remove_all(unsigned int owner)
{
	unsigned int n;

	OWNER(owner)->reaped_id = U64_MAX;
	n = reap();
	OWNER(owner)->reaped_id = 0;
	return n;
}

/* A sanitizer would check each of the many accesses */
__attribute__((no_sanitize("address", "thread", "undefined")))
static bool is_zero(const u8 *bytes, unsigned int size)
{
	const u64 *p = (const void *)bytes;
	unsigned int i;

	for (i = 0; i < size / sizeof(*p); i++)
		if (p[i])
			return false;
	return true;
}

/* No cell has a slot to search.  A sanitizer would check each of the many accesses */
__attribute__((no_sanitize("address", "thread", "undefined")))
static bool are_empty(const union objtrace_cell *cells, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (cells[i].count || cells[i].first || cells[i].reach)
			return false;
	return true;
}

/* The table is as after init, apart from the hints for adders */
static bool is_clean(void)
{
	return are_empty(objtrace_table.cells, 2 << objtrace_table.slot_bits) &&
	       is_zero(objtrace_bloom_small, sizeof(objtrace_bloom_small)) &&
	       is_zero(objtrace_bloom_large, sizeof(objtrace_bloom_large)) &&
	       is_zero(objtrace_bloom_second, sizeof(objtrace_bloom_second)) &&
	       !objtrace_table.used.counter;
}

static void test_basics(void)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	begin(4);
	ok(!count_matches(OBJECT(1)), "an empty table matches nothing");
	ok(!add(OBJECT(1), 1, NULL), "an object is added");
	ok(count_matches(OBJECT(1)) == 1, "an added object is found");
	ok(!count_matches(OBJECT(2)), "an object that was not added is not found");
	ok(add(OBJECT(1), 1, NULL) == -EEXIST, "an owner cannot add an object twice");
	ok(!add(OBJECT(1), 2, NULL), "another owner can add the same object");
	ok(count_matches(OBJECT(1)) == 2, "an object of two owners is found twice");
	ok(objtrace_table_match(OBJECT(1), &pos, &match) && match.owner == OWNER(1) &&
	   match.id == 1 && match.slot->object == OBJECT(1) &&
	   objtrace_table_match(OBJECT(1), &pos, &match) && match.owner == OWNER(2) &&
	   match.id == 2, "matches come in the order of the adds, with owner and id");
	ok(pos == OBJTRACE_POS_END && !objtrace_table_match(OBJECT(1), &pos, &match),
	   "the last match ends the search");
	ok(remove_all(1) == 1 && count_matches(OBJECT(1)) == 1,
	   "removing the objects of one owner keeps those of another owner");
	ok(!add(OBJECT(1), 1, NULL) && count_matches(OBJECT(1)) == 2,
	   "a removed object can be added again");
	ok(remove_all(1) + remove_all(2) == 2 && is_clean(),
	   "table and filter are empty after the removal");
	objtrace_table_exit();
}

static void test_unpublished(void)
{
	struct objtrace_match match;

	begin(4);
	ok(!objtrace_table_add(OBJECT(1), 0, OWNER(1), NULL, &match) &&
	   !count_matches(OBJECT(1)), "an object is not found before it is published");
	ok(add(OBJECT(1), 1, NULL) == -EEXIST, "an unpublished object cannot be added again");
	objtrace_table_publish(match.slot);
	ok(count_matches(OBJECT(1)) == 1, "an object is found after it is published");
	remove_all(1);
	objtrace_table_exit();
}

static void test_budget(void)
{
	atomic_long_t two = { 2 };

	begin(8);
	ok(!add(OBJECT(1), 1, &two) && add(OBJECT(1), 1, &two) == -EEXIST &&
	   atomic_long_read(&two) == 1, "adding a tracked object uses none of the budget");
	ok(!add(OBJECT(2), 1, &two) && add(OBJECT(3), 1, &two) == -EDQUOT &&
	   atomic_long_read(&two) == 0, "a budget of 2 allows 2 objects");
	ok(!add(OBJECT(3), 2, NULL), "the budget of one owner does not limit another owner");
	ok(remove_all(1) == 2 && remove_all(2) == 1 && is_clean(),
	   "table and filter are empty after the removal");
	objtrace_table_exit();
}

static bool end(unsigned long object)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	return objtrace_table_match(object, &pos, &match) && objtrace_table_end(&match);
}

static void test_end(void)
{
	struct objtrace_match match, first;
	unsigned int pos = 0;

	begin(2);
	add(OBJECT(1), 1, NULL);
	add(OBJECT(2), 1, NULL);
	ok(objtrace_table_match(OBJECT(1), &pos, &first) && objtrace_table_end(&first) &&
	   !count_matches(OBJECT(1)) && count_matches(OBJECT(2)) == 1,
	   "an ended object is not found, and other objects are found");
	ok(!objtrace_table_end(&first), "an object ends once");
	ok(!add(OBJECT(1), 1, NULL) && count_matches(OBJECT(1)) == 1,
	   "an ended object does not count for max_objects");
	pos = 0;
	ok(objtrace_table_match(OBJECT(1), &pos, &match) && match.id == 3 &&
	   match.slot != first.slot && first.slot->object == OBJECT(1),
	   "the new object at the address has a new id and a new slot");
	ok(!objtrace_table_end(&first), "a match of the ended object does not end the new object");
	ok(remove_all(1) == 2 && is_clean(), "table and filter are empty after the removal");
	objtrace_table_exit();
}

/* Ended objects at an address leave nothing to search, although their slots are still in use */
static void test_ended_at_once(void)
{
	const union objtrace_cell *cell;
	unsigned int round, wrong = 0;

	begin(4096);
	objtrace_owner_init(OWNER(1), 0x40, false);
	for (round = 0; round < 50; round++) {
		wrong += add_in(OBJECT(1), OBJECT(1) + 8, 1, NULL) || add(OBJECT(1) + 8, 2, NULL);
		wrong += count_matches(OBJECT(1) + 8) != 2 || count_anchors(OBJECT(1)) != 1;
		for (cell = objtrace_table.cells;
		     cell < objtrace_table.cells + (2 << objtrace_table.slot_bits); cell++)
			wrong += cell->reach - cell->first > cell->count;
		wrong += !end(OBJECT(1) + 8) || !end(OBJECT(1) + 8) || !is_clean();
	}
	ok(!wrong, "the end of an object removes it from cells and filter at once (%u wrong)", wrong);
	reap();
	ok(!add(OBJECT(1), 2, NULL) && remove_all(2) == 1 && is_clean(),
	   "the slots of ended objects become free");
	objtrace_owner_exit(OWNER(1));
	objtrace_table_exit();
}

static bool end_of(unsigned long object, unsigned int owner)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_match(object, &pos, &match))
		if (match.owner == OWNER(owner))
			return objtrace_table_end(&match);
	return false;
}

/* Objects that come and go do not make the search for an object of the same cell longer */
static void test_stays_near(void)
{
	const union objtrace_cell *cell;
	unsigned int round, wrong = 0;

	begin(4096);
	wrong += add(OBJECT(1), 0, NULL) != 0;
	for (round = 0; round < 300; round++) {
		wrong += add(OBJECT(1), 1, NULL) || !end_of(OBJECT(1), 1);
		reap();
	}
	for (cell = objtrace_table.cells;
	     cell < objtrace_table.cells + (2 << objtrace_table.slot_bits); cell++)
		wrong += cell->reach > 4;
	ok(!wrong, "an object stays near home while others come and go (%u wrong)", wrong);
	ok(remove_all(0) == 1 && is_clean(), "the last of these objects leaves nothing behind");
	objtrace_table_exit();
}

/* Slots of ended objects are free after the reaper.  Until then, an address has 255 slots. */
static void test_busy(void)
{
	unsigned int ended = 0;
	int ret;

	begin(4096);
	while (!(ret = add(OBJECT(1), 1, NULL)))
		ended += end(OBJECT(1));
	ok(ret == -EAGAIN && ended == 255 && !objtrace_table.used.counter,
	   "an address can be added and ended 255 times (%u), then the add fails", ended);
	ok(!add(OBJECT(3000), 1, NULL), "another address can still be added");
	reap();
	ok(!add(OBJECT(1), 1, NULL) && count_matches(OBJECT(1)) == 1,
	   "the reaper frees slots for the address");
	ok(remove_all(1) == 2 && is_clean(), "table and filter are empty after the removal");
	objtrace_table_exit();
}

static void test_forget(void)
{
	begin(8);
	add(OBJECT(1), 1, NULL);
	add(OBJECT(2), 1, NULL);
	add(OBJECT(2), 2, NULL);
	objtrace_owner_forget(OWNER(1), 3);
	ok(!count_matches(OBJECT(1)) && count_matches(OBJECT(2)) == 1,
	   "a forgotten object is not found, but the same object of another owner is");
	ok(!add(OBJECT(1), 1, NULL) && count_matches(OBJECT(1)) == 1 && !reap(),
	   "a forgotten object can be added again before the reaper runs");
	OWNER(1)->reaped_id = 3;
	ok(reap() == 2 && count_matches(OBJECT(1)) == 1 && count_matches(OBJECT(2)) == 1,
	   "the reaper ends forgotten objects, and no other objects");
	objtrace_owner_forget(OWNER(1), 2);
	ok(OWNER(1)->first_id == 3, "a smaller id does not bring forgotten objects back");
	ok(remove_all(1) == 1 && remove_all(2) == 1 && is_clean(),
	   "table and filter are empty after the removal");
	objtrace_table_exit();
}

/* Count the objects by a look at each slot */
static unsigned int count_looks(unsigned long object)
{
	struct objtrace_match match;
	unsigned int i, n = 0;

	for (i = 0; i <= objtrace_table.slot_mask; i++)
		n += objtrace_table_is_live(i) && objtrace_table_look(i, &match) &&
		     match.object == object && match.slot->object == object;
	return n;
}

static void test_look(void)
{
	struct objtrace_match match;

	begin(8);
	objtrace_owner_init(OWNER(1), 0x40, false);
	objtrace_table_add(OBJECT(1), 0, OWNER(2), NULL, &match);
	ok(!count_looks(OBJECT(1)), "a look at the slots does not show an unpublished object");
	objtrace_table_publish(match.slot);
	ok(!add_in(OBJECT(2), OBJECT(2) + 8, 1, NULL) &&
	   objtrace_table.used.counter == 4 && count_looks(OBJECT(1)) == 1 &&
	   count_looks(OBJECT(2) + 8) == 1 && !count_looks(OBJECT(2)),
	   "an object with a tail and an anchor is shown once");
	objtrace_owner_forget(OWNER(2), match.id + 1);
	ok(!count_looks(OBJECT(1)) && end(OBJECT(2) + 8) && !count_looks(OBJECT(2) + 8),
	   "forgotten and ended objects are not shown");
	remove_all(2);
	ok(remove_all(1) == 0 && is_clean(), "table and filter are empty after the removal");
	objtrace_owner_exit(OWNER(1));
	objtrace_table_exit();
}

/* All bytes of the object match, and no byte outside, for any position in the windows */
static void test_size(unsigned int size)
{
	unsigned int shift, wrong = 0, added = 0, n;
	unsigned long object, addr;

	begin(64);
	objtrace_owner_init(OWNER(1), size, false);
	objtrace_owner_init(OWNER(2), 1, false);
	for (shift = 0; shift < 64; shift++) {
		object = OBJECT(4096) + shift * 7;
		if (add(object, 1, NULL) || add(object, 1, NULL) != -EEXIST)
			wrong++;
		/* Objects of another owner at the start and in the middle do not matter */
		if (add(object + 1, 2, NULL) || add(object + size, 2, NULL))
			wrong++;
		for (addr = object - 2; addr < object + size + 2; addr++) {
			n = (addr >= object && addr < object + size) +
			    (addr == object + 1) + (addr == object + size);
			if (count_matches(addr) != n)
				wrong++;
		}
		added = remove_all(1) + remove_all(2);
		wrong += added != 3 || !is_clean();
	}
	ok(!wrong, "all %u bytes of an object match, at any alignment (%u wrong)", size, wrong);
	objtrace_owner_exit(OWNER(1));
	ok(!objtrace_table.windows, "without an owner of large objects, no windows are searched");
	objtrace_table_exit();
}

/* An object in two windows has two slots, and an object in one window has one slot */
static void test_size_full(void)
{
	begin(4);
	objtrace_owner_init(OWNER(1), 0x40, false);
	ok(!add(OBJECT(1), 1, NULL) && !add(OBJECT(2), 1, NULL) &&
	   !add(OBJECT(4) + 8, 1, NULL), "an object in two windows is added");
	ok(add(OBJECT(8), 1, NULL) == -ENOSPC,
	   "an object in two windows counts twice for max_objects");
	ok(end(OBJECT(4) + 9) && !count_matches(OBJECT(4) + 8) && !count_matches(OBJECT(5)) &&
	   objtrace_table.used.counter == 2, "both slots of an object end together");
	ok(add(OBJECT(8), 1, NULL) == 0 && add(OBJECT(9) + 1, 1, NULL) == -ENOSPC &&
	   !count_matches(OBJECT(9) + 1),
	   "an object that needs two slots is not added if one slot is left");
	ok(remove_all(1) == 3, "all objects can be removed from a full table");
	objtrace_owner_exit(OWNER(1));
	objtrace_table_exit();
}

static void test_anchor(void)
{
	struct objtrace_match match;
	unsigned long start = OBJECT(1), object = start + 0x18;
	unsigned int pos = 0;

	begin(8);
	ok(!add_in(start, object, 1, NULL) && count_matches(object) == 1 &&
	   !count_matches(start), "an object inside an allocation is found by its own address");
	ok(count_anchors(start) == 1 && !count_anchors(object) && !count_anchors(OBJECT(2)),
	   "the free of the allocation finds the object");
	ok(objtrace_table_match_anchor(start, &pos, &match) && match.object == object &&
	   match.id == 1 && match.owner == OWNER(1) && match.slot->object == object,
	   "the match of the allocation has the address, owner and id of the object");
	ok(add_in(start, object, 1, NULL) == -EEXIST, "an owner cannot add an object twice");
	ok(!add_in(start, start, 1, NULL) && count_matches(start) == 1 &&
	   count_anchors(start) == 1, "an object at the start of the allocation is another object");
	ok(!add_in(start, start + 8, 1, NULL) && !add_in(start, start + 8, 2, NULL) &&
	   count_anchors(start) == 3 && count_matches(start + 8) == 2,
	   "an allocation can have several objects, of several owners");
	ok(objtrace_table.used.counter == 7,
	   "an object inside an allocation counts twice, an object at its start once");
	ok(add_in(start, start + 0x20, 1, NULL) == -ENOSPC && !count_matches(start + 0x20) &&
	   count_anchors(start) == 3, "an object is not added if there is no slot for its anchor");
	ok(free_memory(start) == 4 && !count_anchors(start) && !count_matches(start) &&
	   !count_matches(object) && !count_matches(start + 8),
	   "the free of the allocation ends all objects in it");
	ok(!free_memory(start) && !objtrace_table.used.counter,
	   "a second free of the allocation ends nothing");
	ok(!add_in(start, object, 1, NULL) && count_anchors(start) == 1,
	   "an object can be added in the same memory again");
	ok(end(object) && !count_anchors(start) && !free_memory(start),
	   "the free of the allocation does not find an ended object");
	reap();
	ok(is_clean(), "table and filter are empty after the removal");
	objtrace_table_exit();
}

/* Before it is published, and after its owner has forgotten it */
static void test_anchor_hidden(void)
{
	struct objtrace_match match;

	begin(8);
	ok(!objtrace_table_add(OBJECT(1) + 8, OBJECT(1), OWNER(1), NULL, &match) &&
	   !count_anchors(OBJECT(1)), "a free does not find an object before it is published");
	objtrace_table_publish(match.slot);
	ok(count_anchors(OBJECT(1)) == 1, "an object is found after it is published");
	objtrace_owner_forget(OWNER(1), 2);
	ok(!count_anchors(OBJECT(1)) && !free_memory(OBJECT(1)),
	   "a free does not find a forgotten object");
	ok(!add_in(OBJECT(1), OBJECT(1) + 8, 1, NULL) && count_anchors(OBJECT(1)) == 1,
	   "a forgotten object inside an allocation can be added again");
	ok(remove_all(1) == 2 && is_clean(),
	   "table and filter are empty after all objects are removed");
	objtrace_table_exit();
}

/* Two windows and some memory: three slots */
static void test_anchor_and_tail(void)
{
	unsigned long start = OBJECT(1), object = start + 0x18;
	unsigned int round, wrong = 0;

	begin(4);
	objtrace_owner_init(OWNER(1), 0x40, false);
	ok(!add_in(start, object, 1, NULL) && objtrace_table.used.counter == 3,
	   "an object with a tail and an anchor takes three slots");
	ok(count_matches(object + 0x3f) == 1 && count_anchors(start) == 1 &&
	   !count_matches(start), "the last byte and the allocation of the object are found");
	ok(add_in(start, start + 8, 1, NULL) == -ENOSPC && objtrace_table.used.counter == 3,
	   "one free slot is not enough for a second object");
	ok(free_memory(start) == 1 && !count_matches(object + 0x3f) && !count_anchors(start) &&
	   !objtrace_table.used.counter, "the free ends all three slots");
	reap();
	for (round = 0; round < 1000; round++) {
		wrong += add_in(start, object, 1, NULL) || count_matches(object + 0x3f) != 1;
		wrong += free_memory(start) != 1 || count_matches(object + 0x3f);
		reap();
		wrong += !is_clean();
	}
	ok(!wrong, "1000 adds and frees leave table and filter empty (%u wrong)", wrong);
	objtrace_owner_exit(OWNER(1));
	objtrace_table_exit();
}

/* The slots for the anchor are full of ended objects */
static void test_anchor_busy(void)
{
	unsigned long start = OBJECT(1);
	unsigned int ended = 0, i;
	int ret = 0;

	begin(4096);
	objtrace_owner_init(OWNER(1), 0x40, false);
	for (i = 0; i < 4096 && !ret; i++) {
		ret = add_in(start, start + 0x10008 + i * 0x40, 1, NULL);
		ended += !ret && free_memory(start);
	}
	/* The objects themselves use some of the near slots */
	ok(ret == -EAGAIN && ended > 200 && !objtrace_table.used.counter,
	   "objects in one allocation can be freed %u times, then the add fails", ended);
	reap();
	ok(is_clean(), "a failed add leaves table and filter empty");
	objtrace_owner_exit(OWNER(1));
	objtrace_table_exit();
}

/* Tombstones do not count for max_objects */
static void test_freed(void)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	begin(2);
	objtrace_owner_init(OWNER(2), 0x40, true);
	ok(!add(OBJECT(1), 1, NULL) && !add(OBJECT(2), 1, NULL) &&
	   !add_in(OBJECT(1), OBJECT(1) + 8, 2, NULL) && objtrace_table.used.counter == 2,
	   "a tombstone is added to a full table, and does not count");
	ok(objtrace_table_match(OBJECT(2), &pos, &match) && !match.owner->is_freed &&
	   objtrace_table_match(OBJECT(2), &pos, &match) && match.owner->is_freed &&
	   match.object == OBJECT(1) + 8 && objtrace_table_places(match.slot) == 3,
	   "a tombstone matches, and is marked as freed");
	ok(objtrace_table_end(&match) && objtrace_table.used.counter == 2,
	   "the end of a tombstone does not change the number of objects");
	ok(!add_in(OBJECT(1), OBJECT(1) + 8, 2, NULL) && count_anchors(OBJECT(1)) == 1 &&
	   free_memory(OBJECT(1)) == 2 && objtrace_table.used.counter == 1,
	   "a free finds the object and the tombstone in the allocation");
	ok(remove_all(1) == 1 && remove_all(2) == 0 && is_clean(),
	   "table and filter are empty after the removal");
	objtrace_owner_exit(OWNER(2));
	objtrace_table_exit();
}

static void test_full(unsigned int max)
{
	unsigned int i, added = 0, found = 0;

	begin(max);
	for (i = 0; i < max; i++)
		added += !add(OBJECT(i), 1, NULL);
	ok(added == max, "a table for %u objects accepts %u objects", max, max);
	ok(add(OBJECT(max), 1, NULL) == -ENOSPC && !count_matches(OBJECT(max)),
	   "a full table refuses an object");
	for (i = 0; i < max; i++)
		found += count_matches(OBJECT(i));
	ok(found == max, "all objects of a full table are found");
	ok(remove_all(1) == max && is_clean(), "table and filter are empty after the removal");
	objtrace_table_exit();
}

/* More owners than slots in reach: the last owners are refused, and the other owners work */
static void test_many_owners(void)
{
	unsigned int i, added = 0, removed = 0;

	begin(4096);
	for (i = 0; i < 300; i++)
		added += !add(OBJECT(1), i, NULL);
	ok(added == 255 && count_matches(OBJECT(1)) == 255,
	   "255 owners can track one object");
	for (i = 0; i < 300; i++)
		removed += remove_all(i);
	ok(removed == 255 && is_clean(), "table and filter are empty after the removal");
	objtrace_table_exit();
}

/* The next address after @object with this home slot */
static unsigned long next_at_home(unsigned long object, u64 home)
{
	do
		object += sizeof(void *);
	while (hash_64(object, objtrace_table.slot_bits) != home);
	return object;
}

/* More addresses with one hash than slots in reach */
static void test_one_home(void)
{
	unsigned int pos = 0, i, wrong = 0, found = 0;
	struct objtrace_match match;
	unsigned long objects[256];

	begin(4096);
	for (i = 0; i < ARRAY_SIZE(objects); i++)
		objects[i] = next_at_home(i ? objects[i - 1] : OBJECT(0), 1);
	for (i = 0; i < 255; i++)
		wrong += add(objects[i], 1, NULL) != 0;
	ok(!wrong && add(objects[255], 1, NULL) == -EAGAIN,
	   "255 addresses with one hash can be added, and one more is refused");
	for (i = 0; i < 255; i++)
		found += count_matches(objects[i]);
	ok(found == 255, "each of these objects is found once (%u)", found);
	ok(!objtrace_table_match(objects[255], &pos, &match),
	   "an address with this hash that was not added is not found");
	ok(!add(OBJECT(3000), 1, NULL) && end(OBJECT(3000)), "another address can still be added");
	reap();
	ok(end(objects[7]) && !count_matches(objects[7]) && !reap() && !add(objects[255], 1, NULL),
	   "an object that ends makes room for the refused address");
	ok(remove_all(1) == 255 && is_clean(), "table and filter are empty after the removal");
	objtrace_table_exit();
}

#define NR_OBJECTS	3000

static unsigned int nr_added[NR_THREADS];
static unsigned int nr_wrong, nr_full;
static pthread_barrier_t start;
static atomic_long_t shared_budget;
static atomic_long_t *budget;	/* &shared_budget, or NULL for no limit */

static void *add_same(void *arg)
{
	unsigned int self = (unsigned long)arg;
	unsigned int i;

	pthread_barrier_wait(&start);
	for (i = 0; i < NR_OBJECTS; i++)
		nr_added[self] += !add(OBJECT(i), 1, budget);
	return NULL;
}

static void run_threads(void *(*fn)(void *arg))
{
	pthread_t threads[NR_THREADS];
	unsigned long i;

	pthread_barrier_init(&start, NULL, NR_THREADS);
	for (i = 0; i < NR_THREADS; i++) {
		nr_added[i] = 0;
		pthread_create(&threads[i], NULL, fn, (void *)i);
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
}

static unsigned int sum(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < NR_THREADS; i++)
		n += nr_added[i];
	return n;
}

static void test_race_same(void)
{
	unsigned int round, i, wrong = 0;

	for (round = 0; round < RACE_ROUNDS; round++) {
		begin(4096);
		budget = NULL;
		run_threads(add_same);
		wrong += sum() != NR_OBJECTS;
		for (i = 0; i < NR_OBJECTS; i++)
			wrong += count_matches(OBJECT(i)) != 1;
		wrong += remove_all(1) != NR_OBJECTS || !is_clean();
		objtrace_table_exit();
	}
	ok(!wrong, "threads that add the same objects add each object once (%u wrong)", wrong);
}

static void test_race_budget(void)
{
	unsigned int round, wrong = 0;

	for (round = 0; round < RACE_ROUNDS; round++) {
		begin(4096);
		atomic_long_set(&shared_budget, 1000);
		budget = &shared_budget;
		run_threads(add_same);
		wrong += sum() != 1000 || shared_budget.counter != 0;
		wrong += remove_all(1) != 1000 || !is_clean();
		objtrace_table_exit();
	}
	ok(!wrong,
	   "threads that race for a budget add exactly that many objects (%u wrong)", wrong);
}


static void *add_last(void *arg)
{
	unsigned int self = (unsigned long)arg;
	unsigned int round;
	int ret;

	for (round = 0; round < RACE_CALLS; round++) {
		pthread_barrier_wait(&start);
		nr_added[self] = !(ret = add(OBJECT(round % 8), 1, budget));
		if (ret == -ENOSPC)
			__atomic_fetch_add(&nr_full, 1, __ATOMIC_RELAXED);
		pthread_barrier_wait(&start);
		if (self)
			continue;
		/* The other threads wait for the next round */
		nr_wrong += sum() != 1 || atomic_long_read(budget) != 0;
		remove_all(1);
		atomic_long_set(budget, 1);
	}
	return NULL;
}

/* An adder that loses must not use up the budget or the slot of the winner */
static void test_race_last(void)
{
	begin(NR_THREADS);
	nr_wrong = 0;
	nr_full = 0;
	atomic_long_set(&shared_budget, 1);
	budget = &shared_budget;
	run_threads(add_last);
	ok(!nr_wrong && !nr_full && is_clean(),
	   "of threads that add one object with a budget of 1, one succeeds (%u wrong)",
	   nr_wrong);
	objtrace_table_exit();

	begin(1);
	nr_wrong = 0;
	run_threads(add_last);
	ok(!nr_wrong && is_clean(),
	   "of threads that add one object to the last slot, one succeeds (%u wrong)",
	   nr_wrong);
	objtrace_table_exit();
}

/* Each thread adds and ends its own objects, and looks up all objects */

/* Wait for a grace period: all threads finish their use of objects that they matched before */
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;

static pthread_mutex_t reaper = PTHREAD_MUTEX_INITIALIZER;

static void synchronize(void)
{
	pthread_rwlock_wrlock(&readers);
	pthread_rwlock_unlock(&readers);
}

static bool end_own(unsigned long object, unsigned int owner, struct objtrace_match *match)
{
	unsigned int pos = 0;

	while (objtrace_table_match(object, &pos, match))
		if (match->owner == OWNER(owner))
			return objtrace_table_end(match);
	return false;
}

static void *churn(void *arg)
{
	unsigned int self = (unsigned long)arg;
	struct objtrace_match match;
	unsigned int i, pos, wrong;

	pthread_barrier_wait(&start);
	for (i = 0; i < RACE_CALLS; i++) {
		unsigned long object = OBJECT(i % 16);

		pthread_rwlock_rdlock(&readers);
		wrong = !!add_in(i & 1 ? object - 8 : 0, object, self, NULL);
		pos = 0;
		while (objtrace_table_match(object + i % 8, &pos, &match))
			wrong += match.owner < OWNER(0) ||
				 match.owner >= OWNER(NR_THREADS) ||
				 match.object != object;
		pos = 0;
		while (objtrace_table_match_anchor(object - 8, &pos, &match))
			wrong += match.object != object || match.slot->object != object;
		if (!end_own(object, self, &match))
			wrong++;
		pthread_rwlock_unlock(&readers);
		__atomic_fetch_add(&nr_wrong, wrong, __ATOMIC_RELAXED);
		pthread_mutex_lock(&reaper);
		if (objtrace_table_collect()) {
			synchronize();
			objtrace_table_free_collected();
		}
		pthread_mutex_unlock(&reaper);
	}
	return NULL;
}

static void test_churn(void)
{
	unsigned int i;

	begin(64);
	for (i = 0; i < NR_THREADS; i++)
		objtrace_owner_init(OWNER(i), 1 + i * 8, false);
	nr_wrong = 0;
	run_threads(churn);
	ok(!nr_wrong && is_clean(),
	   "threads that add and end objects at once see only right matches (%u wrong)",
	   nr_wrong);
	for (i = 0; i < NR_THREADS; i++)
		objtrace_owner_exit(OWNER(i));
	objtrace_table_exit();
}

/* All threads end the same objects */
static void *end_same(void *arg)
{
	unsigned int self = (unsigned long)arg;
	unsigned int i;

	pthread_barrier_wait(&start);
	for (i = 0; i < NR_OBJECTS; i++)
		nr_added[self] += end(OBJECT(i));
	return NULL;
}

/* All threads free the memory of the objects */
static void *free_same(void *arg)
{
	unsigned int self = (unsigned long)arg;
	unsigned int i;

	pthread_barrier_wait(&start);
	for (i = 0; i < NR_OBJECTS; i++)
		nr_added[self] += free_memory(OBJECT(i));
	return NULL;
}

static void test_race_free(void)
{
	unsigned int round, i, wrong = 0;

	for (round = 0; round < RACE_ROUNDS; round++) {
		begin(16384);
		objtrace_owner_init(OWNER(2), 0x10, false);
		for (i = 0; i < NR_OBJECTS; i++) {
			wrong += !!add_in(OBJECT(i), OBJECT(i) + 8, 1, NULL);
			wrong += !!add_in(OBJECT(i), OBJECT(i) + 8, 2, NULL);
		}
		run_threads(free_same);
		wrong += sum() != 2 * NR_OBJECTS || objtrace_table.used.counter;
		reap();
		wrong += !is_clean();
		objtrace_owner_exit(OWNER(2));
		objtrace_table_exit();
	}
	ok(!wrong, "threads that free the same memory end each object once (%u wrong)", wrong);
}

static void test_race_end(void)
{
	unsigned int round, i, wrong = 0;

	for (round = 0; round < RACE_ROUNDS; round++) {
		begin(4096);
		for (i = 0; i < NR_OBJECTS; i++)
			add(OBJECT(i), 1, NULL);
		run_threads(end_same);
		wrong += sum() != NR_OBJECTS || objtrace_table.used.counter;
		reap();
		wrong += !is_clean();
		objtrace_table_exit();
	}
	ok(!wrong, "threads that end the same objects end each once (%u wrong)", wrong);
}

/* The number of signals depends on the speed of the host: the rounds go on until there are enough */
#define MIN_ROUNDS	5000
#define MAX_ROUNDS	10000000
#define MIN_NESTED	100

static volatile unsigned int nr_nested;

static void add_nested(int sig)
{
	unsigned int i;

	(void)sig;
	for (i = 0; i < 8; i++)
		nr_nested += !add(OBJECT(i), 1, NULL);
}

/* The signal lands anywhere in the additions of the loop, on the same thread */
static void test_nested(void)
{
	struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = {};
	unsigned int round, i, own, nested = 0, wrong = 0;
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	begin(64);
	signal(SIGALRM, add_nested);
	setitimer(ITIMER_REAL, &often, NULL);
	for (round = 0; round < MIN_ROUNDS || (nested < MIN_NESTED && round < MAX_ROUNDS); round++) {
		own = 0;
		for (i = 0; i < 8; i++)
			own += !add(OBJECT(i), 1, NULL);
		for (i = 0; i < 8; i++)
			wrong += count_matches(OBJECT(i)) != 1;
		/* An owner adds no object during its removal */
		sigprocmask(SIG_BLOCK, &alarm, NULL);
		wrong += own + nr_nested != 8;
		wrong += remove_all(1) != 8;
		nested += nr_nested;
		nr_nested = 0;
		sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN);
	remove_all(1);
	ok(nested >= MIN_NESTED, "the signal handler added objects during an add");
	ok(!wrong && is_clean(), "a nested add of the same object adds it once (%u wrong)", wrong);
	objtrace_table_exit();
}

static void test_alone(void)
{
	test_basics();
	test_unpublished();
	test_budget();
	test_end();
	test_look();
	test_busy();
	test_ended_at_once();
	test_stays_near();
	test_forget();
	test_size(2);
	test_size(0x40);
	test_size(0x41);
	test_size(1000);
	test_size_full();
	test_anchor();
	test_anchor_hidden();
	test_anchor_and_tail();
	test_anchor_busy();
	test_freed();
	test_full(1);
	test_full(8);
	test_full(255);
	test_full(4096);
	test_full(65536);
	test_full(OBJTRACE_MAX_OBJECTS);
	test_many_owners();
	test_one_home();
	test_nested();
}

int main(void)
{
	if (!TAP_RACES_ONLY)
		test_alone();
	test_race_same();
	test_race_budget();
	test_race_last();
	test_race_end();
	test_race_free();
	test_churn();
	return tap_done();
}
