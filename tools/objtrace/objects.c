// SPDX-License-Identifier: GPL-2.0-only
/*
 * The objects of a file.  Records come in the order of time.  They stay where they are, in chunks
 * of memory, so that pointers to them stay valid.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/objects.h"

#define CHUNK_RECORDS	4096
#define FIRST_BUCKETS	256

struct objects_chunk {
	struct objects_chunk	*next;
	unsigned int		used;
	struct record		records[CHUNK_RECORDS];
};

static unsigned int bucket_of(const struct objects *objects, u64 id)
{
	return (id * 0x9e3779b97f4a7c15ULL >> 32) & (objects->nr_buckets - 1);
}

static void insert(struct objects *objects, struct object *object)
{
	struct object **bucket = &objects->buckets[bucket_of(objects, object->id)];

	object->next_in_bucket = *bucket;
	*bucket = object;
}

static int grow(struct objects *objects)
{
	unsigned int nr = objects->nr_buckets ? objects->nr_buckets * 2 : FIRST_BUCKETS;
	struct object **buckets = calloc(nr, sizeof(*buckets));
	struct object *object;

	if (!buckets)
		return -ENOMEM;
	free(objects->buckets);
	objects->buckets = buckets;
	objects->nr_buckets = nr;
	for (object = objects->first; object; object = object->next)
		insert(objects, object);
	return 0;
}

/* An id is never used twice, but a damaged file can have any numbers */
static struct object *find(struct objects *objects, const struct record_owner *owner)
{
	struct object *object = NULL;

	if (objects->nr_buckets)
		object = objects->buckets[bucket_of(objects, owner->id)];
	while (object && (object->id != owner->id || object->address != owner->address))
		object = object->next_in_bucket;
	return object;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct object *one = a, *two = b;

	return one->address < two->address ? -1 : one->address > two->address;
}

/**
 * objects_at() - find the object at an address
 * @objects: the objects
 * @address: address of the first byte
 *
 * Several values of an object count as several objects.
 *
 * Return: the object that was added first, or NULL if there is none that did not end.
 */
struct object *objects_at(const struct objects *objects, u64 address)
{
	const struct object key = { .address = address };
	void *node = tfind(&key, &objects->by_address, compare_addresses);
	struct object *object = node ? *(struct object **)node : NULL;

	return object && !object->del ? object : NULL;
}

static bool insert_address(struct objects *objects, struct object *object)
{
	if (objects_at(objects, object->address))
		return true;
	tdelete(object, &objects->by_address, compare_addresses);
	return tsearch(object, &objects->by_address, compare_addresses);
}

static struct object *find_or_create(struct objects *objects, const struct record_owner *owner,
				     const char *instance)
{
	struct object *object = find(objects, owner);

	if (object)
		return object;
	if (objects->nr >= objects->nr_buckets && grow(objects))
		return NULL;
	object = calloc(1, sizeof(*object));
	if (!object)
		return NULL;
	object->id = owner->id;
	object->address = owner->address;
	if (!insert_address(objects, object)) {
		free(object);
		return NULL;
	}
	object->instance = instance;
	object->number = ++objects->nr;
	object->is_selected = true;
	object->lost_before = objects->lost;
	object->gaps_before = objects->gaps;
	insert(objects, object);
	if (objects->last)
		objects->last->next = object;
	else
		objects->first = object;
	objects->last = object;
	return object;
}

static struct record *new_record(struct objects *objects)
{
	struct objects_chunk *chunk = objects->chunks;

	if (!chunk || chunk->used == CHUNK_RECORDS) {
		chunk = malloc(sizeof(*chunk));
		if (!chunk)
			return NULL;
		chunk->used = 0;
		chunk->next = objects->chunks;
		objects->chunks = chunk;
	}
	return &chunk->records[chunk->used++];
}

static void link_record(struct objects *objects, struct object *object, struct record *record)
{
	if (objects->last_record)
		objects->last_record->next_in_time = record;
	else
		objects->first_record = record;
	objects->last_record = record;
	if (object->last)
		object->last->next = record;
	else
		object->first = record;
	object->last = record;
	record->object = object;
	object->nr_records++;
	objects->nr_records++;
}

static void note_end(struct object *object, const struct objects *objects)
{
	object->lost_until = objects->lost;
	object->gaps_until = objects->gaps;
}

static struct record *add_copy(struct objects *objects, struct object *object,
			       const struct record *record)
{
	struct record *copy = new_record(objects);

	if (!copy)
		return NULL;
	*copy = *record;
	copy->next = NULL;
	copy->next_in_time = NULL;
	link_record(objects, object, copy);
	return copy;
}

/*
 * The kernel's ages are by its trace clock.  libtracecmd converts the times of records to the clock
 * of another machine, or from cycles of the TSC to ns, but not the ages.
 */
static void correct_age(struct record *record, const struct object *object)
{
	const struct record *since = NULL;

	if (record->kind == RECORD_DEL)
		since = object->add;
	else if (record->kind == RECORD_AFTER_FREE)
		since = object->del;
	if (since)
		record->age = record->ts - since->ts;
}

/**
 * objects_add() - add a record to its object
 * @objects: the objects
 * @record: the record, which is copied
 * @owner: the object of the record
 * @instance: name of the instance, or NULL; it must outlive @objects
 *
 * Return: 0, or -ENOMEM.
 */
int objects_add(struct objects *objects, const struct record *record,
		const struct record_owner *owner, const char *instance)
{
	struct object *object = find_or_create(objects, owner, instance);
	struct record *copy = object ? add_copy(objects, object, record) : NULL;

	if (!copy)
		return -ENOMEM;
	correct_age(copy, object);
	if (copy->kind == RECORD_ADD && !object->add)
		object->add = copy;
	if (copy->kind == RECORD_DEL && !object->del) {
		object->del = copy;
		note_end(object, objects);
	}
	if (copy->kind == RECORD_VALUE)
		object->nr_entries++;
	if (!object->member && owner->member && *owner->member)
		object->member = owner->member;
	if (copy->struct_id && !object->typed)
		object->typed = copy;
	return 0;
}

/**
 * objects_add_event() - add an event of the kernel to the object at an address
 * @objects: the objects
 * @record: the record, which is copied
 * @address: the address; without an object there, the event is left out
 *
 * Return: 0, or -ENOMEM.
 */
int objects_add_event(struct objects *objects, const struct record *record, u64 address)
{
	struct object *object = objects_at(objects, address);

	return !object || add_copy(objects, object, record) ? 0 : -ENOMEM;
}

/**
 * objects_lose() - note that the file lacks records at this moment
 * @objects: the objects
 * @nr: the number of lost records; not positive for an unknown number
 *
 * Each object that is tracked at this moment can lack these records.
 */
void objects_lose(struct objects *objects, long long nr)
{
	if (nr > 0)
		objects->lost += nr;
	else
		objects->gaps++;
}

/**
 * objects_end() - note the end of the file
 * @objects: the objects
 */
void objects_end(struct objects *objects)
{
	struct object *object;

	for (object = objects->first; object; object = object->next)
		if (!object->del)
			note_end(object, objects);
}

/**
 * objects_select() - show only the objects with a number or an address
 * @objects: the objects
 * @by_address: @wanted is an address; else it is the number of an object in the report
 * @wanted: the number or the address
 *
 * Several objects can have one address, one after the other.
 *
 * Return: the number of objects that are shown.
 */
unsigned int objects_select(struct objects *objects, bool by_address, u64 wanted)
{
	struct object *object;
	unsigned int nr = 0;

	for (object = objects->first; object; object = object->next) {
		object->is_selected = (by_address ? object->address : object->number) == wanted;
		nr += object->is_selected;
	}
	return nr;
}

static void forget_node(void *node)
{
}

/**
 * objects_free() - free all objects and records
 * @objects: the objects; they are empty afterwards
 */
void objects_free(struct objects *objects)
{
	struct objects_chunk *chunk, *next_chunk;
	struct object *object, *next;

	tdestroy(objects->by_address, forget_node);
	for (object = objects->first; object; object = next) {
		next = object->next;
		free(object);
	}
	for (chunk = objects->chunks; chunk; chunk = next_chunk) {
		next_chunk = chunk->next;
		free(chunk);
	}
	free(objects->buckets);
	memset(objects, 0, sizeof(*objects));
}
