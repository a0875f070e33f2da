// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that receive the objects, and how often.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/counts.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

/* The counters of a function */
enum { CALLS, CHANGES, UNSURE };

/* For each object, because a function can have several of them */
struct functions {
	struct report	*report;
	struct counts	counts;
	u64		hits;		/* entries that the kernel counted */
	u64		calls;		/* entries that have records */
	bool		knows_hits;	/* all objects have ended */
};

static int count(struct functions *functions, u64 ip, unsigned int what)
{
	const struct symbol *symbol = symbol_at(functions->report->symbols, ip);
	struct count *count = counts_get(&functions->counts, symbol->start, 0);

	if (!count)
		return -ENOMEM;
	count->n[what]++;
	return 0;
}

static int count_call(struct functions *functions, u64 ip, bool is_unsure)
{
	int ret = count(functions, ip, CALLS);

	functions->calls++;
	return is_unsure && !ret ? count(functions, ip, UNSURE) : ret;
}

static int count_record(struct functions *functions, const struct record *record,
			const struct change *change)
{
	int ret = 0;

	if (record->kind == RECORD_VALUE)
		ret = count_call(functions, record->ip, record->unknown);
	else if (record->kind == RECORD_CHANGE && record->how == WITHIN)
		ret = count_call(functions, record->ip, record->unknown);
	else if (record->kind == RECORD_CHANGE)
		ret = count_call(functions, record->seen_ip, record->seen_unknown);
	if (!ret && change->ip)
		ret = count(functions, change->ip, CHANGES);
	return ret;
}

static int count_object(struct functions *functions, const struct object *object)
{
	struct history history = {};
	const struct record *record;
	struct change change;
	int ret;

	for_each_record(record, object) {
		history_next(&history, record, &change);
		ret = count_record(functions, record, &change);
		if (ret)
			return ret;
	}
	if (object->del)
		functions->hits += object->del->hits;
	else
		functions->knows_hits = false;
	return 0;
}

static int by_calls(const void *a, const void *b)
{
	const struct count *one = a, *two = b;

	if (one->n[CALLS] != two->n[CALLS])
		return one->n[CALLS] > two->n[CALLS] ? -1 : 1;
	if (one->n[CHANGES] != two->n[CHANGES])
		return one->n[CHANGES] > two->n[CHANGES] ? -1 : 1;
	return one->ip < two->ip ? -1 : one->ip > two->ip;
}

static void print_functions(struct functions *functions)
{
	FILE *out = functions->report->out;
	size_t i;

	counts_sort(&functions->counts, by_calls);
	fprintf(out, "%8s %8s  %-32s %s\n", "calls", "changes", "function", "module");
	for (i = 0; i < functions->counts.nr; i++) {
		const struct count *count = &functions->counts.counts[i];
		const struct symbol *symbol = symbol_at(functions->report->symbols, count->ip);

		fprintf(out, "%8lld %8lld  %-32s %s", count->n[CALLS], count->n[CHANGES],
			symbol->name, symbol->module ?: "?");
		if (count->n[UNSURE])
			fprintf(out, "  (%lld with a register that the function may not use)",
				count->n[UNSURE]);
		fputc('\n', out);
	}
	if (functions->knows_hits && functions->hits > functions->calls)
		fprintf(out, "%llu of %llu calls have a record; the other calls are not counted here\n",
			functions->calls, functions->hits);
}

/**
 * view_functions() - print the functions that receive the objects, the most frequent first
 * @report: the report
 *
 * Return: 0, or -ENOMEM.
 */
int view_functions(struct report *report)
{
	struct functions functions = { .report = report, .knows_hits = true };
	const struct object *object;
	int ret = 0;

	for_each_object(object, report->objects) {
		ret = count_object(&functions, object);
		if (ret)
			break;
	}
	if (!ret)
		print_functions(&functions);
	counts_free(&functions.counts);
	return ret;
}
