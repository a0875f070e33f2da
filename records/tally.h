/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is counted of each trigger: what became of each time that its event fired, of
 * each function entry that received one of its objects, and of each record.
 *
 * Counts are in groups.  All that belongs to a group is counted under exactly one of
 * its members, so their sum is how often it came to that at all.
 */
#ifndef _OBJTRACE_TALLY_H
#define _OBJTRACE_TALLY_H

#include <linux/types.h>

#include "command/parse.h"

/**
 * enum objtrace_outcome - what became of a record
 * @OBJTRACE_WRITTEN: it is in the buffer
 * @OBJTRACE_LOST_PID: the instance does not trace this task: set_event_pid,
 *		       set_event_notrace_pid
 * @OBJTRACE_LOST_OFF: tracing was off: tracing_on
 * @OBJTRACE_LOST_FILTER: it did not pass the filter of our event
 * @OBJTRACE_LOST_DISABLED: our event is disabled for its triggers, or by one
 *			    (soft disabled)
 * @OBJTRACE_LOST_BUFFER: the buffer did not take it: it is full and does not overwrite,
 *			  its size is being changed, this CPU is not in tracing_cpumask
 * @OBJTRACE_NR_OUTCOMES: how many there are
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
 * enum objtrace_tally - what is counted
 * @OBJTRACE_TALLY_ADDED: it fired, and the object is tracked from then on
 * @OBJTRACE_TALLY_DELETED: it fired, and the object is not tracked any more
 * @OBJTRACE_TALLY_CLEARED: it fired, and so are all objects
 * @OBJTRACE_TALLY_NOTHING: it fired, and there was none to be deleted, or no trigger to
 *			    be cleared
 * @OBJTRACE_TALLY_ALREADY: it fired for an object that is tracked already, or is being
 *			    added by another CPU
 * @OBJTRACE_TALLY_FULL: it fired, and the table was full
 * @OBJTRACE_TALLY_BUSY: it fired, and the object's part of the table was full of what had
 *			 just ended
 * @OBJTRACE_TALLY_NULL: it fired for NULL
 * @OBJTRACE_TALLY_ERROR: it fired for an error code in place of a pointer
 * @OBJTRACE_TALLY_USER: it fired for an address that is not the kernel's, or an object
 *			 that would not end before memory does
 * @OBJTRACE_TALLY_EXHAUSTED: it fired, and its COUNT was reached
 * @OBJTRACE_TALLY_NO_RECORD: it fired before the event was known to need its record
 * @OBJTRACE_TALLY_BEGUN: an object was added: the objtrace_add record, by
 *			  enum objtrace_outcome
 * @OBJTRACE_TALLY_BEGUN_LAST: the last of these
 * @OBJTRACE_TALLY_HIT: a function received an object: the objtrace_value record, by
 *			enum objtrace_outcome
 * @OBJTRACE_TALLY_HIT_LAST: the last of these
 * @OBJTRACE_TALLY_HIT_ADDING: the same, on the entry that has added it: objtrace_add
 *			       tells of that
 * @OBJTRACE_TALLY_HIT_UNCHANGED: the same, without a new value, with the option "changes"
 * @OBJTRACE_TALLY_ENDED: an object ended: the objtrace_del record, by
 *			  enum objtrace_outcome
 * @OBJTRACE_TALLY_ENDED_LAST: the last of these
 * @OBJTRACE_TALLY_TOMB_MADE: the memory of an object was freed, with the option
 *			      "after-free", and who is passed its address is looked for
 * @OBJTRACE_TALLY_TOMB_TYPESAFE: the same, but it may be used after it was freed
 * @OBJTRACE_TALLY_TOMB_NOT_IN_SLAB: the same, but when the memory is used again nobody
 *				     would notice
 * @OBJTRACE_TALLY_TOMB_BUSY: the same, but there is no place for it
 * @OBJTRACE_TALLY_HINT: a function was passed such an address: the objtrace_after_free
 *			 record, by enum objtrace_outcome
 * @OBJTRACE_TALLY_HINT_LAST: the last of these
 * @OBJTRACE_TALLY_HINT_ALLOCATOR: the same, and the function is one of the allocator's
 * @OBJTRACE_TALLY_OVER_ALLOCATED: nobody looks for such an address any more: it was
 *				   allocated
 * @OBJTRACE_TALLY_OVER_BULK: the same: it may have been, with many others
 * @OBJTRACE_TALLY_OVER_TRACKED: the same: it is tracked again
 * @OBJTRACE_TALLY_OVER_SLAB: the same: its slab was given back
 * @OBJTRACE_TALLY_OVER_TIME: the same: the time is over
 * @OBJTRACE_TALLY_OVER_NUMBER: the same: others have taken its place
 * @OBJTRACE_TALLY_OVER_CLEAR: the same: it was cleared
 * @OBJTRACE_TALLY_OVER_TRIGGER: the same: its trigger was removed
 * @OBJTRACE_TALLY_FAULTS: a value could not be read
 * @OBJTRACE_TALLY_IO: a value was not read, because it is in device memory
 * @OBJTRACE_NR_TALLIES: how many there are
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
	OBJTRACE_TALLY_BEGUN,
	OBJTRACE_TALLY_BEGUN_LAST = OBJTRACE_TALLY_BEGUN + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_HIT,
	OBJTRACE_TALLY_HIT_LAST = OBJTRACE_TALLY_HIT + OBJTRACE_NR_OUTCOMES - 1,
	OBJTRACE_TALLY_HIT_ADDING,
	OBJTRACE_TALLY_HIT_UNCHANGED,
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
	OBJTRACE_TALLY_FAULTS,
	OBJTRACE_TALLY_IO,
	OBJTRACE_NR_TALLIES
};

/* Behind the verbs: those that add, with the option "after-free" */
#define OBJTRACE_TALLY_AFTER_FREE	(OBJTRACE_CLEAR + 1)

/**
 * struct objtrace_tally_name - what a count is called
 * @group: what it is a part of
 * @name: which part; a group of one is called what its part is
 * @verbs: bit N for triggers of which verb it is counted; or those of
 *	   OBJTRACE_TALLY_AFTER_FREE
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
