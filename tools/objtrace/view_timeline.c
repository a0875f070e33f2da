// SPDX-License-Identifier: GPL-2.0-only
/*
 * The changes of all objects, in the order of time.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

static void print_line(struct report *report, const struct record *record,
		       const struct change *change)
{
	u64 us = (record->ts + 500) / 1000;
	char values[VALUES_LEN], task[TASK_LEN];

	text_values(report, record, change, values);
	text_task(report, record, task);
	fprintf(report->out, "%5llu.%06llu [%03u] %-16s object %u: ", us / 1000000,
		us % 1000000, record->cpu, task, record->object->number);
	if (*values)
		fprintf(report->out, "%s  ", values);
	print_event(report, record, change);
	fputc('\n', report->out);
}

/**
 * view_timeline() - print the changes of all objects by time, or all records with @report->all
 * @report: the report
 *
 * Return: 0, or -ENOMEM.
 */
int view_timeline(struct report *report)
{
	struct history *histories = calloc(report->objects->nr + 1, sizeof(*histories));
	const struct record *record;
	struct change change;

	if (!histories)
		return -ENOMEM;
	for_each_record_in_time(record, report->objects) {
		bool is_new = history_next(&histories[record->object->number], record, &change);

		if (has_line(report, record, is_new))
			print_line(report, record, &change);
	}
	free(histories);
	return 0;
}
