// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table and its filter under all schedules of a few CPUs, see explore.h.  The sources are those
 * of the module.
 *
 * Two tests plant a bug, and expect that the explorer finds the bug: a reaper that does not wait
 * for a grace period, and adders that do not look for duplicates.  The Makefile plants the second
 * bug in a copy of the table.
 *
 * Usage: table_explore [N], with N more preemptions than by default
 */
#include <stdlib.h>

#include <linux/kernel.h>

#include "explore.h"
#include "objects/bloom.h"
#include "objects/table.h"
#include "tap.h"

/* Random schedules of each test */
#define RANDOM_SCHEDULES	1000

#define WINDOW		0x40
#define NR_OBJECTS	2

/* The Makefile sets PLANTED for the copy of the table with a bug */
#ifndef PLANTED
#define PLANTED		false
#endif

static struct objtrace_owner owner;
static unsigned long objects[NR_OBJECTS];

/* Start of the memory around the objects; 0 if unknown */
static unsigned long memory;
static unsigned int max_objects, size;
static atomic_long_t budget, *budget_of_adders;

/* Outcome of the actors.  No accesses to these variables are decisions. */
static unsigned int added, existed, full, exhausted, ended;
static bool is_published, is_forgotten;

/* Set @objects to addresses with the same home slot */
static void choose_objects(void)
{
	unsigned long object = 0xffff888000000000UL;
	unsigned int bits = 8, i;

	for (i = 0; i < NR_OBJECTS; object += WINDOW)
		if (hash_64(object, bits) == 1)
			objects[i++] = object;
}

/* All memory is as in the last schedule, so that the explorer can repeat decisions */
static void begin(void)
{
	unsigned int slots = objtrace_table.slot_mask + 1;

	memset(objtrace_table.slots, 0, slots * sizeof(*objtrace_table.slots));
	memset(objtrace_table.cells, 0, 2 * slots * sizeof(*objtrace_table.cells));
	objtrace_table.max = max_objects;
	objtrace_table.last_id = (atomic64_t){ 0 };
	objtrace_owner_init(&owner, size, false);
	added = existed = full = exhausted = ended = 0;
	is_published = is_forgotten = false;
	budget_of_adders = NULL;
}

/*
 * Steps of the actors
 */

static int add(unsigned long object)
{
	struct objtrace_match match;
	int ret;

	explore_read_lock();
	ret = objtrace_table_add(object, memory, &owner, budget_of_adders, &match);
	if (!ret) {
		objtrace_table_publish(match.slot);
		is_published = true;
	}
	explore_read_unlock();
	added += !ret;
	existed += ret == -EEXIST;
	full += ret == -ENOSPC;
	exhausted += ret == -EDQUOT;
	return ret;
}

static void add_first(void)
{
	add(objects[0]);
}

static void add_second(void)
{
	add(objects[1]);
}

static unsigned int count_matches(unsigned long addr)
{
	struct objtrace_match match;
	unsigned int pos = 0, n = 0;

	if (!objtrace_bloom_has(addr))
		return 0;
	while (objtrace_table_match(addr, &pos, &match))
		n++;
	return n;
}

/* A function that is called after the object was published finds the object once */
static void read_first(void)
{
	bool must_match = is_published;
	unsigned int n;

	explore_read_lock();
	n = count_matches(objects[0]);
	if (n > 1)
		explore_fail("an object is found twice");
	if (must_match && !n)
		explore_fail("a published object is not found");
	explore_read_unlock();
}

/* The members of a match do not change in the read-side critical section */
static void use_first(void)
{
	struct objtrace_match match;
	unsigned int pos = 0, i;

	explore_read_lock();
	while (objtrace_table_match(objects[0], &pos, &match))
		for (i = 0; i < 3; i++)
			if (READ_ONCE(match.slot->object) != objects[0])
				explore_fail("a slot in use has another object");
	explore_read_unlock();
}

static void end_object(unsigned long object)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	explore_read_lock();
	while (objtrace_table_match(object, &pos, &match))
		ended += objtrace_table_end(&match);
	explore_read_unlock();
}

static void end_first(void)
{
	end_object(objects[0]);
}

static void end_second(void)
{
	end_object(objects[1]);
}

static void free_memory(void)
{
	struct objtrace_match match;
	unsigned int pos = 0;

	explore_read_lock();
	while (objtrace_table_match_anchor(memory, &pos, &match)) {
		if (match.object != objects[0])
			explore_fail("the free finds another object");
		ended += objtrace_table_end(&match);
	}
	explore_read_unlock();
}

static void free_slots(void)
{
	objtrace_table_collect();
	explore_grace_period();
	objtrace_table_free_collected();
}

static void end_first_and_reap(void)
{
	end_first();
	free_slots();
}

static void forget_and_reap(void)
{
	struct objtrace_match match;
	unsigned int pos = 0;
	u64 first_id = objtrace_table.last_id.counter + 1;

	objtrace_owner_forget(&owner, first_id);
	is_forgotten = true;
	explore_grace_period();
	owner.reaped_id = first_id;
	while (objtrace_table_next_forgotten(&pos, &match))
		ended += objtrace_table_end(&match);
	free_slots();
}

/* Only the object that was added before the schedule has the id 1 */
static void read_forgotten(void)
{
	bool may_match = !is_forgotten;
	struct objtrace_match match;
	unsigned int pos = 0;

	explore_read_lock();
	while (objtrace_table_match(objects[0], &pos, &match))
		if (match.id == 1 && !may_match)
			explore_fail("a forgotten object is found");
	explore_read_unlock();
}

/*
 * Conditions after each schedule
 */

static bool is_unmarked(unsigned long addr)
{
	return !objtrace_bloom_small[objtrace_bloom_first(addr, OBJTRACE_BLOOM_SMALL_BITS)] &&
	       !objtrace_bloom_has(addr) && !objtrace_bloom_has_memory(addr);
}

/* End all objects.  Return a mistake if something is left */
static const char *finish(void)
{
	struct objtrace_match match;
	unsigned int pos = 0, i;

	owner.reaped_id = U64_MAX;
	while (objtrace_table_next_forgotten(&pos, &match))
		objtrace_table_end(&match);
	objtrace_table_collect();
	objtrace_table_free_collected();
	objtrace_owner_exit(&owner);
	for (i = 0; i <= objtrace_table.slot_mask; i++)
		if (objtrace_table.slots[i].state & 7)
			return "a slot is not free at the end";
	for (i = 0; i < 2 * (objtrace_table.slot_mask + 1); i++)
		if (objtrace_table.cells[i].count || objtrace_table.cells[i].reach)
			return "a cell has slots at the end";
	for (i = 0; i < NR_OBJECTS; i++)
		if (!is_unmarked(objects[i]))
			return "the filter has counts at the end";
	return objtrace_table.used.counter ? "the table is not empty at the end" : NULL;
}

/* Return @mistake unless @right; finish in any case */
static const char *finish_if(bool right, const char *mistake)
{
	const char *left = finish();

	return right ? left : mistake;
}

static const char *after_adds_of_one(void)
{
	return finish_if(added == 1 && count_matches(objects[0]) == 1 &&
			 objtrace_table.used.counter == 1,
			 "not one of the adders of an object succeeds");
}

static void begin_with_budget(void)
{
	begin();
	budget = (atomic_long_t){ 1 };
	budget_of_adders = &budget;
}

static const char *after_budget(void)
{
	return finish_if(added == 1 && !budget.counter,
			 "a budget of 1 does not add one object");
}

static const char *after_full(void)
{
	return finish_if(added == 1 && full == 1, "a table for one object has not one object");
}

static void begin_with_first(void)
{
	begin();
	add(objects[0]);
	added = 0;
	is_published = false;
}

static void begin_with_both(void)
{
	begin_with_first();
	add(objects[1]);
	added = 0;
}

static const char *after_both_ends(void)
{
	return finish_if(ended == 2, "not both objects have ended once");
}

static const char *after_end(void)
{
	return finish_if(added == 1 && ended == 1, "the object has not ended once");
}

static const char *after_free(void)
{
	return finish_if(ended == 1 && !count_matches(objects[0]),
			 "the object in freed memory has not ended once");
}

static const char *after_add_and_free(void)
{
	return finish_if(added == 1 && ended + count_matches(objects[0]) == 1,
			 "the object is neither tracked nor freed, or both");
}

static const char *after_forget(void)
{
	return finish_if(added + existed == 1 && count_matches(objects[0]) <= added,
			 "a forgotten object is found");
}

/*
 * The filter alone
 */

/* One user, and counts that are saturated */
static void begin_saturated(void)
{
	unsigned int i;

	for (i = 0; i <= U8_MAX; i++)
		objtrace_bloom_add(objects[0], 1);
	for (i = 0; i < U8_MAX; i++)
		objtrace_bloom_del(objects[0], 1);
	added = 0;
}

static void del_and_clean(void)
{
	objtrace_bloom_del(objects[0], 1);
	objtrace_bloom_clean();
}

static void add_to_filter(void)
{
	if (!objtrace_bloom_add(objects[0], 1))
		return;
	added++;
	if (!objtrace_bloom_has(objects[0]))
		explore_fail("the filter rejects an object that was added");
}

static const char *after_clean(void)
{
	bool right = !added || objtrace_bloom_has(objects[0]);

	while (added--)
		objtrace_bloom_del(objects[0], 1);
	objtrace_bloom_clean();
	if (!right)
		return "the filter has lost an object";
	return is_unmarked(objects[0]) ? NULL : "the filter has counts at the end";
}

/*
 * Tests
 */

static void report(const struct explore_scenario *s, struct explore_result result,
		   const char *kind)
{
	if (!ok(!result.mistake, "%s: %s schedules", s->name, kind)) {
		printf("#   %s\n", result.mistake);
		explore_print_schedule();
	}
	printf("#   %lu schedules\n", result.schedules);
}

static void explore(const struct explore_scenario *s)
{
	report(s, explore_all(s), "all");
	report(s, explore_random(s, RANDOM_SCHEDULES), "random");
}

/* The scenario is wrong, and the explorer must notice */
static void explore_planted(const struct explore_scenario *s)
{
	struct explore_result result = explore_all(s);

	ok(result.mistake, "%s", s->name);
	printf("#   %s, after %lu schedules\n", result.mistake ?: "nothing", result.schedules);
	explore_print_schedule();
}

static const struct explore_scenario add_twice = {
	.name = "two CPUs add one object",
	.actors = { add_first, add_first, read_first },
	.before = begin, .after = after_adds_of_one, .preemptions = 2,
};

static const struct explore_scenario add_in_nmi = {
	.name = "an NMI adds the object that its CPU and another CPU add",
	.actors = { add_first, add_first }, .interrupt = add_first,
	.before = begin, .after = after_adds_of_one, .preemptions = 2,
};

static const struct explore_scenario add_with_budget = {
	.name = "two CPUs add one object with a budget of 1",
	.actors = { add_first, add_first, add_second },
	.before = begin_with_budget, .after = after_budget, .preemptions = 2,
};

static const struct explore_scenario add_to_full = {
	.name = "two CPUs add two objects to a table for one",
	.actors = { add_first, add_second },
	.before = begin, .after = after_full, .preemptions = 2,
};

static const struct explore_scenario reuse = {
	.name = "a slot is reused after a grace period",
	.actors = { use_first, end_first_and_reap, add_second },
	.before = begin_with_first, .after = after_end, .preemptions = 2,
};

static const struct explore_scenario reuse_too_early = {
	.name = "a planted bug is found: no grace period",
	.actors = { use_first, end_first_and_reap, add_second },
	.before = begin_with_first, .after = after_end, .preemptions = 2,
	.no_grace = true,
};

static const struct explore_scenario end_in_nmi = {
	.name = "an NMI ends an object while its CPU ends another, and the reaper frees slots",
	.actors = { end_first, free_slots, end_second }, .interrupt = end_second,
	.before = begin_with_both, .after = after_both_ends, .preemptions = 2,
};

static const struct explore_scenario free_and_end = {
	.name = "two CPUs free the memory, and one ends the object",
	.actors = { free_memory, end_first, free_memory },
	.before = begin_with_first, .after = after_free, .preemptions = 2,
};

static const struct explore_scenario free_while_added = {
	.name = "two CPUs free the memory while another adds the object",
	.actors = { add_first, free_memory, free_memory },
	.before = begin, .after = after_add_and_free, .preemptions = 2,
};

static const struct explore_scenario forget = {
	.name = "the objects are forgotten while another CPU adds",
	.actors = { forget_and_reap, add_first, read_forgotten },
	.before = begin_with_first, .after = after_forget, .preemptions = 2,
};

static const struct explore_scenario clean = {
	.name = "saturated counts are cleared while two CPUs add",
	.actors = { del_and_clean, add_to_filter, add_to_filter },
	.before = begin_saturated, .after = after_clean, .preemptions = 1,
};

static const struct explore_scenario add_without_look = {
	.name = "a planted bug is found: no look for duplicates",
	.actors = { add_first, add_first, read_first },
	.before = begin, .after = after_adds_of_one, .preemptions = 2,
};

static void run_sized(void)
{
	size = WINDOW;
	max_objects = 4;
	objects[0] += WINDOW / 2;
	memory = objects[0] - WINDOW / 4;
	explore(&free_and_end);
	explore(&free_while_added);
}

static void run_all(void)
{
	explore(&add_twice);
	explore(&add_in_nmi);
	explore(&add_with_budget);
	explore(&reuse);
	explore_planted(&reuse_too_early);
	explore(&end_in_nmi);
	explore(&forget);
	explore(&clean);
	max_objects = 1;
	explore(&add_to_full);
	run_sized();
}

int main(int argc, char **argv)
{
	explore_more = argc > 1 ? atoi(argv[1]) : 0;
	objtrace_table_init(4);
	choose_objects();
	max_objects = 4;
	size = 1;
	if (PLANTED)
		explore_planted(&add_without_look);
	else
		run_all();
	objtrace_table_exit();
	return tap_done();
}
