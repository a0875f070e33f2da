/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of each trigger: events that fired, function entries that received one of its
 * objects, and records.
 *
 * The counters are in groups.  Each case counts in exactly one counter of its group, so their sum
 * is the number of cases.
 */
#ifndef _OBJTRACE_TALLY_H
#define _OBJTRACE_TALLY_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "command/parse.h"

/**
 * enum objtrace_outcome - whether a record is written, or why it is lost
 * @OBJTRACE_WRITTEN: the record is in the buffer
 * @OBJTRACE_LOST_PID: set_event_pid or set_event_notrace_pid of the instance excludes the task
 * @OBJTRACE_LOST_OFF: tracing_on of the instance is 0
 * @OBJTRACE_LOST_FILTER: the filter of our event rejects the record
 * @OBJTRACE_LOST_DISABLED: our event is soft disabled: it has triggers and is not enabled, or a
 *			    trigger disabled it
 * @OBJTRACE_LOST_BUFFER: the buffer refuses the record, for example because it is full and does
 *			  not overwrite, is being resized, or tracing_cpumask excludes the CPU
 * @OBJTRACE_NR_OUTCOMES: number of outcomes
 */
enum objtrace_outcome {
	OBJTRACE_WRITTEN,
	OBJTRACE_LOST_PID,
	OBJTRACE_LOST_OFF,
	OBJTRACE_LOST_FILTER,
	OBJTRACE_LOST_DISABLED,
	OBJTRACE_LOST_BUFFER,
	OBJTRACE_NR_OUTCOMES
};

/**
 * enum objtrace_tally - the counters of a trigger
 * @OBJTRACE_TALLY_ADDED: event fired: the object is tracked from now on
 * @OBJTRACE_TALLY_DELETED: event fired: the object is no longer tracked
 * @OBJTRACE_TALLY_CLEARED: event fired: no object of the instance is tracked any more
 * @OBJTRACE_TALLY_NOTHING: event fired: no such object to delete, or no trigger to clear
 * @OBJTRACE_TALLY_ALREADY: event fired: the trigger tracks the object already, or another CPU is
 *			    adding it
 * @OBJTRACE_TALLY_FULL: event fired: the table is full
 * @OBJTRACE_TALLY_BUSY: event fired: all slots for the address wait for a grace period, or the
 *			 filter is being cleared
 * @OBJTRACE_TALLY_NULL: event fired: the field is NULL
 * @OBJTRACE_TALLY_ERROR: event fired: the field is an error code
 * @OBJTRACE_TALLY_USER: event fired: the field is no kernel address, or the object would extend
 *			 past the last address
 * @OBJTRACE_TALLY_EXHAUSTED: event fired: the COUNT of the command is used up
 * @OBJTRACE_TALLY_NO_RECORD: event fired while the trigger was being set, and passed no record
 * @OBJTRACE_TALLY_NESTED: event fired because an objtrace trigger fired, and is ignored
 * @OBJTRACE_TALLY_BEGUN: first counter of objtrace_add records, by enum objtrace_outcome
 * @OBJTRACE_TALLY_BEGUN_LAST: last counter of objtrace_add records
 * @OBJTRACE_TALLY_HIT: a function received an object: first counter of objtrace_value
 *			records, or of objtrace_change records with the option "changes", by enum
 *			objtrace_outcome
 * @OBJTRACE_TALLY_HIT_LAST: last counter of these records
 * @OBJTRACE_TALLY_HIT_ADDING: hit of the entry that added the object: it has only the record
 *			       objtrace_add
 * @OBJTRACE_TALLY_HIT_UNCHANGED: a function received an object with the same value as before;
 *				  with the option "changes"
 * @OBJTRACE_TALLY_FOLLOWED: with the option "returns": first counter of recorded hits, by enum
 *			     objtrace_followed: the call is followed to its return
 * @OBJTRACE_TALLY_FOLLOWED_POOL: not followed: max_returns calls are followed already
 * @OBJTRACE_TALLY_FOLLOWED_NMI: not followed: the function was entered in an NMI or in
 *				    the handler of a probe
 * @OBJTRACE_TALLY_FOLLOWED_LAST: not followed: the function switches to another task, or
 *				     suspends the machine
 * @OBJTRACE_TALLY_RETURN: a followed call returned: first counter of objtrace_return records, and
 *			   of objtrace_change records at returns, by enum objtrace_outcome
 * @OBJTRACE_TALLY_RETURN_LAST: last counter of these records
 * @OBJTRACE_TALLY_RETURN_UNCHANGED: a followed call returned, and needs no record
 * @OBJTRACE_TALLY_ENDED: first counter of objtrace_del records, by enum objtrace_outcome
 * @OBJTRACE_TALLY_ENDED_LAST: last counter of objtrace_del records
 * @OBJTRACE_TALLY_TOMB_MADE: with the option "after-free": the memory of an object was freed, and
 *			      a tombstone keeps its address
 * @OBJTRACE_TALLY_TOMB_TYPESAFE: no tombstone: the cache is SLAB_TYPESAFE_BY_RCU, and readers may
 *				  use its objects after a free
 * @OBJTRACE_TALLY_TOMB_NOT_IN_SLAB: no tombstone: the object was in no slab, so the next
 *				     allocation of its address would go unnoticed
 * @OBJTRACE_TALLY_TOMB_BUSY: no tombstone: the table has no free slot for the address
 * @OBJTRACE_TALLY_HINT: a function received the address of a tombstone: first counter of
 *			 objtrace_after_free records, by enum objtrace_outcome
 * @OBJTRACE_TALLY_HINT_LAST: last counter of objtrace_after_free records
 * @OBJTRACE_TALLY_HINT_ALLOCATOR: a function of the allocator received the address of a
 *				   tombstone; not recorded
 * @OBJTRACE_TALLY_OVER_ALLOCATED: tombstone ended: its address was allocated again
 * @OBJTRACE_TALLY_OVER_BULK: tombstone ended: its cache allocated many objects at a time, and its
 *			      address may be among them
 * @OBJTRACE_TALLY_OVER_TRACKED: tombstone ended: a trigger added its address
 * @OBJTRACE_TALLY_OVER_SLAB: tombstone ended: its slab was given back
 * @OBJTRACE_TALLY_OVER_TIME: tombstone ended: it was older than after_free_ms
 * @OBJTRACE_TALLY_OVER_NUMBER: tombstone ended: newer tombstones needed its slots
 * @OBJTRACE_TALLY_OVER_CLEAR: tombstone ended: a trigger cleared the instance
 * @OBJTRACE_TALLY_OVER_TRIGGER: tombstone ended: its trigger was removed
 * @OBJTRACE_TALLY_WATCH: with the option "watch": all CPUs were armed for an object that was added:
 *			  first counter of objtrace_watch records, by enum objtrace_outcome
 * @OBJTRACE_TALLY_WATCH_LAST: last counter of objtrace_watch records
 * @OBJTRACE_TALLY_WATCH_BRIEF: no record: the object ended before all CPUs were armed
 * @OBJTRACE_TALLY_WATCH_NO_REGISTER: not watched: other objects have all registers of the trigger
 * @OBJTRACE_TALLY_WATCH_UNALIGNED: not watched: no register covers exactly the member's bytes
 * @OBJTRACE_TALLY_WATCH_FAULT: not watched: the value is not in RAM
 * @OBJTRACE_TALLY_WATCH_FORBIDDEN: not watched: the entry code of exceptions uses these bytes
 * @OBJTRACE_TALLY_STORE: a store to a watched member: first counter of objtrace_write records, by
 *			  enum objtrace_outcome
 * @OBJTRACE_TALLY_STORE_LAST: last counter of objtrace_write records
 * @OBJTRACE_TALLY_STORE_LATE: a store after the object ended, on a CPU that still watched it
 * @OBJTRACE_TALLY_STORE_OTHER: a store to other bits of the bytes that have a watched bitfield, or
 *				of the same value
 * @OBJTRACE_TALLY_STORE_AGAIN: no store to the watched bytes, or a second report of a store that an
 *				interrupt delayed
 * @OBJTRACE_TALLY_LET_GO: a CPU stopped to watch an object, because the store fails otherwise
 * @OBJTRACE_TALLY_FAULTS: a value could not be read
 * @OBJTRACE_TALLY_IO: a value is in device memory, and was not read
 * @OBJTRACE_NR_TALLIES: number of counters
 */
enum objtrace_tally {
	OBJTRACE_TALLY_ADDED,
	OBJTRACE_TALLY_DELETED,
	OBJTRACE_TALLY_CLEARED,
	OBJTRACE_TALLY_NOTHING,
	OBJTRACE_TALLY_ALREADY,
	OBJTRACE_TALLY_FULL,
	OBJTRACE_TALLY_BUSY,
	OBJTRACE_TALLY_NULL,
	OBJTRACE_TALLY_ERROR,
	OBJTRACE_TALLY_USER,
	OBJTRACE_TALLY_EXHAUSTED,
	OBJTRACE_TALLY_NO_RECORD,
	OBJTRACE_TALLY_NESTED,
	OBJTRACE_TALLY_BEGUN,
	OBJTRACE_TALLY_BEGUN_LAST = OBJTRACE_TALLY_BEGUN + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_HIT,
	OBJTRACE_TALLY_HIT_LAST = OBJTRACE_TALLY_HIT + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_HIT_ADDING,
	OBJTRACE_TALLY_HIT_UNCHANGED,
	OBJTRACE_TALLY_FOLLOWED,
	OBJTRACE_TALLY_FOLLOWED_POOL,
	OBJTRACE_TALLY_FOLLOWED_NMI,
	OBJTRACE_TALLY_FOLLOWED_LAST,
	OBJTRACE_TALLY_RETURN,
	OBJTRACE_TALLY_RETURN_LAST = OBJTRACE_TALLY_RETURN + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_RETURN_UNCHANGED,
	OBJTRACE_TALLY_ENDED,
	OBJTRACE_TALLY_ENDED_LAST = OBJTRACE_TALLY_ENDED + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_TOMB_MADE,
	OBJTRACE_TALLY_TOMB_TYPESAFE,
	OBJTRACE_TALLY_TOMB_NOT_IN_SLAB,
	OBJTRACE_TALLY_TOMB_BUSY,
	OBJTRACE_TALLY_HINT,
	OBJTRACE_TALLY_HINT_LAST = OBJTRACE_TALLY_HINT + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_HINT_ALLOCATOR,
	OBJTRACE_TALLY_OVER_ALLOCATED,
	OBJTRACE_TALLY_OVER_BULK,
	OBJTRACE_TALLY_OVER_TRACKED,
	OBJTRACE_TALLY_OVER_SLAB,
	OBJTRACE_TALLY_OVER_TIME,
	OBJTRACE_TALLY_OVER_NUMBER,
	OBJTRACE_TALLY_OVER_CLEAR,
	OBJTRACE_TALLY_OVER_TRIGGER,
	OBJTRACE_TALLY_WATCH,
	OBJTRACE_TALLY_WATCH_LAST = OBJTRACE_TALLY_WATCH + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_WATCH_BRIEF,
	OBJTRACE_TALLY_WATCH_NO_REGISTER,
	OBJTRACE_TALLY_WATCH_UNALIGNED,
	OBJTRACE_TALLY_WATCH_FAULT,
	OBJTRACE_TALLY_WATCH_FORBIDDEN,
	OBJTRACE_TALLY_STORE,
	OBJTRACE_TALLY_STORE_LAST = OBJTRACE_TALLY_STORE + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_STORE_LATE,
	OBJTRACE_TALLY_STORE_OTHER,
	OBJTRACE_TALLY_STORE_AGAIN,
	OBJTRACE_TALLY_LET_GO,
	OBJTRACE_TALLY_FAULTS,
	OBJTRACE_TALLY_IO,
	OBJTRACE_NR_TALLIES
};

/**
 * struct objtrace_tallies - the counters of a trigger on one CPU
 * @nr: counters by enum objtrace_tally.  Incremented by their CPU, in any context, and read by any
 *	CPU: see kernel/percpu.h
 */
struct objtrace_tallies {
	atomic_long_t	nr[OBJTRACE_NR_TALLIES];
};

/* Bits after the verbs: triggers that add, with "after-free", "returns" and "watch" */
#define OBJTRACE_TALLY_AFTER_FREE	(OBJTRACE_CLEAR + 1)
#define OBJTRACE_TALLY_RETURNS		(OBJTRACE_CLEAR + 2)
#define OBJTRACE_TALLY_WATCHES		(OBJTRACE_CLEAR + 3)

/**
 * struct objtrace_tally_name - the name of a counter in the file stats
 * @group: name of the group
 * @name: name of the counter; the same as @group if the group has one counter
 * @verbs: bit N: triggers with verb N have the counter; or the bit
 *	   OBJTRACE_TALLY_AFTER_FREE, OBJTRACE_TALLY_RETURNS or OBJTRACE_TALLY_WATCHES
 */
struct objtrace_tally_name {
	const char	*group;
	const char	*name;
	unsigned int	verbs;
};

const struct objtrace_tally_name *objtrace_tally_name(enum objtrace_tally count);
bool objtrace_tally_begins(enum objtrace_tally count);
u64 objtrace_tally_sum(const u64 counts[], enum objtrace_tally first);

#endif /* _OBJTRACE_TALLY_H */
