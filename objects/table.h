/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hash table of tracked objects.
 *
 * Readers are the entries of all traced functions.  The Bloom filter (objects/bloom.h) rejects
 * nearly all pointers that are not tracked.  A lookup takes no lock, and has a bounded number of
 * steps.  Writers are triggers, which fire in any context, NMI included.  So adding an object
 * takes no lock, and never waits.
 *
 * The table has one entry of an object for each owner that tracks the object.
 *
 * If the owner has a size, pointers into an object match, too.  For that purpose, memory is
 * divided into windows.  A window is a power of two, at least as large as the object.  A pointer
 * is looked up by the number of its window.  An object lies in one window or in two windows.  In
 * the second case, a second slot represents the object in the second window: the tail.  The
 * usual object has a size of one byte, and windows of one byte.
 *
 * Memory is freed by the address of its first byte.  An object inside of larger memory has
 * another address.  A slot with the address of the memory represents such an object: the
 * anchor.  A free looks for objects and for anchors.  Anchors have cells of their own, so
 * function entries never see anchors.
 *
 * An object ends in two ways.  Any reader can delete a single object, in any context.  Or an
 * owner forgets all objects that were added before a given id.  That takes one store, and no
 * lookup finds a forgotten object.  The reaper ends the slots of forgotten objects later.
 *
 * States of a slot, and the writer of each change:
 *
 *	FREE -> CLAIMED	     an adder takes the slot, with a new id (cmpxchg)
 *	CLAIMED -> PENDING   the adder has written the members
 *	PENDING -> DUPLICATE another adder of the same object and owner, whose slot
 *			     has a smaller distance from home (cmpxchg)
 *	PENDING -> ADDED     the adder: no other adder has precedence (cmpxchg)
 *	ADDED -> LIVE	     the adder, after objtrace_add: readers match the slot
 *	LIVE -> GONE	     any CPU that ends the object: no match any more (cmpxchg)
 *	CLAIMED -> LIVE	     the adder, for a tail or an anchor, before its head
 *	any -> FREE	     the adder (before LIVE), the reaper (GONE, after a grace period)
 *
 * The CPU that ends an object removes it from the cells and from the filter at once, and adds the
 * slot to a list of its own.  The reaper takes the lists of all CPUs, and looks at no other slot.
 *
 * A CPU that sees a LIVE slot with preemption disabled can use the slot's members until it
 * enables preemption.
 */
#ifndef _OBJTRACE_TABLE_H
#define _OBJTRACE_TABLE_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/types.h>

/* Default and limit of the module parameter max_objects */
#define OBJTRACE_DEFAULT_OBJECTS	4096
#define OBJTRACE_MAX_OBJECTS		262144

/* Larger than the id of any object, for the member first_id of the owner of a removed trigger */
#define OBJTRACE_ALL_IDS		U64_MAX

/* Slots that a loop handles between two calls of cond_resched() */
#define OBJTRACE_SLOTS_PER_SCAN		4096

/**
 * struct objtrace_owner - a set of objects that a trigger tracks
 * @size: size of each object in bytes; 1 if only pointers to the first byte match
 * @shift: log2 of the size of a window
 * @is_freed: true for tombstones.  Frees ignore tombstones, and tombstones do not count for
 *	      max_objects.  objects/tomb.c limits their number.
 * @first_id: objects with a lower id are forgotten.  Only raised, with cmpxchg, in any context.
 *	      Readers need no order: a reader of a stale value acts like a function that was
 *	      called a moment earlier.
 * @reaped_id: objects with a lower id can be ended, a grace period after this was written.
 *	       Written and read under the reaper's mutex.
 * @cleared_id: objects with a lower id were forgotten by a clear trigger.  Written and read
 *		under the reaper's mutex; the table does not use it.
 *
 * @size, @shift and @is_freed are constant while the owner can add objects.  The owner stays
 * allocated until the slot of its last object is free.
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
 * enum objtrace_slot_kind - use of a slot: an object, a tail or an anchor
 * @OBJTRACE_SLOT_OBJECT: slot of an object
 * @OBJTRACE_SLOT_TAIL: represents an object in its second window
 * @OBJTRACE_SLOT_ANCHOR: represents an object by the start of the memory around the object
 */
enum objtrace_slot_kind {
	OBJTRACE_SLOT_OBJECT,
	OBJTRACE_SLOT_TAIL,
	OBJTRACE_SLOT_ANCHOR,
};

/**
 * struct objtrace_slot - slot of a tracked object, of its tail, or of its anchor
 * @state: id << 3 | state.  Written with cmpxchg by adders that compete for the slot and by a CPU
 *	   that ends the object, with a release by the adder that has the slot, and by the reaper.
 *	   A reader compares LIVE values before and after it reads the other members: if they
 *	   are equal, the members belong to one object.
 * @object: address of the object; for an anchor, the start of the memory.  Written by the adder
 *	    between CLAIMED and PENDING, constant until FREE.
 * @owner: owner of the object.  Written as @object.
 * @head: for a tail or an anchor, index of the object's slot.  Written as @object.  For an object
 *	  that has ended, index plus 1 of the next slot in the list; 0 at the end of the list.
 *	  Written by the CPU that ends the object, and then by the reaper.
 * @kind: enum objtrace_slot_kind.  Written as @object.
 * @shift: log2 of the size of the window in which lookups of pointers find the slot;
 *	   OBJTRACE_NO_WINDOW for an anchor.  Written as @object.
 *
 * Lookups of any pointer read slots, so no hit writes a slot: struct objtrace_life has the members
 * that hits write.
 */
struct objtrace_slot {
	u64			state;
	unsigned long		object;
	struct objtrace_owner	*owner;
	u32			head;
	u8			kind;
	u8			shift;
};

/* No pointer has a window of this size */
#define OBJTRACE_NO_WINDOW	U8_MAX

/**
 * struct objtrace_life - the members of a slot that only its object's hits, adder and end use
 * @hits: number of function entries that matched.  Atomically incremented by readers that have
 *	  matched the slot, final one grace period after GONE.
 * @where: last function that received the object, see records/seen.h
 * @value: last value of the object, see records/seen.h
 * @added_at: time at which the object was added, by the trace clock of the trigger's instance.
 *	      Written by the adder before LIVE.
 * @entry_ip: ftrace location of an expected entry, see objects/expect.h; 0 without one.  A CPU
 *	      changes 0 to ENTRY_CLAIMED with cmpxchg, and then stores the location with a
 *	      release.  Cleared by @entry_task, by the adder that claims the slot, and with
 *	      cmpxchg by the work item of objects/expect.c.
 * @entry_task: task of the expected entry.  Written before @entry_ip.
 * @cell: index of the slot's cell.  Written between CLAIMED and PENDING, and read by the CPU that
 *	  frees the slot.
 * @tail: index of the object's tail plus 1; 0 without a tail.  Written by the adder between
 *	  PENDING and LIVE, read by the CPU that ends the object.
 * @anchor: index of the object's anchor plus 1; 0 without an anchor.  Written as @tail.
 * @entry_context: objtrace_context() of the expected entry.  Written as @entry_task.
 * @entry_ends: true if the expected entry deletes the object, false if its probe added the
 *		object.  Written as @entry_task.
 * @entry_is_old: the expected entry began before the last grace period of Tasks RCU.  Set by
 *		  objects/expect.c before that grace period, cleared by the CPU that claims
 *		  @entry_ip.  A stale true is safe: the new entry began before the write, too.
 *
 * One cache line for each slot.  CPUs share the line if they hit the same object.
 */
struct objtrace_life {
	atomic_long_t		hits;
	unsigned long		where;
	u64			value;
	u64			added_at;
	unsigned long		entry_ip;
	void			*entry_task;
	u32			cell;
	u32			tail;
	u32			anchor;
	u8			entry_context;
	bool			entry_ends;
	bool			entry_is_old;
} __aligned(64);

/**
 * union objtrace_cell - the slots of all windows with one hash
 * @count: number of slots with an object, a tail or an anchor that has not ended
 * @first: distance from home of the first slot to search
 * @reach: distance from home after the last slot to search; 0 without slots
 * @next: distance from home at which the next adder looks for a free slot, if the slots near home
 *	  are in use: ended objects usually have the slots before
 * @word: all members in one word, for atomic access
 */
union objtrace_cell {
	struct {
		u8	count;
		u8	first;
		u8	reach;
		u8	next;
	};
	u32		word;
};

/**
 * struct objtrace_table - the cells and slots of all objects, and their limits
 * @cells: cells by hash.  The lower half is for pointers, the upper half for anchors.  Each half
 *	   has as many cells as there are slots.  Written with cmpxchg by adders and by CPUs that
 *	   end objects.  Readers need no order: a reader of a stale cell acts like a function
 *	   that was called a moment earlier.
 * @slots: see struct objtrace_slot
 * @lives: element N belongs to slot N
 * @slot_bits: log2 of the number of slots
 * @hash_shift: 64 minus @slot_bits
 * @slot_mask: number of slots minus 1
 * @max: limit of @used, from max_objects
 * @windows: bit N if an owner has windows of 2^N bytes, for N above 0.  Written under event_mutex,
 *	     before the owner adds and after its objects have ended.  Readers need no order, as
 *	     for @cells.
 * @used: number of slots of tracked objects, without tombstones.  Atomically changed by adders and
 *	  by CPUs that end objects.
 * @last_id: id of the newest object.  Atomically incremented.
 *
 * The pointers @cells to @lives, and @slot_bits to @max, are constant while any code can reach
 * the table.
 */
struct objtrace_table {
	union objtrace_cell	*cells;
	struct objtrace_slot	*slots;
	struct objtrace_life	*lives;
	unsigned int		slot_bits;
	unsigned int		hash_shift;
	unsigned int		slot_mask;
	unsigned int		max;
	u32			windows;

	/* Written by adders: in another cache line than the members that readers need */
	atomic_t		used ____cacheline_aligned_in_smp;
	atomic64_t		last_id;
};

/**
 * struct objtrace_match - an object that a reader has found
 * @slot: slot of the object
 * @life: life of the object
 * @owner: owner of the object
 * @object: address of the object
 * @id: id of the object: an address can have several objects, one after the other
 */
struct objtrace_match {
	struct objtrace_slot	*slot;
	struct objtrace_life	*life;
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
bool objtrace_table_collect(void);
void objtrace_table_free_collected(void);

bool __objtrace_table_match(unsigned long addr, unsigned int *pos,
			    struct objtrace_match *match);
bool objtrace_table_match_anchor(unsigned long start, unsigned int *pos,
				 struct objtrace_match *match);
bool objtrace_table_look(unsigned int n, struct objtrace_match *match);
bool objtrace_table_is_live(unsigned int n);
unsigned int objtrace_table_places(const struct objtrace_slot *slot);

/**
 * objtrace_life_of() - find the life of a slot
 * @slot: the slot
 *
 * Context: Any, NMI included.
 * Return: the life
 */
static __always_inline struct objtrace_life *objtrace_life_of(const struct objtrace_slot *slot)
{
	return &objtrace_table.lives[slot - objtrace_table.slots];
}

/* Position after the last match: no windows are so large */
#define OBJTRACE_POS_END	(~0U)

/* The lowest bits of a slot's state, and their value if readers match the slot */
#define OBJTRACE_STATE_BITS	3
#define OBJTRACE_STATE_LIVE	5

/**
 * objtrace_table_cell() - find the cell of a window
 * @window: number of the window, which is the pointer for a window of one byte
 *
 * Context: Any, NMI included.
 * Return: index of the cell, and of the home slot
 */
static __always_inline u32 objtrace_table_cell(unsigned long window)
{
	return (u64)window * GOLDEN_RATIO_64 >> objtrace_table.hash_shift;
}

/**
 * objtrace_table_read() - read a cell
 * @cell: index of the cell
 *
 * Context: Any, NMI included.
 * Return: all members, of one moment
 */
static __always_inline union objtrace_cell objtrace_table_read(u32 cell)
{
	return (union objtrace_cell){ .word = READ_ONCE(objtrace_table.cells[cell].word) };
}

/**
 * objtrace_table_first() - find an object in the first slot of its cell, by its first byte
 * @addr: the pointer
 * @pos: receives the position from which objtrace_table_match() finds further objects; only on
 *	 success
 * @match: receives the object; only on success
 *
 * Most objects have a size of one byte and are there.  For the hot path: without a call, a loop
 * or larger windows.
 *
 * Context: Any, NMI included; @match is valid while preemption is disabled.
 * Return: true if there is an object; after false, objtrace_table_match() may find objects
 */
static __always_inline bool objtrace_table_first(unsigned long addr, unsigned int *pos,
						 struct objtrace_match *match)
{
	u32 cell = objtrace_table_cell(addr), n;
	union objtrace_cell slots = objtrace_table_read(cell);
	const struct objtrace_slot *slot;
	struct objtrace_owner *owner;
	u64 state;

	n = (cell + slots.first) & objtrace_table.slot_mask;
	slot = &objtrace_table.slots[n];
	/* Pairs with the release in objtrace_table_publish() */
	state = smp_load_acquire(&slot->state);
	if ((state & ((1U << OBJTRACE_STATE_BITS) - 1)) != OBJTRACE_STATE_LIVE ||
	    READ_ONCE(slot->object) != addr || READ_ONCE(slot->shift))
		return false;
	owner = READ_ONCE(slot->owner);
	if (state >> OBJTRACE_STATE_BITS < READ_ONCE(owner->first_id))
		return false;
	*match = (struct objtrace_match){
		.slot = &objtrace_table.slots[n], .life = &objtrace_table.lives[n],
		.owner = owner, .object = addr, .id = state >> OBJTRACE_STATE_BITS,
	};
	if (READ_ONCE(slot->state) != state)
		return false;
	*pos = slots.first + 1 < slots.reach || READ_ONCE(objtrace_table.windows) ?
	       slots.first + 1 : OBJTRACE_POS_END;
	return true;
}

/**
 * objtrace_table_again() - repeat the match of an object's slot
 * @slot: slot of a match
 *
 * Context: Any, NMI included; preemption disabled since the match.
 * Return: the match
 */
static inline struct objtrace_match objtrace_table_again(struct objtrace_slot *slot)
{
	return (struct objtrace_match){
		.slot = slot, .life = objtrace_life_of(slot), .owner = slot->owner,
		.object = slot->object, .id = READ_ONCE(slot->state) >> OBJTRACE_STATE_BITS,
	};
}

/**
 * objtrace_table_match() - find the next object that a pointer points to
 * @addr: the pointer
 * @pos: position of the search; 0 at first
 * @match: receives the object; only on success
 *
 * Callers loop over all matches.  Nearly always the first match is the last one, so the inline
 * check ends the loop without a call.
 *
 * Context: Any, NMI included; @match is valid while preemption is disabled.
 * Return: true if there is an object
 */
static __always_inline bool objtrace_table_match(unsigned long addr, unsigned int *pos,
						 struct objtrace_match *match)
{
	return *pos != OBJTRACE_POS_END && __objtrace_table_match(addr, pos, match);
}

/**
 * objtrace_budget_take() - decrement the remaining COUNT of a command
 * @budget: the remaining COUNT, or NULL for no limit
 *
 * Context: Any, NMI included.
 * Return: false if the remaining COUNT was 0
 */
static inline bool objtrace_budget_take(atomic_long_t *budget)
{
	return !budget || atomic_long_dec_if_positive(budget) >= 0;
}

/**
 * objtrace_budget_return() - undo objtrace_budget_take()
 * @budget: the remaining COUNT, or NULL for no limit
 *
 * Context: Any, NMI included.
 */
static inline void objtrace_budget_return(atomic_long_t *budget)
{
	if (budget)
		atomic_long_inc(budget);
}

#endif /* _OBJTRACE_TABLE_H */
