// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger of a counter.
 *
 * No record says which take a give belongs to.  A give first takes the last open take of the same
 * function in the same task, then the last of the same task.  The gives that are left return the
 * first value of the counter, and then the oldest takes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/objtrace/history.h"
#include "tools/objtrace/ledger.h"
#include "tools/objtrace/symbols.h"

/* Open takes that a give is compared with */
#define MAX_SEARCH	256

/* A narrow unsigned counter has its value; a pointer or a char has no sum */
static long long number(u64 value)
{
	return (long long)value;
}

static struct step *add_step(struct ledger *ledger)
{
	unsigned long nr = ledger->nr_steps;
	struct step *more = ledger->steps;

	/* The room is a power of two */
	if (!(nr & (nr - 1)))
		more = realloc(more, (nr ? nr * 2 : 1) * sizeof(*more));
	if (!more)
		return NULL;
	ledger->steps = more;
	ledger->nr_steps++;
	return memset(&more[nr], 0, sizeof(*more));
}

static int enter_step(struct ledger *ledger, const struct record *record, unsigned long nr,
		      const struct change *change, struct trace_symbols *symbols)
{
	long long by = number(record->value - change->old);
	u64 parent = 0;
	struct count *row;
	struct step *step;

	if (change->culprit != CULPRIT_STORE && change->parent_ip)
		parent = symbol_at(symbols, change->parent_ip)->start;
	if (!by)
		return 0;
	row = counts_get(&ledger->rows, change->ip ? symbol_at(symbols, change->ip)->start : 0,
			 parent);
	step = row ? add_step(ledger) : NULL;
	if (!step)
		return -ENOMEM;
	row->n[by > 0 ? TAKES : GIVES]++;
	row->n[SUM] = number((u64)row->n[SUM] + (u64)by);
	if (!culprit_is_certain(change->culprit))
		row->is_unsure = 1;
	step->record = record;
	step->nr = nr;
	step->row = row - ledger->rows.counts;
	step->by = by;
	step->open = by;
	return 0;
}

static int enter(struct ledger *ledger, const struct record *record, unsigned long nr,
		 const struct change *change, struct trace_symbols *symbols)
{
	if (is_change(change) && (!change->knows_old || change->old_fault || record->fault)) {
		ledger->faults++;
		return 0;
	}
	if (!ledger->is_open && !record->fault) {
		ledger->is_open = true;
		ledger->begin = number(is_change(change) ? change->old : record->value);
	}
	if (!record->fault)
		ledger->end = number(record->value);
	return is_change(change) ? enter_step(ledger, record, nr, change, symbols) : 0;
}

static bool is_same_task(const struct step *a, const struct step *b)
{
	return a->record->pid == b->record->pid &&
	       (a->record->pid || a->record->cpu == b->record->cpu);
}

static bool is_same_function(const struct ledger *ledger, const struct step *a,
			     const struct step *b)
{
	const struct count *one = &ledger->rows.counts[a->row];
	const struct count *two = &ledger->rows.counts[b->row];

	return is_same_task(a, b) && one->ip &&
	       (one->ip == two->ip || (one->parent_ip && one->parent_ip == two->parent_ip));
}

static bool is_of_task(const struct ledger *ledger, const struct step *a, const struct step *b)
{
	return is_same_task(a, b);
}

/* The steps have opposite signs */
static void settle(struct step *take, struct step *give)
{
	long long rest = number((u64)take->open + (u64)give->open);

	take->open = rest > 0 ? rest : 0;
	give->open = rest < 0 ? rest : 0;
}

static void find_takes(const struct ledger *ledger, struct step *open, struct step *give,
		       bool (*belong)(const struct ledger *ledger, const struct step *a,
				      const struct step *b))
{
	struct step *take = open->next_open, *last = open;
	int i;

	for (i = 0; take && give->open && i < MAX_SEARCH; i++) {
		if (belong(ledger, take, give))
			settle(take, give);
		if (take->open)
			last = take;
		else
			last->next_open = take->next_open;
		take = take->next_open;
	}
}

/* The open takes are a list, the last take first */
static void pair_last(struct ledger *ledger,
		      bool (*belong)(const struct ledger *ledger, const struct step *a,
				     const struct step *b))
{
	struct step open = {}, *step;
	unsigned long i;

	for (i = 0; i < ledger->nr_steps; i++) {
		step = &ledger->steps[i];
		if (step->open > 0) {
			step->next_open = open.next_open;
			open.next_open = step;
		} else if (step->open < 0) {
			find_takes(ledger, &open, step, belong);
		}
	}
}

static void pair_oldest(struct ledger *ledger)
{
	struct step begin = { .open = ledger->begin > 0 ? ledger->begin : 0 };
	unsigned long take = 0, i;

	for (i = 0; i < ledger->nr_steps; i++) {
		struct step *give = &ledger->steps[i];

		if (give->open >= 0)
			continue;
		settle(&begin, give);
		while (give->open && take < i) {
			if (ledger->steps[take].open > 0)
				settle(&ledger->steps[take], give);
			take += ledger->steps[take].open <= 0;
		}
	}
}

/**
 * ledger_make() - make the ledger of an object
 * @ledger: the result; the caller frees it, also after an error
 * @object: the object
 * @symbols: the functions
 *
 * Return: 0, or -ENOMEM.
 */
int ledger_make(struct ledger *ledger, const struct object *object, struct trace_symbols *symbols)
{
	struct history history = {};
	const struct record *record;
	struct change change;
	unsigned long nr = 0;
	int ret;

	memset(ledger, 0, sizeof(*ledger));
	for_each_record(record, object) {
		history_next(&history, record, &change);
		ret = record_has_value(record) ? enter(ledger, record, nr, &change, symbols) : 0;
		if (ret)
			return ret;
		nr++;
	}
	pair_last(ledger, is_same_function);
	pair_last(ledger, is_of_task);
	pair_oldest(ledger);
	return 0;
}

/* The names of counters of references in the kernel */
static bool has_name_of_counter(const char *member)
{
	static const char * const parts[] = { "ref", "count", "cnt", "users" };
	unsigned int i;

	for (i = 0; member && i < sizeof(parts) / sizeof(*parts); i++)
		if (strcasestr(member, parts[i]))
			return true;
	return false;
}

/**
 * ledger_is_of_counter() - guess whether a value is a counter of references
 * @ledger: the ledger of the object
 * @object: the object
 *
 * Return: true if the member has the name of a counter, or if the value changes by 1 only, and up
 * and down.
 */
bool ledger_is_of_counter(const struct ledger *ledger, const struct object *object)
{
	bool goes_up = false, goes_down = false;
	unsigned long i;

	if (!ledger->nr_steps)
		return false;
	if (has_name_of_counter(object->member))
		return true;
	for (i = 0; i < ledger->nr_steps; i++) {
		if (ledger->steps[i].by != 1 && ledger->steps[i].by != -1)
			return false;
		goes_up |= ledger->steps[i].by > 0;
		goes_down |= ledger->steps[i].by < 0;
	}
	return goes_up && goes_down;
}

/**
 * ledger_free() - free a ledger
 * @ledger: the ledger
 */
void ledger_free(struct ledger *ledger)
{
	counts_free(&ledger->rows);
	free(ledger->steps);
	ledger->steps = NULL;
}
