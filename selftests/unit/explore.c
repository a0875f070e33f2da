// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run actors in all orders of their accesses to shared memory, see explore.h.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "explore.h"

#define STACK_SIZE	(64 << 10)
#define MAX_DECISIONS	4096
#define SHARED_BITS	12
#define NR_SHARED	(1 << SHARED_BITS)

/* Random schedules that learn which memory is shared */
#define LEARNING	500

/* A random schedule may preempt at one of so many accesses: else few actors run alone for long */
#define RARELY		4

/**
 * struct actor - a coroutine
 * @context: registers while another coroutine runs
 * @stack: stack of the coroutine
 * @done: the function has returned
 * @sections: depth of read-side critical sections
 * @section: number of sections that have ended
 * @waits_for: for each other actor, 1 + its @section at the begin of the grace period that this
 *	       actor waits for; 0 if the actor does not matter
 * @waits_for_lock: the lock that this actor waits for; NULL without one
 */
struct actor {
	ucontext_t	context;
	char		*stack;
	bool		done;
	unsigned int	sections;
	unsigned int	section;
	unsigned int	waits_for[EXPLORE_MAX_ACTORS];
	const bool	*waits_for_lock;
};

/**
 * struct decision - a choice of the explorer
 * @choice: the number of the option
 * @options: number of options
 * @actor: the actor that runs next
 */
struct decision {
	unsigned char	choice;
	unsigned char	options;
	unsigned char	actor;
};

/**
 * struct shared_word - memory that actors access
 * @address: its address; NULL for a free entry
 * @users: bit N if actor N accesses the memory, and the highest bit for the interrupt
 * @is_written: some actor writes the memory
 */
struct shared_word {
	const volatile void	*address;
	unsigned int		users;
	bool			is_written;
};

#define INTERRUPT	EXPLORE_MAX_ACTORS

static const struct explore_scenario *scenario;
static struct actor actors[EXPLORE_MAX_ACTORS];
static unsigned int nr_actors;

/* The actor that runs, or -1 while the explorer itself runs */
static int current = -1;
static ucontext_t explorer;
static bool interrupted, in_interrupt;
static const char *mistake;

static struct decision decisions[MAX_DECISIONS];
/* Decisions of this schedule, decisions that repeat the last schedule, and preemptions */
static unsigned int nr_decisions, nr_repeated, nr_preemptions;
static uint64_t random_state;

/* Preemptions that explore_all() allows in addition to those of the scenario */
unsigned int explore_more;

static struct shared_word shared[NR_SHARED];
/* New memory is shared since the schedule began: the numbers of decisions have changed */
static bool has_learned;

/**
 * explore_fail() - tell of a mistake in this schedule
 * @why: the mistake
 *
 * The schedule continues to its end.
 */
void explore_fail(const char *why)
{
	if (!mistake)
		mistake = why;
}

static bool is_shared(const struct shared_word *word)
{
	return word->is_written && word->users & (word->users - 1);
}

static struct shared_word *word_at(const volatile void *address)
{
	unsigned int i = (uintptr_t)address * 0x61C8864680B583EBULL >> (64 - SHARED_BITS);
	unsigned int tries;

	for (tries = 0; tries < NR_SHARED; tries++, i = (i + 1) % NR_SHARED) {
		if (!shared[i].address)
			shared[i].address = address;
		if (shared[i].address == address)
			return &shared[i];
	}
	fprintf(stderr, "explore: NR_SHARED is too small\n");
	exit(1);
}

/* Return true if the access at @address is a decision */
static bool learn(const volatile void *address, bool writes)
{
	struct shared_word *word = word_at(address);
	bool was_shared = is_shared(word);

	word->users |= 1U << (in_interrupt && !current ? INTERRUPT : current);
	word->is_written |= writes;
	has_learned |= was_shared != is_shared(word);
	return is_shared(word);
}

/* The actor has not returned, and does not wait */
static bool can_run(const struct actor *actor)
{
	unsigned int i;

	if (actor->done || (actor->waits_for_lock && *actor->waits_for_lock))
		return false;
	for (i = 0; i < nr_actors; i++)
		if (actor->waits_for[i] && actor->waits_for[i] == 1 + actors[i].section)
			return false;
	return true;
}

static bool may_interrupt(void)
{
	return scenario->interrupt && !interrupted && current == 0;
}

static unsigned int random_below(unsigned int limit)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % limit;
}

/* Return one of @options: the same as in the last schedule, or a random one, or the first */
static unsigned int decide(unsigned int options)
{
	struct decision *d = &decisions[nr_decisions];

	if (nr_decisions == MAX_DECISIONS) {
		fprintf(stderr, "explore: a schedule does not end\n");
		exit(1);
	}
	if (random_state)
		d->choice = random_below(options);
	else if (nr_decisions >= nr_repeated)
		d->choice = 0;
	d->options = options;
	nr_decisions++;
	return d->choice;
}

static void switch_to(int next)
{
	int self = current;

	decisions[nr_decisions - 1].actor = next;
	if (next == self)
		return;
	current = next;
	swapcontext(self < 0 ? &explorer : &actors[self].context, &actors[next].context);
}

/* Let one of the other actors run that can.  Return false if there is none */
static bool run_another(unsigned int choice)
{
	int i;

	for (i = 0; i < nr_actors; i++)
		if (i != current && can_run(&actors[i]) && !choice--) {
			switch_to(i);
			return true;
		}
	return false;
}

static unsigned int nr_others(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr_actors; i++)
		n += (int)i != current && can_run(&actors[i]);
	return n;
}

static void take_interrupt(void)
{
	interrupted = true;
	in_interrupt = true;
	decisions[nr_decisions - 1].actor = INTERRUPT;
	scenario->interrupt();
	in_interrupt = false;
}

static bool is_limited(void)
{
	return nr_preemptions == scenario->preemptions + explore_more;
}

/* The options: continue, one for each other actor, the interrupt */
static void may_preempt(void)
{
	unsigned int others = nr_others();
	unsigned int options = 1 + others + may_interrupt();
	unsigned int choice;

	if (options == 1 || (random_state ? random_below(RARELY) : is_limited()))
		return;
	choice = decide(options);
	decisions[nr_decisions - 1].actor = current;
	if (!choice)
		return;
	nr_preemptions++;
	if (choice > others)
		take_interrupt();
	else
		run_another(choice - 1);
}

/**
 * explore_access() - let other actors run before an atomic access
 * @address: address of the memory
 * @writes: the access may write the memory
 */
void explore_access(const volatile void *address, bool writes)
{
	/* An interrupt nests: the interrupted actor continues after the interrupt only */
	if (current >= 0 && learn(address, writes))
		may_preempt();
}

/**
 * explore_cpu() - number of the actor that runs
 *
 * Return: the number; 0 while no actor runs
 */
unsigned int explore_cpu(void)
{
	return current < 0 ? 0 : current;
}

/**
 * explore_read_lock() - enter a read-side critical section
 */
void explore_read_lock(void)
{
	if (current >= 0)
		actors[current].sections++;
}

/**
 * explore_read_unlock() - leave a read-side critical section
 */
void explore_read_unlock(void)
{
	if (current >= 0 && !--actors[current].sections)
		actors[current].section++;
}

/* Stop the actor: no preemption, because the actor cannot continue */
static void block(void)
{
	unsigned int others = nr_others();

	if (!others) {
		fprintf(stderr, "explore: all actors wait\n");
		exit(1);
	}
	run_another(decide(others));
}

/**
 * explore_grace_period() - wait until all read-side critical sections of now have ended
 */
void explore_grace_period(void)
{
	struct actor *self = &actors[current];
	unsigned int i;

	if (current < 0 || scenario->no_grace)
		return;
	for (i = 0; i < nr_actors; i++)
		if (&actors[i] != self && actors[i].sections)
			self->waits_for[i] = 1 + actors[i].section;
	if (!can_run(self))
		block();
	memset(self->waits_for, 0, sizeof(self->waits_for));
}

/**
 * explore_lock() - wait until a lock is free, and take the lock
 * @is_held: the lock
 */
void explore_lock(bool *is_held)
{
	explore_access(is_held, true);
	while (*is_held) {
		actors[current].waits_for_lock = is_held;
		block();
		actors[current].waits_for_lock = NULL;
	}
	*is_held = true;
}

/**
 * explore_unlock() - release a lock
 * @is_held: the lock
 */
void explore_unlock(bool *is_held)
{
	*is_held = false;
	explore_access(is_held, true);
}

static void run_actor(void)
{
	unsigned int others;

	scenario->actors[current]();
	actors[current].done = true;
	others = nr_others();
	if (others)
		run_another(decide(others));
	/* Nothing switches to this actor any more */
	current = -1;
	setcontext(&explorer);
}

static void start_actor(unsigned int i)
{
	struct actor *actor = &actors[i];
	char *stack = actor->stack ?: malloc(STACK_SIZE);

	memset(actor, 0, sizeof(*actor));
	actor->stack = stack;
	getcontext(&actor->context);
	actor->context.uc_stack.ss_sp = stack;
	actor->context.uc_stack.ss_size = STACK_SIZE;
	makecontext(&actor->context, run_actor, 0);
}

/* Run one schedule.  Return true if it was right */
static bool run_schedule(void)
{
	unsigned int i;

	scenario->before();
	for (i = 0; i < nr_actors; i++)
		start_actor(i);
	mistake = NULL;
	interrupted = false;
	has_learned = false;
	nr_decisions = 0;
	nr_preemptions = 0;
	run_another(decide(nr_actors));
	for (i = 0; i < nr_actors; i++)
		if (!actors[i].done)
			explore_fail("an actor waits for ever");
	explore_fail(scenario->after());
	return !mistake;
}

/* Prepare the decisions of the next schedule.  Return false after the last schedule */
static bool next_schedule(void)
{
	while (nr_decisions) {
		struct decision *d = &decisions[nr_decisions - 1];

		if (++d->choice < d->options) {
			nr_repeated = nr_decisions;
			return true;
		}
		nr_decisions--;
	}
	return false;
}

static void begin(const struct explore_scenario *s)
{
	scenario = s;
	memset(shared, 0, sizeof(shared));
	for (nr_actors = 0; s->actors[nr_actors]; nr_actors++)
		;
}

static struct explore_result run_random(unsigned long schedules)
{
	struct explore_result result = { 0 };

	random_state = 1;
	while (result.schedules < schedules && !result.mistake) {
		result.schedules++;
		run_schedule();
		result.mistake = mistake;
	}
	random_state = 0;
	return result;
}

/**
 * explore_random() - run random schedules, with any number of preemptions
 * @s: the scenario
 * @schedules: number of schedules
 *
 * The schedules are the same in each call.
 *
 * Return: the outcome, up to the first mistake
 */
struct explore_result explore_random(const struct explore_scenario *s, unsigned long schedules)
{
	begin(s);
	return run_random(schedules);
}

/**
 * explore_all() - run all schedules with at most @s->preemptions preemptions
 * @s: the scenario
 *
 * Return: the outcome, up to the first mistake
 */
struct explore_result explore_all(const struct explore_scenario *s)
{
	struct explore_result result;

	begin(s);
	result = run_random(LEARNING);
	if (result.mistake)
		return result;
	do {
		result.schedules = 0;
		nr_repeated = 0;
		do {
			result.schedules++;
			run_schedule();
			result.mistake = mistake;
		} while (!mistake && !has_learned && next_schedule());
	} while (!mistake && has_learned);
	return result;
}

/**
 * explore_print_schedule() - print the decisions of the last schedule as a comment
 */
void explore_print_schedule(void)
{
	unsigned int i, n;

	printf("#   schedule:");
	for (i = 0; i < nr_decisions; i += n) {
		for (n = 1; i + n < nr_decisions; n++)
			if (decisions[i + n].actor != decisions[i].actor)
				break;
		if (decisions[i].actor == INTERRUPT)
			printf(" interrupt");
		else
			printf(" actor %u (%u)", decisions[i].actor, n);
	}
	printf("\n");
}
