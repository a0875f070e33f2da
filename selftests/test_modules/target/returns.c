// SPDX-License-Identifier: GPL-2.0-only
/*
 * returns.c - scenarios that change the object in nested calls, for test.d/returns
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kthread.h>

#include "clear_arg_registers.h"
#include "target.h"

#define call(function, obj)	function(obj, NULL, NULL, NULL, NULL, NULL, NULL, NULL)

/* Each function returns a number of its own. */
#define OTT_RETURNS	OTT_FUNC long

static void use_all(OTT_ARGS)
{
	ott_use(a1);
	ott_use(a2);
	ott_use(a3);
	ott_use(a4);
	ott_use(a5);
	ott_use(a6);
	ott_use(a7);
	ott_use(a8);
}

#define USE_ALL()	use_all(a1, a2, a3, a4, a5, a6, a7, a8)

static __always_inline void increment(struct ott_object *obj)
{
	WRITE_ONCE(obj->value, obj->value + 1);
	ott_barrier();
}

OTT_RETURNS ott_own(OTT_ARGS)
{
	USE_ALL();
	increment(a1);
	return 0x11;
}

static OTT_RETURNS ott_before_and_after(OTT_ARGS)
{
	USE_ALL();
	increment(a1);
	call(ott_own, a1);
	increment(a1);
	return 0x22;
}

static OTT_RETURNS ott_passes(OTT_ARGS)
{
	USE_ALL();
	call(ott_own, a1);
	return 0x33;
}

static OTT_FUNC notrace void change_untraced(struct ott_object *obj)
{
	increment(obj);
}

static OTT_RETURNS ott_by_helper(OTT_ARGS)
{
	USE_ALL();
	change_untraced(a1);
	return 0x44;
}

static OTT_RETURNS ott_keeps(OTT_ARGS)
{
	USE_ALL();
	ott_barrier();
	return 0x55;
}

static OTT_RETURNS ott_restores(OTT_ARGS)
{
	struct ott_object *obj = a1;

	USE_ALL();
	increment(obj);
	WRITE_ONCE(obj->value, obj->value - 1);
	ott_barrier();
	return 0x66;
}

static noinline void ott_returns(unsigned int n)
{
	OTT_A->value = 0x10;
	add(OTT_A);
	call(ott_own, OTT_A);
	call(ott_before_and_after, OTT_A);
	call(ott_passes, OTT_A);
	call(ott_by_helper, OTT_A);
	call(ott_keeps, OTT_A);
	call(ott_restores, OTT_A);
	call(ott_jumps_to_own, OTT_A);
	WRITE_ONCE(OTT_A->value, 0x30);
	call(ott_keeps, OTT_A);
	ott_barrier();
}

/* As in the last functions before a suspend to RAM */
static noinline void ott_paused(unsigned int n)
{
	OTT_A->value = 0x20;
	add(OTT_A);
	pause_graph_tracing();
	call(ott_own, OTT_A);
	unpause_graph_tracing();
	ott_barrier();
}

/* Calls itself @a2 times with the object, and changes it in the last call. */
static OTT_RETURNS ott_recurses(OTT_ARGS)
{
	unsigned long depth = (unsigned long)a2;

	USE_ALL();
	if (depth)
		ott_recurses(a1, (void *)(depth - 1), NULL, NULL, NULL, NULL, NULL, NULL);
	else
		increment(a1);
	ott_barrier();
	return 0x77;
}

static noinline void ott_deep(unsigned int n)
{
	OTT_A->value = 0x40;
	add(OTT_A);
	ott_recurses(OTT_A, (void *)(unsigned long)n, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

/* The object ends in the call. */
static OTT_RETURNS ott_drops(OTT_ARGS)
{
	USE_ALL();
	increment(a1);
	drop(a1);
	increment(a1);
	return 0x88;
}

static noinline void ott_ends_inside(unsigned int n)
{
	OTT_A->value = 0x50;
	add(OTT_A);
	call(ott_drops, OTT_A);
	ott_barrier();
}

/*
 * A thread that sleeps in a function with the object.
 */

static struct task_struct *sleeper;
static struct completion falls_asleep, wakes_up;

static OTT_RETURNS ott_sleeps(OTT_ARGS)
{
	USE_ALL();
	increment(a1);
	complete(&falls_asleep);
	wait_for_completion(&wakes_up);
	increment(a1);
	return 0x99;
}

static OTT_FUNC void ott_in_irq(struct irq_work *work)
{
	call(ott_own, OTT_A);
	clear_arg_registers();
}

static noinline void ott_queue_irq(unsigned int n)
{
	OTT_A->value = 0x10;
	add(OTT_A);
	clear_arg_registers();
	queue_irq(ott_in_irq);
	ott_barrier();
}

static int sleeping_thread(void *unused)
{
	OTT_A->value = 0x60;
	add(OTT_A);
	call(ott_sleeps, OTT_A);
	clear_arg_registers();
	return 0;
}

static int run_sleep(void (*function)(unsigned int n), unsigned int n)
{
	if (sleeper)
		return -EBUSY;
	init_completion(&falls_asleep);
	init_completion(&wakes_up);
	sleeper = kthread_create(sleeping_thread, NULL, "ott_sleeper");
	if (IS_ERR(sleeper)) {
		sleeper = NULL;
		return -ENOMEM;
	}
	get_task_struct(sleeper);
	wake_up_process(sleeper);
	wait_for_completion(&falls_asleep);
	return 0;
}

void stop_sleeping(void)
{
	if (!sleeper)
		return;
	complete(&wakes_up);
	kthread_stop(sleeper);
	put_task_struct(sleeper);
	sleeper = NULL;
}

static int run_wake(void (*function)(unsigned int n), unsigned int n)
{
	stop_sleeping();
	return 0;
}

static const struct ott_scenario returns_scenarios[] = {
	{ "returns", "Add A, and pass it to functions that change it, pass it on, or keep it.",
	  run_once, ott_returns },
	{ "paused", "Add A, and pass it to a function that changes it, as before a suspend to RAM.",
	  run_once, ott_paused },
	{ "deep", "Add A, and pass it to a function that calls itself N times, and changes A.",
	  run_once, ott_deep },
	{ "ends_inside", "Add A, and pass it to a function that drops it.",
	  run_once, ott_ends_inside },
	{ "returns_irq", "Add A, and pass it in an interrupt to a function that changes it.",
	  run_irq, ott_queue_irq },
	{ "sleep", "Let a thread add A, and sleep in a function that received A.",
	  run_sleep },
	{ "wake", "Wake the thread of the scenario sleep, and wait for its end.",
	  run_wake },
};

OTT_GROUP(ott_returns_scenarios, returns_scenarios);
