// SPDX-License-Identifier: GPL-2.0-only
/*
 * many.c - scenarios with the objects M0, M1, ..., on one CPU or on two CPUs at once
 *
 * Tests in all directories use them.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "target.h"

static noinline void ott_one(unsigned int n)
{
	add(&ott_many[n % OTT_MANY]);
	ott_barrier();
}

static noinline void ott_drop_one(unsigned int n)
{
	drop(&ott_many[n % OTT_MANY]);
	ott_barrier();
}

static noinline void ott_both(unsigned int n)
{
	add(&ott_many[n % OTT_MANY]);
	take(&ott_many[n % OTT_MANY]);
	ott_barrier();
}

/* No value comes twice, whatever the CPUs do. */
static atomic_t nr_values;

static noinline void ott_new_value(unsigned int n)
{
	WRITE_ONCE(OTT_A->value, atomic_inc_return(&nr_values));
	take(OTT_A);
	ott_barrier();
}

static int run_each(void (*function)(unsigned int n), unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		run_irqs_off(function, i);
	return 0;
}

/* A thread on its own CPU. */
struct racer {
	struct task_struct	*task;
	struct completion	done;
	void			(*function)(unsigned int n);
	unsigned int		first;
	unsigned int		count;
	bool			stores;
	bool			irqs_on;
};

static struct racer racers[2];
static atomic_t nr_ready;
static bool is_looping;

static void wait_for_stop(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
}

static int race_thread(void *data)
{
	struct racer *r = data;
	unsigned int i;

	atomic_inc(&nr_ready);
	/*
	 * On arm64, arming a kprobe uses stop_machine(), which may hold the other CPU until
	 * this CPU reschedules.
	 */
	while (atomic_read(&nr_ready) < ARRAY_SIZE(racers))
		cond_resched();
	for (i = 0; i < r->count; i++) {
		if (r->irqs_on)
			r->function(r->first + i);
		else
			run_irqs_off(r->function, r->first + i);
	}
	complete(&r->done);
	wait_for_stop();
	return 0;
}

/* Sleeps, because the tasks of the test need the CPUs, too. */
static int loop_thread(void *data)
{
	struct racer *r = data;
	struct ott_object *obj;
	unsigned int i = 0;

	while (!kthread_should_stop()) {
		obj = &ott_many[r->first + i % r->count];
		run_irqs_off(ott_both, obj - ott_many);
		if (r->stores)
			WRITE_ONCE(obj->value, obj->value + 1);
		if (!(++i % 32))
			schedule_timeout_interruptible(1);
	}
	return 0;
}

void stop_threads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(racers); i++) {
		if (racers[i].task)
			kthread_stop(racers[i].task);
		racers[i].task = NULL;
	}
}

static int start_threads(int (*fn)(void *))
{
	unsigned int i, cpu = cpumask_first(cpu_online_mask);
	struct racer *r;

	if (num_online_cpus() < ARRAY_SIZE(racers))
		return -ENODEV;
	atomic_set(&nr_ready, 0);
	for (i = 0; i < ARRAY_SIZE(racers); i++) {
		struct task_struct *task;

		r = &racers[i];
		init_completion(&r->done);
		task = kthread_create(fn, r, "ott/%u", i);
		if (IS_ERR(task)) {
			/* A thread that was created has not run yet */
			stop_threads();
			return PTR_ERR(task);
		}
		kthread_bind(task, cpu);
		r->task = task;
		cpu = cpumask_next(cpu, cpu_online_mask);
	}
	for (i = 0; i < ARRAY_SIZE(racers); i++)
		wake_up_process(racers[i].task);
	return 0;
}

static int race(void (*function)(unsigned int n), unsigned int second_first,
		unsigned int count, bool irqs_on)
{
	unsigned int i;
	int ret;

	if (is_looping || count > OTT_MANY / 2)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(racers); i++) {
		racers[i].function = function;
		racers[i].first = i * second_first;
		racers[i].count = count;
		racers[i].irqs_on = irqs_on;
	}
	ret = start_threads(race_thread);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(racers); i++)
		wait_for_completion(&racers[i].done);
	stop_threads();
	return 0;
}

static int run_race_distinct(void (*function)(unsigned int n), unsigned int n)
{
	return race(function, n, n, false);
}

static int run_race_same(void (*function)(unsigned int n), unsigned int n)
{
	return race(function, 0, n, false);
}

/* Kernels for real time free memory only with interrupts on. */
int run_race_freeing(void (*function)(unsigned int n), unsigned int n)
{
	return race(function, 0, n, true);
}

static int run_loop(void (*function)(unsigned int n), unsigned int n)
{
	unsigned int i;
	int ret;

	if (is_looping)
		return -EBUSY;
	for (i = 0; i < ARRAY_SIZE(racers); i++) {
		racers[i].first = 4 * i;
		racers[i].count = 4;
		racers[i].stores = n;
	}
	ret = start_threads(loop_thread);
	is_looping = !ret;
	return ret;
}

static int run_stop(void (*function)(unsigned int n), unsigned int n)
{
	stop_threads();
	is_looping = false;
	return 0;
}

static const struct ott_scenario many_scenarios[] = {
	/* test.d/instances, lifetime, neighbours, record and trigger */
	{ "one", "Add the object with the number N.",
	  run_once, ott_one },
	{ "many", "Add the first N objects.",
	  run_each, ott_one },
	{ "drop_many", "Drop the first N objects.",
	  run_each, ott_drop_one },
	/* test.d/record and trigger, with two CPUs */
	{ "race_distinct", "Add N objects on each of two CPUs at once: 2 * N objects.",
	  run_race_distinct, ott_one },
	{ "race_same", "Add the same N objects on each of two CPUs at once.",
	  run_race_same, ott_one },
	{ "race_drop", "Drop the same N objects on each of two CPUs at once.",
	  run_race_same, ott_drop_one },
	{ "race_values", "Give A a new value and pass it, N times on each of two CPUs at once.",
	  run_race_same, ott_new_value },
	/* test.d/stress, and a test in lifetime */
	{ "race_both", "Add and pass N objects on each of two CPUs at once: 2 * N objects.",
	  run_race_distinct, ott_both },
	{ "loop", "Start two threads, which add and pass M0 to M7 until the scenario stop, and store if N.",
	  run_loop },
	{ "stop", "Stop the threads of the scenario loop.",
	  run_stop },
};

OTT_GROUP(ott_many_scenarios, many_scenarios);
