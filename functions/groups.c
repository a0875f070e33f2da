// SPDX-License-Identifier: GPL-2.0-only
/*
 * Select and trace functions.  A function is traced if it can receive an object, if a trigger
 * selects the function, and if set_filter and set_notrace do not exclude it.
 *
 * A group has the functions whose last argument for an object is the same.  Each group has an
 * ftrace_ops, whose trampoline and callback check no later argument.  A function is in one group
 * only: for a function with several ops, ftrace walks over the list of all ops.  More groups
 * would not pay: each ops in the list costs time in functions that another tracer traces, too.
 *
 * The functions of modules are added when a module is loaded, and removed with the module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "functions/filter.h"
#include "functions/funcs.h"
#include "functions/groups.h"
#include "functions/known.h"
#include "functions/patterns.h"
#include "functions/selection.h"
#include "functions/tramp.h"
#include "kernel/event.h"
#include "kernel/ksyms.h"
#include "objects/free.h"
#include "objtrace_compat.h"
#include "objtrace_fops.h"

/*
 * The ops have no flags.  With RECURSION or RCU, arm64 would call the slow list function.  The
 * arguments are available without SAVE_REGS.
 */
static struct ftrace_ops groups[OBJTRACE_NR_TRAMPS + 1] = {
	{ .func = objtrace_fops_entry1 },
	{ .func = objtrace_fops_entry2 },
	{ .func = objtrace_fops_entry3 },
	{ .func = objtrace_fops_entry },
	/* The last group has the functions that fit into no other group, see group_of() */
	{ .func = objtrace_fops_entry_any },
};

#define OTHERS		OBJTRACE_NR_TRAMPS

/* Taken inside of event_mutex, and by the module notifier */
static DEFINE_MUTEX(groups_mutex);

/**
 * struct traced - number of traced functions of a group
 * @nr: number of functions; the ftrace_ops is registered if it is not 0
 * @by_path: number of functions by enum objtrace_path, as if no other tracer had the functions
 * @nr_freeing: number of functions that are traced because they free or allocate memory
 *
 * Under groups_mutex.
 */
struct traced {
	unsigned int	nr;
	unsigned int	by_path[OBJTRACE_NR_PATHS];
	unsigned int	nr_freeing;
};

static struct traced traced[ARRAY_SIZE(groups)];

/* The selections of all triggers.  Under groups_mutex */
static LIST_HEAD(selections);

/*
 * True if the groups have exactly the functions of the tables that triggers need.  Otherwise the
 * groups may have more functions, or fewer functions if memory was short.  Under groups_mutex
 */
static bool is_exact = true;

/*
 * False before the first trigger or pattern.  Later false while a table is missing because memory
 * was short.  Under groups_mutex
 */
static bool has_all_tables;

/*
 * True while the groups hold a reference to this module.  The groups take the reference before
 * the first function calls this module, and drop it after the last.  If ftrace dies in between,
 * rmmod fails because the module is in use.  Without the reference, exit() could only wait for
 * ever.  Under groups_mutex
 */
static bool hold_module;

/*
 * Return the group of a function that can receive an object.  A function has the same group as
 * long as any function is traced.  If ftrace walks over all ops for a function, the function is
 * in the last group, so that the list stays short.
 */
static unsigned int group_of(const struct objtrace_func *func, unsigned long ip)
{
	if (objtrace_free_has_entry(ip) || !objtrace_tramp_is_alone(ip))
		return OTHERS;
	return min_t(unsigned int, fls(func->objects), OBJTRACE_NR_TRAMPS) - 1;
}

/*
 * Tables
 */

/* Set the bit of a typed selection in the functions that it has, and clear the bit in the others */
static void mark_selected(const struct objtrace_selection *selection, struct objtrace_funcs *funcs)
{
	struct objtrace_func *f;
	u32 others;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		others = f->selected & ~selection->bit;
		WRITE_ONCE(f->selected,
			   objtrace_funcs_take(funcs, f, selection->tag, selection->only_struct) ?
			   others | selection->bit : others);
		objtrace_funcs_resched(f - funcs->func);
	}
}

/* Publish that functions are excluded, or that functions are not excluded any more */
static void publish_left_out(struct objtrace_funcs *funcs, bool left_out)
{
	struct objtrace_func *f;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		if (!!f->left_out == left_out)
			WRITE_ONCE(f->is_left_out, left_out);
		objtrace_funcs_resched(f - funcs->func);
	}
}

/* Add a table of a module's functions, for all selections and lists.  See objtrace_known_add() */
static struct objtrace_funcs *add_table(const struct module *module, bool is_init)
{
	struct objtrace_funcs *funcs = objtrace_known_add(module, is_init);
	const struct objtrace_selection *s;
	enum objtrace_filter which;

	if (IS_ERR(funcs))
		has_all_tables = false;
	if (IS_ERR_OR_NULL(funcs))
		return funcs;
	list_for_each_entry(s, &selections, list)
		if (s->bit)
			mark_selected(s, funcs);
	for (which = 0; which < OBJTRACE_NR_FILTERS; which++)
		objtrace_filter_judge(which, funcs);
	publish_left_out(funcs, true);
	return funcs;
}

/*
 * Add the tables of the kernel and the live modules.  After an error, the tables that were built
 * stay, and the next call adds the others.
 */
static int add_all_tables(void)
{
	struct objtrace_funcs *funcs;
	struct module *module = NULL;
	int ret;

	if (has_all_tables)
		return 0;
	ret = objtrace_known_prepare();
	while (!ret && (module = objtrace_known_next_module(module))) {
		funcs = add_table(module, false);
		ret = PTR_ERR_OR_ZERO(funcs);
		/* The groups lack the functions of a new table */
		is_exact = is_exact && IS_ERR_OR_NULL(funcs);
	}
	has_all_tables = !ret;
	return ret;
}

/*
 * Functions
 */

/*
 * At most 256 selections exist, and those without a bit compare the names of the function's types.
 * Callers loop over functions, and call cond_resched() as often: so at most 64 functions times 64
 * selections are between two calls.
 */
static bool is_selected(const struct objtrace_funcs *funcs, const struct objtrace_func *func)
{
	const struct objtrace_selection *s;
	size_t n = 1;

	list_for_each_entry(s, &selections, list) {
		if (objtrace_selection_takes(s, funcs, func))
			return true;
		objtrace_funcs_resched(n++);
	}
	return false;
}

/* A function that frees memory is traced for any selection, even if it is excluded */
static bool is_needed(const struct objtrace_funcs *funcs, const struct objtrace_func *func,
		      unsigned long ip)
{
	return objtrace_free_has_entry(ip) ||
	       (!func->left_out && is_selected(funcs, func));
}

/* Store the locations of a part's functions that belong to a group.  Return their number */
static unsigned int list_functions(const struct objtrace_funcs *funcs, unsigned int group,
				   unsigned long *ips)
{
	const struct objtrace_func *f;
	unsigned int nr = 0;
	unsigned long ip;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		ip = funcs->start + f->offset;
		if (f->objects && group_of(f, ip) == group && is_needed(funcs, f, ip))
			ips[nr++] = ip;
		objtrace_funcs_resched(f - funcs->func);
	}
	return nr;
}

/* Count functions that were added to a group (@by is 1) or removed (@by is -1) */
static void count_traced(unsigned int group, const unsigned long *ips, unsigned int nr, int by)
{
	struct traced *t = &traced[group];
	enum objtrace_path path = OBJTRACE_PATH_CALLBACK;
	unsigned int i;

	t->nr += nr * by;
	for (i = 0; i < nr; i++) {
		if (group != OTHERS)
			path = objtrace_tramp_path(ips[i]);
		t->by_path[path] += by;
		if (objtrace_free_has_entry(ips[i]))
			t->nr_freeing += by;
		objtrace_funcs_resched(i);
	}
}

/* If ftrace is dead, it unregisters nothing, and the module has to stay until the next boot */
static bool is_ftrace_dead(void)
{
	if (!ksym(ftrace_is_dead)())
		return false;
	pr_err_once("ftrace is dead and still calls this module: the module can no longer be unloaded\n");
	return true;
}

/*
 * Drop the reference that start_group() takes.  The caller holds another reference, or module
 * exit waits for the caller.
 */
static void put_module_if_stopped(void)
{
	unsigned int group;

	for (group = 0; group < ARRAY_SIZE(groups); group++)
		if (traced[group].nr)
			return;
	if (hold_module)
		module_put(THIS_MODULE);
	hold_module = false;
}

/*
 * Register the ops of a group.  ftrace can die in register_ftrace_function() after it has patched
 * some functions.
 */
static int start_group(unsigned int group)
{
	int ret;

	if (group != OTHERS)
		objtrace_tramp_set(&groups[group], group);
	if (!hold_module)
		__module_get(THIS_MODULE);
	hold_module = true;
	ret = register_ftrace_function(&groups[group]);
	if (ret && !is_ftrace_dead())
		put_module_if_stopped();
	return ret;
}

/*
 * If ftrace dies in unregister_ftrace_function(), that function returns 0, although some functions
 * still call this module.
 */
static int stop_group(unsigned int group)
{
	int ret = unregister_ftrace_function(&groups[group]);

	if (is_ftrace_dead())
		return -ENODEV;
	if (ret)
		return ret;
	memset(&traced[group], 0, sizeof(traced[group]));
	put_module_if_stopped();
	return 0;
}

/* Replace the functions of a group.  An ops without functions would trace all functions */
static int replace_functions(unsigned int group, unsigned long *ips, unsigned int nr)
{
	struct traced *t = &traced[group];
	int ret;

	if (!nr)
		return t->nr ? stop_group(group) : 0;
	ret = ftrace_set_filter_ips(&groups[group], ips, nr, 0, 1);
	if (!ret && !t->nr)
		ret = start_group(group);
	if (ret)
		return ret;
	memset(t, 0, sizeof(*t));
	count_traced(group, ips, nr, 1);
	return 0;
}

static int add_functions(unsigned int group, unsigned long *ips, unsigned int nr)
{
	int ret;

	if (!nr || !traced[group].nr)
		return replace_functions(group, ips, nr);
	ret = ftrace_set_filter_ips(&groups[group], ips, nr, 0, 0);
	if (!ret)
		count_traced(group, ips, nr, 1);
	return ret;
}

/*
 * Functions of a removed module must not stay in the ops' filter, because other functions can get
 * the same addresses.  If memory is too short to change the filter, the group is unregistered,
 * which needs no memory.
 */
static int remove_functions(unsigned int group, unsigned long *ips, unsigned int nr)
{
	int ret;

	if (nr == traced[group].nr)
		return stop_group(group);
	ret = ftrace_set_filter_ips(&groups[group], ips, nr, 1, 0);
	if (ret)
		stop_group(group);
	else
		count_traced(group, ips, nr, -1);
	return ret;
}

static int stop_groups(void)
{
	unsigned int group;
	int ret = 0;

	for (group = 0; group < ARRAY_SIZE(groups); group++)
		if (traced[group].nr)
			ret = stop_group(group) ?: ret;
	return ret;
}

/* Trace the functions that the selections need.  After an error, the other groups continue. */
static int update_groups(void)
{
	const struct objtrace_funcs *funcs;
	unsigned int group, nr = 0, i;
	unsigned long *ips;
	int ret = 0;

	for (i = 0; (funcs = objtrace_known_part(i)); i++)
		nr += funcs->nr;
	ips = kvmalloc_array(nr + 1, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return -ENOMEM;
	for (group = 0; group < ARRAY_SIZE(groups); group++) {
		nr = 0;
		for (i = 0; (funcs = objtrace_known_part(i)); i++)
			nr += list_functions(funcs, group, ips + nr);
		ret = replace_functions(group, ips, nr) ?: ret;
	}
	kvfree(ips);
	return ret;
}

static int make_exact(void)
{
	int ret = 0;

	/* stop_groups() needs no memory, so it works if memory is short */
	if (list_empty(&selections))
		ret = stop_groups();
	else if (!is_exact)
		ret = update_groups();
	is_exact = !ret;
	return ret;
}

/* Delay before the next attempt if memory is short.  Entries until then are lost. */
#define RETRY_DELAY	HZ

/*
 * This work patches functions and waits for callbacks, so it must not hold event_mutex.  A trigger
 * that is set or removed at the same time waits for this work, or does it itself.
 *
 * The work is repeated until memory is available, or no trigger is left.
 */
static void update_work_fn(struct work_struct *work)
{
	int ret = 0;

	mutex_lock(&groups_mutex);
	if (!list_empty(&selections))
		ret = add_all_tables();
	ret = make_exact() ?: ret;
	if (ret == -ENOMEM && !list_empty(&selections)) {
		pr_warn_once("out of memory: some functions are not traced until memory is free\n");
		schedule_delayed_work(to_delayed_work(work), RETRY_DELAY);
	}
	mutex_unlock(&groups_mutex);
}

static DECLARE_DELAYED_WORK(update_work, update_work_fn);

/* Does not change the time of a pending retry */
static void update_later(void)
{
	schedule_delayed_work(&update_work, 0);
}

/*
 * Excluded functions
 */

static void publish_all_left_out(bool left_out)
{
	struct objtrace_funcs *funcs;
	unsigned int i;

	for (i = 0; (funcs = objtrace_known_part(i)); i++)
		publish_left_out(funcs, left_out);
}

static void judge_all(enum objtrace_filter which)
{
	struct objtrace_funcs *funcs;
	unsigned int i;

	for (i = 0; (funcs = objtrace_known_part(i)); i++)
		objtrace_filter_judge(which, funcs);
}

static bool is_any_judged_anew(void)
{
	const struct objtrace_funcs *funcs;
	const struct objtrace_func *f;
	unsigned int i;

	for (i = 0; (funcs = objtrace_known_part(i)); i++)
		for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
			if (f->objects && !!f->left_out != f->is_left_out)
				return true;
			objtrace_funcs_resched(f - funcs->func);
		}
	return false;
}

/*
 * Apply the changed lists.  First, entries of newly excluded functions cease to be hits.  These
 * functions stay traced until each task has left the entries whose probe fired before.  Then the
 * groups change.  Last, entries of functions that are no longer excluded become hits.
 * objtrace_groups_follow_probe() relies on this order.
 */
static int apply_filters(void)
{
	int ret;

	if (!is_any_judged_anew())
		return 0;
	publish_all_left_out(true);
	/* A task that was preempted after a probe still needs the callback for the same entry */
	if (!list_empty(&selections))
		synchronize_rcu_tasks();
	is_exact = false;
	ret = make_exact();
	if (!ret)
		publish_all_left_out(false);
	return ret;
}

/* Apply the restored list again.  If the groups are not exact, a work item updates them later */
static void undo_filters(enum objtrace_filter which)
{
	judge_all(which);
	publish_all_left_out(false);
	if (!is_exact)
		update_later();
}

/**
 * objtrace_groups_filter() - replace the list of set_filter or set_notrace
 * @which: the list
 * @patterns: the new patterns; receives the old patterns on success, and is unchanged after an
 *	      error.  The caller owns the patterns in both cases.
 *
 * After the return, entries of newly excluded functions are no hits, and entries of functions that
 * are no longer excluded are hits.
 *
 * Context: task, under the mutex of files/filter_files.c.
 * Return: 0; -ENOENT if a pattern matches nothing, see objtrace_patterns_missing(); -ENOMEM;
 * -ENODEV if ftrace is dead; another negative errno of ftrace
 */
int objtrace_groups_filter(enum objtrace_filter which, struct objtrace_patterns **patterns)
{
	int ret = 0;

	mutex_lock(&groups_mutex);
	/* Fail even without a trigger: no function can be traced before the next boot */
	if (ksym(ftrace_is_dead)())
		ret = -ENODEV;
	/* An empty list excludes nothing, so the table of functions is not needed */
	else if (!objtrace_patterns_are_none(*patterns))
		ret = add_all_tables();
	if (ret)
		goto unlock;
	*patterns = objtrace_filter_exchange(which, *patterns);
	judge_all(which);
	ret = objtrace_patterns_missing(objtrace_filter_list(which)) ? -ENOENT :
								      apply_filters();
	if (ret) {
		*patterns = objtrace_filter_exchange(which, *patterns);
		undo_filters(which);
	}
unlock:
	mutex_unlock(&groups_mutex);
	return ret;
}

/**
 * objtrace_groups_show_filter() - print the functions of set_filter or set_notrace
 * @m: the output
 * @which: the list
 *
 * Waits while functions are being armed.
 *
 * Context: task, without a mutex that other tasks take under event_mutex.
 */
void objtrace_groups_show_filter(struct seq_file *m, enum objtrace_filter which)
{
	mutex_lock(&groups_mutex);
	objtrace_filter_show(m, which);
	mutex_unlock(&groups_mutex);
}

/*
 * Modules
 */

/* Add the functions of one part to the groups, or remove them.  The other parts are unchanged */
static int change_groups(const struct objtrace_funcs *funcs, bool come)
{
	unsigned int group, nr;
	unsigned long *ips;
	int ret = 0;

	ips = kvmalloc_array(funcs->nr, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return -ENOMEM;
	for (group = 0; group < ARRAY_SIZE(groups); group++) {
		nr = list_functions(funcs, group, ips);
		if (!nr)
			continue;
		ret = (come ? add_functions(group, ips, nr) :
			      remove_functions(group, ips, nr)) ?: ret;
	}
	kvfree(ips);
	return ret;
}

static void add_module(const struct module *module, bool is_init)
{
	struct objtrace_funcs *funcs = add_table(module, is_init);
	int ret = PTR_ERR_OR_ZERO(funcs);

	if (!funcs)
		return;
	if (!ret)
		ret = is_exact ? change_groups(funcs, true) : make_exact();
	if (!ret)
		return;
	is_exact = false;
	update_later();
	pr_warn("functions of the module %s are not traced: error %d\n", module->name, ret);
}

static void drop_module(const struct module *module, bool is_init)
{
	const struct objtrace_funcs *funcs = objtrace_known_module(module, is_init);

	if (!funcs)
		return;
	if (make_exact() || change_groups(funcs, false)) {
		stop_groups();
		is_exact = false;
		update_later();
	}
	objtrace_known_drop(module, is_init);
}

static int module_changed(struct notifier_block *nb, unsigned long state, void *module)
{
	mutex_lock(&groups_mutex);
	switch (state) {
	case MODULE_STATE_COMING:
		add_module(module, false);
		add_module(module, true);
		break;
	case MODULE_STATE_LIVE:
		/* The module has no table if memory was short, or add_all_tables() skipped it */
		add_module(module, false);
		drop_module(module, true);
		break;
	case MODULE_STATE_GOING:
		drop_module(module, true);
		drop_module(module, false);
		break;
	}
	mutex_unlock(&groups_mutex);
	return NOTIFY_DONE;
}

/* Runs after the kernel's notifiers, which add a module's BTF and its ftrace locations */
static struct notifier_block module_notifier = {
	.notifier_call	= module_changed,
};

/*
 * Arming
 */

static bool needs_all(void)
{
	const struct objtrace_selection *s;

	list_for_each_entry(s, &selections, list)
		if (!s->tag)
			return true;
	return false;
}

/*
 * Choose the bit of a typed selection.  Each bit that is in use is right in all functions.  A bit
 * whose selections are gone is free: no hit of their triggers is left.
 */
static void choose_bit(struct objtrace_selection *selection)
{
	const struct objtrace_selection *s;
	struct objtrace_funcs *funcs;
	unsigned int i;
	u32 used = 0;

	list_for_each_entry(s, &selections, list) {
		used |= s->bit;
		if (s->bit && s->only_struct == selection->only_struct &&
		    !strcmp(s->tag, selection->tag)) {
			selection->bit = s->bit;
			return;
		}
	}
	selection->bit = ~used & -~used;
	for (i = 0; selection->bit && (funcs = objtrace_known_part(i)); i++)
		mark_selected(selection, funcs);
}

/* If a selection needs all functions, another selection changes nothing */
static int add_selection(struct objtrace_selection *selection)
{
	int ret = add_all_tables();

	if (ret)
		return ret;
	if (selection->tag)
		choose_bit(selection);
	is_exact = is_exact && needs_all();
	list_add(&selection->list, &selections);
	return make_exact();
}

/*
 * After the last selection, all groups are unregistered at once, although that waits for callbacks
 * under event_mutex.  Otherwise functions would call this module without a trigger, and rmmod
 * would fail for some time.
 */
static void remove_selection(struct objtrace_selection *selection)
{
	list_del(&selection->list);
	if (list_empty(&selections)) {
		objtrace_free_stop();
		make_exact();
		return;
	}
	is_exact = is_exact && needs_all();
	update_later();
}

/**
 * objtrace_groups_arm() - trace the functions of a new trigger
 * @selection: the trigger's selection
 *
 * Context: task, event_mutex held.
 * Return: 0; -ENODEV if ftrace is dead; -ENOMEM; another negative errno of ftrace
 */
int objtrace_groups_arm(struct objtrace_selection *selection)
{
	int ret = -ENODEV;

	mutex_lock(&groups_mutex);
	INIT_LIST_HEAD(&selection->list);
	if (!ksym(ftrace_is_dead)()) {
		ret = objtrace_free_start() ?: add_selection(selection);
		if (ret)
			remove_selection(selection);
	}
	mutex_unlock(&groups_mutex);
	return ret;
}

/**
 * objtrace_groups_disarm() - stop tracing functions for a trigger
 * @selection: the trigger's selection
 *
 * After the last trigger, no function calls this module when this returns.  If ftrace is dead,
 * functions still call this module, and it cannot be unloaded.  If there are other triggers,
 * functions that no trigger needs are unregistered later.
 *
 * Context: task, event_mutex held.
 */
void objtrace_groups_disarm(struct objtrace_selection *selection)
{
	mutex_lock(&groups_mutex);
	remove_selection(selection);
	mutex_unlock(&groups_mutex);
}

/*
 * Find the function whose entry has a probe, and store its ftrace location in *@ip.  Returns NULL if
 * the probe is on no entry.  The tables have functions with a symbol only.  ftrace also has locations
 * of overridden weak functions, which the kernel shows as parts of the functions before.
 */
static const struct objtrace_func *find_probed(unsigned long probe, unsigned long *ip)
{
	const struct objtrace_func *func = NULL;

	for (*ip = probe; *ip <= probe + OBJTRACE_ENTRY_SPAN; *ip += MCOUNT_INSN_SIZE) {
		func = objtrace_known_find(*ip);
		if (func)
			break;
	}
	/* Only some functions have a landing pad, so the span can reach into the next function */
	if (func && OBJTRACE_ENTRY_SPAN > MCOUNT_INSN_SIZE && *ip != probe &&
	    !ksym(ftrace_location)(probe))
		return NULL;
	return func;
}

/**
 * objtrace_groups_follow_probe() - check that objtrace's callback follows a firing probe
 * @selection: selection of an armed trigger
 * @probe: address of the probe
 * @args: argument registers that the probe may take an object from
 *
 * Context: from the probe, preemption disabled and RCU watching.
 * Return: ftrace location of the function, if the probe is on its entry, and the callback for the
 * same entry follows and checks all registers of @args; else 0, also if the function is excluded
 */
unsigned long objtrace_groups_follow_probe(const struct objtrace_selection *selection,
					   unsigned long probe, unsigned int args)
{
	const struct objtrace_func *func;
	const struct ftrace_ops *ops;
	unsigned long ip;

	func = find_probed(probe, &ip);
	if (!func || READ_ONCE(func->is_left_out) || !args || args & ~func->objects)
		return 0;
	if (!objtrace_selection_has(selection, func) &&
	    !objtrace_selection_takes(selection, objtrace_known_table(ip), func))
		return 0;
	ops = &groups[group_of(func, ip)];
	/* An ops that is not registered may have a stale pointer to the next ops */
	return READ_ONCE(ops->flags) & FTRACE_OPS_FL_ENABLED &&
	       objtrace_kernel_probe_is_first(ops, ip) ? ip : 0;
}

/*
 * Statistics
 */

/* Reasons why triggers need a function, as stats shows them */
enum why { KNOWN, UNKNOWN, TYPED, NR_WHYS };

static const char * const why_names[NR_WHYS] = { "known", "unknown", "typed" };

static enum why why_needed(const struct objtrace_func *func, bool all)
{
	if (!all)
		return TYPED;
	return func->proto || func->sure ? KNOWN : UNKNOWN;
}

/* Functions that free or allocate memory are counted elsewhere: each trigger needs them */
static void count_needed(const struct objtrace_funcs *funcs, bool all,
			 unsigned int nr[][NR_WHYS])
{
	const struct objtrace_func *f;
	unsigned long ip;

	for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
		ip = funcs->start + f->offset;
		if (f->objects && !f->left_out && !objtrace_free_has_entry(ip) &&
		    (all || is_selected(funcs, f)))
			nr[group_of(f, ip)][why_needed(f, all)]++;
		objtrace_funcs_resched(f - funcs->func);
	}
}

/* Each function counts once, for the first list that excludes it */
static void show_left_out(struct seq_file *m)
{
	unsigned int nr[OBJTRACE_NR_FILTERS] = {}, sum = 0, i;
	const struct objtrace_funcs *funcs;
	const struct objtrace_func *f;
	enum objtrace_filter which;

	for (i = 0; (funcs = objtrace_known_part(i)); i++)
		for (f = funcs->func; f < funcs->func + funcs->nr; f++) {
			if (f->left_out)
				nr[__ffs(f->left_out)]++;
			objtrace_funcs_resched(f - funcs->func);
		}
	for (which = 0; which < OBJTRACE_NR_FILTERS; which++)
		sum += nr[which];
	seq_printf(m, "  excluded: %u\n", sum);
	for (which = 0; which < OBJTRACE_NR_FILTERS; which++)
		seq_printf(m, "  excluded.%s: %u\n", objtrace_filter_name(which), nr[which]);
}

static void show_needed(struct seq_file *m, const char *name,
			const unsigned int needed[NR_WHYS])
{
	unsigned int i, sum = 0;

	for (i = 0; i < NR_WHYS; i++)
		sum += needed[i];
	seq_printf(m, "  %s_needed: %u\n", name, sum);
	for (i = 0; i < NR_WHYS; i++)
		seq_printf(m, "  %s_needed.%s: %u\n", name, why_names[i], needed[i]);
}

static void show_group(struct seq_file *m, unsigned int group,
		       const unsigned int needed[NR_WHYS])
{
	static const char * const names[] = { "group1", "group2", "group3", "group4" };
	const struct traced *t = &traced[group];
	const char *name = names[group];
	enum objtrace_path path;

	seq_printf(m, "  %s: %u\n", name, t->nr);
	for (path = 0; path < OBJTRACE_NR_PATHS; path++)
		seq_printf(m, "  %s.%s: %u\n", name, objtrace_tramp_path_name(path),
			   t->by_path[path]);
	show_needed(m, name, needed);
}

/* Functions of the last group, which call the callback */
static void show_others(struct seq_file *m, const unsigned int needed[NR_WHYS])
{
	const struct traced *t = &traced[OTHERS];

	seq_printf(m, "  ungrouped: %u\n", t->nr - t->nr_freeing);
	show_needed(m, "ungrouped", needed);
	seq_printf(m, "  freeing_or_allocating: %u\n", t->nr_freeing);
}

/**
 * objtrace_groups_show() - print the block "functions" of stats
 * @m: the output
 *
 * Waits while functions are being armed.
 *
 * Context: task, without a mutex that other tasks take under event_mutex.
 */
void objtrace_groups_show(struct seq_file *m)
{
	unsigned int needed[ARRAY_SIZE(groups)][NR_WHYS] = {};
	const struct objtrace_funcs *funcs;
	struct objtrace_known_cost cost;
	unsigned int group, i;
	bool all;

	mutex_lock(&groups_mutex);
	all = needs_all();
	for (i = 0; !list_empty(&selections) && (funcs = objtrace_known_part(i)); i++)
		count_needed(funcs, all, needed);
	objtrace_known_cost(&cost);
	seq_printf(m, "  traceable: %u\n", cost.nr);
	show_left_out(m);
	seq_printf(m, "  btf_scan_us: %llu\n", cost.us);
	seq_printf(m, "  btf_scan_bytes: %zu\n", cost.bytes);
	seq_printf(m, "  trampolines: %s\n", objtrace_tramp_why_not() ?: "used");
	seq_printf(m, "  first_level: %s\n", objtrace_tramp_first_level());
	for (group = 0; group < OTHERS; group++)
		show_group(m, group, needed[group]);
	show_others(m, needed[OTHERS]);
	mutex_unlock(&groups_mutex);
}

/**
 * objtrace_groups_init() - register the module notifier
 *
 * Context: task, module init.
 * Return: 0 or a negative errno
 */
int objtrace_groups_init(void)
{
	return register_module_notifier(&module_notifier);
}

/* Hang rmmod: a return would free code that functions call */
static void never_return(void)
{
	pr_err("ftrace is dead and still calls this module: rmmod never returns\n");
	for (;;)
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}

/**
 * objtrace_groups_exit() - unregister the module notifier, and free the tables and lists
 *
 * No function calls this module any more, see hold_module.  "rmmod -f" ignores references.  If
 * ftrace is dead and functions still call this module then, this function never returns: rmmod
 * hangs, but the kernel does not crash.
 *
 * Context: task, module exit, without any trigger.
 */
void objtrace_groups_exit(void)
{
	unsigned int group;

	unregister_module_notifier(&module_notifier);
	flush_delayed_work(&update_work);
	if (hold_module)
		never_return();
	for (group = 0; group < ARRAY_SIZE(groups); group++)
		ftrace_free_filter(&groups[group]);
	objtrace_filter_exit();
	objtrace_known_exit();
}
