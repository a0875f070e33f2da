// SPDX-License-Identifier: GPL-2.0-only
/*
 * The objects of a session: several values of an object, addresses that are used again, and many
 * objects that ended.
 */
#include "tools/objtrace/followed.h"
#include "tap.h"

#define ADDRESS		0xff00000000001000ULL
#define MANY		100000

static struct followed_table table;

static struct followed_value *add(u64 id, u64 address, int value)
{
	struct record_owner owner = { .id = id, .address = address };

	return followed_add(&table, &owner, value, 5);
}

static void check_values(void)
{
	struct followed_value *one, *two;

	one = add(1, ADDRESS, 0);
	ok(one->object->nr == 1 && one->object->start == 5, "the first value of an object");
	two = add(2, ADDRESS, 1);
	ok(two->object == one->object, "the second value of the object");
	ok(followed_find(&table, 1) == one && followed_find(&table, 2) == two &&
	   !followed_find(&table, 3), "each value is found by its number");
	ok(followed_at(&table, ADDRESS) == one->object && !followed_at(&table, ADDRESS + 8),
	   "the object is found by its address");
	followed_end(&table, one->object);
	ok(!followed_at(&table, ADDRESS), "an object that ended has no address");
	ok(followed_find(&table, 1) == one, "an object that ended has records still");
}

static void check_addresses(void)
{
	struct followed_value *before, *after;

	before = add(11, ADDRESS, 0);
	ok(before->object->nr == 2, "a new object at the address of one that ended");
	after = add(12, ADDRESS, 0);
	ok(after->object->nr == 3 && before->object->has_ended,
	   "a new object at the address ends the object there");
	ok(followed_at(&table, ADDRESS) == after->object, "the address belongs to the new object");
}

static void check_many(void)
{
	u64 id = 100;

	for (; id < 100 + MANY; id++)
		followed_end(&table, add(id, ADDRESS + 8 + id * 8 % 4096, 0)->object);
	ok(table.nr == 3 + MANY && table.nr_ended < MANY,
	   "%lu of %d objects that ended are kept", table.nr_ended, MANY);
	ok(!followed_find(&table, 100) && followed_find(&table, id - 1),
	   "the objects that ended last are kept");
	ok(followed_find(&table, 12), "an object that did not end is kept");
}

int main(void)
{
	check_values();
	check_addresses();
	check_many();
	followed_free(&table);
	return tap_done();
}
