// SPDX-License-Identifier: GPL-2.0-only
/*
 * The option "after-free": tombstones.  A free deletes the object, and leaves a tombstone with the
 * object's address.  A function that receives the address later may use freed memory.  Or it only
 * passes the address on, so the record of the entry calls itself a hint.
 *
 * A tombstone is an entry of the table, for a second owner of the same trigger.  This file has the
 * other data of the tombstone.  A tombstone ends without a record, for one of these reasons:
 *
 *  - The address is allocated again.  The allocator's tracepoints fire before the caller has it.
 *  - A trigger adds an object at the address.
 *  - Newer tombstones need its slots.
 *  - A clear trigger fires in the instance, or the tombstone's trigger is removed.
 *  - A function receives the address, and the slab has changed.
 *  - A function receives the address, and the cache has allocated many objects at once.
 *  - The tombstone is too old.
 *
 * Nearly all allocated memory has no tombstone.  The check then costs two loads from the Bloom
 * filter, and only while a trigger has the option.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <trace/events/kmem.h>

#include "kernel/event.h"
#include "kernel/slab.h"
#include "objects/allocator.h"
#include "objects/bloom.h"
#include "objects/bulk.h"
#include "objects/reap.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "records/end.h"
#include "records/guard.h"
#include "records/place.h"
#include "records/record.h"
#include "records/seen.h"
#include "records/tally.h"

/* Slots for objects per slot for tombstones, and the least number of slots for tombstones */
#define PLACES_PER_TOMB_PLACE	4
#define MIN_TOMB_PLACES		4

/**
 * struct tombstone - the data of a tombstone that its slot lacks
 * @id: id of the object
 * @freed_at: time of the free, by the trace clock of the trigger's instance
 * @freed_by: return address of the call that freed the object
 * @until: time at which the tombstone expires, in jiffies
 * @start: start of the memory, see struct objtrace_slab_object
 * @cache: address of the memory's cache, see struct objtrace_slab_object
 * @nr_bulk: objtrace_bulk_nr() of the cache at the free
 * @turn: index in turns[]
 *
 * The CPU that frees the object writes the members before it publishes the tombstone.  A reader
 * that has found the slot LIVE may read the members.  objtrace_tomb_expire() reads @until with
 * READ_ONCE() before it looks up the slot.  So expire_tomb() reads @until again after the lookup.
 */
struct tombstone {
	u64		id;
	u64		freed_at;
	unsigned long	freed_by;
	unsigned long	until;
	unsigned long	start;
	unsigned long	cache;
	u32		nr_bulk;
	u32		turn;
};

/* An element for each slot.  Allocated for the first trigger with the option, then constant */
static struct tombstone *tombstones;

/*
 * Ring that limits the tombstones' slots to its size.  A turn is an index into the ring.  A new
 * tombstone takes a turn for each of its slots, and ends the tombstones that had these turns.  The
 * element of its last turn is the index of its slot plus 1, and the elements of its other turns are
 * 0.  Allocated with tombstones[].  The elements are exchanged atomically, in any context.
 */
static u32 *turns;
static u32 turn_mask;
static atomic_t last_turn;

/*
 * Number of triggers with the option.  The memory above is allocated before the number becomes 1,
 * and stays until module exit.  Written under event_mutex, read in any context.  A stale value is
 * safe: the reader acts as if it had run a moment earlier.
 */
static unsigned int users;

/* after_free_ms in jiffies.  Written by objtrace_tomb_init() only */
static unsigned long lifetime __ro_after_init;

static struct tombstone *tomb_of(const struct objtrace_slot *slot)
{
	return &tombstones[slot - objtrace_table.slots];
}

/* The limit of the tombstones' slots, a power of two */
static unsigned int most_places(void)
{
	return rounddown_pow_of_two(max(objtrace_table.max / PLACES_PER_TOMB_PLACE,
					(unsigned int)MIN_TOMB_PLACES));
}

/**
 * objtrace_tomb_bulk() - invalidate the tombstones of a cache that allocates many objects
 * @cache: the cache
 *
 * Context: ftrace callback, NMI included.
 */
void objtrace_tomb_bulk(unsigned long cache)
{
	if (READ_ONCE(users))
		objtrace_bulk_add(cache);
}

/* Context: Any, NMI included; preemption disabled since the match */
static void end_tomb(const struct objtrace_match *match, enum objtrace_tally why)
{
	if (!objtrace_table_end(match))
		return;
	objtrace_count(objtrace_trigger_of(match), why);
	objtrace_reap_later();
}

/*
 * The allocator's functions
 */

#define JUDGED_BITS	8

/*
 * Cache of is_allocator() by a hash of the location.  An element is the location of a function.
 * The highest bit, which all locations have, is set only if the function belongs to the
 * allocator.  Written in any context: an element with another location is replaced.
 */
static unsigned long judged[1 << JUDGED_BITS];

#define IS_ALLOCATOR	BIT(BITS_PER_LONG - 1)

/* A name "function [module]" is of a module's function, which does not belong to the allocator */
static noinline bool judge_function(unsigned long ip)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, ip);
	return !strchr(name, ' ') && objtrace_allocator_has(name);
}

static bool is_allocator(unsigned long ip)
{
	unsigned long *j = &judged[hash_64(ip, JUDGED_BITS)];
	unsigned long seen = READ_ONCE(*j);

	if ((seen | IS_ALLOCATOR) != ip) {
		seen = judge_function(ip) ? ip : ip & ~IS_ALLOCATOR;
		WRITE_ONCE(*j, seen);
	}
	return seen & IS_ALLOCATOR;
}

/*
 * Hits
 */

/*
 * Check that the memory has not left its slab since the free.  The memory of a freed slab can be
 * used for anything.  If the memory becomes a slab of the same cache again, the constructor is the
 * first function that receives the new objects.  So an entry of the constructor means a new slab.
 */
static bool is_same_slab(const struct objtrace_match *match, unsigned long ip)
{
	const struct tombstone *tomb = tomb_of(match->slot);
	struct objtrace_slab_object now;

	return objtrace_kernel_slab_object(match->object, &now) &&
	       now.start == tomb->start && now.cache == tomb->cache &&
	       !objtrace_is_entry_of(ip, now.ctor);
}

static bool is_too_old(const struct tombstone *tomb)
{
	return time_after(jiffies, READ_ONCE(tomb->until));
}

/* End the tombstone if the memory may be in use again.  Return true if the tombstone is valid */
static bool still_stands(const struct objtrace_match *match, unsigned long ip)
{
	const struct tombstone *tomb = tomb_of(match->slot);
	enum objtrace_tally why;

	if (is_too_old(tomb))
		why = OBJTRACE_TALLY_OVER_TIME;
	else if (objtrace_bulk_nr(tomb->cache) != tomb->nr_bulk)
		why = OBJTRACE_TALLY_OVER_BULK;
	else if (!is_same_slab(match, ip))
		why = OBJTRACE_TALLY_OVER_SLAB;
	else
		return true;
	end_tomb(match, why);
	return false;
}

/* The user can change the instance's clock: a negative time is shown as 0 */
static u64 time_since(const struct objtrace_trigger *t, u64 then)
{
	u64 now = objtrace_kernel_clock(t->tr);

	return now > then ? now - then : 0;
}

/**
 * objtrace_tomb_hit() - handle a function that receives the address of a tombstone
 * @match: the tombstone
 * @place: the function's entry
 *
 * Does not read the object's memory.
 *
 * Context: Any, NMI included; preemption disabled since the match, inside of
 * objtrace_guard_enter().
 */
void objtrace_tomb_hit(const struct objtrace_match *match,
		       const struct objtrace_place *place)
{
	const struct tombstone *tomb = tomb_of(match->slot);
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	const struct objtrace_hint hint = {
		.object = match->object, .id = tomb->id, .freed_by = tomb->freed_by,
		.age = time_since(t, tomb->freed_at), .fetch = &t->fetch,
	};

	if (is_allocator(place->ip))
		objtrace_count(t, OBJTRACE_TALLY_HINT_ALLOCATOR);
	else if (still_stands(match, place->ip))
		objtrace_count(t, OBJTRACE_TALLY_HINT +
			       objtrace_record_hint(&t->files, &hint, place));
}

/*
 * Ending
 */

/* End @match if it is a tombstone and no object */
static void end_if_tomb(const struct objtrace_match *match, enum objtrace_tally why)
{
	if (match->owner->is_freed)
		end_tomb(match, why);
}

/* End the tombstones of the objects that were at an address */
static void end_tombs_of(unsigned long object)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_match(object, &pos, &match))
		if (match.object == object)
			end_if_tomb(&match, OBJTRACE_TALLY_OVER_ALLOCATED);
}

/* Clear the argument registers, see objtrace_fops_look(): the allocator continues */
static noinline __clears_arg_registers
void end_tombs_in(unsigned long memory)
{
	unsigned long start = objtrace_kernel_start_of(memory);
	struct objtrace_match match;
	unsigned long context;
	unsigned int pos = 0;

	context = objtrace_guard_enter();
	end_tombs_of(memory);
	/* A freed object at the start of a KFENCE page has no anchor */
	if (start != memory)
		end_tombs_of(start);
	while (objtrace_table_match_anchor(start, &pos, &match))
		end_if_tomb(&match, OBJTRACE_TALLY_OVER_ALLOCATED);
	objtrace_guard_leave(context);
}

/* Newer kernels call tracepoints with preemption enabled */
static noinline __clears_arg_registers
void look_into_allocated_memory(unsigned long memory)
{
	preempt_disable_notrace();
	/* RCU protects the triggers */
	if (rcu_is_watching())
		end_tombs_in(memory);
	else
		objtrace_not_seen_count(OBJTRACE_NOT_SEEN_RCU);
	preempt_enable_notrace();
}

static __always_inline void memory_allocated(const void *ptr)
{
	unsigned long memory = (unsigned long)ptr;

	if (unlikely(objtrace_bloom_has(memory) ||
		     objtrace_bloom_has_memory(objtrace_kernel_start_of(memory))))
		look_into_allocated_memory(memory);
}

static void on_kmalloc(void *data, unsigned long call_site, const void *ptr,
		       size_t bytes_req, size_t bytes_alloc, gfp_t gfp_flags, int node)
{
	memory_allocated(ptr);
}

static void on_kmem_cache_alloc(void *data, unsigned long call_site, const void *ptr,
				struct kmem_cache *cache, gfp_t gfp_flags, int node)
{
	memory_allocated(ptr);
}

static noinline void end_tombs_at(unsigned long object)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	while (objtrace_table_match(object, &pos, &match))
		end_if_tomb(&match, OBJTRACE_TALLY_OVER_TRACKED);
}

/**
 * objtrace_tomb_tracked() - end the tombstones at an object that a trigger adds
 * @object: the object
 *
 * The event has the object's address, so the memory is in use again.
 *
 * Context: Any, NMI included; preemption disabled, inside of objtrace_guard_enter().
 */
void objtrace_tomb_tracked(unsigned long object)
{
	if (READ_ONCE(users))
		end_tombs_at(object);
}

/* Clear the argument registers, see objtrace_fops_look(): the scheduler may be next */
static noinline __clears_arg_registers
void expire_tomb(unsigned int n)
{
	struct objtrace_match match;
	unsigned long context;

	context = objtrace_guard_enter();
	if (objtrace_table_look(n, &match) && match.owner->is_freed &&
	    is_too_old(&tombstones[n]))
		end_tomb(&match, OBJTRACE_TALLY_OVER_TIME);
	objtrace_guard_leave(context);
}

/**
 * objtrace_tomb_expire() - end the tombstones that are too old
 *
 * Each tombstone has its last turn, unless a newer tombstone is about to end it.
 *
 * Context: task, may sleep.
 */
void objtrace_tomb_expire(void)
{
	u32 turn, number;

	/* Pairs with the release in objtrace_tomb_start(): tombstones[] and turns[] are allocated */
	if (!smp_load_acquire(&users))
		return;
	for (turn = 0; turn <= turn_mask; turn++) {
		if (!(turn % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
		number = READ_ONCE(turns[turn]);
		if (!number || !objtrace_table_is_live(number - 1) ||
		    !is_too_old(&tombstones[number - 1]))
			continue;
		preempt_disable_notrace();
		expire_tomb(number - 1);
		preempt_enable_notrace();
	}
}

/*
 * Creating
 */

/* End the tombstone of slot @number - 1, unless the slot has a newer tombstone with another turn */
static void end_replaced_tomb(u32 number, u32 turn)
{
	struct objtrace_match match;

	if (number && objtrace_table_look(number - 1, &match) &&
	    match.owner->is_freed && tombstones[number - 1].turn == turn)
		end_tomb(&match, OBJTRACE_TALLY_OVER_NUMBER);
}

/* Take the turns up to @turn, one for each of the tombstone's @nr slots, see turns[] */
static void take_turns(const struct objtrace_slot *slot, unsigned int nr, u32 turn)
{
	u32 number = slot - objtrace_table.slots + 1;
	u32 before, t;

	while (nr--) {
		t = (turn - nr) & turn_mask;
		before = xchg(&turns[t], nr ? 0 : number);
		/* The same slot may have had this turn in an earlier round */
		if (before != number)
			end_replaced_tomb(before, t);
	}
}

static void fill_in_tomb(struct tombstone *tomb, const struct objtrace_match *match,
			 const struct objtrace_slab_object *memory, unsigned long ip, u32 turn)
{
	tomb->turn = turn & turn_mask;
	tomb->id = match->id;
	tomb->freed_at = objtrace_kernel_clock(objtrace_trigger_of(match)->tr);
	tomb->freed_by = ip;
	WRITE_ONCE(tomb->until, jiffies + lifetime);
	tomb->start = memory->start;
	tomb->cache = memory->cache;
	tomb->nr_bulk = objtrace_bulk_nr(memory->cache);
}

/* Find the memory of a new tombstone.  Return its counter, or the counter of the obstacle */
static enum objtrace_tally find_memory(const struct objtrace_match *match,
				       struct objtrace_slab_object *memory)
{
	if (!objtrace_kernel_slab_object(match->object, memory))
		return OBJTRACE_TALLY_TOMB_NOT_IN_SLAB;
	return memory->is_typesafe ? OBJTRACE_TALLY_TOMB_TYPESAFE :
				     OBJTRACE_TALLY_TOMB_MADE;
}

/**
 * objtrace_tomb_make() - create a tombstone for an object whose memory is being freed
 * @match: the deleted object, of a trigger with the option
 * @start: start of the memory, see objtrace_table_add()
 * @ip: return address of the call that frees
 *
 * Context: Any, NMI included; preemption disabled since the match, inside of
 * objtrace_guard_enter().
 */
void objtrace_tomb_make(const struct objtrace_match *match, unsigned long start,
			unsigned long ip)
{
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	struct objtrace_slab_object memory;
	struct objtrace_match tomb;
	enum objtrace_tally tally = find_memory(match, &memory);
	unsigned int nr;
	u64 first_id;
	u32 turn;

	if (tally == OBJTRACE_TALLY_TOMB_MADE &&
	    objtrace_table_add(match->object, start, &t->freed, NULL, &tomb))
		tally = OBJTRACE_TALLY_TOMB_BUSY;
	objtrace_count(t, tally);
	if (tally != OBJTRACE_TALLY_TOMB_MADE)
		return;
	nr = objtrace_table_places(tomb.slot);
	turn = atomic_add_return(nr, &last_turn);
	fill_in_tomb(tomb_of(tomb.slot), match, &memory, ip, turn);
	objtrace_table_publish(tomb.slot);
	take_turns(tomb.slot, nr, turn);
	/* Pairs with objtrace_object_clear(), which forgets objects first, and then tombstones */
	first_id = READ_ONCE(t->owner.first_id);
	if (match->id < first_id)
		end_tomb(&tomb, first_id < OBJTRACE_ALL_IDS ? OBJTRACE_TALLY_OVER_CLEAR :
							      OBJTRACE_TALLY_OVER_TRIGGER);
}

static int prepare_memory(void)
{
	/* A tombstone has at most three slots, so it never takes its own turn */
	BUILD_BUG_ON(MIN_TOMB_PLACES < 3);
	turn_mask = most_places() - 1;
	if (!turns)
		turns = kvcalloc(turn_mask + 1UL, sizeof(*turns), GFP_KERNEL);
	if (turns && !tombstones)
		tombstones = kvcalloc(objtrace_table.slot_mask + 1UL, sizeof(*tombstones),
				      GFP_KERNEL);
	return tombstones ? 0 : -ENOMEM;
}

static int follow_allocations(void)
{
	int ret = register_trace_kmalloc(on_kmalloc, NULL);

	if (ret)
		return ret;
	ret = register_trace_kmem_cache_alloc(on_kmem_cache_alloc, NULL);
	if (ret)
		unregister_trace_kmalloc(on_kmalloc, NULL);
	return ret;
}

/**
 * objtrace_tomb_start() - prepare for a trigger with the option
 *
 * Context: task, event_mutex held.
 * Return: 0 or a negative errno
 */
int objtrace_tomb_start(void)
{
	int ret = users ? 0 : prepare_memory() ?: follow_allocations();

	if (ret)
		return ret;
	/* Pairs with the acquire in objtrace_tomb_expire() */
	smp_store_release(&users, users + 1);
	return 0;
}

/**
 * objtrace_tomb_stop() - undo objtrace_tomb_start()
 *
 * The tracepoints can call this file for another grace period.
 *
 * Context: task, event_mutex held.
 */
void objtrace_tomb_stop(void)
{
	WRITE_ONCE(users, users - 1);
	if (users)
		return;
	unregister_trace_kmem_cache_alloc(on_kmem_cache_alloc, NULL);
	unregister_trace_kmalloc(on_kmalloc, NULL);
}

/**
 * objtrace_tomb_init() - set the lifetime of tombstones
 * @ms: the lifetime in milliseconds
 *
 * Context: task, module init.
 */
void __init objtrace_tomb_init(unsigned int ms)
{
	lifetime = msecs_to_jiffies(ms);
}

/**
 * objtrace_tomb_exit() - free the memory for tombstones
 *
 * Context: task, module exit, when no code can reach the table any more.
 */
void objtrace_tomb_exit(void)
{
	kvfree(tombstones);
	kvfree(turns);
	tombstones = NULL;
	turns = NULL;
}
