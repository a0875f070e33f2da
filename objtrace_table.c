// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of tracked objects, see objtrace_table.h.
 *
 * Open addressing: a pointer hashes to a filter cell, eight cells share a home
 * slot, and the pointer's slot is the first one from its home on that was free.
 * The cell counts the slots of its pointers and knows how far from home they
 * reach, so that a reader scans these few and no more, and both go back to zero
 * with the last of them: removing leaves nothing behind.
 *
 * That two CPUs never add the same object for the same owner twice rests on one
 * order: each first makes its slot PENDING, then looks for others.  At least one
 * of the two sees the other; the one in front wins, the one behind gives way.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "objtrace_table.h"

/*
 * Slots from home that a pointer may lie in.  With half of the slots free, the
 * probability that all of them are taken is below 1e-21 (linear probing: about
 * (load * e^(1 - load))^reach), unless one object has that many owners.
 */
#define MAX_REACH		U8_MAX
#define SLOTS_PER_OBJECT	2
#define CELLS_PER_SLOT		8
#define MIN_SLOTS		(MAX_REACH + 1)

/* Slots that are looked through without a chance for others to run */
#define SLOTS_PER_SCAN		4096

#define STATE_BITS		3

enum slot_state {
	FREE,
	CLAIMED,
	PENDING,
	DUPLICATE,
	ADDED,
	LIVE,
	DEAD,
};

struct objtrace_table objtrace_table;

static enum slot_state state_of(u64 state)
{
	return state & ((1U << STATE_BITS) - 1);
}

static u64 state_id(u64 state)
{
	return state >> STATE_BITS;
}

static u64 make_state(u64 id, enum slot_state state)
{
	return id << STATE_BITS | state;
}

static bool change_state(struct objtrace_slot *slot, u64 id,
			 enum slot_state from, enum slot_state to)
{
	u64 old = make_state(id, from);

	return cmpxchg(&slot->state, old, make_state(id, to)) == old;
}

static struct objtrace_slot *slot_at(u32 cell, unsigned int distance)
{
	unsigned int home = cell / CELLS_PER_SLOT;

	return &objtrace_table.slots[(home + distance) & objtrace_table.slot_mask];
}

static union objtrace_cell read_cell(u32 cell)
{
	return (union objtrace_cell){
		.word = READ_ONCE(objtrace_table.filter[cell].word),
	};
}

/* Fully ordered, which the search for duplicates relies on */
static void cell_add(u32 cell, unsigned int distance)
{
	union objtrace_cell *p = &objtrace_table.filter[cell];
	union objtrace_cell old, new;

	do {
		old = read_cell(cell);
		new.count = old.count + 1;
		new.reach = max_t(unsigned int, old.reach, distance + 1);
	} while (cmpxchg(&p->word, old.word, new.word) != old.word);
}

static void cell_del(u32 cell)
{
	union objtrace_cell *p = &objtrace_table.filter[cell];
	union objtrace_cell old, new;

	do {
		old = read_cell(cell);
		new.count = old.count - 1;
		new.reach = new.count ? old.reach : 0;
	} while (cmpxchg(&p->word, old.word, new.word) != old.word);
}

static bool take_ticket(void)
{
	int used = atomic_read(&objtrace_table.used);

	do {
		if (used >= objtrace_table.max)
			return false;
	} while (!atomic_try_cmpxchg(&objtrace_table.used, &used, used + 1));
	return true;
}

static bool is_taken(enum slot_state state)
{
	return state == PENDING || state == ADDED || state == LIVE;
}

/*
 * Whether @slot holds @object for @owner; *@state is what it was seen in.  A
 * change of state in between may be one of the same object: look again.
 */
static bool slot_holds(struct objtrace_slot *slot, unsigned long object,
		       struct objtrace_trigger *owner, u64 *state)
{
	bool same;

	do {
		/* Pairs with the release in publish_pending(): members after state */
		*state = smp_load_acquire(&slot->state);
		if (!is_taken(state_of(*state)))
			return false;
		same = READ_ONCE(slot->object) == object &&
		       READ_ONCE(slot->owner) == owner;
		/* Pairs with the cmpxchg in claim_slot(): state before new members */
		smp_rmb();
	} while (READ_ONCE(slot->state) != *state);
	return same;
}

static bool is_tracked(unsigned long object, struct objtrace_trigger *owner)
{
	u32 cell = objtrace_table_cell(object);
	unsigned int reach = read_cell(cell).reach;
	unsigned int i;
	u64 state;

	for (i = 0; i < reach; i++)
		if (slot_holds(slot_at(cell, i), object, owner, &state))
			return true;
	return false;
}

static struct objtrace_slot *claim_slot(u32 cell, u64 id, unsigned int *distance)
{
	struct objtrace_slot *slot;
	unsigned int i;
	u64 state;

	for (i = 0; i < MAX_REACH; i++) {
		slot = slot_at(cell, i);
		state = READ_ONCE(slot->state);
		if (state_of(state) != FREE)
			continue;
		if (cmpxchg(&slot->state, state, make_state(id, CLAIMED)) != state)
			continue;
		*distance = i;
		return slot;
	}
	return NULL;
}

static void free_slot(struct objtrace_slot *slot)
{
	u64 id = objtrace_slot_id(slot);

	cell_del(slot->filter);
	/* Pairs with the cmpxchg in claim_slot(): done with the members */
	smp_store_release(&slot->state, make_state(id, FREE));
}

static void publish_pending(struct objtrace_slot *slot, u64 id)
{
	/* Pairs with the acquire in slot_holds() */
	smp_store_release(&slot->state, make_state(id, PENDING));
	/* Pairs with itself on another CPU: of two adders one sees the other */
	smp_mb();
}

/*
 * Whether the PENDING slot @own at @distance may go on.  Nobody waits: what
 * stands behind is made a DUPLICATE, what stands in front has precedence.
 */
static bool wins_over_duplicates(struct objtrace_slot *own, unsigned int distance)
{
	unsigned int reach = read_cell(own->filter).reach;
	struct objtrace_slot *slot;
	unsigned int i;
	u64 state;

	for (i = 0; i < reach; i++) {
		slot = slot_at(own->filter, i);
		if (slot == own)
			continue;
		/* Once more if it changed meanwhile: somebody got further then */
		while (slot_holds(slot, own->object, own->owner, &state)) {
			if (state_of(state) != PENDING || i < distance)
				return false;
			if (change_state(slot, state_id(state), PENDING, DUPLICATE))
				break;
		}
	}
	return true;
}

static bool take_budget(atomic_long_t *budget)
{
	return !budget || atomic_long_dec_if_positive(budget) >= 0;
}

static void return_budget(atomic_long_t *budget)
{
	if (budget)
		atomic_long_inc(budget);
}

/*
 * 0, or why the PENDING slot cannot stay.  Nothing is counted for it before it
 * has won over its duplicates: else the winner might find nothing left because
 * of one that gives way to it.
 */
static int confirm_slot(struct objtrace_slot *slot, u64 id, unsigned int distance,
			atomic_long_t *budget)
{
	if (!wins_over_duplicates(slot, distance) ||
	    !change_state(slot, id, PENDING, ADDED))
		return -EEXIST;
	if (!take_budget(budget))
		return -EDQUOT;
	if (!take_ticket()) {
		return_budget(budget);
		return -ENOSPC;
	}
	return 0;
}

/**
 * objtrace_table_add() - track an object
 * @object: the object
 * @owner: for whom
 * @budget: how many objects the owner may still add, or NULL if any number;
 *	    one is taken on success and none otherwise
 * @match: filled in on success
 *
 * The object is not found by readers before objtrace_table_publish(), which the
 * caller owes.
 *
 * Context: any, NMI included, also on top of itself; preemption disabled.
 * Return: 0; -EEXIST if @owner tracks @object already, -ENOSPC if the table is
 * full, -EDQUOT if the budget is used up
 */
int objtrace_table_add(unsigned long object, struct objtrace_trigger *owner,
		       atomic_long_t *budget, struct objtrace_match *match)
{
	u32 cell = objtrace_table_cell(object);
	struct objtrace_slot *slot;
	unsigned int distance;
	int ret;
	u64 id;

	if (is_tracked(object, owner))
		return -EEXIST;
	if (budget && atomic_long_read(budget) <= 0)
		return -EDQUOT;
	if (atomic_read(&objtrace_table.used) >= objtrace_table.max)
		return -ENOSPC;

	id = atomic64_inc_return(&objtrace_table.last_id);
	slot = claim_slot(cell, id, &distance);
	if (!slot)
		return -ENOSPC;
	WRITE_ONCE(slot->object, object);
	WRITE_ONCE(slot->owner, owner);
	WRITE_ONCE(slot->entry_ip, 0);
	slot->filter = cell;
	atomic_long_set(&slot->hits, 0);
	cell_add(cell, distance);
	publish_pending(slot, id);

	ret = confirm_slot(slot, id, distance, budget);
	if (ret) {
		free_slot(slot);
		return ret;
	}
	*match = (struct objtrace_match){ .slot = slot, .owner = owner, .id = id };
	return 0;
}

/**
 * objtrace_slot_id() - which object a slot holds
 * @slot: a slot that does not change
 *
 * Context: any.
 * Return: the object's id
 */
u64 objtrace_slot_id(const struct objtrace_slot *slot)
{
	return state_id(READ_ONCE(slot->state));
}

/**
 * objtrace_table_publish() - let readers find an object
 * @slot: what objtrace_table_add() has returned
 *
 * Context: any, NMI included.
 */
void objtrace_table_publish(struct objtrace_slot *slot)
{
	u64 id = objtrace_slot_id(slot);

	/* Pairs with the acquire in objtrace_table_match() */
	smp_store_release(&slot->state, make_state(id, LIVE));
}

/**
 * objtrace_table_match() - find the next owner that tracks an object
 * @object: the object
 * @pos: where to look on; 0 at first
 * @match: filled in when one was found
 *
 * Context: any, NMI included; @match stays valid while preemption is disabled.
 * Return: true when one was found
 */
bool objtrace_table_match(unsigned long object, unsigned int *pos,
			  struct objtrace_match *match)
{
	u32 cell = objtrace_table_cell(object);
	unsigned int reach = read_cell(cell).reach;
	struct objtrace_slot *slot;
	u64 state;

	while (*pos < reach) {
		slot = slot_at(cell, (*pos)++);
		/* Pairs with the release in objtrace_table_publish() */
		state = smp_load_acquire(&slot->state);
		if (state_of(state) != LIVE || READ_ONCE(slot->object) != object)
			continue;
		match->slot = slot;
		match->owner = READ_ONCE(slot->owner);
		match->id = state_id(state);
		/* Pairs with the cmpxchg in claim_slot(): state before new members */
		smp_rmb();
		if (READ_ONCE(slot->state) == state)
			return true;
	}
	return false;
}

static struct objtrace_slot *next_of(struct objtrace_trigger *owner,
				     enum slot_state wanted, unsigned int *pos)
{
	struct objtrace_slot *slot;

	while (*pos <= objtrace_table.slot_mask) {
		if (!(*pos % SLOTS_PER_SCAN))
			cond_resched();
		slot = &objtrace_table.slots[(*pos)++];
		/* Pairs with the release in objtrace_table_publish() */
		if (state_of(smp_load_acquire(&slot->state)) == wanted &&
		    READ_ONCE(slot->owner) == owner)
			return slot;
	}
	return NULL;
}

/**
 * objtrace_table_retire() - end the next object of an owner
 * @owner: the owner, which can no longer add
 * @pos: where to look on; 0 at first
 *
 * The slot keeps its object, so that it can still be told of, until
 * objtrace_table_free().  Readers that have matched it before may go on with it
 * for an RCU grace period.
 *
 * Context: task; one caller for each owner.
 * Return: the slot, or NULL when no object of the owner is live
 */
struct objtrace_slot *objtrace_table_retire(struct objtrace_trigger *owner,
					    unsigned int *pos)
{
	struct objtrace_slot *slot = next_of(owner, LIVE, pos);

	if (slot)
		WRITE_ONCE(slot->state, make_state(objtrace_slot_id(slot), DEAD));
	return slot;
}

/**
 * objtrace_table_retired() - the next object of an owner that was ended
 * @owner: the owner
 * @pos: where to look on; 0 at first
 *
 * Context: task; one caller for each owner.
 * Return: the slot, or NULL when there is none
 */
struct objtrace_slot *objtrace_table_retired(struct objtrace_trigger *owner,
					     unsigned int *pos)
{
	return next_of(owner, DEAD, pos);
}

/**
 * objtrace_table_free() - make a slot available again
 * @slot: a slot that was DEAD for a grace period
 *
 * Context: any, NMI included.
 */
void objtrace_table_free(struct objtrace_slot *slot)
{
	free_slot(slot);
	atomic_dec(&objtrace_table.used);
}

/**
 * objtrace_table_init() - allocate the table
 * @max_objects: how many objects may be tracked, 1 to OBJTRACE_MAX_OBJECTS
 *
 * Context: task, before anything can reach the table.
 * Return: 0 or -ENOMEM
 */
int objtrace_table_init(unsigned int max_objects)
{
	struct objtrace_table *t = &objtrace_table;
	unsigned int slots = max(roundup_pow_of_two(max_objects) * SLOTS_PER_OBJECT,
				 (unsigned long)MIN_SLOTS);

	t->filter_bits = ilog2(slots * CELLS_PER_SLOT);
	t->slot_mask = slots - 1;
	t->max = max_objects;
	atomic_set(&t->used, 0);
	atomic64_set(&t->last_id, 0);
	t->filter = kvcalloc(slots * CELLS_PER_SLOT, sizeof(*t->filter), GFP_KERNEL);
	t->slots = kvcalloc(slots, sizeof(*t->slots), GFP_KERNEL);
	if (!t->filter || !t->slots) {
		objtrace_table_exit();
		return -ENOMEM;
	}
	return 0;
}

/**
 * objtrace_table_exit() - free the table
 *
 * Context: task, when nothing can reach the table any more.
 */
void objtrace_table_exit(void)
{
	kvfree(objtrace_table.slots);
	kvfree(objtrace_table.filter);
	objtrace_table.slots = NULL;
	objtrace_table.filter = NULL;
}
