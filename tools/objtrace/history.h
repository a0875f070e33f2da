/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The changes of an object's value, from all kinds of records.
 */
#ifndef _TOOLS_OBJTRACE_HISTORY_H
#define _TOOLS_OBJTRACE_HISTORY_H

#include "tools/objtrace/records.h"

/**
 * enum culprit - how exactly the changing function is known
 * @CULPRIT_NONE: no function: nothing changed, or the object was added
 * @CULPRIT_UNKNOWN: the old value is unknown, so it is unknown whether a function changed it
 * @CULPRIT_ADD: the value changed between the add and the record
 * @CULPRIT_AFTER_CALL: it changed after the entry of the function, or in a function after it
 * @CULPRIT_AFTER_RETURN: it changed after the return of the function
 * @CULPRIT_AFTER_STORE: it changed after the store of an instruction
 * @CULPRIT_WITHIN: the function changed it, or a function without a record that it called
 * @CULPRIT_MAYBE_WITHIN: as before, or a function with the object that it called
 * @CULPRIT_STORE: the instruction stored it
 * @NR_CULPRITS: number of culprits
 */
enum culprit {
	CULPRIT_NONE,
	CULPRIT_UNKNOWN,
	CULPRIT_ADD,
	CULPRIT_AFTER_CALL,
	CULPRIT_AFTER_RETURN,
	CULPRIT_AFTER_STORE,
	CULPRIT_WITHIN,
	CULPRIT_MAYBE_WITHIN,
	CULPRIT_STORE,
	NR_CULPRITS,
};

/**
 * struct change - the change that a record shows
 * @culprit: enum culprit
 * @ip: the function or the instruction, or 0
 * @parent_ip: its return address, or 0
 * @seen_ip: the function that was entered with the value, or 0
 * @seen_parent_ip: its return address
 * @old: the old value
 * @old_fault: enum record_fault of @old
 * @knows_old: the old value is known
 */
struct change {
	enum culprit	culprit;
	u64		ip;
	u64		parent_ip;
	u64		seen_ip;
	u64		seen_parent_ip;
	u64		old;
	unsigned char	old_fault;
	bool		knows_old;
};

/**
 * struct history - the value of an object before its next record; all zero before the first record
 * @last: the last record with a value, or NULL
 */
struct history {
	const struct record	*last;
};

bool history_next(struct history *history, const struct record *record, struct change *change);

/* True if it is certain which function or instruction changed the value */
static inline bool culprit_is_certain(enum culprit culprit)
{
	return culprit == CULPRIT_WITHIN || culprit == CULPRIT_STORE;
}

/* True if the culprit is the address of an instruction, not a function */
static inline bool culprit_is_instruction(enum culprit culprit)
{
	return culprit == CULPRIT_STORE || culprit == CULPRIT_AFTER_STORE;
}

/* True if the value changed, or can have changed */
static inline bool is_change(const struct change *change)
{
	return change->culprit != CULPRIT_NONE;
}

#endif /* _TOOLS_OBJTRACE_HISTORY_H */
