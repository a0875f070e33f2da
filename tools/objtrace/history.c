// SPDX-License-Identifier: GPL-2.0-only
/*
 * The changes of a value.  The kernel compares the values if a trigger has the option changes or
 * returns.  Without these options, the records have all values, and they are compared here.
 */
#include <string.h>

#include "tools/objtrace/history.h"

static bool is_same(const struct record *last, const struct record *record)
{
	if (last->fault == FAULT_UNKNOWN || last->fault != record->fault)
		return false;
	return last->fault || last->value == record->value;
}

static void take_old(struct change *change, const struct record *last)
{
	change->knows_old = last->fault != FAULT_UNKNOWN;
	change->old = last->value;
	change->old_fault = last->fault;
}

/* The function of the last record is the first suspect */
static void suspect(struct change *change, const struct record *last)
{
	take_old(change, last);
	switch (last->kind) {
	case RECORD_ADD:
		change->culprit = CULPRIT_ADD;
		return;
	case RECORD_WRITE:
		change->culprit = CULPRIT_AFTER_STORE;
		break;
	case RECORD_RETURN:
		change->culprit = CULPRIT_AFTER_RETURN;
		break;
	case RECORD_CHANGE:
		if (last->how == WITHIN) {
			change->culprit = CULPRIT_AFTER_RETURN;
			break;
		}
		change->culprit = CULPRIT_AFTER_CALL;
		change->ip = last->seen_ip;
		change->parent_ip = last->seen_parent_ip;
		return;
	default:
		change->culprit = CULPRIT_AFTER_CALL;
	}
	change->ip = last->ip;
	change->parent_ip = last->parent_ip;
}

static void from_entry(struct change *change, const struct record *last,
		       const struct record *record)
{
	if (!last)
		change->culprit = CULPRIT_UNKNOWN;
	else if (!is_same(last, record))
		suspect(change, last);
	else
		return;
	change->seen_ip = record->ip;
	change->seen_parent_ip = record->parent_ip;
}

static void blame(struct change *change, const struct record *record)
{
	change->culprit = record->unsure ? CULPRIT_MAYBE_WITHIN : CULPRIT_WITHIN;
	change->ip = record->ip;
	change->parent_ip = record->parent_ip;
}

/*
 * A function that returns changed the value itself if the value differs from the last value: with
 * returns=all, a record of a callee that changed the value comes first.
 */
static void from_return(struct change *change, const struct record *last,
			const struct record *record)
{
	struct record entry = { .value = record->old, .fault = record->old_fault };

	if (!last)
		last = &entry;
	if (is_same(last, record))
		return;
	take_old(change, last);
	blame(change, record);
}

static bool has_unknown_old(const struct record *record)
{
	return record->kind == RECORD_CHANGE && record->how == AFTER_UNKNOWN;
}

/* The next record with a value, but no further record of the same value without the old value */
static const struct record *next_known(const struct record *record)
{
	const struct record *next = record->next;

	while (next && (!record_has_value(next) ||
			(has_unknown_old(next) && is_same(record, next))))
		next = next->next;
	return next;
}

/*
 * An interrupt can receive the object while the interrupted code compares the value.  The record
 * of the interrupt lacks the old value.  It tells nothing if the value is the last one, or if the
 * next record has the change, which is that of the interrupted code.
 */
static bool tells_nothing(const struct record *last, const struct record *record)
{
	const struct record *next;

	if (!has_unknown_old(record))
		return false;
	if (last && is_same(last, record))
		return true;
	next = next_known(record);
	return next && next->kind == RECORD_CHANGE && !has_unknown_old(next) &&
	       is_same(record, next);
}

static void from_change(struct change *change, const struct record *record)
{
	static const enum culprit culprits[] = {
		[AFTER_CALL] = CULPRIT_AFTER_CALL,
		[AFTER_ADD] = CULPRIT_ADD,
		[AFTER_UNKNOWN] = CULPRIT_UNKNOWN,
		[AFTER_STORE] = CULPRIT_AFTER_STORE,
		[AFTER_RETURN] = CULPRIT_AFTER_RETURN,
		[WITHIN] = CULPRIT_WITHIN,
	};

	change->culprit = CULPRIT_UNKNOWN;
	if (record->how < sizeof(culprits) / sizeof(*culprits))
		change->culprit = culprits[record->how];
	if (change->culprit == CULPRIT_WITHIN && record->unsure)
		change->culprit = CULPRIT_MAYBE_WITHIN;
	change->knows_old = change->culprit != CULPRIT_UNKNOWN;
	change->old = record->old;
	change->old_fault = record->old_fault;
	if (change->culprit != CULPRIT_ADD && change->culprit != CULPRIT_UNKNOWN) {
		change->ip = record->ip;
		change->parent_ip = record->parent_ip;
	}
	if (record->how == WITHIN)
		return;
	change->seen_ip = record->seen_ip;
	change->seen_parent_ip = record->seen_parent_ip;
}

static void from_write(struct change *change, const struct record *record)
{
	change->culprit = CULPRIT_STORE;
	change->ip = record->ip;
	change->knows_old = true;
	change->old = record->old;
}

/**
 * history_next() - compare the value of a record with the value before
 * @history: the value of the object before; updated
 * @record: the next record of the object
 * @change: the change, if the value changed or can have changed; else CULPRIT_NONE
 *
 * The members @next of @record and of the records after it must be valid.
 *
 * Return: true if @record has a new value: it is an objtrace_add, a change or a store.
 */
bool history_next(struct history *history, const struct record *record, struct change *change)
{
	const struct record *last = history->last;

	memset(change, 0, sizeof(*change));
	if (!record_has_value(record))
		return false;
	if (tells_nothing(last, record)) {
		change->seen_ip = record->seen_ip;
		change->seen_parent_ip = record->seen_parent_ip;
		return false;
	}
	history->last = record;
	switch (record->kind) {
	case RECORD_ADD:
		return true;
	case RECORD_VALUE:
		from_entry(change, last, record);
		break;
	case RECORD_CHANGE:
		from_change(change, record);
		break;
	case RECORD_RETURN:
		from_return(change, last, record);
		break;
	default:
		from_write(change, record);
	}
	return is_change(change);
}
