// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of tracked objects, see objects/table.h.
 *
 * Open addressing: the hash of a window is the index of a cell, and of the home slot.  The slot
 * of an object is the first free slot from the home slot on.  The cell has the number of slots
 * of its windows, and the smallest and the largest distance from home.  So a reader searches only
 * these slots.  When the last object of the cell ends, no slot is left to search.
 *
 * Two CPUs may add the same object for the same owner at the same time.  Each of them makes its
 * slot PENDING first, and then looks for other slots of the object.  So at least one CPU sees
 * the other slot.  The slot with the smaller distance from home wins.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "objects/bloom.h"
#include "objects/table.h"

/*
 * Limit of the distance from home.  With half of the slots free, the probability that all these
 * slots are in use is below 1e-21 (linear probing: about (load * e^(1 - load))^reach), unless
 * about 255 triggers track one object.  Tombstones use at most a quarter more slots: the
 * probability is below 1e-10 then.
 */
#define MAX_REACH		U8_MAX
#define SLOTS_PER_OBJECT	2

/* Slots that an adder tries first.  Often, ended objects have the next slots, up to cell.next */
#define NEAR			4

#define MIN_SLOTS		(MAX_REACH + 1)

#define STATE_BITS		OBJTRACE_STATE_BITS

enum slot_state {
	FREE,
	CLAIMED,
	PENDING,
	DUPLICATE,
	ADDED,
	LIVE = OBJTRACE_STATE_LIVE,
	GONE,
};

struct objtrace_table objtrace_table;

/* Number of owners by log2 of their windows.  Under event_mutex */
static unsigned int window_users[BITS_PER_BYTE * sizeof(objtrace_table.windows)];

static enum slot_state state_of_slot(u64 state)
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

/* Bit N if an owner has windows of 2^N bytes, for N above 0 */
static u32 all_windows(void)
{
	return READ_ONCE(objtrace_table.windows);
}

/* The cell of the anchors of memory that starts at @start */
static u32 anchor_cell_of(unsigned long start)
{
	return objtrace_table_cell(start) | 1U << objtrace_table.slot_bits;
}

static u32 index_at(u32 cell, unsigned int distance)
{
	return (cell + distance) & objtrace_table.slot_mask;
}

static struct objtrace_slot *slot_at(u32 cell, unsigned int distance)
{
	return &objtrace_table.slots[index_at(cell, distance)];
}

/* Fully ordered, so a CPU that receives the object later sees the cell */
static void cell_add(u32 cell, unsigned int distance)
{
	union objtrace_cell *p = &objtrace_table.cells[cell];
	union objtrace_cell old, new;

	do {
		old = objtrace_table_read(cell);
		new.count = old.count + 1;
		new.first = old.count ? min_t(unsigned int, old.first, distance) : distance;
		new.reach = max_t(unsigned int, old.reach, distance + 1);
		new.next = distance + 1;
	} while (cmpxchg(&p->word, old.word, new.word) != old.word);
}

static void cell_del(u32 cell)
{
	union objtrace_cell *p = &objtrace_table.cells[cell];
	union objtrace_cell old, new;

	do {
		old = objtrace_table_read(cell);
		new = old;
		new.count--;
		if (!new.count) {
			new.first = 0;
			new.reach = 0;
		}
	} while (cmpxchg(&p->word, old.word, new.word) != old.word);
}

/* The number of the window with the object's last byte */
static unsigned long last_window(unsigned long object, const struct objtrace_owner *owner)
{
	return (object + owner->size - 1) >> owner->shift;
}

static bool needs_tail(unsigned long object, const struct objtrace_owner *owner)
{
	return object >> owner->shift != last_window(object, owner);
}

static bool needs_anchor(unsigned long object, unsigned long start)
{
	return start && start != object;
}

static bool take_places(const struct objtrace_owner *owner, unsigned int nr)
{
	int used = atomic_read(&objtrace_table.used);

	if (owner->is_freed)
		return true;
	do {
		if (used + nr > objtrace_table.max)
			return false;
	} while (!atomic_try_cmpxchg(&objtrace_table.used, &used, used + nr));
	return true;
}

static void return_places(const struct objtrace_owner *owner, unsigned int nr)
{
	if (!owner->is_freed)
		atomic_sub(nr, &objtrace_table.used);
}

static bool is_taken(enum slot_state state)
{
	return state == PENDING || state == ADDED || state == LIVE;
}

/*
 * Check that @slot has @object for @owner, and that @owner has not forgotten the object.  Store
 * the state in *@state.  If the state changes during the check, the check is repeated: the slot
 * may still have the same object.
 */
static bool slot_holds(struct objtrace_slot *slot, unsigned long object,
		       struct objtrace_owner *owner, u64 *state)
{
	bool same;

	do {
		/* Pairs with the release in publish_pending(): read the members after the state */
		*state = smp_load_acquire(&slot->state);
		if (!is_taken(state_of_slot(*state)))
			return false;
		same = READ_ONCE(slot->object) == object &&
		       READ_ONCE(slot->owner) == owner &&
		       READ_ONCE(slot->kind) != OBJTRACE_SLOT_ANCHOR;
		/* Pairs with the cmpxchg in claim_slot(): if a member is newer, so is the state */
		smp_rmb();
	} while (READ_ONCE(slot->state) != *state);
	return same && state_id(*state) >= READ_ONCE(owner->first_id);
}

static bool is_tracked(unsigned long object, struct objtrace_owner *owner)
{
	u32 cell = objtrace_table_cell(object >> owner->shift);
	union objtrace_cell slots = objtrace_table_read(cell);
	unsigned int i;
	u64 state;

	for (i = slots.first; i < slots.reach; i++)
		if (slot_holds(slot_at(cell, i), object, owner, &state))
			return true;
	return false;
}

static struct objtrace_slot *claim_slot(u32 cell, u64 id, unsigned int *distance)
{
	unsigned int next = objtrace_table_read(cell).next, i;
	struct objtrace_slot *slot;
	u64 state;

	/* First the slots near home, so that lookups stay short, and then all slots in reach */
	for (i = 0; i < NEAR + MAX_REACH; i++) {
		*distance = i < NEAR ? i : (next + i - NEAR) % MAX_REACH;
		slot = slot_at(cell, *distance);
		state = READ_ONCE(slot->state);
		if (state_of_slot(state) == FREE &&
		    cmpxchg(&slot->state, state, make_state(id, CLAIMED)) == state)
			return slot;
	}
	return NULL;
}

static void fill_in_slot(struct objtrace_slot *slot, unsigned long object,
			 struct objtrace_owner *owner, u32 cell, enum objtrace_slot_kind kind)
{
	struct objtrace_life *life = objtrace_life_of(slot);

	WRITE_ONCE(slot->object, object);
	WRITE_ONCE(slot->owner, owner);
	WRITE_ONCE(slot->kind, kind);
	WRITE_ONCE(slot->shift, kind == OBJTRACE_SLOT_ANCHOR ? OBJTRACE_NO_WINDOW : owner->shift);
	WRITE_ONCE(life->entry_ip, 0);
	WRITE_ONCE(life->entry_is_old, false);
	life->cell = cell;
	life->tail = 0;
	life->anchor = 0;
	atomic_long_set(&life->hits, 0);
}

static void release_slot(struct objtrace_slot *slot)
{
	u64 id = state_id(READ_ONCE(slot->state));

	/* Pairs with the cmpxchg in claim_slot(): the next adder writes the members later */
	smp_store_release(&slot->state, make_state(id, FREE));
}

/* The head of a tail adds the whole object to the filter */
static bool mark_slot(const struct objtrace_slot *slot)
{
	switch (slot->kind) {
	case OBJTRACE_SLOT_OBJECT:
		return objtrace_bloom_add(slot->object, slot->owner->size);
	case OBJTRACE_SLOT_ANCHOR:
		return objtrace_bloom_add_memory(slot->object);
	default:
		return true;
	}
}

static void unmark_slot(const struct objtrace_slot *slot)
{
	switch (slot->kind) {
	case OBJTRACE_SLOT_OBJECT:
		objtrace_bloom_del(slot->object, slot->owner->size);
		break;
	case OBJTRACE_SLOT_ANCHOR:
		objtrace_bloom_del_memory(slot->object);
		break;
	}
}

/*
 * Let readers find a claimed slot with its members, at @distance from home.  Free the slot if the
 * filter is being cleared.
 */
static bool enter_slot(struct objtrace_slot *slot, unsigned int distance)
{
	if (!mark_slot(slot)) {
		release_slot(slot);
		return false;
	}
	cell_add(objtrace_life_of(slot)->cell, distance);
	return true;
}

/* Undo enter_slot().  The slot keeps its members */
static void leave_slot(const struct objtrace_slot *slot)
{
	cell_del(objtrace_life_of(slot)->cell);
	unmark_slot(slot);
}

/* Free a slot that was never LIVE */
static void free_table_slot(struct objtrace_slot *slot)
{
	leave_slot(slot);
	release_slot(slot);
}

static void publish_pending(struct objtrace_slot *slot, u64 id)
{
	/* Pairs with the acquire in slot_holds() */
	smp_store_release(&slot->state, make_state(id, PENDING));
	/* Pairs with the same barrier of another adder: one of them sees the other slot */
	smp_mb();
}

/*
 * Check that no slot has precedence over the PENDING slot @own at @distance.  No adder waits: a
 * PENDING slot with a larger distance becomes a DUPLICATE, and a slot with a smaller distance has
 * precedence.
 */
static bool wins_over_duplicates(struct objtrace_slot *own, unsigned int distance)
{
	u32 cell = objtrace_life_of(own)->cell;
	union objtrace_cell slots = objtrace_table_read(cell);
	struct objtrace_slot *slot;
	unsigned int i;
	u64 state;

	for (i = slots.first; i < slots.reach; i++) {
		slot = slot_at(cell, i);
		if (slot == own)
			continue;
		/* Check again if the state has changed: the other adder has made progress */
		while (slot_holds(slot, own->object, own->owner, &state)) {
			if (state_of_slot(state) != PENDING || i < distance)
				return false;
			if (change_state(slot, state_id(state), PENDING, DUPLICATE))
				break;
		}
	}
	return true;
}

/* The number of a slot for the members tail and anchor, where 0 is no slot */
static u32 number_of(const struct objtrace_slot *slot)
{
	return slot - objtrace_table.slots + 1;
}

static struct objtrace_slot *slot_of(u32 number)
{
	return number ? &objtrace_table.slots[number - 1] : NULL;
}

/* The slot of the object that has the tail or the anchor @slot */
static struct objtrace_slot *head_of(const struct objtrace_slot *slot)
{
	return &objtrace_table.slots[slot->head];
}

/*
 * Add a tail or an anchor of @head.  It stays CLAIMED until it is published with its head, so no
 * reader uses it.  Return its number, or 0 if there is no free slot.
 */
static u32 add_companion(struct objtrace_slot *head, u64 id, unsigned long object,
			 u32 cell, enum objtrace_slot_kind kind)
{
	struct objtrace_slot *slot;
	unsigned int distance;

	slot = claim_slot(cell, id, &distance);
	if (!slot)
		return 0;
	fill_in_slot(slot, object, head->owner, cell, kind);
	slot->head = head - objtrace_table.slots;
	return enter_slot(slot, distance) ? number_of(slot) : 0;
}

static bool add_tail(struct objtrace_slot *slot, u64 id)
{
	u32 cell = objtrace_table_cell(last_window(slot->object, slot->owner));
	u32 tail = add_companion(slot, id, slot->object, cell, OBJTRACE_SLOT_TAIL);

	objtrace_life_of(slot)->tail = tail;
	return tail;
}

static bool add_anchor(struct objtrace_slot *slot, u64 id, unsigned long start)
{
	u32 cell = anchor_cell_of(start);
	u32 anchor = add_companion(slot, id, start, cell, OBJTRACE_SLOT_ANCHOR);

	objtrace_life_of(slot)->anchor = anchor;
	return anchor;
}

/* Add the tail and the anchor that the object needs, or none of them */
static bool add_companions(struct objtrace_slot *slot, u64 id, unsigned long start)
{
	struct objtrace_slot *tail;

	if (needs_tail(slot->object, slot->owner) && !add_tail(slot, id))
		return false;
	if (!needs_anchor(slot->object, start) || add_anchor(slot, id, start))
		return true;
	tail = slot_of(objtrace_life_of(slot)->tail);
	if (tail)
		free_table_slot(tail);
	return false;
}

/* Reserve slots for the ADDED slot.  Return 0, or an errno with nothing reserved */
static int take_places_for(struct objtrace_slot *slot, u64 id, unsigned long start,
			   atomic_long_t *budget)
{
	unsigned int nr = 1 + needs_tail(slot->object, slot->owner) +
			  needs_anchor(slot->object, start);
	int ret = -ENOSPC;

	if (!objtrace_budget_take(budget))
		return -EDQUOT;
	if (take_places(slot->owner, nr)) {
		if (add_companions(slot, id, start))
			return 0;
		return_places(slot->owner, nr);
		ret = -EAGAIN;
	}
	objtrace_budget_return(budget);
	return ret;
}

/**
 * objtrace_table_add() - track an object
 * @object: address of the object
 * @start: start of the memory around the object, by which it is freed; 0 if unknown
 * @owner: owner of the object
 * @budget: remaining COUNT of the command, or NULL for no limit; decremented on success only
 * @match: receives the object; only on success
 *
 * Readers do not find the object before objtrace_table_publish(), which the caller must call.
 *
 * The adder takes @budget and counts for max_objects after it has won over other adders of the
 * same object.  Otherwise a loser could take the last free slot or count from the winner.
 *
 * Context: Any, NMI included, also when it interrupts itself; preemption disabled.
 * Return: 0; -EEXIST if @owner tracks @object already; -ENOSPC if the table is full; -EAGAIN if
 * the slots for this address wait for a grace period, or the filter is being cleared; -EDQUOT if
 * the budget is used up
 */
int objtrace_table_add(unsigned long object, unsigned long start,
		       struct objtrace_owner *owner, atomic_long_t *budget,
		       struct objtrace_match *match)
{
	u32 cell = objtrace_table_cell(object >> owner->shift);
	struct objtrace_slot *slot;
	unsigned int distance;
	int ret = -EEXIST;
	u64 id;

	if (is_tracked(object, owner))
		return -EEXIST;
	if (budget && atomic_long_read(budget) <= 0)
		return -EDQUOT;
	if (!owner->is_freed && atomic_read(&objtrace_table.used) >= objtrace_table.max)
		return -ENOSPC;

	id = atomic64_inc_return(&objtrace_table.last_id);
	slot = claim_slot(cell, id, &distance);
	if (!slot)
		return -EAGAIN;
	fill_in_slot(slot, object, owner, cell, OBJTRACE_SLOT_OBJECT);
	if (!enter_slot(slot, distance))
		return -EAGAIN;
	publish_pending(slot, id);

	if (wins_over_duplicates(slot, distance) &&
	    change_state(slot, id, PENDING, ADDED))
		ret = take_places_for(slot, id, start, budget);
	if (ret) {
		free_table_slot(slot);
		return ret;
	}
	*match = (struct objtrace_match){
		.slot = slot, .life = objtrace_life_of(slot), .owner = owner, .object = object,
		.id = id,
	};
	return 0;
}

/**
 * objtrace_table_publish() - let readers find an object
 * @slot: slot from objtrace_table_add()
 *
 * Context: Any, NMI included.
 */
void objtrace_table_publish(struct objtrace_slot *slot)
{
	const struct objtrace_life *life = objtrace_life_of(slot);
	struct objtrace_slot *tail = slot_of(life->tail);
	struct objtrace_slot *anchor = slot_of(life->anchor);
	u64 live = make_state(state_id(READ_ONCE(slot->state)), LIVE);

	/*
	 * The tail and the anchor come first.  They do not match before the head is LIVE.  From
	 * then on, another CPU can end the object with its tail and its anchor.
	 */
	if (tail) {
		/* Pairs with the acquire in slot_matches() */
		smp_store_release(&tail->state, live);
	}
	if (anchor) {
		/* Pairs with the acquire in anchor_matches() */
		smp_store_release(&anchor->state, live);
	}
	/*
	 * Pairs with the acquires in objtrace_table_first(), slot_matches(),
	 * objtrace_table_look() and objtrace_table_next_forgotten()
	 */
	smp_store_release(&slot->state, live);
}

/* Check that @addr points into the part of @object that @slot represents */
static bool is_part(const struct objtrace_slot *slot, const struct objtrace_owner *owner,
		    unsigned long object, unsigned long addr)
{
	unsigned long end = object;

	if (addr - object >= owner->size)
		return false;
	/* An object in two windows has a slot for each window */
	if (slot->kind == OBJTRACE_SLOT_TAIL)
		end += owner->size - 1;
	return end >> owner->shift == addr >> owner->shift;
}

/* Check that slot @n has an object at @addr, in a window of 1 << @shift bytes */
static __always_inline bool slot_matches(u32 n, unsigned long addr, unsigned int shift,
					 struct objtrace_match *match)
{
	const struct objtrace_slot *slot = &objtrace_table.slots[n];
	struct objtrace_owner *owner;
	unsigned long object;
	u64 state;

	/* Pairs with the release in objtrace_table_publish() */
	state = smp_load_acquire(&slot->state);
	object = READ_ONCE(slot->object);
	/* No object is larger than its window: reject most others without a read of the owner */
	if (state_of_slot(state) != LIVE || READ_ONCE(slot->shift) != shift ||
	    (addr - object) >> shift)
		return false;
	owner = slot->owner;
	if (state_id(state) < READ_ONCE(owner->first_id))
		return false;
	/* An object of one byte, without a shift, has one part: the rest is for larger objects */
	if (shift && !is_part(slot, owner, object, addr))
		return false;
	if (shift && slot->kind == OBJTRACE_SLOT_TAIL)
		n = slot->head;
	*match = (struct objtrace_match){
		.slot = &objtrace_table.slots[n], .life = &objtrace_table.lives[n],
		.owner = owner, .object = object, .id = state_id(state),
	};
	return READ_ONCE(match->slot->state) == state;
}

/* Bits of the windows larger than 1 << @shift bytes */
static u32 windows_above(unsigned int shift)
{
	return all_windows() & ~(u32)((2ULL << shift) - 1);
}

/*
 * Return the position from which find_match() continues: slot @i of @reach slots, or larger
 * windows; or OBJTRACE_POS_END if nothing is left
 */
static unsigned int pos_behind(unsigned int shift, unsigned int i, unsigned int reach)
{
	return i < reach || windows_above(shift) ? shift << BITS_PER_BYTE | i :
						   OBJTRACE_POS_END;
}

static noinline bool find_match(unsigned long addr, unsigned int *pos,
				struct objtrace_match *match)
{
	/* @pos has the log2 of the windows' size, and the distance from home in its low byte */
	unsigned int shift = *pos >> BITS_PER_BYTE;
	unsigned int i = (u8)*pos;
	union objtrace_cell slots;
	u32 cell, larger;

	for (;;) {
		cell = objtrace_table_cell(addr >> shift);
		slots = objtrace_table_read(cell);
		i = max_t(unsigned int, i, slots.first);
		while (i < slots.reach) {
			if (slot_matches(index_at(cell, i++), addr, shift, match)) {
				*pos = pos_behind(shift, i, slots.reach);
				return true;
			}
		}
		larger = windows_above(shift);
		if (!larger)
			return false;
		shift = __ffs(larger);
		i = 0;
	}
}

/**
 * __objtrace_table_match() - find the next object that a pointer points to
 * @addr: the pointer
 * @pos: position of the search, not OBJTRACE_POS_END
 * @match: receives the object; only on success
 *
 * For objtrace_table_match().
 *
 * Context: Any, NMI included; @match is valid while preemption is disabled.
 * Return: true if there is an object
 */
bool __objtrace_table_match(unsigned long addr, unsigned int *pos,
			    struct objtrace_match *match)
{
	return (!*pos && objtrace_table_first(addr, pos, match)) || find_match(addr, pos, match);
}

/* Check that @slot is the anchor of an object in the memory that starts at @start */
static bool anchor_matches(struct objtrace_slot *slot, unsigned long start,
			   struct objtrace_match *match)
{
	struct objtrace_slot *head;
	u64 state;

	/* Pairs with the release in objtrace_table_publish() */
	state = smp_load_acquire(&slot->state);
	if (state_of_slot(state) != LIVE || slot->kind != OBJTRACE_SLOT_ANCHOR ||
	    slot->object != start || state_id(state) < READ_ONCE(slot->owner->first_id))
		return false;
	head = head_of(slot);
	*match = (struct objtrace_match){
		.slot = head, .life = objtrace_life_of(head), .owner = slot->owner,
		.object = head->object, .id = state_id(state),
	};
	/* If the head is LIVE with the same id, all members belong to this object */
	return READ_ONCE(head->state) == state;
}

/**
 * objtrace_table_match_anchor() - find the next object inside of some memory
 * @start: start of the memory
 * @pos: position of the search; 0 at first
 * @match: receives the object; only on success
 *
 * An object at the start of the memory has no anchor: objtrace_table_match() finds it.
 *
 * Context: Any, NMI included; @match is valid while preemption is disabled.
 * Return: true if there is an object
 */
bool objtrace_table_match_anchor(unsigned long start, unsigned int *pos,
				 struct objtrace_match *match)
{
	u32 cell = anchor_cell_of(start);
	union objtrace_cell slots = objtrace_table_read(cell);

	*pos = max_t(unsigned int, *pos, slots.first);
	while (*pos < slots.reach)
		if (anchor_matches(slot_at(cell, (*pos)++), start, match))
			return true;
	return false;
}

/**
 * objtrace_table_look() - find the object in a slot
 * @n: index of the slot
 * @match: receives the object; only on success
 *
 * Context: Any, NMI included; @match is valid while preemption is disabled.
 * Return: true if the slot has an object; false for a tail or an anchor
 */
bool objtrace_table_look(unsigned int n, struct objtrace_match *match)
{
	struct objtrace_slot *slot = &objtrace_table.slots[n];
	/* Pairs with the release in objtrace_table_publish() */
	u64 state = smp_load_acquire(&slot->state);

	if (state_of_slot(state) != LIVE || slot->kind != OBJTRACE_SLOT_OBJECT)
		return false;
	*match = (struct objtrace_match){
		.slot = slot, .life = objtrace_life_of(slot), .owner = slot->owner,
		.object = slot->object, .id = state_id(state),
	};
	return match->id >= READ_ONCE(match->owner->first_id) &&
	       READ_ONCE(slot->state) == state;
}

/**
 * objtrace_table_is_live() - check that a slot may have an object
 * @n: index of the slot
 *
 * Does not read the object's address, so no register contains the address afterwards.
 *
 * Context: Any, NMI included.
 * Return: false if objtrace_table_look() would find no object
 */
bool objtrace_table_is_live(unsigned int n)
{
	return state_of_slot(READ_ONCE(objtrace_table.slots[n].state)) == LIVE;
}

/**
 * objtrace_table_places() - count the slots of an object
 * @slot: slot of the object
 *
 * Context: Any, NMI included; in the adder, or with preemption disabled since the match.
 * Return: 1 to 3: the object's slot, the tail and the anchor
 */
unsigned int objtrace_table_places(const struct objtrace_slot *slot)
{
	const struct objtrace_life *life = objtrace_life_of(slot);

	return 1 + !!life->tail + !!life->anchor;
}

/*
 * The slots of ended objects, without their tails and anchors: number_of() of the first slot, or 0.
 * A CPU adds to its own list with cmpxchg, in any context.  The reaper takes all lists with xchg.
 */
static DEFINE_PER_CPU(u32, ended);

/* The slots that objtrace_table_collect() has taken from all lists.  Under the reaper's mutex */
static u32 collected;

/*
 * A slot in the list is not freed while preemption is disabled, so the list has no other slot with
 * the same number, and cmpxchg() cannot mistake a newer list for the old list.
 */
static void add_to_ended(struct objtrace_slot *slot)
{
	u32 *list = raw_cpu_ptr(&ended);
	u32 number = number_of(slot);
	u32 old = READ_ONCE(*list), seen;

	for (;;) {
		WRITE_ONCE(slot->head, old);
		seen = cmpxchg(list, old, number);
		if (seen == old)
			return;
		old = seen;
	}
}

/* End the tail or the anchor of an object that has ended */
static void end_companion(struct objtrace_slot *slot, u64 id)
{
	if (!slot)
		return;
	change_state(slot, id, LIVE, GONE);
	leave_slot(slot);
}

/**
 * objtrace_table_end() - let no lookup find an object any more
 * @match: the object
 *
 * The slot keeps its members until the reaper has waited for a grace period.
 *
 * Context: Any, NMI included; preemption disabled since the match, or under the reaper's mutex.
 * Return: true if this call ended the object; false if the object had ended before
 */
bool objtrace_table_end(const struct objtrace_match *match)
{
	const struct objtrace_life *life = match->life;

	if (!change_state(match->slot, match->id, LIVE, GONE))
		return false;
	end_companion(slot_of(life->tail), match->id);
	end_companion(slot_of(life->anchor), match->id);
	leave_slot(match->slot);
	return_places(match->owner, objtrace_table_places(match->slot));
	add_to_ended(match->slot);
	return true;
}

static struct objtrace_slot *next_slot(unsigned int *pos)
{
	if (*pos > objtrace_table.slot_mask)
		return NULL;
	if (!(*pos % OBJTRACE_SLOTS_PER_SCAN))
		cond_resched();
	return &objtrace_table.slots[(*pos)++];
}

/**
 * objtrace_table_next_forgotten() - iterate over objects that their owners have forgotten
 * @pos: position of the search; 0 at first
 * @match: receives the object; only on success
 *
 * Only finds objects that were forgotten a grace period ago, see objtrace_owner.reaped_id.
 *
 * Context: task, under the reaper's mutex.
 * Return: true if there is an object
 */
bool objtrace_table_next_forgotten(unsigned int *pos, struct objtrace_match *match)
{
	struct objtrace_slot *slot;
	u64 state;

	while ((slot = next_slot(pos))) {
		/* Pairs with the release in objtrace_table_publish() */
		state = smp_load_acquire(&slot->state);
		if (state_of_slot(state) != LIVE || slot->kind != OBJTRACE_SLOT_OBJECT ||
		    state_id(state) >= slot->owner->reaped_id)
			continue;
		*match = (struct objtrace_match){
			.slot = slot, .life = objtrace_life_of(slot), .owner = slot->owner,
			.object = slot->object, .id = state_id(state),
		};
		return true;
	}
	return false;
}

/* Take a whole list of a CPU.  Most CPUs have an empty list: do not write their cache line */
static u32 take_list(u32 *list)
{
	return READ_ONCE(*list) ? xchg(list, 0) : 0;
}

/* Remove the first slot of a list.  Return NULL if the list is empty */
static struct objtrace_slot *take_first(u32 *list)
{
	struct objtrace_slot *slot = slot_of(*list);

	if (slot)
		*list = READ_ONCE(slot->head);
	return slot;
}

/**
 * objtrace_table_collect() - take the slots of all ended objects
 *
 * After a grace period, no CPU uses these slots, and objtrace_table_free_collected() can free the
 * slots.  An object that ends later is not included.
 *
 * Context: task, under the reaper's mutex.
 * Return: true if there is such a slot
 */
bool objtrace_table_collect(void)
{
	struct objtrace_slot *slot;
	unsigned int cpu, nr = 0;
	u32 list;

	for_each_possible_cpu(cpu) {
		list = take_list(per_cpu_ptr(&ended, cpu));
		while ((slot = take_first(&list))) {
			WRITE_ONCE(slot->head, collected);
			collected = number_of(slot);
			if (!(++nr % OBJTRACE_SLOTS_PER_SCAN))
				cond_resched();
		}
	}
	return collected;
}

/**
 * objtrace_table_free_collected() - free the slots that objtrace_table_collect() has taken
 *
 * Context: task, under the reaper's mutex, a grace period after objtrace_table_collect().
 */
void objtrace_table_free_collected(void)
{
	const struct objtrace_life *life;
	struct objtrace_slot *slot;
	unsigned int nr = 0;

	while ((slot = take_first(&collected))) {
		life = objtrace_life_of(slot);
		if (life->tail)
			release_slot(slot_of(life->tail));
		if (life->anchor)
			release_slot(slot_of(life->anchor));
		release_slot(slot);
		if (!(++nr % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
	}
	objtrace_bloom_clean();
}

/**
 * objtrace_owner_forget() - forget all objects of an owner up to an id
 * @owner: the owner
 * @first_id: objects with a lower id are forgotten
 *
 * The reaper ends the slots later, see objtrace_table_next_forgotten().
 *
 * Context: Any, NMI included.
 */
void objtrace_owner_forget(struct objtrace_owner *owner, u64 first_id)
{
	u64 old = READ_ONCE(owner->first_id);

	while (old < first_id) {
		u64 seen = cmpxchg(&owner->first_id, old, first_id);

		if (seen == old)
			break;
		old = seen;
	}
}

/**
 * objtrace_owner_init() - initialize an owner, and prepare the filter for its objects
 * @owner: the owner
 * @size: size of each object in bytes; 1 if only pointers to the first byte match
 * @is_freed: true for tombstones, see struct objtrace_owner
 *
 * Context: task, event_mutex held.
 */
void objtrace_owner_init(struct objtrace_owner *owner, unsigned int size, bool is_freed)
{
	owner->size = size;
	owner->shift = order_base_2(size);
	owner->is_freed = is_freed;
	owner->first_id = 0;
	owner->reaped_id = 0;
	owner->cleared_id = 0;
	objtrace_bloom_add_size(size);
	if (owner->shift && !window_users[owner->shift]++)
		WRITE_ONCE(objtrace_table.windows,
			   objtrace_table.windows | BIT(owner->shift));
}

/**
 * objtrace_owner_exit() - undo objtrace_owner_init()
 * @owner: the owner, without any object
 *
 * Context: task, event_mutex held.
 */
void objtrace_owner_exit(struct objtrace_owner *owner)
{
	objtrace_bloom_del_size(owner->size);
	if (owner->shift && !--window_users[owner->shift])
		WRITE_ONCE(objtrace_table.windows,
			   objtrace_table.windows & ~BIT(owner->shift));
}

/**
 * objtrace_table_init() - allocate the cells and slots of the table
 * @max_objects: limit of tracked objects, 1 to OBJTRACE_MAX_OBJECTS
 *
 * Context: task, before any code can reach the table.
 * Return: 0 or -ENOMEM
 */
int objtrace_table_init(unsigned int max_objects)
{
	struct objtrace_table *t = &objtrace_table;
	unsigned int slots = max(roundup_pow_of_two(max_objects) * SLOTS_PER_OBJECT,
				 (unsigned long)MIN_SLOTS);

	t->slot_bits = ilog2(slots);
	t->hash_shift = 64 - t->slot_bits;
	t->slot_mask = slots - 1;
	t->max = max_objects;
	atomic_set(&t->used, 0);
	atomic64_set(&t->last_id, 0);
	t->cells = kvcalloc(2 * slots, sizeof(*t->cells), GFP_KERNEL);
	t->slots = kvcalloc(slots, sizeof(*t->slots), GFP_KERNEL);
	t->lives = kvcalloc(slots, sizeof(*t->lives), GFP_KERNEL);
	if (!t->cells || !t->slots || !t->lives) {
		objtrace_table_exit();
		return -ENOMEM;
	}
	return 0;
}

/**
 * objtrace_table_exit() - free the table
 *
 * Context: task, when no code can reach the table any more.
 */
void objtrace_table_exit(void)
{
	kvfree(objtrace_table.lives);
	kvfree(objtrace_table.slots);
	kvfree(objtrace_table.cells);
	objtrace_table.lives = NULL;
	objtrace_table.slots = NULL;
	objtrace_table.cells = NULL;
}
