/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The objects of a file, each with its records in the order of time.
 */
#ifndef _TOOLS_OBJTRACE_OBJECTS_H
#define _TOOLS_OBJTRACE_OBJECTS_H

#include "tools/objtrace/records.h"

/**
 * struct object - an object that was tracked
 * @id: the kernel's number of the object
 * @address: address of its first byte
 * @number: its number in the report: the objects of a file are counted from 1
 * @instance: name of the instance, or NULL for the top instance
 * @member: path to the value, or NULL if it is unknown
 * @nr_records: number of its records
 * @nr_entries: number of its records objtrace_value
 * @first: its first record
 * @last: its last record
 * @add: its record objtrace_add, or NULL if the file begins later
 * @del: its record objtrace_del, or NULL if the file ends earlier
 * @typed: its first record with a struct_id, or NULL
 * @lost_before: number of records that were lost before its first record
 * @lost_until: number of records that were lost before its end
 * @gaps_before: number of gaps of unknown length before its first record
 * @gaps_until: number of gaps of unknown length before its end
 * @is_selected: the report shows the object
 * @next: the next object of the file
 * @next_in_bucket: the next object with the same hash
 */
struct object {
	u64			id;
	u64			address;
	unsigned int		number;
	const char		*instance;
	const char		*member;
	unsigned long		nr_records;
	unsigned long		nr_entries;
	struct record		*first;
	struct record		*last;
	struct record		*add;
	struct record		*del;
	struct record		*typed;
	u64			lost_before;
	u64			lost_until;
	u64			gaps_before;
	u64			gaps_until;
	bool			is_selected;
	struct object		*next;
	struct object		*next_in_bucket;
};

struct objects_chunk;

/**
 * struct objects - the objects of a file
 * @nr: number of objects
 * @nr_records: number of records
 * @nr_damaged: number of records that could not be decoded
 * @lost: number of records that the file lacks, as far as it is known
 * @gaps: number of gaps of unknown length
 * @first: the first object, by the time of its first record
 * @last: the last object
 * @first_record: the first record of all objects, by time
 * @last_record: the last record of all objects
 * @buckets: table of objects, by their ids
 * @nr_buckets: size of @buckets, a power of two, or 0
 * @chunks: memory of the records
 * @by_address: tree of the objects; of several objects with an address, the first one
 */
struct objects {
	unsigned int		nr;
	unsigned long		nr_records;
	unsigned long		nr_damaged;
	u64			lost;
	u64			gaps;
	struct object		*first;
	struct object		*last;
	struct record		*first_record;
	struct record		*last_record;
	struct object		**buckets;
	unsigned int		nr_buckets;
	struct objects_chunk	*chunks;
	void			*by_address;
};

int objects_add(struct objects *objects, const struct record *record,
		const struct record_owner *owner, const char *instance);
int objects_add_event(struct objects *objects, const struct record *record, u64 address);
struct object *objects_at(const struct objects *objects, u64 address);
void objects_lose(struct objects *objects, long long nr);
void objects_end(struct objects *objects);
void objects_free(struct objects *objects);
unsigned int objects_select(struct objects *objects, bool by_address, u64 wanted);

/*
 * Number of records that can be missing among the records of an object.  If its objtrace_add is
 * missing, the first records of the file can be missing, too.
 */
static inline u64 object_lost(const struct object *object)
{
	return object->lost_until - (object->add ? object->lost_before : 0);
}

/* True if records of an object can be missing, and their number is unknown */
static inline bool object_has_gap(const struct object *object)
{
	return object->gaps_until != (object->add ? object->gaps_before : 0);
}

/* The time that the times of an object's block count from */
static inline u64 object_start(const struct object *object)
{
	return object->first->ts;
}

/* The first object from @object on that the report shows, or NULL */
static inline const struct object *selected_object(const struct object *object)
{
	while (object && !object->is_selected)
		object = object->next;
	return object;
}

/* The first record from @record on whose object the report shows, or NULL */
static inline const struct record *selected_record(const struct record *record)
{
	while (record && !record->object->is_selected)
		record = record->next_in_time;
	return record;
}

#define for_each_object(object, objects)					\
	for (object = selected_object((objects)->first); object;		\
	     object = selected_object(object->next))

#define for_each_record(record, object)						\
	for (record = (object)->first; record; record = record->next)

#define for_each_record_in_time(record, objects)				\
	for (record = selected_record((objects)->first_record); record;		\
	     record = selected_record(record->next_in_time))

#endif /* _TOOLS_OBJTRACE_OBJECTS_H */
