// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of a session that runs.  A line is printed as soon as its record is read, so its columns
 * have fixed widths.
 *
 * A format costs some hundred instructions.  Ten thousand lines in a second can be needed, so texts
 * are printed without one.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/lines.h"
#include "tools/objtrace/live.h"
#include "tools/objtrace/symbols.h"

#define VALUE_WIDTH	28

#define BOLD	"\033[1m"
#define GREEN	"\033[32m"
#define YELLOW	"\033[33m"
#define RED	"\033[31m"
#define PLAIN	"\033[m"

static const char *colour(const struct lines *lines, const char *code)
{
	return lines->report.colour ? code : "";
}

static FILE *out_of(const struct lines *lines)
{
	return lines->report.out;
}

static void put(const struct lines *lines, const char *text)
{
	fputs(text, lines->report.out);
}

static void put_coloured(const struct lines *lines, const char *code, const char *text)
{
	if (lines->report.colour)
		put(lines, code);
	put(lines, text);
	if (lines->report.colour)
		put(lines, PLAIN);
}

static void put_spaces(const struct lines *lines, int nr)
{
	for (; nr > 0; nr--)
		fputc(' ', lines->report.out);
}

static int compare_functions(const void *a, const void *b)
{
	u64 one = *(const u64 *)a, two = *(const u64 *)b;

	return one < two ? -1 : one > two;
}

static void count_function(struct lines *lines, u64 ip)
{
	u64 *copy;

	if (tfind(&ip, &lines->functions, compare_functions))
		return;
	copy = malloc(sizeof(*copy));
	if (!copy)
		return;
	*copy = ip;
	if (tsearch(copy, &lines->functions, compare_functions))
		lines->nr_functions++;
	else
		free(copy);
}

static const char *name_of(struct lines *lines, u64 ip)
{
	const struct symbol *symbol = symbol_at(lines->report.symbols, ip);

	return symbol->module ? symbol->name : "?";
}

static void print_heading(struct lines *lines, struct followed *object)
{
	const struct live_view *view = lines->view;
	FILE *out = out_of(lines);

	if (lines->current == object->nr)
		return;
	fprintf(out, "%sobject %lu:%s", colour(lines, BOLD), object->nr, colour(lines, PLAIN));
	if (object->has_heading)
		put(lines, " again");
	else if (view->struct_name)
		fprintf(out, " struct %s 0x%llx", view->struct_name, object->address);
	else
		fprintf(out, " 0x%llx", object->address);
	fputc('\n', out);
	object->has_heading = true;
}

static void begin_line(struct lines *lines, struct followed *object, u64 ts)
{
	u64 us = (ts - object->start + 500) / 1000;
	char number[NUMBER_LEN], *end = number + NUMBER_LEN;

	print_heading(lines, object);
	lines->current = object->nr;
	put(lines, "  +");
	put(lines, text_number(end, us / 1000000, 10, 1));
	put(lines, ".");
	put(lines, text_number(end, us % 1000000, 10, 6));
	put(lines, "  ");
}

/* A text in the column of the values, with the name of the member if there are several */
static void print_column(struct lines *lines, const struct followed_value *value, const char *text)
{
	const struct live_view *view = lines->view;
	int width = VALUE_WIDTH - (int)strlen(text);

	if (!view->nr_members)
		return;
	put(lines, colour(lines, GREEN));
	if (view->nr_members > 1)
		width -= fprintf(out_of(lines), "%s: ",
				 view->members[value - value->object->values]);
	put(lines, text);
	put_spaces(lines, width);
	put(lines, colour(lines, PLAIN));
	put(lines, " ");
}

static void print_value(struct lines *lines, const struct followed_value *value,
			const struct record *record)
{
	char text[VALUE_LEN];

	text_value(&lines->report, record, record->value, record->fault, text);
	print_column(lines, value, text);
}

static void print_values(struct lines *lines, const struct followed_value *value,
			 const struct record *record, bool knows_old)
{
	char old[VALUE_LEN] = "?", new[VALUE_LEN], text[VALUES_LEN];

	if (knows_old)
		text_value(&lines->report, record, record->old, record->old_fault, old);
	text_value(&lines->report, record, record->value, record->fault, new);
	stpcpy(stpcpy(stpcpy(text, old), " -> "), new);
	print_column(lines, value, text);
}

/* A function and its caller.  @unknown: the number of its argument if that is uncertain, or 0 */
static void print_place(struct lines *lines, u64 ip, u64 parent_ip, unsigned int unknown,
			bool is_culprit)
{
	if (is_culprit)
		put_coloured(lines, YELLOW, name_of(lines, ip));
	else
		put(lines, name_of(lines, ip));
	put(lines, " <- ");
	put(lines, name_of(lines, parent_ip));
	if (unknown)
		fprintf(out_of(lines), " (argument %u is uncertain)", unknown);
	count_function(lines, ip);
}

static void print_culprit(struct lines *lines, const struct record *record)
{
	print_place(lines, record->ip, record->parent_ip, record->unknown, true);
}

static void print_address(struct lines *lines, u64 address)
{
	const struct symbol *symbol = symbol_at(lines->report.symbols, address);

	put_coloured(lines, YELLOW, name_of(lines, address));
	if (symbol->module)
		fprintf(out_of(lines), "+0x%llx", address - symbol->start);
	count_function(lines, symbol->start);
}

static void print_suspect(struct lines *lines, const struct record *record,
			  const struct change *change)
{
	switch (change->culprit) {
	case CULPRIT_WITHIN:
	case CULPRIT_MAYBE_WITHIN:
		put(lines, "in ");
		print_culprit(lines, record);
		return;
	case CULPRIT_ADD:
		put(lines, "after it was added");
		break;
	case CULPRIT_AFTER_STORE:
		put(lines, "after ");
		print_address(lines, record->ip);
		break;
	case CULPRIT_AFTER_RETURN:
		put(lines, "after the return of ");
		print_culprit(lines, record);
		break;
	case CULPRIT_AFTER_CALL:
		put(lines, "after ");
		print_culprit(lines, record);
		break;
	default:
		put(lines, "somewhere");
	}
	put(lines, ", seen at ");
	print_place(lines, record->seen_ip, record->seen_parent_ip, record->seen_unknown, false);
}

static const char *doubt(const struct record *record)
{
	return record->unsure ? " (or a call in it)" : "";
}

static void print_change(struct lines *lines, const struct followed_value *value,
			 const struct record *record, const struct change *change)
{
	print_values(lines, value, record, change->knows_old);
	print_suspect(lines, record, change);
	fputs(doubt(record), out_of(lines));
}

static void print_return(struct lines *lines, const struct followed_value *value,
			 const struct record *record)
{
	print_values(lines, value, record, true);
	put(lines, "in ");
	print_culprit(lines, record);
	fprintf(out_of(lines), ", returns 0x%llx%s", record->ret, doubt(record));
}

static void print_freed(struct lines *lines, const struct record *record)
{
	put(lines, "freed by ");
	put_coloured(lines, YELLOW, name_of(lines, record->by ?: record->ip));
	if (record->by && record->ip)
		fprintf(out_of(lines), " <- %s", name_of(lines, record->ip));
}

static void print_end(struct lines *lines, const struct record *record)
{
	if (record->reason == DEL_FREE)
		print_freed(lines, record);
	else
		put(lines, "not freed yet");
	fprintf(out_of(lines), ", %llu hit%s", record->hits, plural(record->hits));
}

static void print_hint(struct lines *lines, const struct record *record)
{
	put_coloured(lines, RED, "after it was freed");
	put(lines, ": ");
	print_culprit(lines, record);
	fprintf(out_of(lines), ", freed by %s (hint)", name_of(lines, record->by));
}

static void print_watch(struct lines *lines, const struct record *record)
{
	fprintf(out_of(lines), "%u CPUs report stores now, the last one since +%.6f",
		record->cpus, record->age / 1e9);
}

/**
 * lines_added() - print the line of an objtrace_add
 * @lines: the output
 * @value: the value
 * @record: the record
 */
void lines_added(struct lines *lines, const struct followed_value *value,
		 const struct record *record)
{
	begin_line(lines, value->object, record->ts);
	print_value(lines, value, record);
	fprintf(out_of(lines), "added at %s\n", lines->view->source);
}

/**
 * lines_record() - print the line of any other record
 * @lines: the output
 * @value: the value
 * @record: the record
 * @change: its change
 */
void lines_record(struct lines *lines, const struct followed_value *value,
		  const struct record *record, const struct change *change)
{
	begin_line(lines, value->object, record->ts);
	switch (record->kind) {
	case RECORD_VALUE:
		print_value(lines, value, record);
		put(lines, "at ");
		print_culprit(lines, record);
		break;
	case RECORD_CHANGE:
		print_change(lines, value, record, change);
		break;
	case RECORD_RETURN:
		print_return(lines, value, record);
		break;
	case RECORD_WRITE:
		print_values(lines, value, record, true);
		put(lines, "stored by ");
		print_address(lines, record->ip);
		break;
	case RECORD_WATCH:
		print_watch(lines, record);
		break;
	case RECORD_AFTER_FREE:
		print_hint(lines, record);
		break;
	case RECORD_DEL:
		print_end(lines, record);
		break;
	}
	fputc('\n', out_of(lines));
}

/**
 * lines_event() - print the line of an event of the kernel
 * @lines: the output
 * @object: the object that the event belongs to
 * @ts: the time
 * @text: the event
 */
void lines_event(struct lines *lines, struct followed *object, u64 ts, const char *text)
{
	begin_line(lines, object, ts);
	fprintf(out_of(lines), "%s\n", text);
}

/**
 * lines_function() - print the line of a function of a stack trace
 * @lines: the output
 * @ip: an address in the function
 */
void lines_function(struct lines *lines, u64 ip)
{
	fprintf(out_of(lines), "               %s\n", name_of(lines, ip));
}

/**
 * lines_losses() - print the end of the last line
 * @lines: the output
 * @losses: what is missing
 */
void lines_losses(struct lines *lines, const struct losses *losses)
{
	FILE *out = out_of(lines);

	if (!losses->records && !losses->objects && !losses->events && !losses->pauses &&
	    !losses->calls) {
		put(lines, "nothing lost\n");
	} else {
		fprintf(out, "%slost: %llu record%s, %llu object%s", colour(lines, RED),
			losses->records, plural(losses->records), losses->objects,
			plural(losses->objects));
		if (losses->events)
			fprintf(out, ", %llu event%s of the kernel", losses->events,
				plural(losses->events));
		if (losses->pauses)
			fprintf(out, ", events of the kernel during %llu pause%s", losses->pauses,
				plural(losses->pauses));
		if (losses->calls)
			fprintf(out, ", %llu call%s that the probe missed", losses->calls,
				plural(losses->calls));
		fprintf(out, "%s\n", colour(lines, PLAIN));
	}
	fflush(out);
}

/**
 * lines_free() - free what was counted
 * @lines: the output
 */
void lines_free(struct lines *lines)
{
	tdestroy(lines->functions, free);
}
