// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records of a session, in the order of time, become lines.
 *
 * A record without the old value is held until the next record of its value, because only
 * that record shows whether the line tells anything: see history.c.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/live.h"
#include "tools/objtrace/stream.h"

/* A record of objtrace_add names the synthetic event of the value: synthetic:NAME_2 */
static int value_of_add(const struct stream *stream, const char *event)
{
	const char *suffix = strrchr(event, '_');

	if (strncmp(event, "synthetic:", strlen("synthetic:")) || !suffix)
		return stream->nr_added % stream->lines.view->nr_values;
	return atoi(suffix + 1) % stream->lines.view->nr_values;
}

/* The record becomes the last one of the value, unless its value is that of an older record */
static void keep(struct followed_value *value, struct kept_record *kept)
{
	kept->record.next = NULL;
	if (value->history.last != &kept->record) {
		free(kept);
		return;
	}
	free(value->last);
	value->last = kept;
}

static void print_kept(struct stream *stream, struct followed_value *value, struct kept_record *kept)
{
	const struct record *record = &kept->record;
	struct change change;
	bool is_new = history_next(&value->history, record, &change);

	stream->shows_stack = is_new || record->kind != RECORD_CHANGE;
	if (stream->shows_stack)
		lines_record(&stream->lines, value, record, &change);
	keep(value, kept);
}

static void forget_held(struct stream *stream, struct followed_value *value)
{
	struct followed_value **link = &stream->held;

	while (*link != value)
		link = &(*link)->next_held;
	*link = value->next_held;
	value->held = value->held_end = NULL;
}

/* @next: the record after the held ones, or NULL */
static void print_held(struct stream *stream, struct followed_value *value, struct kept_record *next)
{
	struct kept_record *held = value->held, *after;

	if (!held)
		return;
	value->held_end->record.next = next ? &next->record : NULL;
	forget_held(stream, value);
	for (; held && held != next; held = after) {
		after = (struct kept_record *)held->record.next;
		print_kept(stream, value, held);
	}
}

static void hold(struct stream *stream, struct followed_value *value, struct kept_record *kept)
{
	if (value->held) {
		value->held_end->record.next = &kept->record;
	} else {
		value->held = kept;
		value->next_held = stream->held;
		stream->held = value;
	}
	value->held_end = kept;
	stream->shows_stack = false;
}

static void take_add(struct stream *stream, struct kept_record *kept)
{
	int nr = value_of_add(stream, kept->record.event);
	struct followed_value *value;
	struct change change;

	value = followed_add(&stream->objects, &kept->owner, nr, kept->record.ts);
	if (!value) {
		free(kept);
		return;
	}
	stream->nr_added++;
	lines_added(&stream->lines, value, &kept->record);
	history_next(&value->history, &kept->record, &change);
	keep(value, kept);
}

/* One line, although each value has a record.  The end of a trigger has no stack. */
static void take_end(struct stream *stream, struct followed_value *value, struct kept_record *kept)
{
	struct followed *object = value->object;
	bool is_freed = kept->record.reason == DEL_FREE;
	int i;

	for (i = 0; i < SESSION_MAX_VALUES; i++)
		print_held(stream, &object->values[i], NULL);
	if (kept->record.hits > object->hits) {
		stream->hits += kept->record.hits - object->hits;
		object->hits = kept->record.hits;
	}
	if (object->has_ended) {
		stream->shows_stack = false;
		free(kept);
		return;
	}
	print_kept(stream, value, kept);
	stream->shows_stack = is_freed;
	followed_end(&stream->objects, object);
}

/*
 * A full ring buffer overwrites the oldest records, such as the one that added the object.  With
 * several members, it is unknown to which of them a record belongs.
 */
static struct followed_value *find_or_add(struct stream *stream, const struct kept_record *kept)
{
	struct followed_value *value = followed_find(&stream->objects, kept->owner.id);

	if (value || kept->record.kind == RECORD_ADD || !record_has_value(&kept->record) ||
	    stream->lines.view->nr_values > 1)
		return value;
	return followed_add(&stream->objects, &kept->owner, 0, kept->record.ts);
}

/**
 * stream_take() - print the line of a record
 * @stream: the output
 * @kept: the record, which the stream frees
 */
void stream_take(struct stream *stream, struct kept_record *kept)
{
	struct followed_value *value = find_or_add(stream, kept);
	const struct record *record = &kept->record;

	stream->shows_stack = true;
	if (record->kind == RECORD_ADD) {
		take_add(stream, kept);
	} else if (!value) {
		free(kept);
	} else if (record->kind == RECORD_DEL) {
		take_end(stream, value, kept);
	} else if (record->kind == RECORD_CHANGE && record->how == AFTER_UNKNOWN) {
		hold(stream, value, kept);
	} else {
		if (record_has_value(record))
			print_held(stream, value, kept);
		print_kept(stream, value, kept);
	}
}

/**
 * stream_release() - print the records that were held for too long
 * @stream: the output
 * @limit: print the records that are older
 */
void stream_release(struct stream *stream, u64 limit)
{
	struct followed_value *value, *next;

	for (value = stream->held; value; value = next) {
		next = value->next_held;
		if (value->held->record.ts < limit)
			print_held(stream, value, NULL);
	}
}

/**
 * stream_summary() - print the beginning of the last line
 * @stream: the output
 */
void stream_summary(struct stream *stream)
{
	unsigned long objects = stream->objects.nr, functions = stream->lines.nr_functions;

	fprintf(stream->lines.report.out, "%lu object%s, %lu function%s, %llu hit%s, ", objects,
		plural(objects), functions, plural(functions), stream->hits,
		plural(stream->hits));
}

/**
 * stream_free() - free all objects
 * @stream: the output
 */
void stream_free(struct stream *stream)
{
	followed_free(&stream->objects);
	lines_free(&stream->lines);
}
