// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger of a counter: the functions that raise and lower it.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/objtrace/ledger.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

static int by_sum(const void *a, const void *b)
{
	const struct count *one = a, *two = b;

	if (one->n[SUM] != two->n[SUM])
		return one->n[SUM] > two->n[SUM] ? -1 : 1;
	if (one->ip != two->ip)
		return one->ip < two->ip ? -1 : 1;
	return one->parent_ip < two->parent_ip ? -1 : one->parent_ip > two->parent_ip;
}

static void print_row(struct report *report, const struct count *row)
{
	FILE *out = report->out;

	fprintf(out, "  %8lld %8lld %+8lld  ", row->n[TAKES], row->n[GIVES], row->n[SUM]);
	if (!row->ip)
		fputs("unknown", out);
	else
		print_call(report, row->ip, row->parent_ip);
	fputs(row->is_unsure ? " ?\n" : "\n", out);
}

static void print_result(FILE *out, const struct ledger *ledger)
{
	u64 open = (u64)ledger->end - (u64)ledger->begin;

	if (!ledger->is_open) {
		fputs("  the value was never read\n", out);
		return;
	}
	fprintf(out, "  %lld at the start, %lld at the end: ", ledger->begin, ledger->end);
	if ((long long)open > 0)
		fprintf(out, "%lld left open\n", (long long)open);
	else if (open)
		fprintf(out, "%lld taken earlier and given back\n", (long long)(0 - open));
	else
		fputs("nothing is left open\n", out);
	if (ledger->faults)
		fprintf(out, "  changes with an unknown value, which are not counted: %llu\n",
			ledger->faults);
}

static void print_legend(FILE *out, const struct ledger *ledger)
{
	size_t i;

	for (i = 0; i < ledger->rows.nr; i++) {
		if (!ledger->rows.counts[i].is_unsure)
			continue;
		fputs("  ? the first suspect: the option returns or watch makes it certain\n", out);
		return;
	}
}

static void print_rows(struct report *report, struct ledger *ledger)
{
	size_t i;

	fprintf(report->out, "  %8s %8s %8s  %s\n", "takes", "gives", "sum", "function");
	counts_sort(&ledger->rows, by_sum);
	for (i = 0; i < ledger->rows.nr; i++)
		print_row(report, &ledger->rows.counts[i]);
	print_result(report->out, ledger);
	print_legend(report->out, ledger);
}

static int print_ledger(struct report *report, const struct object *object)
{
	struct ledger ledger;
	int ret = ledger_make(&ledger, object, report->symbols);

	if (!ret) {
		print_head(report, object);
		print_rows(report, &ledger);
	}
	ledger_free(&ledger);
	return ret;
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
