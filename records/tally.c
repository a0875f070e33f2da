// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of the counters, see records/tally.h.  The same source in the kernel and in the
 * unit tests.
 */
#include <linux/bitops.h>
#include <linux/string.h>

#include "command/parse.h"
#include "records/tally.h"

#define ADD		BIT(OBJTRACE_ADD)
#define DEL		BIT(OBJTRACE_DEL)
#define CLEAR		BIT(OBJTRACE_CLEAR)
#define ALL		(ADD | DEL | CLEAR)
#define AFTER_FREE	BIT(OBJTRACE_TALLY_AFTER_FREE)
#define WATCHES		BIT(OBJTRACE_TALLY_WATCHES)
#define RETURNS		BIT(OBJTRACE_TALLY_RETURNS)

#define OUTCOMES(first, group, verbs)						\
	[(first) + OBJTRACE_WRITTEN]	   = { group, "recorded", verbs },		\
	[(first) + OBJTRACE_LOST_PID]	   = { group, "lost_pid_filter", verbs },	\
	[(first) + OBJTRACE_LOST_OFF]	   = { group, "lost_tracing_off", verbs },	\
	[(first) + OBJTRACE_LOST_FILTER]   = { group, "lost_event_filter", verbs },	\
	[(first) + OBJTRACE_LOST_DISABLED] = { group, "lost_soft_disabled", verbs },	\
	[(first) + OBJTRACE_LOST_BUFFER]   = { group, "lost_ring_buffer", verbs }

#define OVER(why)	{ "tombstones_ended", why, AFTER_FREE }

/* In the order of enum objtrace_tally: the counters of a group are adjacent */
static const struct objtrace_tally_name names[OBJTRACE_NR_TALLIES] = {
	[OBJTRACE_TALLY_ADDED]		= { "fired", "added", ADD },
	[OBJTRACE_TALLY_DELETED]	= { "fired", "deleted", DEL },
	[OBJTRACE_TALLY_CLEARED]	= { "fired", "cleared", CLEAR },
	[OBJTRACE_TALLY_NOTHING]	= { "fired", "nothing_to_do", DEL | CLEAR },
	[OBJTRACE_TALLY_ALREADY]	= { "fired", "already_tracked", ADD },
	[OBJTRACE_TALLY_FULL]		= { "fired", "table_full", ADD },
	[OBJTRACE_TALLY_BUSY]		= { "fired", "slots_busy", ADD },
	[OBJTRACE_TALLY_NULL]		= { "fired", "null_pointer", ADD },
	[OBJTRACE_TALLY_ERROR]		= { "fired", "error_pointer", ADD },
	[OBJTRACE_TALLY_USER]		= { "fired", "not_kernel_address", ADD },
	[OBJTRACE_TALLY_EXHAUSTED]	= { "fired", "count_reached", ALL },
	[OBJTRACE_TALLY_NO_RECORD]	= { "fired", "no_event_record", ALL },
	[OBJTRACE_TALLY_NESTED]		= { "fired", "nested", ALL },
	OUTCOMES(OBJTRACE_TALLY_BEGUN, "objects_added", ADD),
	OUTCOMES(OBJTRACE_TALLY_HIT, "hits", ADD),
	[OBJTRACE_TALLY_HIT_ADDING]	= { "hits", "adding_entry", ADD },
	[OBJTRACE_TALLY_HIT_UNCHANGED]	= { "hits", "unchanged", ADD },
	[OBJTRACE_TALLY_FOLLOWED]	= { "calls", "followed", RETURNS },
	[OBJTRACE_TALLY_FOLLOWED_POOL]	= { "calls", "max_returns", RETURNS },
	[OBJTRACE_TALLY_FOLLOWED_NMI]	= { "calls", "in_nmi", RETURNS },
	[OBJTRACE_TALLY_FOLLOWED_LAST]	= { "calls", "switches_task", RETURNS },
	OUTCOMES(OBJTRACE_TALLY_RETURN, "returns", RETURNS),
	[OBJTRACE_TALLY_RETURN_UNCHANGED] = { "returns", "unchanged", RETURNS },
	OUTCOMES(OBJTRACE_TALLY_ENDED, "objects_deleted", ADD),
	[OBJTRACE_TALLY_TOMB_MADE]	= { "tombstones", "created", AFTER_FREE },
	[OBJTRACE_TALLY_TOMB_TYPESAFE]	= { "tombstones", "typesafe_by_rcu", AFTER_FREE },
	[OBJTRACE_TALLY_TOMB_NOT_IN_SLAB] = { "tombstones", "not_in_slab", AFTER_FREE },
	[OBJTRACE_TALLY_TOMB_BUSY]	= { "tombstones", "slots_busy", AFTER_FREE },
	OUTCOMES(OBJTRACE_TALLY_HINT, "hints", AFTER_FREE),
	[OBJTRACE_TALLY_HINT_ALLOCATOR]	= { "hints", "in_allocator", AFTER_FREE },
	[OBJTRACE_TALLY_OVER_ALLOCATED]	= OVER("reallocated"),
	[OBJTRACE_TALLY_OVER_BULK]	= OVER("bulk_allocated"),
	[OBJTRACE_TALLY_OVER_TRACKED]	= OVER("added_again"),
	[OBJTRACE_TALLY_OVER_SLAB]	= OVER("slab_freed"),
	[OBJTRACE_TALLY_OVER_TIME]	= OVER("expired"),
	[OBJTRACE_TALLY_OVER_NUMBER]	= OVER("evicted"),
	[OBJTRACE_TALLY_OVER_CLEAR]	= OVER("cleared"),
	[OBJTRACE_TALLY_OVER_TRIGGER]	= OVER("trigger_removed"),
	OUTCOMES(OBJTRACE_TALLY_WATCH, "watched", WATCHES),
	[OBJTRACE_TALLY_WATCH_BRIEF]	= { "watched", "ended_early", WATCHES },
	[OBJTRACE_TALLY_WATCH_NO_REGISTER] = { "watched", "not_no_register", WATCHES },
	[OBJTRACE_TALLY_WATCH_UNALIGNED] = { "watched", "not_unaligned", WATCHES },
	[OBJTRACE_TALLY_WATCH_FAULT]	= { "watched", "not_readable", WATCHES },
	[OBJTRACE_TALLY_WATCH_FORBIDDEN] = { "watched", "not_allowed", WATCHES },
	OUTCOMES(OBJTRACE_TALLY_STORE, "stores", WATCHES),
	[OBJTRACE_TALLY_STORE_LATE]	= { "stores", "after_end", WATCHES },
	[OBJTRACE_TALLY_STORE_OTHER]	= { "stores", "other_bits", WATCHES },
	[OBJTRACE_TALLY_STORE_AGAIN]	= { "stores", "again", WATCHES },
	[OBJTRACE_TALLY_LET_GO]		= { "watch_let_go", "watch_let_go", WATCHES },
	[OBJTRACE_TALLY_FAULTS]		= { "value_faults", "value_faults", ADD },
	[OBJTRACE_TALLY_IO]		= { "value_io", "value_io", ADD },
};

/**
 * objtrace_tally_name() - look up the name and the group of a counter
 * @count: the counter
 *
 * Context: any, NMI included.
 * Return: the names, constant
 */
const struct objtrace_tally_name *objtrace_tally_name(enum objtrace_tally count)
{
	return &names[count];
}

static bool same_group(enum objtrace_tally a, enum objtrace_tally b)
{
	return !strcmp(names[a].group, names[b].group);
}

/**
 * objtrace_tally_begins() - check for the first counter of a group
 * @count: the counter
 *
 * Context: any, NMI included.
 * Return: true if the counter is the first of its group
 */
bool objtrace_tally_begins(enum objtrace_tally count)
{
	return !count || !same_group(count - 1, count);
}

/**
 * objtrace_tally_sum() - add up the counters of a group
 * @counts: all counters, by enum objtrace_tally
 * @first: first counter of the group
 *
 * Context: any, NMI included.
 * Return: the sum
 */
u64 objtrace_tally_sum(const u64 counts[], enum objtrace_tally first)
{
	unsigned int i;
	u64 sum = 0;

	for (i = first; i < OBJTRACE_NR_TALLIES && same_group(i, first); i++)
		sum += counts[i];
	return sum;
}
