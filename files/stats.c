// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contents of the files stats and objects.
 *
 * Counting never waits for a reader: each CPU has counters of its own.  The mutex of the trigger
 * list is only taken to set, remove and show triggers.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "command/parse.h"
#include "files/stats.h"
#include "functions/groups.h"
#include "kernel/event.h"
#include "kernel/ksyms.h"
#include "kernel/percpu.h"
#include "objects/bloom.h"
#include "objects/object.h"
#include "objects/table.h"
#include "objects/watch.h"
#include "objtrace.h"
#include "objtrace_compat.h"
#include "records/guard.h"
#include "records/print.h"
#include "records/sample.h"
#include "records/seen.h"
#include "records/tally.h"

/* Taken inside of event_mutex */
static DEFINE_MUTEX(stats_mutex);

/* All triggers.  Under stats_mutex */
static LIST_HEAD(triggers);

/* Counters of all removed triggers, by enum objtrace_tally.  Under stats_mutex */
static u64 gone[OBJTRACE_NR_TALLIES];

static const char * const not_seen_names[OBJTRACE_NR_NOT_SEEN] = {
	[OBJTRACE_NOT_SEEN_OWN]	= "recursion",
	[OBJTRACE_NOT_SEEN_RCU]	= "rcu_not_watching",
	[OBJTRACE_NOT_SEEN_OFFLINE] = "cpu_offline",
	[OBJTRACE_NOT_SEEN_ENDED] = "object_ended",
};

/**
 * objtrace_stats_add() - add a trigger to the file stats
 * @t: the trigger, complete
 *
 * Context: task, event_mutex held.
 */
void objtrace_stats_add(struct objtrace_trigger *t)
{
	mutex_lock(&stats_mutex);
	list_add_tail(&t->shown, &triggers);
	mutex_unlock(&stats_mutex);
}

/**
 * objtrace_stats_remove() - remove a trigger from the file stats, but keep its counts in the total
 * @t: the trigger, with final counts
 *
 * Context: task, event_mutex held.
 */
void objtrace_stats_remove(struct objtrace_trigger *t)
{
	unsigned int i;

	mutex_lock(&stats_mutex);
	list_del(&t->shown);
	for (i = 0; i < OBJTRACE_NR_TALLIES; i++)
		gone[i] += objtrace_percpu_sum(&t->tally->nr[i]);
	mutex_unlock(&stats_mutex);
}

/*
 * Showing stats
 */

#define ALL_VERBS	(BIT(OBJTRACE_ADD) | BIT(OBJTRACE_DEL) | BIT(OBJTRACE_CLEAR) | \
			 BIT(OBJTRACE_TALLY_AFTER_FREE) | BIT(OBJTRACE_TALLY_WATCHES) | \
			 BIT(OBJTRACE_TALLY_RETURNS))

/* A group with one counter has only the line of its sum */
static bool is_alone_in_group(unsigned int i)
{
	return objtrace_tally_begins(i) &&
	       (i + 1 == OBJTRACE_NR_TALLIES || objtrace_tally_begins(i + 1));
}

/*
 * Each sum adds up the counters below it, which read_tally() read once.  So the lines agree,
 * even if the counters change at the same time.
 */
static void show_tally(struct seq_file *m, const u64 tally[], unsigned int verbs)
{
	const struct objtrace_tally_name *name;
	bool told = false;
	unsigned int i, first = 0;

	for (i = 0; i < OBJTRACE_NR_TALLIES; i++) {
		name = objtrace_tally_name(i);
		if (objtrace_tally_begins(i)) {
			first = i;
			told = false;
		}
		if (!(name->verbs & verbs))
			continue;
		if (!told)
			seq_printf(m, "  %s: %llu\n", name->group,
				   objtrace_tally_sum(tally, first));
		told = true;
		if (!is_alone_in_group(i))
			seq_printf(m, "  %s.%s: %llu\n", name->group, name->name,
				   tally[i]);
	}
}

static void read_tally(const struct objtrace_trigger *t, u64 tally[])
{
	unsigned int i;

	for (i = 0; i < OBJTRACE_NR_TALLIES; i++)
		tally[i] = objtrace_percpu_sum(&t->tally->nr[i]);
}

static void show_not_seen(struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < OBJTRACE_NR_NOT_SEEN; i++)
		seq_printf(m, "  skipped.%s: %lu\n", not_seen_names[i],
			   objtrace_not_seen_nr(i));
}

static void show_total(struct seq_file *m)
{
	u64 total[OBJTRACE_NR_TALLIES], tally[OBJTRACE_NR_TALLIES];
	const struct objtrace_trigger *t;
	unsigned int nr = 0, i;

	memcpy(total, gone, sizeof(total));
	list_for_each_entry(t, &triggers, shown) {
		read_tally(t, tally);
		for (i = 0; i < OBJTRACE_NR_TALLIES; i++)
			total[i] += tally[i];
		nr++;
	}
	seq_printf(m, "total:\n  triggers: %u\n", nr);
	show_tally(m, total, ALL_VERBS);
	show_not_seen(m);
}

/* Show how full the table and the Bloom filter are */
static void show_table(struct seq_file *m)
{
	struct objtrace_bloom_fill fill;

	objtrace_bloom_measure(&fill);
	seq_printf(m, "table:\n  slots_used: %d\n  max_objects: %u\n",
		   atomic_read(&objtrace_table.used), objtrace_table.max);
	seq_printf(m, "  bloom_small: %u of %zu\n", fill.small,
		   sizeof(objtrace_bloom_small));
	seq_printf(m, "  bloom_large: %u of %zu\n", fill.large,
		   sizeof(objtrace_bloom_large));
	seq_printf(m, "  bloom_second: %u of %zu\n", fill.second,
		   sizeof(objtrace_bloom_second));
	seq_printf(m, "  bloom_saturated: %u\n", fill.saturated);
}

/* Characters to escape in the name of an instance: separators, and the backslash itself */
#define TO_ESCAPE	" \t\n\\"

static void show_instance(struct seq_file *m, const struct objtrace_trigger *t)
{
	seq_escape(m, objtrace_kernel_instance(t->tr), TO_ESCAPE);
}

static unsigned long overruns_of(struct trace_array *tr)
{
	unsigned long overruns;

	preempt_disable();
	overruns = ring_buffer_overruns(objtrace_kernel_buffer(tr));
	preempt_enable();
	return overruns;
}

/* Show each instance once, at the first of its triggers */
static void show_instances(struct seq_file *m)
{
	const struct objtrace_trigger *t, *first;

	list_for_each_entry(t, &triggers, shown) {
		list_for_each_entry(first, &triggers, shown)
			if (first->tr == t->tr)
				break;
		if (first != t)
			continue;
		seq_puts(m, "instance: ");
		show_instance(m, t);
		seq_printf(m, "\n  buffer_overrun: %lu\n", overruns_of(t->tr));
	}
}

static void show_watch(struct seq_file *m, const struct objtrace_trigger *t)
{
	struct objtrace_watch_state state;

	objtrace_watch_measure(t, &state);
	seq_printf(m, "  watch_registers: %u\n  watch_armed: %u\n", state.registers,
		   state.armed);
	seq_printf(m, "  watch_cpus_missing: %u\n  watch_window_ns: %llu\n", state.missing,
		   state.window_ns);
}

static void show_trigger(struct seq_file *m, const struct objtrace_trigger *t)
{
	unsigned int verbs = BIT(t->spec.verb);
	char text[OBJTRACE_SPEC_LEN];
	u64 tally[OBJTRACE_NR_TALLIES];

	if (t->spec.after_free)
		verbs |= BIT(OBJTRACE_TALLY_AFTER_FREE);
	if (t->watch)
		verbs |= BIT(OBJTRACE_TALLY_WATCHES);
	if (t->spec.returns != OBJTRACE_RETURNS_NONE)
		verbs |= BIT(OBJTRACE_TALLY_RETURNS);
	objtrace_spec_print(&t->spec, text, sizeof(text));
	seq_puts(m, "trigger: ");
	show_instance(m, t);
	seq_printf(m, " %s objtrace:%s%s%s\n", t->event, text, t->filter ? " if " : "",
		   t->filter ?: "");
	read_tally(t, tally);
	show_tally(m, tally, verbs);
	if (t->watch)
		show_watch(m, t);
	if (t->spec.count)
		seq_printf(m, "  count_remaining: %ld\n", atomic_long_read(&t->budget));
}

/**
 * objtrace_stats_show() - print the file stats
 * @m: the output
 * @unused: not used
 *
 * Context: task; may sleep.
 * Return: 0
 */
int objtrace_stats_show(struct seq_file *m, void *unused)
{
	const struct objtrace_trigger *t;

	mutex_lock(&stats_mutex);
	show_total(m);
	mutex_unlock(&stats_mutex);

	show_table(m);
	seq_puts(m, "functions:\n");
	objtrace_groups_show(m);

	mutex_lock(&stats_mutex);
	show_instances(m);
	list_for_each_entry(t, &triggers, shown)
		show_trigger(m, t);
	mutex_unlock(&stats_mutex);
	return 0;
}

/*
 * Showing objects.  Tabs separate the columns: names of functions and values can have blanks.
 */

static void print_instance(struct trace_seq *s, const struct objtrace_trigger *t)
{
	const char *name;

	for (name = objtrace_kernel_instance(t->tr); *name; name++)
		if (strchr(TO_ESCAPE, *name))
			trace_seq_printf(s, "\\%03o", (u8)*name);
		else
			trace_seq_putc(s, *name);
}

static void print_seen(struct trace_seq *s, const struct objtrace_match *match)
{
	struct objtrace_seen last;
	struct objtrace_sample sample = { .fetch = &objtrace_trigger_of(match)->fetch };

	objtrace_seen_last(match->life, &last);
	sample.value = last.value;
	sample.fault = last.fault;
	if (last.ip)
		trace_seq_printf(s, "%ps\t", (void *)last.ip);
	else
		trace_seq_puts(s, "-\t");
	objtrace_print_sample(s, &sample);
}

/*
 * Printing passes the object to functions.  The guard keeps these calls out of the records.  No
 * object may stay in an argument register, see objtrace_fops_look().
 */
static noinline __clears_arg_registers
void print_object_line(struct trace_seq *s, unsigned int n)
{
	struct objtrace_trigger *t;
	struct objtrace_match match;
	unsigned int context;

	context = objtrace_guard_enter();
	if (objtrace_table_look(n, &match) && !match.owner->is_freed) {
		t = objtrace_trigger_of(&match);
		trace_seq_printf(s, "%llu\t0x%lx\t%s\t", match.id, match.object, t->event);
		print_instance(s, t);
		trace_seq_putc(s, '\t');
		objtrace_print_time(s, objtrace_object_age(&match),
				    ksym(trace_clock_in_ns)(t->tr));
		trace_seq_printf(s, "\t%lu\t", (unsigned long)atomic_long_read(&match.life->hits));
		print_seen(s, &match);
		trace_seq_putc(s, '\n');
	}
	objtrace_guard_leave(context);
}

/**
 * objtrace_stats_show_object() - print one line of the file objects
 * @m: the output
 * @s: memory to build the line in
 * @n: slot of the table; prints nothing if the slot has no object any more
 *
 * Context: task.
 */
void objtrace_stats_show_object(struct seq_file *m, struct trace_seq *s, unsigned int n)
{
	trace_seq_init(s);
	/* Keep the object's slot and trigger from being freed */
	preempt_disable_notrace();
	print_object_line(s, n);
	preempt_enable_notrace();
	seq_write(m, s->buffer, trace_seq_used(s));
}
