// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object can pass through many subsystems.  The most frequent ones have lanes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/lanes.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/symbols.h"

/**
 * record_function() - the function that a record is about
 * @record: the record
 *
 * Return: an address in the function that received or freed the object; 0 for other records.
 */
u64 record_function(const struct record *record)
{
	switch (record->kind) {
	case RECORD_ADD:
	case RECORD_WATCH:
	case RECORD_EVENT:
		return 0;
	case RECORD_DEL:
		if (record->reason != DEL_FREE)
			return 0;
		return record->by ?: record->ip;
	case RECORD_CHANGE:
		return record->how == WITHIN ? record->ip : record->seen_ip;
	default:
		return record->ip;
	}
}

static int find_subsystem(const struct lanes *lanes, const char *name)
{
	unsigned int i;

	for (i = 0; i < lanes->nr_subsystems; i++)
		if (!strcmp(lanes->subsystems[i].name, name))
			return i;
	return NO_LANE;
}

static void count_subsystem(struct lanes *lanes, const char *name)
{
	int nr = find_subsystem(lanes, name);

	if (nr == NO_LANE) {
		nr = lanes->nr_subsystems++;
		lanes->subsystems = realloc(lanes->subsystems,
					    lanes->nr_subsystems * sizeof(*lanes->subsystems));
		if (!lanes->subsystems)
			no_memory();
		memset(&lanes->subsystems[nr], 0, sizeof(*lanes->subsystems));
		snprintf(lanes->subsystems[nr].name, SUBSYSTEM_LEN, "%s", name);
	}
	lanes->subsystems[nr].records++;
}

/* Number of subsystems that are more frequent, or as frequent and earlier */
static unsigned int rank(const struct lanes *lanes, unsigned int nr)
{
	const struct lane *one = &lanes->subsystems[nr], *two;
	unsigned int i, before = 0;

	for (i = 0; i < lanes->nr_subsystems; i++) {
		two = &lanes->subsystems[i];
		before += two->records > one->records || (two->records == one->records && i < nr);
	}
	return before;
}

static void choose_lanes(struct lanes *lanes)
{
	bool is_full = lanes->nr_subsystems > MAX_SUBSYSTEMS;
	unsigned int i, nr = is_full ? MAX_SUBSYSTEMS - 1 : lanes->nr_subsystems;

	lanes->kept = calloc(lanes->nr_subsystems + 1, sizeof(*lanes->kept));
	if (!lanes->kept)
		no_memory();
	for (i = 0; i < lanes->nr_subsystems; i++) {
		if (rank(lanes, i) >= nr) {
			lanes->kept[i] = MAX_SUBSYSTEMS - 1;
			continue;
		}
		lanes->kept[i] = lanes->nr;
		lanes->lanes[lanes->nr++] = lanes->subsystems[i];
	}
	if (is_full)
		snprintf(lanes->lanes[lanes->nr++].name, SUBSYSTEM_LEN, "other");
}

static void add_events(struct lanes *lanes, unsigned long nr)
{
	lanes->events = nr ? (int)lanes->nr++ : NO_LANE;
	if (nr)
		snprintf(lanes->lanes[lanes->events].name, SUBSYSTEM_LEN, "events");
}

static void name_subsystem(const struct record *record, struct trace_symbols *symbols,
			   char name[SUBSYSTEM_LEN])
{
	subsystem_name(symbol_at(symbols, record_function(record)), name);
}

/**
 * lanes_find() - find the lanes of an object
 * @lanes: the result, for lanes_free()
 * @object: the object
 * @symbols: the functions
 */
void lanes_find(struct lanes *lanes, const struct object *object, struct trace_symbols *symbols)
{
	const struct record *record;
	char name[SUBSYSTEM_LEN];
	unsigned long nr_events = 0;

	memset(lanes, 0, sizeof(*lanes));
	for_each_record(record, object) {
		nr_events += record->kind == RECORD_EVENT;
		if (!record_function(record))
			continue;
		name_subsystem(record, symbols, name);
		count_subsystem(lanes, name);
	}
	choose_lanes(lanes);
	add_events(lanes, nr_events);
}

/**
 * lane_of() - find the lane of a record
 * @lanes: the lanes of its object
 * @record: the record
 * @symbols: the functions
 *
 * Return: the number of the lane, or NO_LANE for a record of objtrace without a function.
 */
int lane_of(const struct lanes *lanes, const struct record *record, struct trace_symbols *symbols)
{
	char name[SUBSYSTEM_LEN];

	if (record->kind == RECORD_EVENT)
		return lanes->events;
	if (!record_function(record))
		return NO_LANE;
	name_subsystem(record, symbols, name);
	return lanes->kept[find_subsystem(lanes, name)];
}

/**
 * lanes_free() - free the lanes of an object
 * @lanes: the lanes
 */
void lanes_free(struct lanes *lanes)
{
	free(lanes->subsystems);
	free(lanes->kept);
}
