// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace-event format of Chrome, which Perfetto reads.  An object is a process there, with a
 * track for each task that uses the object, and a counter with the value.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/objtrace/calls.h"
#include "tools/objtrace/jsontext.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

/* Numbers of tracks for the idle task of each CPU: above the largest number of a task */
#define IDLE_TRACK	4194305

struct output {
	struct report		*report;
	bool			has_event;
};

static int track_of(const struct record *record)
{
	return record->pid ? record->pid : IDLE_TRACK + record->cpu;
}

/* Begin an event: the caller adds members, and closes the object */
static void begin_event(struct output *output, const char *phase, const struct object *object)
{
	fprintf(output->report->out, "%s\n{\"ph\":\"%s\",\"pid\":%u",
		output->has_event ? "," : "", phase, object->number);
	output->has_event = true;
}

static void put_name(struct output *output, const char *name)
{
	fputs(",\"name\":", output->report->out);
	json_string(output->report->out, name);
}

static void put_time(struct output *output, const char *key, u64 ns)
{
	fprintf(output->report->out, ",\"%s\":%llu.%03llu", key, ns / 1000, ns % 1000);
}

static void name_process(struct output *output, const struct object *object)
{
	begin_event(output, "M", object);
	fprintf(output->report->out,
		",\"name\":\"process_name\",\"args\":{\"name\":\"object %u 0x%llx\"}}",
		object->number, object->address);
}

/* The table of tasks has one bit for each number, for numbers of damaged files too */
#define NR_TRACKS	(IDLE_TRACK + 65536)

static void name_track(struct output *output, const struct record *record, u64 *bits)
{
	int track = track_of(record);
	char task[TASK_LEN];

	if (track < 0 || track >= NR_TRACKS || bits[track / 64] & 1ULL << track % 64)
		return;
	bits[track / 64] |= 1ULL << track % 64;
	text_task(output->report, record, task);
	begin_event(output, "M", record->object);
	fprintf(output->report->out, ",\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":",
		track);
	json_string(output->report->out, task);
	fputs("}}", output->report->out);
}

static void forget_tracks(const struct object *object, u64 *bits)
{
	const struct record *record;

	for_each_record(record, object)
		if (track_of(record) >= 0 && track_of(record) < NR_TRACKS)
			bits[track_of(record) / 64] = 0;
}

static void put_counter(struct output *output, const struct record *record)
{
	if (!record_has_value(record) || record->fault)
		return;
	begin_event(output, "C", record->object);
	put_time(output, "ts", record->ts);
	put_name(output, record->object->member ?: "value");
	if (record->format == FORMAT_SIGNED || record->format == FORMAT_ENUM)
		fprintf(output->report->out, ",\"args\":{\"value\":%lld}}",
			(long long)record->value);
	else
		fprintf(output->report->out, ",\"args\":{\"value\":%llu}}", record->value);
}

/* Without a suspect, a change has the name of the function that was entered with the new value */
static const char *label_of(struct output *output, const struct record *record)
{
	switch (record->kind) {
	case RECORD_ADD:
		return "objtrace_add";
	case RECORD_DEL:
		return "objtrace_del";
	case RECORD_WATCH:
		return "objtrace_watch";
	case RECORD_EVENT:
		return record->event;
	default:
		return function_name(output->report, record->ip ?: record->seen_ip);
	}
}

static void put_arg(struct output *output, const char *key, const char *text)
{
	fprintf(output->report->out, ",\"%s\":", key);
	json_string(output->report->out, text);
}

static void put_args(struct output *output, const struct record *record,
		     const struct change *change)
{
	struct report *report = output->report;
	char values[VALUES_LEN];

	text_values(report, record, change, values);
	fprintf(report->out, ",\"args\":{\"record\":\"%s\"", record_kind_name(record->kind));
	if (*values)
		put_arg(output, "value", values);
	if (record->parent_ip)
		put_arg(output, "caller", function_name(report, record->parent_ip));
	if (change->seen_ip && record->kind == RECORD_CHANGE)
		put_arg(output, "seen_at", function_name(report, change->seen_ip));
	if (record->event)
		put_arg(output, "event", record->event);
	fputs("}}", report->out);
}

/* A call with a known return is a slice, and any other record is an instant */
static void put_call(struct output *output, const struct call *call, const struct change *change)
{
	const struct record *record = call->record;

	if (call->of_entry)
		return;
	begin_event(output, call->ret ? "X" : "i", record->object);
	fprintf(output->report->out, ",\"tid\":%d", track_of(record));
	put_time(output, "ts", record->ts);
	if (call->ret)
		put_time(output, "dur", call->ret->ts - record->ts);
	else
		fputs(",\"s\":\"t\"", output->report->out);
	put_name(output, label_of(output, record));
	put_args(output, record, change);
}

static int put_object(struct output *output, const struct object *object, u64 *bits)
{
	struct call *calls = calls_find(object, output->report->symbols);
	struct history history = {};
	struct change change;
	unsigned long i;

	if (!calls)
		return -ENOMEM;
	name_process(output, object);
	for (i = 0; i < object->nr_records; i++) {
		bool is_new = history_next(&history, calls[i].record, &change);

		name_track(output, calls[i].record, bits);
		put_call(output, &calls[i], &change);
		if (is_new)
			put_counter(output, calls[i].record);
	}
	forget_tracks(object, bits);
	free(calls);
	return 0;
}

/**
 * view_perfetto() - print the objects in the trace-event format
 * @report: the report
 *
 * Return: 0, or -ENOMEM.
 */
int view_perfetto(struct report *report)
{
	struct output output = { .report = report };
	u64 *bits = calloc(NR_TRACKS / 64 + 1, sizeof(*bits));
	const struct object *object;
	int ret = bits ? 0 : -ENOMEM;

	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", report->out);
	for_each_object(object, report->objects) {
		if (ret)
			break;
		ret = put_object(&output, object, bits);
	}
	fputs("\n]}\n", report->out);
	free(bits);
	return ret;
}
