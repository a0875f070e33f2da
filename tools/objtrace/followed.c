// SPDX-License-Identifier: GPL-2.0-only
/*
 * The objects of a session that runs.  A session can last for days, so objects that ended are
 * forgotten after some time.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/followed.h"

/* After its end, an object can have records of other CPUs, and hints of the option --after-free */
#define MAX_ENDED	16384

static int compare_numbers(u64 one, u64 two)
{
	return one < two ? -1 : one > two;
}

static int compare_ids(const void *a, const void *b)
{
	const struct followed_value *one = a, *two = b;

	return compare_numbers(one->id, two->id);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct followed *one = a, *two = b;

	return compare_numbers(one->address, two->address);
}

/**
 * followed_find() - find a value of an object
 * @table: the objects
 * @id: the number of the object in the records of the value
 *
 * Return: the value, or NULL.
 */
struct followed_value *followed_find(const struct followed_table *table, u64 id)
{
	const struct followed_value key = { .id = id };
	void *node = tfind(&key, &table->by_id, compare_ids);

	return node ? *(struct followed_value **)node : NULL;
}

/**
 * followed_at() - find the object at an address
 * @table: the objects
 * @address: address of the first byte
 *
 * Return: the object, or NULL if there is none, or if it ended.
 */
struct followed *followed_at(const struct followed_table *table, u64 address)
{
	const struct followed key = { .address = address };
	void *node = tfind(&key, &table->by_address, compare_addresses);
	struct followed *object = node ? *(struct followed **)node : NULL;

	return object && !object->has_ended ? object : NULL;
}

static void free_object(struct followed *object)
{
	struct kept_record *held;
	int i;

	for (i = 0; i < SESSION_MAX_VALUES; i++) {
		free(object->values[i].last);
		while ((held = object->values[i].held)) {
			object->values[i].held = (struct kept_record *)held->record.next;
			free(held);
		}
	}
	free(object);
}

static bool holds_record(const struct followed *object)
{
	int i;

	for (i = 0; i < SESSION_MAX_VALUES; i++)
		if (object->values[i].held)
			return true;
	return false;
}

static void forget_first(struct followed_table *table)
{
	struct followed *object = table->first_ended;
	void *node = tfind(object, &table->by_address, compare_addresses);
	int i;

	table->first_ended = object->next_ended;
	table->nr_ended--;
	if (node && *(struct followed **)node == object)
		tdelete(object, &table->by_address, compare_addresses);
	for (i = 0; i < SESSION_MAX_VALUES; i++)
		if (object->values[i].id)
			tdelete(&object->values[i], &table->by_id, compare_ids);
	free_object(object);
}

/**
 * followed_end() - note that an object ended
 * @table: the objects
 * @object: the object; still valid
 */
void followed_end(struct followed_table *table, struct followed *object)
{
	object->has_ended = true;
	if (table->first_ended)
		table->last_ended->next_ended = object;
	else
		table->first_ended = object;
	table->last_ended = object;
	table->nr_ended++;
	/* live.c has a list of the values that hold records */
	if (table->nr_ended > MAX_ENDED && !holds_record(table->first_ended))
		forget_first(table);
}

/* Without the record of its end, the object before can still be there */
static void forget_address(struct followed_table *table, u64 address)
{
	struct followed *before = followed_at(table, address);
	const struct followed key = { .address = address };

	if (before)
		followed_end(table, before);
	tdelete(&key, &table->by_address, compare_addresses);
}

static struct followed *add_object(struct followed_table *table, u64 address, u64 ts)
{
	struct followed *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->address = address;
	object->start = ts;
	forget_address(table, address);
	if (!tsearch(object, &table->by_address, compare_addresses)) {
		free(object);
		return NULL;
	}
	object->nr = ++table->nr;
	return object;
}

/**
 * followed_add() - add a value of an object
 * @table: the objects
 * @owner: the object
 * @value: the number of the value, below SESSION_MAX_VALUES
 * @ts: the time
 *
 * Return: the value, or NULL without memory.
 */
struct followed_value *followed_add(struct followed_table *table, const struct record_owner *owner,
				    int value, u64 ts)
{
	struct followed *object = followed_at(table, owner->address);
	struct followed_value *added;

	if (!object || object->values[value].id)
		object = add_object(table, owner->address, ts);
	if (!object)
		return NULL;
	added = &object->values[value];
	added->object = object;
	added->id = owner->id;
	return tsearch(added, &table->by_id, compare_ids) ? added : NULL;
}

static void forget_value(void *node)
{
}

static void free_node(void *node)
{
	free_object(node);
}

/**
 * followed_free() - free all objects
 * @table: the objects
 */
void followed_free(struct followed_table *table)
{
	while (table->first_ended)
		forget_first(table);
	tdestroy(table->by_id, forget_value);
	tdestroy(table->by_address, free_node);
	memset(table, 0, sizeof(*table));
}
