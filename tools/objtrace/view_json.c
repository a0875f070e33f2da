// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON, one object on each line.  Documentation/report-json.rst has the schema.
 */
#include "tools/objtrace/btfnames.h"
#include "tools/objtrace/jsontext.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

static void put_key(struct report *report, const char *key)
{
	fprintf(report->out, ",\"%s\":", key);
}

static void put_number(struct report *report, const char *key, u64 number)
{
	fprintf(report->out, ",\"%s\":%llu", key, number);
}

static void put_bool(struct report *report, const char *key, bool is_true)
{
	fprintf(report->out, ",\"%s\":%s", key, is_true ? "true" : "false");
}

/* Numbers of JSON have 53 bits in many programs, and addresses have 64 */
static void put_hex(struct report *report, const char *key, u64 number)
{
	fprintf(report->out, ",\"%s\":\"0x%llx\"", key, number);
}

static void put_string(struct report *report, const char *key, const char *text)
{
	put_key(report, key);
	if (text)
		json_string(report->out, text);
	else
		fputs("null", report->out);
}

static void put_function(struct report *report, const char *key, u64 ip)
{
	const struct symbol *symbol;

	put_key(report, key);
	if (!ip) {
		fputs("null", report->out);
		return;
	}
	symbol = symbol_at(report->symbols, ip);
	fputs("{\"name\":", report->out);
	json_string(report->out, symbol->name);
	put_string(report, "module", symbol->module);
	put_number(report, "offset", ip - symbol->start);
	put_hex(report, "address", ip);
	fputc('}', report->out);
}

static void put_value(struct report *report, const char *key, const struct record *record,
		      u64 value, unsigned int fault)
{
	char text[VALUE_LEN];

	text_value(report, record, value, fault, text);
	put_key(report, key);
	fputs("{\"text\":", report->out);
	json_string(report->out, text);
	if (fault)
		fputs(",\"number\":null}", report->out);
	else if (record->format == FORMAT_SIGNED || record->format == FORMAT_ENUM)
		fprintf(report->out, ",\"number\":%lld}", (long long)value);
	else
		fprintf(report->out, ",\"number\":%llu}", value);
}

static void put_object(struct report *report, const struct object *object)
{
	const struct record *typed = object->typed;

	fprintf(report->out, "{\"type\":\"object\",\"object\":%u", object->number);
	put_number(report, "id", object->id);
	put_hex(report, "address", object->address);
	put_string(report, "struct", typed && !typed->btf ?
		   btfnames_struct(report->btf, typed->struct_id) : NULL);
	put_string(report, "member", object->member);
	put_string(report, "instance", object->instance);
	put_number(report, "first_ns", object->first->ts);
	put_number(report, "last_ns", object->last->ts);
	put_bool(report, "has_begin", object->add);
	put_bool(report, "has_end", object->del);
	put_number(report, "records", object->nr_records);
	put_key(report, "hits");
	if (object->del)
		fprintf(report->out, "%llu", object->del->hits);
	else
		fputs("null", report->out);
	put_number(report, "lost", object_lost(object));
	put_bool(report, "has_gap", object_has_gap(object));
	fputs("}\n", report->out);
}

static void put_entry(struct report *report, const struct record *record)
{
	put_function(report, "function", record->ip);
	put_function(report, "caller", record->parent_ip);
	put_number(report, "argument", record->arg);
	put_number(report, "offset", record->offset);
	put_bool(report, "certain", !record->unknown);
}

static const char *how_name(unsigned int how)
{
	static const char * const names[] = {
		[AFTER_CALL] = "after_call",
		[AFTER_ADD] = "after_add",
		[AFTER_UNKNOWN] = "unknown",
		[AFTER_STORE] = "after_store",
		[AFTER_RETURN] = "after_return",
		[WITHIN] = "within",
	};

	return how < sizeof(names) / sizeof(*names) ? names[how] : "unknown";
}

static void put_change(struct report *report, const struct record *record)
{
	put_string(report, "how", how_name(record->how));
	put_entry(report, record);
	put_bool(report, "or_in_a_call", record->unsure);
	if (record->how == AFTER_UNKNOWN)
		put_string(report, "old", NULL);
	else
		put_value(report, "old", record, record->old, record->old_fault);
	put_value(report, "value", record, record->value, record->fault);
	put_function(report, "seen_function", record->how == WITHIN ? 0 : record->seen_ip);
	put_function(report, "seen_caller", record->how == WITHIN ? 0 : record->seen_parent_ip);
}

static void put_end(struct report *report, const struct record *record)
{
	static const char * const reasons[] = {
		[DEL_TRIGGER] = "trigger",
		[DEL_DEL] = "del",
		[DEL_CLEAR] = "clear",
		[DEL_FREE] = "free",
	};
	unsigned int nr = sizeof(reasons) / sizeof(*reasons);

	put_string(report, "reason", record->reason < nr ? reasons[record->reason] : NULL);
	put_function(report, "function", record->by);
	put_function(report, "caller", record->ip);
	put_number(report, "hits", record->hits);
	put_number(report, "age_ns", record->age);
}

static void put_rest(struct report *report, const struct record *record)
{
	switch (record->kind) {
	case RECORD_ADD:
		put_string(report, "event", record->event);
		put_value(report, "value", record, record->value, record->fault);
		break;
	case RECORD_VALUE:
		put_entry(report, record);
		put_value(report, "value", record, record->value, record->fault);
		break;
	case RECORD_CHANGE:
		put_change(report, record);
		break;
	case RECORD_RETURN:
		put_entry(report, record);
		put_bool(report, "or_in_a_call", record->unsure);
		put_value(report, "old", record, record->old, record->old_fault);
		put_value(report, "value", record, record->value, record->fault);
		put_hex(report, "returned", record->ret);
		break;
	case RECORD_DEL:
		put_end(report, record);
		break;
	case RECORD_AFTER_FREE:
		put_entry(report, record);
		put_function(report, "freed_by", record->by);
		put_number(report, "age_ns", record->age);
		break;
	case RECORD_WATCH:
		put_number(report, "cpus", record->cpus);
		put_number(report, "window_ns", record->age);
		break;
	case RECORD_EVENT:
		put_string(report, "text", record->event);
		break;
	default:
		put_function(report, "function", record->ip);
		put_value(report, "old", record, record->old, NO_FAULT);
		put_value(report, "value", record, record->value, record->fault);
	}
}

static void put_record(struct report *report, const struct record *record)
{
	char command[TASK_LEN];

	text_command(report, record, command);
	fprintf(report->out, "{\"type\":\"%s\",\"object\":%u", record_kind_name(record->kind),
		record->object->number);
	put_number(report, "time_ns", record->ts);
	put_number(report, "since_ns", record->ts - object_start(record->object));
	put_number(report, "cpu", record->cpu);
	fprintf(report->out, ",\"pid\":%d", record->pid);
	put_string(report, "task", command);
	put_rest(report, record);
	fputs("}\n", report->out);
}

/**
 * view_json() - print each object, and each record after its object, on a line of its own
 * @report: the report
 *
 * Return: 0.
 */
int view_json(struct report *report)
{
	const struct object *object;
	const struct record *record;

	for_each_object(object, report->objects) {
		put_object(report, object);
		for_each_record(record, object)
			put_record(report, record);
	}
	return 0;
}
