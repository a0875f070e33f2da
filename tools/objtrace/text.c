// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text for people.
 */
#include <ctype.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/btfnames.h"
#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"

#define NS_PER_SEC	1000000000ULL

#define BOLD	"\033[1m"
#define DIM	"\033[2m"
#define PLAIN	"\033[0m"

static const char *colour(const struct report *report, const char *code)
{
	return report->colour ? code : "";
}

/**
 * function_name() - name the function at an address
 * @report: the report
 * @ip: the address
 *
 * Return: the name, or the address in hexadecimal.
 */
const char *function_name(struct report *report, u64 ip)
{
	return symbol_at(report->symbols, ip)->name;
}

static void text_symbol(struct report *report, u64 address, char *text, size_t size)
{
	const struct symbol *symbol = symbol_at(report->symbols, address);

	if (symbol->module)
		snprintf(text, size, "%s+0x%llx", symbol->name, address - symbol->start);
	else
		snprintf(text, size, "0x%llx", address);
}

static void text_enumerator(struct report *report, const struct record *record, u64 value,
			    char text[VALUE_LEN])
{
	const char *name = decoder_enumerator(report->decoder, record, value);
	/* A number of a module's BTF would be another type in the BTF of the kernel */
	struct btf *btf = record->btf ? report->module_btf : report->btf;

	if (!name && btf)
		name = kbtf_enumerator(btf, record->enum_id, value);
	if (name)
		snprintf(text, VALUE_LEN, "%s", name);
	else
		snprintf(text, VALUE_LEN, "%lld", (long long)value);
}

/**
 * text_number() - format a number, ten times as fast as a format does
 * @end: the end of the buffer, which is filled from its end
 * @value: the number
 * @base: 10 or 16
 * @min: the lowest number of digits
 *
 * Return: the text, in the buffer. It has at most 20 digits and a NUL.
 */
char *text_number(char *end, u64 value, unsigned int base, int min)
{
	*--end = '\0';
	do {
		*--end = "0123456789abcdef"[value % base];
		value /= base;
	} while (--min > 0 || value);
	return end;
}

/**
 * text_value() - format a value as the files of tracefs do
 * @report: the report
 * @record: the record, which has the format of the value
 * @value: the value
 * @fault: enum record_fault of the value
 * @text: the result
 */
void text_value(struct report *report, const struct record *record, u64 value,
		unsigned int fault, char text[VALUE_LEN])
{
	unsigned char byte = value;
	char number[NUMBER_LEN];

	if (fault) {
		snprintf(text, VALUE_LEN, "%s", record_fault_name(fault));
		return;
	}
	switch (record->format) {
	case FORMAT_SIGNED:
		snprintf(text, VALUE_LEN, "%lld", (long long)value);
		break;
	case FORMAT_CHAR:
		snprintf(text, VALUE_LEN, isascii(byte) && isprint(byte) ? "'%c'" : "0x%x", byte);
		break;
	case FORMAT_SYMBOL:
		text_symbol(report, value, text, VALUE_LEN);
		break;
	case FORMAT_ENUM:
		text_enumerator(report, record, value, text);
		break;
	default:
		stpcpy(stpcpy(text, "0x"), text_number(number + NUMBER_LEN, value, 16, 1));
	}
}

/**
 * text_values() - format the old and the new value of a change, or the value of a record
 * @report: the report
 * @record: the record
 * @change: its change
 * @text: the result; empty for a record without a value
 */
void text_values(struct report *report, const struct record *record,
		 const struct change *change, char text[VALUES_LEN])
{
	char old[VALUE_LEN] = "?", new[VALUE_LEN];

	*text = '\0';
	if (!record_has_value(record))
		return;
	text_value(report, record, record->value, record->fault, new);
	if (!is_change(change)) {
		snprintf(text, VALUES_LEN, "%s", new);
		return;
	}
	if (change->knows_old)
		text_value(report, record, change->old, change->old_fault, old);
	snprintf(text, VALUES_LEN, "%s -> %s", old, new);
}

/**
 * text_command() - format the name of a record's task
 * @report: the report
 * @record: the record
 * @text: the result, printable
 */
void text_command(struct report *report, const struct record *record, char text[TASK_LEN])
{
	char *c = text;

	snprintf(text, 17, "%s", tep_data_comm_from_pid(report->tep, record->pid) ?: "?");
	for (; *c; c++)
		if (!isascii((unsigned char)*c) || !isprint((unsigned char)*c))
			*c = '?';
}

/**
 * text_task() - format the name and the number of a record's task
 * @report: the report
 * @record: the record
 * @text: the result, printable
 */
void text_task(struct report *report, const struct record *record, char text[TASK_LEN])
{
	size_t len;

	text_command(report, record, text);
	len = strlen(text);
	snprintf(text + len, TASK_LEN - len, "-%d", record->pid);
}

/**
 * text_duration() - format a time in the unit that suits it
 * @ns: the time in ns
 * @text: the result
 */
void text_duration(u64 ns, char text[32])
{
	if (ns < 1000)
		snprintf(text, 32, "%llu ns", ns);
	else if (ns < 1000000)
		snprintf(text, 32, "%.1f us", ns / 1e3);
	else if (ns < NS_PER_SEC)
		snprintf(text, 32, "%.1f ms", ns / 1e6);
	else
		snprintf(text, 32, "%.3f s", ns / 1e9);
}

/**
 * print_call() - print a function and its caller
 * @report: the report
 * @ip: the function
 * @parent_ip: the return address, or 0
 */
void print_call(struct report *report, u64 ip, u64 parent_ip)
{
	fprintf(report->out, "%s%s%s", colour(report, BOLD), function_name(report, ip),
		colour(report, PLAIN));
	if (parent_ip)
		fprintf(report->out, " <- %s", function_name(report, parent_ip));
}

/**
 * plural() - end a noun
 * @nr: how many
 *
 * Return: the ending.
 */
const char *plural(u64 nr)
{
	return nr == 1 ? "" : "s";
}

static void print_lost(struct report *report, const struct object *object)
{
	if (object_has_gap(object))
		fputs(", records lost", report->out);
	else if (object_lost(object))
		fprintf(report->out, ", %llu record%s lost", object_lost(object),
			plural(object_lost(object)));
	else
		fputs(", nothing lost", report->out);
}

/* A terminal must not get control characters from the names of a file */
static void print_printable(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(isascii((unsigned char)*text) && isprint((unsigned char)*text) ? *text : '?',
		      out);
}

/**
 * print_head() - print the line at the head of an object's block
 * @report: the report
 * @object: the object
 */
void print_head(struct report *report, const struct object *object)
{
	const struct record *typed = object->typed;
	const char *type = NULL;
	char duration[32];

	if (typed && !typed->btf)
		type = btfnames_struct(report->btf, typed->struct_id);
	text_duration(object->del && object->del->age ? object->del->age :
		      object->last->ts - object->first->ts, duration);
	fprintf(report->out, "%sobject %u%s: ", colour(report, BOLD), object->number,
		colour(report, PLAIN));
	if (type) {
		fputs("struct ", report->out);
		print_printable(report->out, type);
		fputc(' ', report->out);
	}
	fprintf(report->out, "0x%llx%s%s, %s, ", object->address, object->member ? "->" : "",
		object->member ?: "", duration);
	if (object->del)
		fprintf(report->out, "%llu hit%s", object->del->hits,
			plural(object->del->hits));
	else
		fprintf(report->out, "%lu record%s", object->nr_records,
			plural(object->nr_records));
	print_lost(report, object);
	if (object->instance) {
		fputs(", instance ", report->out);
		print_printable(report->out, object->instance);
	}
	if (!object->add)
		fputs(", added before the trace begins", report->out);
	fputc('\n', report->out);
}

/**
 * print_blocks() - print a block for each object, with an empty line between two blocks
 * @report: the report
 * @print: prints the block of an object; returns 0 or a negative error code
 *
 * Return: 0, or the first error code.
 */
int print_blocks(struct report *report,
		 int (*print)(struct report *report, const struct object *object))
{
	const struct object *object;
	bool is_first = true;
	int ret;

	for_each_object(object, report->objects) {
		if (!is_first)
			fputc('\n', report->out);
		is_first = false;
		ret = print(report, object);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * has_line() - choose the records that --changes and --timeline show
 * @report: the report
 * @record: the record
 * @is_new: the record has a new value, see history_next()
 *
 * Return: true if the record has a line.
 */
bool has_line(const struct report *report, const struct record *record, bool is_new)
{
	return report->all || is_new || !record_has_value(record);
}

/**
 * print_since() - print the time since an object's first record
 * @report: the report
 * @object: the object
 * @ts: the time of a record
 */
void print_since(struct report *report, const struct object *object, u64 ts)
{
	u64 us = (ts - object_start(object) + 500) / 1000;

	fprintf(report->out, "  %s+%llu.%06llu%s  ", colour(report, DIM), us / 1000000,
		us % 1000000, colour(report, PLAIN));
}

static void print_instruction(struct report *report, u64 ip)
{
	char text[VALUE_LEN];

	text_symbol(report, ip, text, sizeof(text));
	fprintf(report->out, "%s%s%s", colour(report, BOLD), text, colour(report, PLAIN));
}

/**
 * culprit_words() - the words before a culprit
 * @culprit: the culprit
 *
 * Return: the words, which are a whole phrase for CULPRIT_ADD; empty without a culprit.
 */
const char *culprit_words(enum culprit culprit)
{
	static const char * const words[NR_CULPRITS] = {
		[CULPRIT_NONE] = "",
		[CULPRIT_UNKNOWN] = "",
		[CULPRIT_ADD] = "after the add",
		[CULPRIT_AFTER_CALL] = "in or after",
		[CULPRIT_AFTER_RETURN] = "after the return of",
		[CULPRIT_AFTER_STORE] = "after the store at",
		[CULPRIT_WITHIN] = "in",
		[CULPRIT_MAYBE_WITHIN] = "in",
		[CULPRIT_STORE] = "stored at",
	};

	return words[culprit];
}

static void print_culprit(struct report *report, const struct change *change)
{
	fputs(culprit_words(change->culprit), report->out);
	if (change->culprit == CULPRIT_ADD)
		return;
	fputc(' ', report->out);
	if (culprit_is_instruction(change->culprit)) {
		print_instruction(report, change->ip);
		return;
	}
	print_call(report, change->ip, change->parent_ip);
	if (change->culprit == CULPRIT_MAYBE_WITHIN)
		fputs(", or in a call in it", report->out);
}

static void print_change(struct report *report, const struct change *change)
{
	bool has_culprit = is_change(change) && change->culprit != CULPRIT_UNKNOWN;

	if (has_culprit)
		print_culprit(report, change);
	if (!change->seen_ip)
		return;
	fprintf(report->out, "%sseen at %s", has_culprit ? ", " : "",
		function_name(report, change->seen_ip));
	if (change->seen_parent_ip)
		fprintf(report->out, " <- %s", function_name(report, change->seen_parent_ip));
}

static void print_end(struct report *report, const struct record *record)
{
	static const char * const reasons[] = {
		[DEL_TRIGGER] = "no longer tracked: its trigger was removed",
		[DEL_DEL] = "no longer tracked: a del trigger fired",
		[DEL_CLEAR] = "no longer tracked: a clear trigger fired",
		[DEL_FREE] = "freed",
	};

	if (record->reason >= sizeof(reasons) / sizeof(*reasons)) {
		fprintf(report->out, "no longer tracked: reason %u", record->reason);
		return;
	}
	fputs(reasons[record->reason], report->out);
	if (record->reason != DEL_FREE)
		return;
	fputs(" by ", report->out);
	if (record->by)
		print_call(report, record->by, record->ip);
	else
		print_call(report, record->ip, 0);
}

static void print_entry(struct report *report, const struct record *record)
{
	print_call(report, record->ip, record->parent_ip);
	if (record->offset)
		fprintf(report->out, " at +0x%x", record->offset);
	if (record->unknown)
		fprintf(report->out, " arg%u?", record->unknown);
}

static void print_hint(struct report *report, const struct record *record)
{
	char age[32];

	text_duration(record->age, age);
	fputs("hint: passed to ", report->out);
	print_entry(report, record);
	fprintf(report->out, ", %s after the free by %s", age,
		function_name(report, record->by));
}

static void print_watch(struct report *report, const struct record *record)
{
	char window[32];

	text_duration(record->age, window);
	fprintf(report->out, "stores have records from here (CPUs: %u, window: %s)",
		record->cpus, window);
}

/**
 * print_event() - print what happened, after the values
 * @report: the report
 * @record: the record
 * @change: its change
 */
void print_event(struct report *report, const struct record *record,
		 const struct change *change)
{
	switch (record->kind) {
	case RECORD_ADD:
		fprintf(report->out, "added by %s", record->event);
		return;
	case RECORD_DEL:
		print_end(report, record);
		return;
	case RECORD_AFTER_FREE:
		print_hint(report, record);
		return;
	case RECORD_WATCH:
		print_watch(report, record);
		return;
	case RECORD_EVENT:
		fputs(record->event, report->out);
		return;
	}
	/* The option --all also shows a change that tells nothing */
	if (record->kind == RECORD_CHANGE || is_change(change))
		print_change(report, change);
	else
		print_entry(report, record);
	if (record->kind == RECORD_RETURN && report->all)
		fprintf(report->out, " returned 0x%llx", record->ret);
}
