// SPDX-License-Identifier: GPL-2.0-only
/*
 * A block for each object: the changes of its value, or all of its records.
 */
#include <string.h>

#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

/* Longer values are not aligned */
#define MAX_WIDTH	48

static int values_width(struct report *report, const struct object *object)
{
	struct history history = {};
	const struct record *record;
	char values[VALUES_LEN];
	struct change change;
	int len, width = 0;

	for_each_record(record, object) {
		if (!has_line(report, record, history_next(&history, record, &change)))
			continue;
		text_values(report, record, &change, values);
		len = strlen(values);
		if (len > width && len <= MAX_WIDTH)
			width = len;
	}
	return width;
}

static int print_block(struct report *report, const struct object *object)
{
	int width = values_width(report, object);
	struct history history = {};
	const struct record *record;
	char values[VALUES_LEN];
	struct change change;

	print_head(report, object);
	for_each_record(record, object) {
		if (!has_line(report, record, history_next(&history, record, &change)))
			continue;
		text_values(report, record, &change, values);
		print_since(report, object, record->ts);
		fprintf(report->out, "%-*s  ", width, values);
		print_event(report, record, &change);
		fputc('\n', report->out);
	}
	if (!object->del)
		fputs("  still tracked at the end of the trace\n", report->out);
	return 0;
}

/**
 * view_changes() - print the changes of each object, or all records with @report->all
 * @report: the report
 *
 * Return: 0.
 */
int view_changes(struct report *report)
{
	return print_blocks(report, print_block);
}
