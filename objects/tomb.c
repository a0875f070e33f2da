// SPDX-License-Identifier: GPL-2.0-only
/*
 * The option "after-free": tombstones.  When the memory of an object is freed the object
 * ends, and for a while its address is still looked for: a function that is passed it may
 * use what is not there any more.  Or it may not, which is why such a record calls itself
 * a hint.
 *
 * A tombstone is an entry of the table like that of an object, but for another owner of
 * the same trigger, and what is kept of the object lies beside it, in here.  It is
 * followed by nothing and ends without a record: when the address is allocated again,
 * which the allocator's tracepoints tell before the caller has it; when a trigger adds
 * what is there; when others take its place; and when somebody hits it and it turns out
 * that it is too old, or that the slab is not the same any more.
 *
 * Nearly all memory that is allocated has no tombstone: that costs two loads from the
 * filter in front of the table, and only while some trigger has the option.
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
#include "objects/reap.h"
#include "objects/table.h"
#include "objects/tomb.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "records/guard.h"
#include "records/record.h"
#include "records/seen.h"
#include "records/tally.h"

/* Places in the table for one that tombstones have besides, and how many at least */
#define PLACES_PER_TOMB_PLACE	4
#define MIN_TOMB_PLACES		4

/**
 * struct tombstone - what is kept of an object that was freed
 * @id: which object it was
 * @freed_at: when it was freed, by the clock of the trigger's instance
 * @freed_by: who has freed it
 * @until: when it is too old, in jiffies
 * @start: first byte of the memory that it was in, see struct objtrace_slab_object
 * @cache: whose that was, as there
 * @bulk: how often the cache, or one with the same hash, had allocated many at a time
 * @turn: its place among those that follow each other, see turns
 *
 * Written by who makes it, before it is published.  Who has found the slot LIVE may read
 * it, and who has not may do so with READ_ONCE(), to find out whether that is worth it.
 */
struct tombstone {
	u64		id;
	u64		freed_at;
	unsigned long	freed_by;
	unsigned long	until;
	unsigned long	start;
	unsigned long	cache;
	u32		bulk;
	u32		turn;
};

/* One for each slot; allocated for the first trigger that needs them, then constant */
static struct tombstone *tombstones;

/*
 * Slots plus 1, or 0: in each the tombstone that has come last to that turn.  There are
 * as many turns as tombstones may have places, and each takes a turn for each of its
 * places, from whoever had it before.  Allocated with the others; the elements are
 * exchanged by who makes a tombstone, in any context.
 */
static u32 *turns;
static u32 turn_mask;
static atomic_t last_turn;

/*
 * Triggers with the option; while there are any, there is the memory above.  Written under
 * event_mutex, read at any time: who reads one of the past finds memory all the same, which
 * stays, and makes or finds a tombstone too many or too few as if it had come earlier.
 */
static unsigned int users;

/* after_free_ms, in jiffies; written by init only */
static unsigned long lifetime __ro_after_init;

static struct tombstone *tomb_of(const struct objtrace_slot *slot)
{
	return &tombstones[slot - objtrace_table.slots];
}

/**
 * objtrace_tomb_most() - how many tombstones there can be
 *
 * Context: any, after objtrace_table_init().
 * Return: how many at most
 */
unsigned long objtrace_tomb_most(void)
{
	return rounddown_pow_of_two(max(objtrace_table.max / PLACES_PER_TOMB_PLACE,
					(unsigned int)MIN_TOMB_PLACES));
}

/*
 * Objects that are allocated many at a time: no tracepoint tells of them.  All that is
 * known is the cache, and from then on none of its tombstones is to be relied on.
 */

#define BULK_BITS	8

/* By a hash of the cache's address.  Changed in any context, read without any order */
static atomic_t bulks[1 << BULK_BITS];

static atomic_t *bulk_of(unsigned long cache)
{
	return &bulks[hash_64(cache, BULK_BITS)];
}

/**
 * objtrace_tomb_bulk() - many objects of a cache are about to be allocated
 * @cache: the cache
 *
 * Context: ftrace callback, any.
 */
void objtrace_tomb_bulk(unsigned long cache)
{
	if (READ_ONCE(users))
		atomic_inc(bulk_of(cache));
}

/* End a tombstone.  Context: as objtrace_object_delete() */
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
 * Functions that were hit, by a hash of their location: what was found out about each.
 * The location without its highest bit, which is set in all of them, unless the function
 * is one of the allocator's.  Written in any context; who finds another one there, or
 * none, finds it out anew.
 */
static unsigned long judged[1 << JUDGED_BITS];

#define IS_ALLOCATOR	BIT(BITS_PER_LONG - 1)

/* Modules have none: their functions show as "function [module]" */
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

/* Whether @ip is where ftrace is called in the function at @addr; 0 is none */
static bool is_entry_of(unsigned long addr, unsigned long ip)
{
	return addr && ip - addr <= OBJTRACE_LOCATION_SPAN;
}

/*
 * Whether the memory is still what it was when it was freed.  A slab that has been given
 * back can be anything; when it becomes one of the same cache again its objects are set
 * up, and who does that is the first to be passed them.
 */
static bool is_same_slab(const struct objtrace_match *match, unsigned long ip)
{
	const struct tombstone *tomb = tomb_of(match->slot);
	struct objtrace_slab_object now;

	return objtrace_kernel_slab_object(match->object, &now) &&
	       now.start == tomb->start && now.cache == tomb->cache &&
	       !is_entry_of(now.ctor, ip);
}

static bool is_too_old(const struct tombstone *tomb)
{
	return time_after(jiffies, READ_ONCE(tomb->until));
}

/* Whether nothing tells that the memory may be in use again; it ends if something does */
static bool still_stands(const struct objtrace_match *match, unsigned long ip)
{
	const struct tombstone *tomb = tomb_of(match->slot);
	enum objtrace_tally why;

	if (is_too_old(tomb))
		why = OBJTRACE_TALLY_OVER_TIME;
	else if ((u32)atomic_read(bulk_of(tomb->cache)) != tomb->bulk)
		why = OBJTRACE_TALLY_OVER_BULK;
	else if (!is_same_slab(match, ip))
		why = OBJTRACE_TALLY_OVER_SLAB;
	else
		return true;
	end_tomb(match, why);
	return false;
}

/* By the clock of the instance, which can get another one */
static u64 time_since(const struct objtrace_trigger *t, u64 then)
{
	u64 now = objtrace_kernel_clock(t->tr);

	return now > then ? now - then : 0;
}

/**
 * objtrace_tomb_hit() - a function is passed the address of an object that was freed
 * @match: its tombstone
 * @place: where
 *
 * Nothing is read of the object.
 *
 * Context: any, NMI included; preemption disabled since it was matched, and our own
 * callees kept out.
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

/* As in objtrace_fops_look(): the scheduler may be next, then who gets the memory */
static noinline __clears_arg_registers
void end_tombs_in(unsigned long memory)
{
	unsigned long start = objtrace_kernel_start_of(memory);
	struct objtrace_match match;
	unsigned int context, pos = 0;

	context = objtrace_guard_enter();
	while (objtrace_table_match(memory, &pos, &match))
		if (match.object == memory)
			end_if_tomb(&match, OBJTRACE_TALLY_OVER_ALLOCATED);
	pos = 0;
	while (objtrace_table_match_anchor(start, &pos, &match))
		end_if_tomb(&match, OBJTRACE_TALLY_OVER_ALLOCATED);
	objtrace_guard_leave(context);
}

/* Newer kernels call tracepoints with preemption enabled */
static noinline __clears_arg_registers
void look_into_allocated_memory(unsigned long memory)
{
	preempt_disable_notrace();
	/* Without RCU nothing holds the triggers */
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

/**
 * objtrace_tomb_tracked() - a trigger has added an object
 * @object: the object
 *
 * Whoever has it has not got it from nowhere, whatever is known of its memory.
 *
 * Context: any, NMI included; preemption disabled, and our own callees kept out.
 */
void objtrace_tomb_tracked(unsigned long object)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	if (!READ_ONCE(users))
		return;
	while (objtrace_table_match(object, &pos, &match))
		end_if_tomb(&match, OBJTRACE_TALLY_OVER_TRACKED);
}

/* As in objtrace_fops_look(): the scheduler may be next */
static noinline __clears_arg_registers
void expire_tomb(unsigned int n)
{
	struct objtrace_match match;
	unsigned int context;

	context = objtrace_guard_enter();
	if (objtrace_table_look(n, &match) && match.owner->is_freed &&
	    is_too_old(&tombstones[n]))
		end_tomb(&match, OBJTRACE_TALLY_OVER_TIME);
	objtrace_guard_leave(context);
}

/**
 * objtrace_tomb_expire() - end the tombstones that are too old
 *
 * Context: task, may sleep.
 */
void objtrace_tomb_expire(void)
{
	unsigned int n;

	/* Pairs with the release in objtrace_tomb_start(): then there are tombstones[] */
	if (!smp_load_acquire(&users))
		return;
	for (n = 0; n <= objtrace_table.slot_mask; n++) {
		if (!(n % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
		if (!objtrace_table_is_live(n) || !is_too_old(&tombstones[n]))
			continue;
		preempt_disable_notrace();
		expire_tomb(n);
		preempt_enable_notrace();
	}
}

/*
 * Making
 */

/* The tombstone whose turn it was ends, unless it has ended and its slot is another's */
static void end_replaced_tomb(u32 number, u32 turn)
{
	struct objtrace_match match;

	if (number && objtrace_table_look(number - 1, &match) &&
	    match.owner->is_freed && tombstones[number - 1].turn == turn)
		end_tomb(&match, OBJTRACE_TALLY_OVER_NUMBER);
}

/* It has one turn for each of its places, the last of which is @turn, and stands there */
static void take_turns(const struct objtrace_slot *slot, unsigned int nr, u32 turn)
{
	u32 number = slot - objtrace_table.slots + 1;
	u32 before, t;

	while (nr--) {
		t = (turn - nr) & turn_mask;
		before = xchg(&turns[t], nr ? 0 : number);
		/* Its slot may have been another's, at the same turn of a former round */
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
	tomb->bulk = atomic_read(bulk_of(memory->cache));
}

/* Whether there can be a tombstone, or why not; *@memory is filled in then */
static enum objtrace_tally find_memory(const struct objtrace_match *match,
				       struct objtrace_slab_object *memory)
{
	if (!objtrace_kernel_slab_object(match->object, memory))
		return OBJTRACE_TALLY_TOMB_NOT_IN_SLAB;
	return memory->is_typesafe ? OBJTRACE_TALLY_TOMB_TYPESAFE :
				     OBJTRACE_TALLY_TOMB_MADE;
}

/**
 * objtrace_tomb_make() - an object has ended because its memory is about to be freed
 * @match: the object, of a trigger with the option
 * @start: first byte of that memory, see objtrace_table_add()
 * @ip: where that was asked for
 *
 * Context: any; preemption disabled since it was matched, and our own callees kept out.
 */
void objtrace_tomb_make(const struct objtrace_match *match, unsigned long start,
			unsigned long ip)
{
	struct objtrace_trigger *t = objtrace_trigger_of(match);
	struct objtrace_slab_object memory;
	struct objtrace_match tomb;
	enum objtrace_tally tally = find_memory(match, &memory);
	unsigned int nr;
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
	/* Who clears forgets objects first, then tombstones up to now: see there */
	if (match->id < READ_ONCE(t->owner.first_id))
		end_tomb(&tomb, OBJTRACE_TALLY_OVER_CLEAR);
}

static int prepare_memory(void)
{
	/* A tombstone takes three places at most: never all of the turns */
	BUILD_BUG_ON(MIN_TOMB_PLACES < 3);
	turn_mask = objtrace_tomb_most() - 1;
	if (!turns)
		turns = kvcalloc(turn_mask + 1UL, sizeof(*turns), GFP_KERNEL);
	if (!tombstones)
		tombstones = kvcalloc(objtrace_table.slot_mask + 1UL, sizeof(*tombstones),
				      GFP_KERNEL);
	return turns && tombstones ? 0 : -ENOMEM;
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
 * objtrace_tomb_start() - there is one trigger more with the option
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
 * objtrace_tomb_stop() - there is one trigger less with the option
 *
 * The tracepoints may call us for another grace period.
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
 * objtrace_tomb_init() - say how old a tombstone may become
 * @ms: in milliseconds
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
 * Context: task, module exit, when nothing can reach the table any more.
 */
void objtrace_tomb_exit(void)
{
	kvfree(tombstones);
	kvfree(turns);
	tombstones = NULL;
	turns = NULL;
}
