/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The objects of a session that runs.
 */
#ifndef _TOOLS_OBJTRACE_FOLLOWED_H
#define _TOOLS_OBJTRACE_FOLLOWED_H

#include "tools/objtrace/history.h"
#include "tools/objtrace/session.h"

struct followed;

/**
 * struct kept_record - a record that is in no list of the kernel any more
 * @record: the record; the first member, because records have pointers to each other
 * @owner: its object
 */
struct kept_record {
	struct record		record;
	struct record_owner	owner;
};

/**
 * struct followed_value - a value of an object
 * @object: the object
 * @id: the kernel's number of the object: each value has a trigger, and thereby a number; or 0
 * @history: the value before the next record
 * @last: the record in @history, or NULL
 * @held: the first record that waits for the next one, see live.c, or NULL
 * @held_end: the last such record
 * @next_held: the next value with such a record
 */
struct followed_value {
	struct followed		*object;
	u64			id;
	struct history		history;
	struct kept_record	*last;
	struct kept_record	*held;
	struct kept_record	*held_end;
	struct followed_value	*next_held;
};

/**
 * struct followed - an object
 * @nr: its number in the output, counted from 1
 * @address: address of its first byte
 * @start: time when it was added, or of its first record
 * @hits: number of functions that received it, known at its end
 * @has_heading: its block has begun
 * @has_ended: its end has a line
 * @next_ended: the next object that ended
 * @values: its values; a value that was not added yet has no id
 */
struct followed {
	unsigned long		nr;
	u64			address;
	u64			start;
	u64			hits;
	bool			has_heading;
	bool			has_ended;
	struct followed		*next_ended;
	struct followed_value	values[SESSION_MAX_VALUES];
};

/**
 * struct followed_table - all objects; zeroes at first
 * @by_id: tree of the values
 * @by_address: tree of the objects; of several objects with an address, the last one
 * @first_ended: the object that ended first; later records name few objects, so few are kept
 * @last_ended: the object that ended last
 * @nr_ended: number of objects that ended and are kept
 * @nr: number of objects that were added
 */
struct followed_table {
	void			*by_id;
	void			*by_address;
	struct followed		*first_ended;
	struct followed		*last_ended;
	unsigned long		nr_ended;
	unsigned long		nr;
};

struct followed_value *followed_add(struct followed_table *table, const struct record_owner *owner,
				    int value, u64 ts);
struct followed_value *followed_find(const struct followed_table *table, u64 id);
struct followed *followed_at(const struct followed_table *table, u64 address);
void followed_end(struct followed_table *table, struct followed *object);
void followed_free(struct followed_table *table);

#endif /* _TOOLS_OBJTRACE_FOLLOWED_H */
