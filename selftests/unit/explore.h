/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run some actors in all orders of their accesses to shared memory.
 *
 * An actor is a coroutine, and represents a CPU or a task.  At each atomic access, the explorer
 * decides which actor continues, or whether an interrupt comes first.  So one schedule is a
 * sequence of decisions, and the explorer can repeat the schedule.
 *
 * explore_all() runs all schedules with a limited number of preemptions.  Few preemptions are
 * enough for nearly all races, and the limit keeps the number of schedules small.  explore_random()
 * runs random schedules without that limit.
 *
 * Only accesses that can influence another actor are decisions: the explorer learns the memory
 * that two actors use and that one of them writes.  All accesses are in order: the litmus tests
 * are for the barriers.
 */
#ifndef _UNIT_EXPLORE_H
#define _UNIT_EXPLORE_H

#include <stdbool.h>

#define EXPLORE_MAX_ACTORS	4

/**
 * struct explore_scenario - actors, and the conditions that hold after each schedule
 * @name: name of the test
 * @actors: functions of the actors; NULL after the last actor
 * @interrupt: the interrupt, which comes at most once in a schedule, in the middle of the actor 0;
 *	       NULL for none
 * @before: prepares the memory; no actor runs
 * @after: returns NULL if all conditions hold, or the mistake; undoes @before; no actor runs
 * @preemptions: limit of explore_all()
 * @no_grace: do not wait in explore_grace_period(): a planted bug
 */
struct explore_scenario {
	const char	*name;
	void		(*actors[EXPLORE_MAX_ACTORS + 1])(void);
	void		(*interrupt)(void);
	void		(*before)(void);
	const char	*(*after)(void);
	unsigned int	preemptions;
	bool		no_grace;
};

/**
 * struct explore_result - outcome of an exploration
 * @schedules: number of schedules that ran
 * @mistake: the mistake of the last schedule; NULL if all schedules were right
 */
struct explore_result {
	unsigned long	schedules;
	const char	*mistake;
};

extern unsigned int explore_more;

struct explore_result explore_all(const struct explore_scenario *scenario);
struct explore_result explore_random(const struct explore_scenario *scenario,
				     unsigned long schedules);
void explore_print_schedule(void);

void explore_access(const volatile void *address, bool writes);
unsigned int explore_cpu(void);
void explore_read_lock(void);
void explore_read_unlock(void);
void explore_grace_period(void);
void explore_lock(bool *is_held);
void explore_unlock(bool *is_held);
void explore_fail(const char *mistake);

#endif /* _UNIT_EXPLORE_H */
