// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data of the page, which tools/objtrace/page/data.js reads.
 *
 * A trace has millions of records, and few functions, tasks and values.  Each of these is printed
 * once, and the records have its number.  A column has one number for each record.  A table has a
 * row for the records that need it.  Its first number is the index of the record, as the difference
 * to the row before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/btfnames.h"
#include "tools/objtrace/calls.h"
#include "tools/objtrace/columns.h"
#include "tools/objtrace/jsontext.h"
#include "tools/objtrace/ledger.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/pagedata.h"
#include "tools/objtrace/stacks.h"
#include "tools/objtrace/subsystem.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"

/* The number of something that a record lacks */
#define NONE	(-1LL)

/*
 * Columns: time since the record before, in ns; enum record_kind; function and caller; task and CPU;
 * value.  Tables, after the index: @changes: enum culprit, its function and caller, those that saw
 * the new value, the old value, and the offset of the instruction.  @depths: calls around the
 * record.  @returns: number of records since the entry.  @places: offset in the object, and the
 * number of an uncertain argument.  @returned: return value.  @stacked: stack.  @open: the part of a
 * take or a give without an opposite.
 */
struct page {
	struct report	*report;
	struct counts	functions;
	struct counts	sites;
	struct counts	runs;
	struct counts	values;
	struct column	time;
	struct column	kind;
	struct column	site;
	struct column	run;
	struct column	value;
	struct column	changes;
	struct column	depths;
	struct column	returns;
	struct column	places;
	struct column	returned;
	struct column	stacked;
	struct column	open;
	FILE		*notes;
	FILE		*objects;
	unsigned long	index;		/* of the record */
	u64		last_ts;
};

/* The number of a pair of keys in a table */
static long long number_of(struct counts *counts, u64 key, u64 other)
{
	struct count *count = counts_get(counts, key, other);

	if (!count)
		no_memory();
	return count - counts->counts;
}

static long long function_number(struct page *page, u64 ip)
{
	return number_of(&page->functions, symbol_at(page->report->symbols, ip)->start, 0);
}

/* A function and its caller */
static long long site_number(struct page *page, u64 ip, u64 parent_ip)
{
	long long function, caller;

	if (!ip)
		return NONE;
	function = function_number(page, ip);
	caller = parent_ip ? function_number(page, parent_ip) : NONE;
	return number_of(&page->sites, function, caller);
}

/* The type of a value, which is the second key of the value */
union value_type {
	struct {
		unsigned int	enum_id;
		unsigned short	btf;
		unsigned char	format;
		unsigned char	fault;
	};
	u64	key;
};

static long long value_number(struct page *page, const struct record *record, u64 value,
			      unsigned int fault)
{
	union value_type type = {};

	type.fault = fault;
	type.format = record->format;
	if (record->format == FORMAT_ENUM) {
		type.enum_id = record->enum_id;
		type.btf = record->btf;
	}
	return number_of(&page->values, fault ? 0 : value, type.key);
}

static long long record_site(struct page *page, const struct record *record)
{
	switch (record->kind) {
	case RECORD_ADD:
	case RECORD_WATCH:
	case RECORD_EVENT:
		return NONE;
	case RECORD_DEL:
		if (record->reason != DEL_FREE)
			return NONE;
		return record->by ? site_number(page, record->by, record->ip) :
				    site_number(page, record->ip, 0);
	case RECORD_CHANGE:
		if (record->how != WITHIN)
			return site_number(page, record->seen_ip, record->seen_parent_ip);
		break;
	}
	return site_number(page, record->ip, record->parent_ip);
}

static void add_change(struct page *page, const struct record *record,
		       const struct change *change)
{
	bool is_instruction = culprit_is_instruction(change->culprit) && change->ip;
	struct column *table = &page->changes;

	column_add_index(table, page->index);
	column_add(table, change->culprit);
	column_add(table, site_number(page, change->ip, change->parent_ip));
	column_add(table, site_number(page, change->seen_ip, change->seen_parent_ip));
	column_add(table, change->knows_old ?
		   value_number(page, record, change->old, change->old_fault) : NONE);
	column_add(table, is_instruction ? (long long)
		   (change->ip - symbol_at(page->report->symbols, change->ip)->start) : NONE);
}

static void add_place(struct page *page, const struct record *record)
{
	bool is_seen = record->kind == RECORD_CHANGE && record->how != WITHIN;
	unsigned int offset = is_seen ? record->seen_offset : record->offset;
	unsigned int unknown = is_seen ? record->seen_unknown : record->unknown;

	if (!offset && !unknown)
		return;
	column_add_index(&page->places, page->index);
	column_add(&page->places, offset);
	column_add(&page->places, unknown);
}

static void add_returned(struct page *page, const struct record *record)
{
	struct record hex = { .format = FORMAT_HEX };

	if (record->kind != RECORD_RETURN)
		return;
	column_add_index(&page->returned, page->index);
	column_add(&page->returned, value_number(page, &hex, record->ret, NO_FAULT));
}

/* The few records without a value have a text */
static void add_note(struct page *page, const struct record *record, const struct change *change)
{
	struct report report = *page->report;
	char *text = NULL;
	size_t size;

	if (record_has_value(record) && record->kind != RECORD_ADD)
		return;
	report.out = open_memstream(&text, &size);
	if (!report.out)
		no_memory();
	print_event(&report, record, change);
	fclose(report.out);
	fprintf(page->notes, "%s[%lu,", ftell(page->notes) ? "," : "", page->index);
	json_string(page->notes, text);
	putc(']', page->notes);
	free(text);
}

static void add_call(struct page *page, const struct call *calls, const struct call *call)
{
	if (call->depth) {
		column_add_index(&page->depths, page->index);
		column_add(&page->depths, call->depth);
	}
	if (call->of_entry) {
		column_add_index(&page->returns, page->index);
		column_add(&page->returns, call - call->of_entry);
	}
}

static void add_record(struct page *page, const struct record *record,
		       const struct change *change)
{
	column_add(&page->time, record->ts - page->last_ts);
	page->last_ts = record->ts;
	column_add(&page->kind, record->kind);
	column_add(&page->site, record_site(page, record));
	column_add(&page->run, number_of(&page->runs, record->pid, record->cpu));
	column_add(&page->value, record_has_value(record) ?
		   value_number(page, record, record->value, record->fault) : NONE);
	if (is_change(change))
		add_change(page, record, change);
	add_place(page, record);
	add_returned(page, record);
	add_note(page, record, change);
	if (record->stack) {
		column_add_index(&page->stacked, page->index);
		column_add(&page->stacked, record->stack);
	}
}

static int add_records(struct page *page, const struct object *object)
{
	struct call *calls = calls_find(object, page->report->symbols);
	struct history history = {};
	struct change change;
	unsigned long i;

	if (!calls)
		return -ENOMEM;
	page->last_ts = object_start(object);
	for (i = 0; i < object->nr_records; i++) {
		history_next(&history, calls[i].record, &change);
		add_record(page, calls[i].record, &change);
		add_call(page, calls, &calls[i]);
		page->index++;
	}
	free(calls);
	return 0;
}

static void put_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, ",\"%s\":", key);
	if (text)
		json_string(out, text);
	else
		fputs("null", out);
}

/* The sums can have 64 bits */
static void put_row(struct page *page, const struct ledger *ledger, unsigned int nr, long long open)
{
	const struct count *row = &ledger->rows.counts[nr];

	fprintf(page->objects, "%s[%lld,%lld,\"%lld\",%lld,%d,\"%lld\"]", nr ? "," : "",
		row->n[TAKES], row->n[GIVES], row->n[SUM],
		site_number(page, row->ip, row->parent_ip), row->is_unsure, open);
}

static void put_rows(struct page *page, const struct ledger *ledger)
{
	u64 *open = calloc(ledger->rows.nr, sizeof(*open));
	unsigned long i;

	if (!open)
		no_memory();
	for (i = 0; i < ledger->nr_steps; i++)
		open[ledger->steps[i].row] += ledger->steps[i].open;
	for (i = 0; i < ledger->rows.nr; i++)
		put_row(page, ledger, i, (long long)open[i]);
	free(open);
}

static void add_open(struct page *page, const struct ledger *ledger, unsigned long first)
{
	unsigned long i;

	for (i = 0; i < ledger->nr_steps; i++) {
		const struct step *step = &ledger->steps[i];

		if (!step->open)
			continue;
		column_add_index(&page->open, first + step->nr);
		column_add(&page->open, step->open > 0 ? 1 : -1);
	}
}

/* @first is the index of the object's first record */
static int put_ledger(struct page *page, const struct object *object, unsigned long first)
{
	struct ledger ledger;
	int ret = ledger_make(&ledger, object, page->report->symbols);

	if (!ret && ledger.nr_steps && ledger_is_of_counter(&ledger, object)) {
		fprintf(page->objects, ",\"ledger\":{\"begin\":\"%lld\",\"end\":\"%lld\",\"faults\":%llu,\"rows\":[",
			ledger.begin, ledger.end, ledger.faults);
		put_rows(page, &ledger);
		fputs("]}", page->objects);
		add_open(page, &ledger, first);
	}
	ledger_free(&ledger);
	return ret;
}

static void put_end(struct page *page, const struct object *object)
{
	const struct record *del = object->del;

	if (!del)
		return;
	fprintf(page->objects, ",\"hits\":%llu,\"reason\":%u,\"end\":%llu,\"by\":%lld", del->hits,
		del->reason, del->ts - object_start(object), record_site(page, del));
}

static void put_object(struct page *page, const struct object *object)
{
	const struct record *typed = object->typed;
	u64 start = page->report->objects->first_record->ts;
	FILE *out = page->objects;

	fprintf(out, "%s\n{\"number\":%u,\"address\":\"0x%llx\",\"records\":%lu,\"start\":%llu",
		ftell(out) ? "," : "", object->number, object->address, object->nr_records,
		object_start(object) - start);
	put_text(out, "type", typed && !typed->btf ?
		 btfnames_struct(page->report->btf, typed->struct_id) : NULL);
	put_text(out, "member", object->member);
	put_text(out, "instance", object->instance);
	fprintf(out, ",\"added\":%d,\"lost\":%llu,\"gap\":%d", object->add != NULL,
		object_lost(object), object_has_gap(object));
	put_end(page, object);
}

static int add_object(struct page *page, const struct object *object)
{
	unsigned long first = page->index;
	int ret = add_records(page, object);

	if (ret)
		return ret;
	put_object(page, object);
	ret = put_ledger(page, object, first);
	putc('}', page->objects);
	return ret;
}

/* All symbols of a module have the same text, and of the kernel, too */
static void print_functions(struct page *page)
{
	const struct symbol *symbol;
	char subsystem[SUBSYSTEM_LEN];
	FILE *out = page->report->out;
	size_t i;

	fputs(",\n\"functions\":[", out);
	for (i = 0; i < page->functions.nr; i++) {
		symbol = symbol_at(page->report->symbols, page->functions.counts[i].ip);
		subsystem_name(symbol, subsystem);
		fputs(i ? ",[" : "[", out);
		json_string(out, symbol->name);
		putc(',', out);
		json_string(out, symbol->module ?: "");
		putc(',', out);
		json_string(out, subsystem);
		putc(']', out);
	}
	putc(']', out);
}

static void print_sites(struct page *page)
{
	FILE *out = page->report->out;
	size_t i;

	fputs(",\n\"sites\":[", out);
	for (i = 0; i < page->sites.nr; i++)
		fprintf(out, "%s%lld,%lld", i ? "," : "", (long long)page->sites.counts[i].ip,
			(long long)page->sites.counts[i].parent_ip);
	putc(']', out);
}

static void print_runs(struct page *page)
{
	FILE *out = page->report->out;
	struct record record = {};
	char command[TASK_LEN];
	size_t i;

	fputs(",\n\"runs\":[", out);
	for (i = 0; i < page->runs.nr; i++) {
		record.pid = page->runs.counts[i].ip;
		text_command(page->report, &record, command);
		fputs(i ? ",[" : "[", out);
		json_string(out, command);
		fprintf(out, ",%d,%llu]", record.pid, page->runs.counts[i].parent_ip);
	}
	putc(']', out);
}

/* The page knows the number of a value from its text, unless the text is a name */
static void print_value(struct page *page, const struct count *value)
{
	union value_type type = { .key = value->parent_ip };
	struct record record = {
		.format = type.format, .enum_id = type.enum_id, .btf = type.btf,
	};
	bool is_name = type.format == FORMAT_ENUM || type.format == FORMAT_CHAR ||
		       type.format == FORMAT_SYMBOL;
	FILE *out = page->report->out;
	char text[VALUE_LEN];

	text_value(page->report, &record, value->ip, type.fault, text);
	if (type.fault)
		fputs("[null,", out);
	else if (is_name)
		fprintf(out, "[%lld,", (long long)value->ip);
	json_string(out, text);
	if (type.fault || is_name)
		putc(']', out);
}

static void print_values(struct page *page)
{
	size_t i;

	fputs(",\n\"values\":[", page->report->out);
	for (i = 0; i < page->values.nr; i++) {
		if (i)
			putc(',', page->report->out);
		print_value(page, &page->values.counts[i]);
	}
	putc(']', page->report->out);
}

/* An entry of a stack is a function, and the number of the entry of its caller */
static void print_stacks(struct page *page)
{
	const struct counts *entries = &page->report->stacks->entries;
	struct column column = {};
	size_t i;

	for (i = 0; i < entries->nr; i++) {
		column_add(&column, function_number(page, entries->counts[i].ip));
		column_add(&column, entries->counts[i].parent_ip);
	}
	column_print(page->report->out, "stacks", &column);
	column_free(&column);
}

static void print_words(FILE *out)
{
	int i;

	fputs(",\n\"culprits\":[", out);
	for (i = 0; i < NR_CULPRITS; i++) {
		if (i)
			putc(',', out);
		json_string(out, culprit_words(i));
	}
	fputs("],\n\"kinds\":[", out);
	for (i = 0; i <= RECORD_EVENT; i++) {
		if (i)
			putc(',', out);
		json_string(out, record_kind_name(i));
	}
	putc(']', out);
}

static void print_file(struct page *page)
{
	const struct objects *objects = page->report->objects;
	const char *slash = strrchr(page->report->file, '/');
	FILE *out = page->report->out;

	fputs("{\"file\":", out);
	json_string(out, slash ? slash + 1 : page->report->file);
	fprintf(out, ",\"start\":\"%llu\",\"length\":%llu", objects->first_record->ts,
		objects->last_record->ts - objects->first_record->ts);
	fprintf(out, ",\"damaged\":%lu", objects->nr_damaged);
	print_words(out);
}

static void print_columns(struct page *page)
{
	const struct {
		const char	*name;
		struct column	*column;
	} columns[] = {
		{ "time", &page->time }, { "kind", &page->kind }, { "site", &page->site },
		{ "run", &page->run }, { "value", &page->value }, { "changes", &page->changes },
		{ "depths", &page->depths }, { "returns", &page->returns },
		{ "places", &page->places }, { "returned", &page->returned },
		{ "stacked", &page->stacked }, { "open", &page->open },
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		column_print(page->report->out, columns[i].name, columns[i].column);
		column_free(columns[i].column);
	}
}

static void print_all(struct page *page, const char *objects, const char *notes)
{
	FILE *out = page->report->out;

	print_file(page);
	fprintf(out, ",\n\"objects\":[%s],\n\"notes\":[%s]", objects, notes);
	print_stacks(page);
	print_functions(page);
	print_sites(page);
	print_runs(page);
	print_values(page);
	print_columns(page);
	fputs("}", out);
}

/**
 * pagedata_print() - print the objects as the data of a page
 * @report: the report
 *
 * The JSON has no "<", so it can be between two tags.
 *
 * Return: 0, or -ENOMEM.
 */
int pagedata_print(struct report *report)
{
	struct page page = { .report = report };
	char *objects = NULL, *notes = NULL;
	size_t objects_size, notes_size;
	const struct object *object;
	int ret = 0;

	page.objects = open_memstream(&objects, &objects_size);
	page.notes = open_memstream(&notes, &notes_size);
	if (!page.objects || !page.notes)
		return -ENOMEM;
	for_each_object(object, report->objects) {
		ret = ret ?: add_object(&page, object);
	}
	fclose(page.objects);
	fclose(page.notes);
	if (!ret)
		print_all(&page, objects, notes);
	free(objects);
	free(notes);
	counts_free(&page.functions);
	counts_free(&page.sites);
	counts_free(&page.runs);
	counts_free(&page.values);
	return ret;
}
