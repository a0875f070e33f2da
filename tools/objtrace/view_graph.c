// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls of each object, as a tree.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/objtrace/calls.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

#define INDENT		2
#define MAX_DEPTH	40

static bool is_called_by_parent(struct report *report, const struct call *call)
{
	return call->parent && symbol_at(report->symbols, call->parent->record->ip)->start ==
			       symbol_at(report->symbols, call->record->parent_ip)->start;
}

static void print_columns(struct report *report, const struct object *object,
			  const struct call *call, const char *duration)
{
	unsigned int depth = call->depth < MAX_DEPTH ? call->depth : MAX_DEPTH;
	char task[TASK_LEN];

	text_task(report, call->record, task);
	print_since(report, object, call->record->ts);
	fprintf(report->out, "%10s  %-16s | %*s", duration, task, (int)depth * INDENT, "");
}

static void duration_of(const struct call *call, char text[32])
{
	*text = '\0';
	if (call->ret)
		text_duration(call->ret->ts - call->record->ts, text);
}

static void print_values(struct report *report, const struct record *record, const struct record *ret)
{
	char text[VALUE_LEN];

	text_value(report, record, record->value, record->fault, text);
	fprintf(report->out, "  %s", text);
	if (!ret || (ret->value == record->value && ret->fault == record->fault))
		return;
	text_value(report, ret, ret->value, ret->fault, text);
	fprintf(report->out, " -> %s", text);
}

static void print_entry_line(struct report *report, const struct object *object,
			     const struct call *call)
{
	bool is_block = call->has_inside && call->ret;
	char duration[32] = "";

	if (!call->has_inside)
		duration_of(call, duration);
	print_columns(report, object, call, duration);
	fprintf(report->out, "%s()", function_name(report, call->record->ip));
	if (!is_called_by_parent(report, call))
		fprintf(report->out, " <- %s", function_name(report, call->record->parent_ip));
	fputs(is_block ? " {" : ";", report->out);
	if (call->record->unknown)
		fprintf(report->out, " arg%u?", call->record->unknown);
	print_values(report, call->record, call->has_inside ? NULL : call->ret);
	fputc('\n', report->out);
}

/* A call without anything inside has one line, at its entry */
static void print_return_line(struct report *report, const struct object *object,
			      const struct call *call)
{
	const struct call *entry = call->of_entry;
	char duration[32];

	if (!entry->has_inside)
		return;
	duration_of(entry, duration);
	print_columns(report, object, call, duration);
	fprintf(report->out, "} /* %s */", function_name(report, call->record->ip));
	print_values(report, entry->record, call->record);
	fputc('\n', report->out);
}

static void print_note(struct report *report, const struct object *object,
		       const struct call *call, const struct change *change)
{
	char values[VALUES_LEN];

	print_columns(report, object, call, "");
	text_values(report, call->record, change, values);
	fputs("/* ", report->out);
	if (*values)
		fprintf(report->out, "%s  ", values);
	print_event(report, call->record, change);
	fputs(" */\n", report->out);
}

static int print_tree(struct report *report, const struct object *object)
{
	struct call *calls = calls_find(object, report->symbols);
	struct history history = {};
	struct change change;
	unsigned long i;

	if (!calls)
		return -ENOMEM;
	print_head(report, object);
	for (i = 0; i < object->nr_records; i++) {
		const struct call *call = &calls[i];

		history_next(&history, call->record, &change);
		if (call->record->kind == RECORD_VALUE)
			print_entry_line(report, object, call);
		else if (call->of_entry)
			print_return_line(report, object, call);
		else
			print_note(report, object, call, &change);
	}
	free(calls);
	return 0;
}

/**
 * view_graph() - print the tree of calls of each object
 * @report: the report
 *
 * Return: 0, or -ENOMEM.
 */
int view_graph(struct report *report)
{
	return print_blocks(report, print_tree);
}
