// SPDX-License-Identifier: GPL-2.0-only
/*
 * The objects of a file: their records in order, their numbers, and the records that are missing.
 */
#include <string.h>

#include "tools/objtrace/objects.h"
#include "tap.h"

#define NR	10000

static void add(struct objects *objects, enum record_kind kind, u64 id, u64 address, u64 ts)
{
	struct record record = { .kind = kind, .ts = ts };
	struct record_owner owner = { .id = id, .address = address };

	objects_add(objects, &record, &owner, NULL);
}

/* Objects end in the middle of losses, before them, and after them. */
static void count_losses(void)
{
	struct objects objects = {};
	const struct object *first, *second, *third;

	add(&objects, RECORD_ADD, 1, 0x10, 1);
	objects_lose(&objects, 3);
	add(&objects, RECORD_ADD, 2, 0x20, 2);
	objects_lose(&objects, 4);
	add(&objects, RECORD_DEL, 1, 0x10, 3);
	objects_lose(&objects, -1);
	add(&objects, RECORD_ADD, 3, 0x30, 4);
	objects_end(&objects);
	first = objects.first;
	second = first->next;
	third = second->next;
	ok(object_lost(first) == 7 && !object_has_gap(first),
	   "losses before the end of an object count: %llu", object_lost(first));
	ok(object_lost(second) == 4 && object_has_gap(second),
	   "losses after the begin of an object count: %llu, and a gap", object_lost(second));
	ok(!object_lost(third) && !object_has_gap(third), "losses before an object do not count");
	ok(!third->next && objects.nr == 3, "each object has one block");
	objects_free(&objects);
}

/* An object without its add can have its first records in losses before. */
static void count_losses_without_add(void)
{
	struct objects objects = {};

	objects_lose(&objects, 5);
	objects_lose(&objects, 0);
	add(&objects, RECORD_VALUE, 1, 0x10, 1);
	objects_lose(&objects, 6);
	add(&objects, RECORD_DEL, 1, 0x10, 2);
	objects_end(&objects);
	ok(object_lost(objects.first) == 11 && object_has_gap(objects.first),
	   "losses before an object without its add count: %llu, and a gap",
	   object_lost(objects.first));
	objects_free(&objects);
}

static bool are_in_order(const struct object *object, unsigned int nr)
{
	const struct record *record;
	u64 last = 0;

	for_each_record(record, object) {
		if (record->ts <= last || record->object != object)
			return false;
		last = record->ts;
		nr--;
	}
	return !nr && object->last->ts == last;
}

/* The objects take turns, so that each has records in several chunks. */
static void keep_many(void)
{
	struct objects objects = {};
	const struct object *object;
	unsigned int i, good = 0;

	for (i = 0; i < 3 * NR; i++)
		add(&objects, RECORD_VALUE, i % NR, (i % NR) * 64, i + 1);
	objects_end(&objects);
	for_each_object(object, &objects)
		good += are_in_order(object, 3) && object->id + 1 == object->number;
	ok(good == NR, "%u of %u objects have their records in order", good, NR);
	ok(objects.nr_records == 3 * NR, "all %lu records are kept", objects.nr_records);
	objects_free(&objects);
}

/* The ages are by another clock than the times */
static void correct_ages(void)
{
	struct record del = { .kind = RECORD_DEL, .ts = 30, .age = 9999 };
	struct record after = { .kind = RECORD_AFTER_FREE, .ts = 35, .age = 9999 };
	struct record_owner with = { .id = 1 }, without = { .id = 2 };
	struct objects objects = {};

	add(&objects, RECORD_ADD, 1, 0, 10);
	objects_add(&objects, &del, &with, NULL);
	objects_add(&objects, &after, &with, NULL);
	objects_add(&objects, &after, &without, NULL);
	objects_add(&objects, &del, &without, NULL);
	ok(objects.first->del->age == 20, "the time since the add: %llu", objects.first->del->age);
	ok(objects.first->last->age == 5, "the time since the free: %llu",
	   objects.first->last->age);
	ok(objects.last->first->age == 9999 && objects.last->del->age == 9999,
	   "the ages of the kernel without the record to count from");
	objects_free(&objects);
}

static void select_objects(void)
{
	struct objects objects = {};
	const struct object *object;
	const struct record *record;
	unsigned int nr = 0;

	add(&objects, RECORD_ADD, 1, 0x10, 1);
	add(&objects, RECORD_ADD, 2, 0x20, 2);
	add(&objects, RECORD_ADD, 3, 0x10, 3);
	ok(objects_select(&objects, true, 0x10) == 2, "two objects at one address");
	for_each_object(object, &objects)
		nr += object->id;
	ok(nr == 4, "the loop over objects skips the other object");
	nr = 0;
	for_each_record_in_time(record, &objects)
		nr += record->ts;
	ok(nr == 4, "the loop over records skips the other object");
	ok(objects_select(&objects, false, 2) == 1, "one object of a number");
	ok(!objects_select(&objects, false, 4), "no object of an unknown number");
	objects_free(&objects);
	ok(!objects.first && !objects.nr, "no object is left");
}

static int add_event(struct objects *objects, u64 address, u64 ts)
{
	struct record record = { .kind = RECORD_EVENT, .ts = ts };

	return objects_add_event(objects, &record, address);
}

/* Two values of an object at 0x10, and a later object at the same address */
static void add_events(void)
{
	struct objects objects = {};
	const struct object *first, *second, *third;

	add_event(&objects, 0x10, 1);
	add(&objects, RECORD_ADD, 1, 0x10, 2);
	add(&objects, RECORD_ADD, 2, 0x10, 3);
	add_event(&objects, 0x10, 4);
	add_event(&objects, 0x11, 5);
	add(&objects, RECORD_DEL, 1, 0x10, 6);
	add(&objects, RECORD_DEL, 2, 0x10, 7);
	add_event(&objects, 0x10, 8);
	add(&objects, RECORD_ADD, 3, 0x10, 9);
	add_event(&objects, 0x10, 10);
	first = objects.first;
	second = first->next;
	third = second->next;
	ok(first->nr_records == 3 && first->first->next->kind == RECORD_EVENT &&
	   first->first->next->ts == 4, "an event belongs to the first value of its object");
	ok(second->nr_records == 2, "the other value lacks the event");
	ok(third->nr_records == 2 && third->last->ts == 10,
	   "an event belongs to the object that is at its address now");
	ok(objects.nr_records == 7, "events without an object are left out");
	objects_free(&objects);
}

int main(void)
{
	count_losses();
	count_losses_without_add();
	keep_many();
	correct_ages();
	select_objects();
	add_events();
	return tap_done();
}
