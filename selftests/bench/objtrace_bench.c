// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_bench - objects for `make bench', and callbacks for comparison
 *
 * Parameters, written at run time:
 *
 *	mode	 "empty": all traceable functions call an empty callback, which is the least cost
 *		 of ftrace; "linear": the functions call a callback with a linear search, as in
 *		 the proposal of 2022; "none": the functions call nothing
 *	objects	 N: allocate N objects, and free the objects of the last write
 *	add	 1: pass each object to otb_add(), where a probe adds the object
 *	take	 N: pass the first object to otb_take(), N times
 *	store	 N: store to the first 8 bytes of the first object, N times
 *	life	 N: allocate OTB_LIFE_SIZE bytes and free them, N times
 *
 * The kernel's lock of the module's parameters is held during a write.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "objtrace_bench.h"
#include "objtrace_compat.h"

#define OTB_MAX_OBJECTS	262144
#define OTB_MAX_REPEATS	1000000

/* The sizes are 64, 128, 256 and 512, as of most structs */
#define OTB_MIN_SIZE	64
#define OTB_NR_SIZES	4

/* No other allocation has this size, so a filter finds these objects; see job-bench, too */
#define OTB_LIFE_SIZE	61

/* Limits of the proposal of 2022: number of objects, and number of arguments */
#define OTB_LINEAR_OBJECTS	5
#define OTB_LINEAR_ARGS		6

static_assert(OTB_LINEAR_ARGS <= OBJTRACE_NR_ARGS);

static bool ready;		/* written by init: parameters can be set before it */
static struct rnd_state random;	/* the same numbers in each boot */
static void **objects;
static unsigned int nr_objects;

/*
 * Callbacks
 */

static notrace void empty_callback(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops empty_ops = {
	.func	= empty_callback,
};

/* Objects that no function receives, because the search is measured.  Constant after init. */
static char linear_memory[OTB_LINEAR_OBJECTS];
static unsigned long linear_objects[OTB_LINEAR_OBJECTS];
static unsigned int nr_linear_objects;
static DEFINE_PER_CPU(atomic_t, linear_busy);
static atomic_long_t linear_hits;

static __always_inline void look_for(unsigned long arg)
{
	unsigned int i;

	for (i = 0; i < READ_ONCE(nr_linear_objects); i++)
		if (READ_ONCE(linear_objects[i]) == arg)
			atomic_long_inc(&linear_hits);
}

/* One guard for all contexts of a CPU, as in the proposal */
static notrace void linear_callback(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned int n;

	preempt_disable_notrace();
	if (atomic_inc_return(raw_cpu_ptr(&linear_busy)) == 1) {
		for (n = 0; n < OTB_LINEAR_ARGS; n++)
			look_for(objtrace_arg(fregs, n));
	}
	atomic_dec(raw_cpu_ptr(&linear_busy));
	preempt_enable_notrace();
}

static struct ftrace_ops linear_ops = {
	.func	= linear_callback,
#ifdef CONFIG_X86_64
	/* The proposal needs this flag for the arguments on x86.  arm64 has no such flag. */
	.flags	= FTRACE_OPS_FL_SAVE_REGS,
#endif
};

static struct ftrace_ops *active_ops;

static int stop_mode(void)
{
	int ret = active_ops ? unregister_ftrace_function(active_ops) : 0;

	if (!ret)
		active_ops = NULL;
	return ret;
}

static int start_mode(struct ftrace_ops *ops)
{
	int ret = stop_mode() ?: register_ftrace_function(ops);

	if (!ret)
		active_ops = ops;
	return ret;
}

static int mode_set(const char *val, const struct kernel_param *kp)
{
	if (!ready)
		return -ENODEV;
	if (sysfs_streq(val, "none"))
		return stop_mode();
	if (sysfs_streq(val, "empty"))
		return start_mode(&empty_ops);
	if (sysfs_streq(val, "linear"))
		return start_mode(&linear_ops);
	return -EINVAL;
}

static const struct kernel_param_ops mode_ops = { .set = mode_set };
module_param_cb(mode, &mode_ops, NULL, 0200);
MODULE_PARM_DESC(mode, "write none, empty or linear");

/*
 * Objects
 */

static void free_pointers(void **pointers, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		kfree(pointers[i]);
		cond_resched();
	}
	kvfree(pointers);
}

static void free_objects(void)
{
	free_pointers(objects, nr_objects);
	objects = NULL;
	nr_objects = 0;
}

static void *allocate_object(void)
{
	size_t size = OTB_MIN_SIZE << prandom_u32_state(&random) % OTB_NR_SIZES;

	return kzalloc(size, GFP_KERNEL);
}

/* Allocate an object, and memory that is freed later */
static bool allocate_pair(void **object, void **spare)
{
	*object = allocate_object();
	*spare = allocate_object();
	if (prandom_u32_state(&random) & 1)
		swap(*object, *spare);
	return *object && *spare;
}

/* Half of the allocations are freed again, so that free memory is between the objects */
static int allocate_objects(unsigned int nr)
{
	void **spares = kvcalloc(nr, sizeof(*spares), GFP_KERNEL);
	unsigned int i;
	bool failed = false;

	objects = kvcalloc(nr, sizeof(*objects), GFP_KERNEL);
	if (!objects || !spares) {
		kvfree(objects);
		kvfree(spares);
		objects = NULL;
		return -ENOMEM;
	}
	nr_objects = nr;
	for (i = 0; i < nr && !failed; i++) {
		failed = !allocate_pair(&objects[i], &spares[i]);
		cond_resched();
	}
	free_pointers(spares, nr);
	if (failed)
		free_objects();
	return failed ? -ENOMEM : 0;
}

static int number_of(const char *val, unsigned int max, unsigned int *nr)
{
	int ret = kstrtouint(val, 0, nr);

	if (ret)
		return ret;
	if (!ready)
		return -ENODEV;
	return *nr && *nr <= max ? 0 : -ERANGE;
}

static int objects_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = number_of(val, OTB_MAX_OBJECTS, &nr);

	if (ret)
		return ret;
	free_objects();
	return allocate_objects(nr);
}

static const struct kernel_param_ops objects_ops = { .set = objects_set };
module_param_cb(objects, &objects_ops, NULL, 0200);
MODULE_PARM_DESC(objects, "write N to allocate N objects");

/*
 * Calls
 */

/**
 * otb_add() - function with a probe that adds its argument
 * @object: the object to add
 *
 * Context: task.
 */
noinline __noclone void otb_add(void *object)
{
	barrier();
}

/**
 * otb_take() - function that receives an object
 * @object: the object
 *
 * Context: task.
 */
noinline __noclone void otb_take(void *object)
{
	barrier();
}

static int add_set(const char *val, const struct kernel_param *kp)
{
	unsigned int i;
	int ret = number_of(val, 1, &i);

	if (ret)
		return ret;
	if (!nr_objects)
		return -ENOENT;
	for (i = 0; i < nr_objects; i++)
		otb_add(objects[i]);
	return 0;
}

static const struct kernel_param_ops add_ops = { .set = add_set };
module_param_cb(add, &add_ops, NULL, 0200);
MODULE_PARM_DESC(add, "write 1 to pass all objects to otb_add()");

static int repeats_of(const char *val, unsigned int *nr)
{
	int ret = number_of(val, OTB_MAX_REPEATS, nr);

	if (ret)
		return ret;
	return nr_objects ? 0 : -ENOENT;
}

static int take_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = repeats_of(val, &nr);

	if (ret)
		return ret;
	while (nr--)
		otb_take(objects[0]);
	return 0;
}

static const struct kernel_param_ops take_ops = { .set = take_set };
module_param_cb(take, &take_ops, NULL, 0200);
MODULE_PARM_DESC(take, "write N to pass the first object to otb_take() N times");

static int store_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = repeats_of(val, &nr);

	if (ret)
		return ret;
	while (nr--)
		WRITE_ONCE(*(u64 *)objects[0], nr);
	return 0;
}

static const struct kernel_param_ops store_ops = { .set = store_set };
module_param_cb(store, &store_ops, NULL, 0200);
MODULE_PARM_DESC(store, "write N to store to the first object N times");

/* The allocator returns the memory that was freed last: each object has the same address */
static int life_set(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = number_of(val, OTB_MAX_REPEATS, &nr);
	void *object;

	if (ret)
		return ret;
	while (nr--) {
		object = kmalloc(OTB_LIFE_SIZE, GFP_KERNEL);
		if (!object)
			return -ENOMEM;
		kfree(object);
	}
	return 0;
}

static const struct kernel_param_ops life_ops = { .set = life_set };
module_param_cb(life, &life_ops, NULL, 0200);
MODULE_PARM_DESC(life, "write N to allocate and free an object N times");

static int __init otb_init(void)
{
	unsigned int i;

	prandom_seed_state(&random, 1);
	for (i = 0; i < OTB_LINEAR_OBJECTS; i++)
		linear_objects[i] = (unsigned long)&linear_memory[i];
	nr_linear_objects = OTB_LINEAR_OBJECTS;
	ready = true;
	return 0;
}

static void __exit otb_exit(void)
{
	stop_mode();
	free_objects();
}

module_init(otb_init);
module_exit(otb_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Objects, calls and callbacks for make bench");
MODULE_INFO(test, "Y");
