/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of tracked objects: which pointers are looked for, and for whom.
 *
 * Readers are the entries of all traced functions.  The filter in front of the table
 * (objects/bloom.h) tells them of nearly all pointers that are not tracked, and looking
 * up one that is takes no lock and a bounded number of steps.  Writers are triggers, which
 * fire in any context, NMI included, so adding takes no lock either and never waits.
 *
 * An object is in the table once for each owner that tracks it.
 *
 * Pointers into an object match where its owner says how large it is.  Memory is
 * taken in windows for that, as large as the object or up to twice that, and a
 * pointer is looked up by its window.  An object lies in one window or in two: then
 * a second slot, its tail, stands for it in the other one.  An object of one byte,
 * the usual case, has windows of one byte.
 *
 * Memory is freed by the address of its first byte, which for an object that is part
 * of something larger is another one than its own.  Then one more slot, its anchor,
 * stands for it there.  Who frees memory looks for objects and for anchors; the entry
 * of a function never sees an anchor: they have cells of their own.
 *
 * An object ends in two ways.  One by one: any reader may end it, in any context.
 * Or many at once: an owner forgets all that were added up to now, which takes one
 * store, and from then on nobody finds them; their slots are ended later.
 *
 * The life of a slot, every change of state made by the one CPU named:
 *
 *	FREE -> CLAIMED	     an adder takes it, with a new id (cmpxchg)
 *	CLAIMED -> PENDING   the same adder: its members can be read
 *	PENDING -> DUPLICATE another adder of the same object and owner, which
 *			     stands in front of it, takes precedence (cmpxchg)
 *	PENDING -> ADDED     the adder: nobody else adds the same (cmpxchg)
 *	ADDED -> LIVE	     the adder, when it has told of it: readers match it
 *	LIVE -> GONE	     who ends it: readers no longer match it (cmpxchg)
 *	CLAIMED -> LIVE	     the same adder: a tail or an anchor, before its head
 *	GONE -> DEAD	     the reaper, who waits for a grace period then
 *	any -> FREE	     the adder (before LIVE), the reaper (DEAD)
 *
 * A slot that was seen LIVE with preemption disabled keeps its members until it is
 * enabled again.
 */
#ifndef _OBJTRACE_TABLE_H
#define _OBJTRACE_TABLE_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* max_objects: what it is when not given, and what it may be at most */
#define OBJTRACE_DEFAULT_OBJECTS	4096
#define OBJTRACE_MAX_OBJECTS		262144

/* Slots that are looked through without a chance for others to run */
#define OBJTRACE_SLOTS_PER_SCAN		4096

/**
 * struct objtrace_owner - for whom objects are tracked
 * @size: bytes that each of its objects has; 1 if only pointers to the first match
 * @shift: log2 of its windows
 * @is_freed: its objects are not in use any more: who frees memory is not meant by them,
 *	      and they take none of the places that there are for others.  Whoever adds
 *	      them sees to it that they are few
 * @first_id: objects with a lower id are forgotten.  Only raised, with cmpxchg; readers
 *	      need no order: a stale one is the same as a function called a moment
 *	      earlier
 * @reaped_id: of these, those with a lower id are to be ended, once a grace period has
 *	       passed since this was set.  Under the mutex of who reaps
 * @cleared_id: of these, those with a lower id were forgotten by somebody else than their
 *		owner.  As @reaped_id; the table makes nothing of it
 *
 * @size to @is_freed are constant while the owner can add.  Stays allocated until the
 * slot of its last object is free.
 */
struct objtrace_owner {
	unsigned int	size;
	unsigned int	shift;
	bool		is_freed;
	u64		first_id;
	u64		reaped_id;
	u64		cleared_id;
};

/**
 * enum objtrace_slot_kind - what a slot is
 * @OBJTRACE_SLOT_OBJECT: an object
 * @OBJTRACE_SLOT_TAIL: its second window
 * @OBJTRACE_SLOT_ANCHOR: the memory that it lies in, if that begins before it
 */
enum objtrace_slot_kind {
	OBJTRACE_SLOT_OBJECT,
	OBJTRACE_SLOT_TAIL,
	OBJTRACE_SLOT_ANCHOR,
};

/**
 * struct objtrace_slot - one tracked object, or what stands for it elsewhere
 * @state: id << 3 | state.  Written with cmpxchg by adders that compete for the slot
 *	   and by who ends its object, with a release by its one adder, and by the
 *	   reaper; a reader that finds
 *	   the same LIVE value before and after reading the rest has read one object.
 * @object: the pointer that is looked for; of an anchor, the first byte of the memory.
 *	    Written by the adder between CLAIMED and PENDING, constant until FREE.
 * @owner: for whom it is tracked.  Written as @object.
 * @hits: function entries that matched.  Added to by readers that have matched
 *	  the slot, final one grace period after GONE.
 * @head: of a tail or an anchor: the object's own slot.  Written as @object.
 * @entry_ip: ftrace location of a function whose entry is still to be seen by the
 *	      ftrace callback; 0 if there is none.  Written by who changes it from 0
 *	      to ENTRY_CLAIMED with cmpxchg and then, with a release, to the address;
 *	      cleared by @entry_task, by the CPU that takes the slot for another object,
 *	      and by objects/expect.c with cmpxchg.
 * @entry_task: the task that is in that entry.  Written before @entry_ip.
 * @cell: index of its cell.  Written as @object, read by who frees it.
 * @tail: index of the object's tail plus 1; 0 if it has none.  Written by the adder
 *	  between PENDING and LIVE, read by who ends it.
 * @anchor: the same of its anchor.
 * @entry_context: objtrace_context() of that entry.  Written as @entry_task.
 * @entry_ends: that entry ends the object; else it has added it.  Written as
 *		@entry_task.
 * @entry_is_old: the entry began before the last grace period of Tasks RCU.  Set by
 *		  objects/expect.c before that grace period, cleared by the CPU that claims
 *		  @entry_ip.  A stale true is of an entry that began as early.
 * @kind: enum objtrace_slot_kind.  Written as @object.
 */
struct objtrace_slot {
	u64				state;
	unsigned long			object;
	struct objtrace_owner		*owner;
	union {
		atomic_long_t		hits;
		struct objtrace_slot	*head;
	};
	unsigned long			entry_ip;
	void				*entry_task;
	u32				cell;
	u32				tail;
	u32				anchor;
	u8				entry_context;
	bool				entry_ends;
	bool				entry_is_old;
	u8				kind;
} __aligned(64);

/**
 * union objtrace_cell - what is known of all pointers with one hash
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
 * @cells: by hash, in the lower half those of pointers, in the upper one those of
 *	   anchors, as many in each as there are slots; one word each, changed with
 *	   cmpxchg by adders and by who frees a slot, read without any order by
 *	   everybody: a stale cell is the same as a function called a moment earlier
 * @slots: see struct objtrace_slot
 * @slot_bits: log2 of the number of slots
 * @slot_mask: number of slots minus 1
 * @max: how many slots may be in use
 * @windows: bit N for windows of 2^N bytes that an owner has, larger than 1.  Written
 *	     under event_mutex before the owner adds and after its objects ended, read
 *	     without any order: as @cells
 * @used: how many slots are for an object that was added and has not ended, cmpxchg;
 *	  without those of owners that are freed
 * @last_id: of the object added last, atomic
 *
 * @cells to @max are constant while anything can reach the table.
 */
struct objtrace_table {
	union objtrace_cell	*cells;
	struct objtrace_slot	*slots;
	unsigned int		slot_bits;
	unsigned int		slot_mask;
	unsigned int		max;
	u32			windows;

	/* Adders write here: away from what readers read */
	atomic_t		used ____cacheline_aligned_in_smp;
	atomic64_t		last_id;
};

/**
 * struct objtrace_match - an object as one reader saw it
 * @slot: its own slot
 * @owner: for whom it is tracked
 * @object: its first byte
 * @id: which one at this address
 */
struct objtrace_match {
	struct objtrace_slot	*slot;
	struct objtrace_owner	*owner;
	unsigned long		object;
	u64			id;
};

extern struct objtrace_table objtrace_table;

int objtrace_table_init(unsigned int max_objects);
void objtrace_table_exit(void);

void objtrace_owner_init(struct objtrace_owner *owner, unsigned int size, bool is_freed);
void objtrace_owner_exit(struct objtrace_owner *owner);
void objtrace_owner_forget(struct objtrace_owner *owner, u64 first_id);

int objtrace_table_add(unsigned long object, unsigned long start,
		       struct objtrace_owner *owner, atomic_long_t *budget,
		       struct objtrace_match *match);
void objtrace_table_publish(struct objtrace_slot *slot);
bool objtrace_table_end(const struct objtrace_match *match);
bool objtrace_table_next_forgotten(unsigned int *pos, struct objtrace_match *match);
bool objtrace_table_bury(void);
void objtrace_table_free_dead(void);

bool __objtrace_table_match(unsigned long addr, unsigned int *pos,
			    struct objtrace_match *match);
bool objtrace_table_match_anchor(unsigned long start, unsigned int *pos,
				 struct objtrace_match *match);
bool objtrace_table_look(unsigned int n, struct objtrace_match *match);
bool objtrace_table_is_live(unsigned int n);
unsigned int objtrace_table_places(const struct objtrace_slot *slot);

/* Where __objtrace_table_match() has found all that there was: no windows are so large */
#define OBJTRACE_POS_END	(~0U)

/**
 * objtrace_table_match() - find the next object that a pointer points to
 * @addr: the pointer
 * @pos: where to look on; 0 at first
 * @match: filled in when one was found
 *
 * Most objects are tracked once, and most pointers point to one: who has found that asks
 * for the next one, and is told here that there is none.
 *
 * Context: any, NMI included; @match stays valid while preemption is disabled.
 * Return: true when one was found
 */
static __always_inline bool objtrace_table_match(unsigned long addr, unsigned int *pos,
						 struct objtrace_match *match)
{
	return *pos != OBJTRACE_POS_END && __objtrace_table_match(addr, pos, match);
}

/**
 * objtrace_budget_take() - take one of what may still be done
 * @budget: how often it may, or NULL if any number of times
 *
 * Context: any, NMI included.
 * Return: false if nothing is left
 */
static inline bool objtrace_budget_take(atomic_long_t *budget)
{
	return !budget || atomic_long_dec_if_positive(budget) >= 0;
}

/**
 * objtrace_budget_return() - give back what objtrace_budget_take() has taken
 * @budget: as there
 *
 * Context: any, NMI included.
 */
static inline void objtrace_budget_return(atomic_long_t *budget)
{
	if (budget)
		atomic_long_inc(budget);
}

#endif /* _OBJTRACE_TABLE_H */
