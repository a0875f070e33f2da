/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of tracked objects: which pointers are looked for, and for whom.
 *
 * Readers are the entries of all traced functions, so looking up a pointer that
 * is not tracked is one load from the filter, and looking up one that is takes
 * no lock and a bounded number of steps.  Writers are triggers, which fire in
 * any context, NMI included, so adding takes no lock either and never waits.
 *
 * An object is in the table once for each owner that tracks it.
 *
 * The life of a slot, every change of state made by the one CPU named:
 *
 *	FREE -> CLAIMED	     an adder takes it, with a new id (cmpxchg)
 *	CLAIMED -> PENDING   the same adder: its members can be read
 *	PENDING -> DUPLICATE another adder of the same object and owner, which
 *			     stands in front of it, takes precedence (cmpxchg)
 *	PENDING -> ADDED     the adder: nobody else adds the same (cmpxchg)
 *	ADDED -> LIVE	     the adder, when it has told of it: readers match it
 *	LIVE -> DEAD	     the owner's removal: readers no longer match it
 *	any -> FREE	     the adder (before LIVE), the owner's removal (DEAD)
 */
#ifndef _OBJTRACE_TABLE_H
#define _OBJTRACE_TABLE_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/types.h>

/* max_objects: what it is when not given, and what it may be at most */
#define OBJTRACE_DEFAULT_OBJECTS	4096
#define OBJTRACE_MAX_OBJECTS		262144

struct objtrace_trigger;

/**
 * struct objtrace_slot - one tracked object
 * @state: id << 3 | state.  Written with cmpxchg by adders that compete for the
 *	   slot, with a release by its one user otherwise; a reader that finds
 *	   the same LIVE value before and after reading the rest has read one object.
 * @object: the pointer that is looked for.  Written by the adder between CLAIMED
 *	    and PENDING, constant until FREE.
 * @owner: the trigger that tracks it.  Written as @object; stays allocated for
 *	   an RCU grace period after DEAD.
 * @filter: index of its filter cell.  Written as @object, read by who frees it.
 * @hits: function entries that matched.  Added to by readers that have matched
 *	  the slot, final one grace period after DEAD.
 * @entry_ip: where the probe that added the object sits, if the entry that fired
 *	      it is still to be seen by the ftrace callback; 0 if not.  Written by
 *	      the adder between ADDED and LIVE, cleared only by @entry_task.
 * @entry_task: the task that is in that entry.  Written as @entry_ip.
 * @entry_context: the interrupt context level it is in.  Written as @entry_ip.
 */
struct objtrace_slot {
	u64				state;
	unsigned long			object;
	struct objtrace_trigger		*owner;
	u32				filter;
	u32				entry_context;
	atomic_long_t			hits;
	unsigned long			entry_ip;
	void				*entry_task;
} __aligned(64);

/**
 * struct objtrace_cell - what the filter knows of all pointers with one hash
 * @count: slots in use for them
 * @reach: slots from their home slot on that can hold them
 * @word: both, as they are read and changed; 0 if there is nothing
 */
union objtrace_cell {
	struct {
		u8	count;
		u8	reach;
	};
	u16		word;
};

/**
 * struct objtrace_table - the table
 * @filter: cells by hash; one word each, changed with cmpxchg by adders and by
 *	    who frees a slot, read without any order by everybody: a stale cell is
 *	    the same as a function called a moment earlier
 * @slots: see struct objtrace_slot
 * @filter_bits: log2 of the number of cells
 * @slot_mask: number of slots minus 1
 * @max: how many slots may be in use
 * @used: how many are for an object that was added, cmpxchg
 * @last_id: of the object added last, atomic
 *
 * @filter to @max are constant while anything can reach the table.
 */
struct objtrace_table {
	union objtrace_cell	*filter;
	struct objtrace_slot	*slots;
	unsigned int		filter_bits;
	unsigned int		slot_mask;
	unsigned int		max;

	/* Adders write here: away from what every function entry reads */
	atomic_t		used ____cacheline_aligned_in_smp;
	atomic64_t		last_id;
};

/**
 * struct objtrace_match - a slot as one reader saw it
 * @slot: the slot
 * @owner: the trigger that tracks the object
 * @id: of the object
 */
struct objtrace_match {
	struct objtrace_slot	*slot;
	struct objtrace_trigger	*owner;
	u64			id;
};

extern struct objtrace_table objtrace_table;

int objtrace_table_init(unsigned int max_objects);
void objtrace_table_exit(void);

int objtrace_table_add(unsigned long object, struct objtrace_trigger *owner,
		       atomic_long_t *budget, struct objtrace_match *match);
void objtrace_table_publish(struct objtrace_slot *slot);
struct objtrace_slot *objtrace_table_retire(struct objtrace_trigger *owner,
					    unsigned int *pos);
struct objtrace_slot *objtrace_table_retired(struct objtrace_trigger *owner,
					     unsigned int *pos);
void objtrace_table_free(struct objtrace_slot *slot);

bool objtrace_table_match(unsigned long object, unsigned int *pos,
			  struct objtrace_match *match);
u64 objtrace_slot_id(const struct objtrace_slot *slot);

/**
 * objtrace_table_cell() - the filter cell of a pointer
 * @object: the pointer
 *
 * Context: any.
 * Return: index into the filter
 */
static __always_inline u32 objtrace_table_cell(unsigned long object)
{
	return hash_64(object, objtrace_table.filter_bits);
}

/**
 * objtrace_table_may_have() - whether a pointer may be tracked
 * @object: the pointer
 *
 * All that the entry of a function costs that has nothing to do with any object,
 * for each of its arguments: a multiplication and a load.
 *
 * Context: any, NMI and RCU not watching included.
 * Return: false if it is not tracked; true if objtrace_table_match() has to look
 */
static __always_inline bool objtrace_table_may_have(unsigned long object)
{
	return READ_ONCE(objtrace_table.filter[objtrace_table_cell(object)].word);
}

#endif /* _OBJTRACE_TABLE_H */
