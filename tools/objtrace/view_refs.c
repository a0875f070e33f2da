// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger of a counter: the functions that raise and lower it.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/objtrace/counts.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

/* The counters of a function and its caller: numbers of changes, and the sum of the changes */
enum { TAKES, GIVES, SUM };

struct ledger {
	struct report	*report;
	struct counts	counts;
	bool		is_open;	/* @begin is valid */
	long long	begin;
	long long	end;
	u64		faults;		/* changes whose old or new value is unknown */
};

/* A narrow unsigned counter has its value; a pointer or a char has no sum */
static long long number(u64 value)
{
	return (long long)value;
}

static int enter_change(struct ledger *ledger, const struct record *record,
			const struct change *change)
{
	struct trace_symbols *symbols = ledger->report->symbols;
	long long step = number(record->value - change->old);
	struct count *count;
	u64 parent = 0;

	if (change->culprit != CULPRIT_STORE && change->parent_ip)
		parent = symbol_at(symbols, change->parent_ip)->start;
	if (!step)
		return 0;
	count = counts_get(&ledger->counts,
			   change->ip ? symbol_at(symbols, change->ip)->start : 0, parent);
	if (!count)
		return -ENOMEM;
	count->n[step > 0 ? TAKES : GIVES]++;
	count->n[SUM] = number((u64)count->n[SUM] + (u64)step);
	if (!culprit_is_certain(change->culprit))
		count->is_unsure = 1;
	return 0;
}

static int enter(struct ledger *ledger, struct history *history, const struct record *record)
{
	struct change change;

	if (!record_has_value(record))
		return 0;
	history_next(history, record, &change);
	if (is_change(&change) && (!change.knows_old || change.old_fault || record->fault)) {
		ledger->faults++;
		return 0;
	}
	if (!ledger->is_open && !record->fault) {
		ledger->is_open = true;
		ledger->begin = number(is_change(&change) ? change.old : record->value);
	}
	if (!record->fault)
		ledger->end = number(record->value);
	return is_change(&change) ? enter_change(ledger, record, &change) : 0;
}

static int by_sum(const void *a, const void *b)
{
	const struct count *one = a, *two = b;

	if (one->n[SUM] != two->n[SUM])
		return one->n[SUM] > two->n[SUM] ? -1 : 1;
	if (one->ip != two->ip)
		return one->ip < two->ip ? -1 : 1;
	return one->parent_ip < two->parent_ip ? -1 : one->parent_ip > two->parent_ip;
}

static void print_row(struct ledger *ledger, const struct count *count)
{
	FILE *out = ledger->report->out;

	fprintf(out, "  %8lld %8lld %+8lld  ", count->n[TAKES], count->n[GIVES], count->n[SUM]);
	if (!count->ip)
		fputs("unknown", out);
	else
		print_call(ledger->report, count->ip, count->parent_ip);
	fputs(count->is_unsure ? " ?\n" : "\n", out);
}

static void print_result(struct ledger *ledger)
{
	long long open = number((u64)ledger->end - (u64)ledger->begin);
	FILE *out = ledger->report->out;

	if (!ledger->is_open) {
		fputs("  the value was never read\n", out);
		return;
	}
	fprintf(out, "  %lld at the start, %lld at the end: ", ledger->begin, ledger->end);
	if (open > 0)
		fprintf(out, "%lld left open\n", open);
	else if (open < 0)
		fprintf(out, "%lld taken earlier and given back\n", number(0 - (u64)open));
	else
		fputs("nothing is left open\n", out);
	if (ledger->faults)
		fprintf(out, "  changes with an unknown value, which are not counted: %llu\n",
			ledger->faults);
}

static void print_legend(struct ledger *ledger)
{
	size_t i;

	for (i = 0; i < ledger->counts.nr; i++) {
		if (!ledger->counts.counts[i].is_unsure)
			continue;
		fputs("  ? the first suspect: the option returns or watch makes it certain\n",
		      ledger->report->out);
		return;
	}
}

static int print_ledger(struct report *report, const struct object *object)
{
	struct ledger ledger = { .report = report };
	struct history history = {};
	const struct record *record;
	size_t i;
	int ret;

	for_each_record(record, object) {
		ret = enter(&ledger, &history, record);
		if (ret) {
			counts_free(&ledger.counts);
			return ret;
		}
	}
	print_head(report, object);
	fprintf(report->out, "  %8s %8s %8s  %s\n", "takes", "gives", "sum", "function");
	counts_sort(&ledger.counts, by_sum);
	for (i = 0; i < ledger.counts.nr; i++)
		print_row(&ledger, &ledger.counts.counts[i]);
	print_result(&ledger);
	print_legend(&ledger);
	counts_free(&ledger.counts);
	return 0;
}

/**
 * view_refs() - print which functions raise and lower the value of each object
 * @report: the report
 *
 * Return: 0, or -ENOMEM.
 */
int view_refs(struct report *report)
{
	return print_blocks(report, print_ledger);
}
