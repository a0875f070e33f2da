// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_parallel - for `make bench-parallel': all processors make the same calls at once
 *
 * Parameters, written at run time:
 *
 *	objects	 N: allocate N objects, and free the objects of the last write
 *	add	 "own N": the first online processor passes the first N objects to otp_add(), the
 *		 second processor passes the next N objects, and so on; "shared N": each processor
 *		 passes the first N objects
 *	take	 "own N": each processor passes an object of its own to otp_take(), N times;
 *		 "shared N": each processor passes the first object
 *
 * The write returns when all processors are done.  The parameter elapsed is the time from the first
 * call to the end of the last call, in nanoseconds.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "objtrace_bench.h"

#define OTP_MAX_OBJECTS	262144
#define OTP_MAX_CALLS	10000000
#define OTP_MAX_CPUS	64
#define OTP_SIZE	128

/* Calls between two calls of cond_resched(), because grace periods wait for the task */
#define OTP_BATCH	256

/**
 * struct otp_caller - the calls of one processor
 * @task: the task that makes the calls
 * @done: completed when all calls are done
 * @call: the function to call
 * @objects: the first object to pass
 * @step: distance from one call's object to the next
 * @calls: number of calls
 * @from: start time
 * @to: end time
 */
struct otp_caller {
	struct task_struct	*task;
	struct completion	done;
	void			(*call)(void *object);
	void			**objects;
	unsigned int		step;
	unsigned int		calls;
	ktime_t			from;
	ktime_t			to;
};

/* All of this under the kernel's lock of the module's parameters */
static bool ready;		/* written by init: parameters can be set before it */
static void **objects;
static unsigned int nr_objects;
static struct otp_caller callers[OTP_MAX_CPUS];
static u64 elapsed;

/* Number of callers that have not begun yet */
static atomic_t waiting;

/**
 * otp_add() - function with a probe that adds its argument
 * @object: the object to add
 *
 * Context: task.
 */
noinline __noclone void otp_add(void *object)
{
	barrier();
}

/**
 * otp_take() - function that receives an object
 * @object: the object
 *
 * Context: task.
 */
noinline __noclone void otp_take(void *object)
{
	barrier();
}

/*
 * Objects
 */

static void free_objects(void)
{
	unsigned int i;

	for (i = 0; i < nr_objects; i++) {
		kfree(objects[i]);
		cond_resched();
	}
	kvfree(objects);
	objects = NULL;
	nr_objects = 0;
}

static int allocate_objects(unsigned int nr)
{
	objects = kvcalloc(nr, sizeof(*objects), GFP_KERNEL);
	if (!objects)
		return -ENOMEM;
	for (nr_objects = 0; nr_objects < nr; nr_objects++) {
		objects[nr_objects] = kzalloc(OTP_SIZE, GFP_KERNEL);
		if (!objects[nr_objects]) {
			free_objects();
			return -ENOMEM;
		}
		cond_resched();
	}
	return 0;
}

static int objects_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = kstrtouint(val, 0, &nr);

	if (ret)
		return ret;
	if (!ready)
		return -ENODEV;
	if (!nr || nr > OTP_MAX_OBJECTS)
		return -ERANGE;
	free_objects();
	return allocate_objects(nr);
}

static const struct kernel_param_ops objects_ops = { .set = objects_set };
module_param_cb(objects, &objects_ops, NULL, 0200);
MODULE_PARM_DESC(objects, "write N to allocate N objects");

/*
 * Calls
 */

static void wait_for_stop(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
}

static int caller_thread(void *data)
{
	struct otp_caller *c = data;
	unsigned int i;

	/* A task that sleeps would begin later than the other tasks */
	atomic_dec(&waiting);
	while (atomic_read(&waiting) && !kthread_should_stop())
		cond_resched();
	c->from = ktime_get();
	for (i = 0; i < c->calls; i++) {
		c->call(c->objects[i * c->step]);
		if (i % OTP_BATCH == OTP_BATCH - 1)
			cond_resched();
	}
	c->to = ktime_get();
	complete(&c->done);
	wait_for_stop();
	return 0;
}

static void stop_callers(unsigned int nr)
{
	while (nr--)
		kthread_stop(callers[nr].task);
}

/* Run on each of the first @nr online processors, which stay online */
static int start_callers(unsigned int nr)
{
	unsigned int i, cpu = cpumask_first(cpu_online_mask);
	struct task_struct *task;

	atomic_set(&waiting, nr);
	for (i = 0; i < nr; i++) {
		init_completion(&callers[i].done);
		task = kthread_create(caller_thread, &callers[i], "otp/%u", cpu);
		if (IS_ERR(task)) {
			/* No task has run yet */
			stop_callers(i);
			return PTR_ERR(task);
		}
		kthread_bind(task, cpu);
		callers[i].task = task;
		cpu = cpumask_next(cpu, cpu_online_mask);
	}
	for (i = 0; i < nr; i++)
		wake_up_process(callers[i].task);
	return 0;
}

static int call_on_all(unsigned int nr)
{
	ktime_t from = KTIME_MAX, to = 0;
	unsigned int i;
	int ret = start_callers(nr);

	if (ret)
		return ret;
	for (i = 0; i < nr; i++) {
		wait_for_completion(&callers[i].done);
		from = min(from, callers[i].from);
		to = max(to, callers[i].to);
	}
	stop_callers(nr);
	elapsed = ktime_to_ns(ktime_sub(to, from));
	return 0;
}

/* @step: distance from one call's object to the next */
static int prepare_callers(const char *val, void (*call)(void *object), unsigned int step,
			   unsigned int nr)
{
	unsigned int calls, each, i;
	bool own;
	char who[8];

	if (sscanf(val, "%7s %u", who, &calls) != 2)
		return -EINVAL;
	own = !strcmp(who, "own");
	if (!own && strcmp(who, "shared"))
		return -EINVAL;
	if (!calls || calls > OTP_MAX_CALLS || nr > OTP_MAX_CPUS)
		return -ERANGE;
	each = step ? calls : 1;
	if ((own ? nr : 1) * (u64)each > nr_objects)
		return -ENOENT;
	for (i = 0; i < nr; i++) {
		callers[i].call = call;
		callers[i].objects = objects + (own ? i * each : 0);
		callers[i].step = step;
		callers[i].calls = calls;
	}
	return 0;
}

static int make_calls(const char *val, void (*call)(void *object), unsigned int step)
{
	int ret;

	if (!ready)
		return -ENODEV;
	cpus_read_lock();
	ret = prepare_callers(val, call, step, num_online_cpus()) ?:
	      call_on_all(num_online_cpus());
	cpus_read_unlock();
	return ret;
}

static int add_set(const char *val, const struct kernel_param *kp)
{
	return make_calls(val, otp_add, 1);
}

static const struct kernel_param_ops add_ops = { .set = add_set };
module_param_cb(add, &add_ops, NULL, 0200);
MODULE_PARM_DESC(add, "write \"own N\" or \"shared N\" to pass N objects to otp_add()");

static int take_set(const char *val, const struct kernel_param *kp)
{
	return make_calls(val, otp_take, 0);
}

static const struct kernel_param_ops take_ops = { .set = take_set };
module_param_cb(take, &take_ops, NULL, 0200);
MODULE_PARM_DESC(take, "write \"own N\" or \"shared N\" to pass an object to otp_take() N times");

module_param_named(elapsed, elapsed, ullong, 0400);
MODULE_PARM_DESC(elapsed, "time of the last write to add or take, in nanoseconds");

static int __init otp_init(void)
{
	ready = true;
	return 0;
}

static void __exit otp_exit(void)
{
	free_objects();
}

module_init(otp_init);
module_exit(otp_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls on all CPUs at once, for make bench-parallel");
MODULE_INFO(test, "Y");
