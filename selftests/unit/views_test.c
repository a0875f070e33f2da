// SPDX-License-Identifier: GPL-2.0-only
/*
 * The views for programs: the names of Perfetto's events, and names of hostile bytes in JSON.
 */
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "json_check.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"
#include "tap.h"

#define FUNCTION	0xffffffff81000000ULL
#define SEEN		(FUNCTION + 0x100)
#define CALLER		(FUNCTION + 0x200)
#define END		(FUNCTION + 0x300)
#define TASK		7

static struct tep_handle *names_new(const char *task, const char *function, char *module)
{
	struct tep_handle *tep = tep_alloc();

	tep_register_comm(tep, task, TASK);
	tep_register_function(tep, (char *)function, FUNCTION, module);
	tep_register_function(tep, "seen", SEEN, NULL);
	tep_register_function(tep, "caller", CALLER, NULL);
	tep_register_function(tep, "end", END, NULL);
	return tep;
}

/* Return the output of a view for an object, for free() */
static char *view(int (*print)(struct report *report), struct tep_handle *tep,
		  struct object *object)
{
	struct objects objects = { .nr = 1, .first = object };
	struct report report = { .tep = tep, .objects = &objects, .symbols = symbols_new(tep) };
	char *text = NULL;
	size_t size;

	object->number = 1;
	object->is_selected = true;
	report.out = open_memstream(&text, &size);
	print(&report);
	fclose(report.out);
	symbols_free(report.symbols);
	return text;
}

static void link_records(struct object *object, struct record *records, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		records[i].object = object;
		records[i].next = i + 1 < nr ? &records[i + 1] : NULL;
	}
	object->first = records;
	object->last = &records[nr - 1];
	object->nr_records = nr;
}

#define NAMES									\
	"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"			\
	"{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"object 1 0x0\"}},\n" \
	"{\"ph\":\"M\",\"pid\":1,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"t-7\"}},\n" \
	"{\"ph\":\"i\",\"pid\":1,\"tid\":7,\"ts\":0.000,\"s\":\"t\",\"name\":"
#define COUNTER									\
	",\n{\"ph\":\"C\",\"pid\":1,\"ts\":0.000,\"name\":\"value\",\"args\":{\"value\":2}}\n]}\n"

/* The event of a change has the name of the suspect, if there is one */
static void check_names_of_changes(void)
{
	static const struct {
		const char	*name;
		struct record	record;
		const char	*wanted;
	} cases[] = {
		{ "after a call",
		  { .how = AFTER_CALL, .ip = FUNCTION, .parent_ip = CALLER, .seen_ip = SEEN },
		  NAMES "\"f\",\"args\":{\"record\":\"change\",\"value\":\"0x1 -> 0x2\",\"caller\":\"caller\",\"seen_at\":\"seen\"}}" COUNTER },
		{ "within a call",
		  { .how = WITHIN, .ip = FUNCTION, .parent_ip = CALLER },
		  NAMES "\"f\",\"args\":{\"record\":\"change\",\"value\":\"0x1 -> 0x2\",\"caller\":\"caller\"}}" COUNTER },
		{ "after the add",
		  { .how = AFTER_ADD, .seen_ip = SEEN, .seen_parent_ip = CALLER },
		  NAMES "\"seen\",\"args\":{\"record\":\"change\",\"value\":\"0x1 -> 0x2\",\"seen_at\":\"seen\"}}" COUNTER },
		{ "with an unknown old value",
		  { .how = AFTER_UNKNOWN, .seen_ip = SEEN, .seen_parent_ip = CALLER },
		  NAMES "\"seen\",\"args\":{\"record\":\"change\",\"value\":\"? -> 0x2\",\"seen_at\":\"seen\"}}" COUNTER },
	};
	struct tep_handle *tep = names_new("t", "f", NULL);
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record record = cases[i].record;
		struct object object = {};
		char *text;

		record.kind = RECORD_CHANGE;
		record.pid = TASK;
		record.old = 1;
		record.value = 2;
		link_records(&object, &record, 1);
		text = view(view_perfetto, tep, &object);
		if (!ok(!strcmp(text, cases[i].wanted), "the event of a change %s", cases[i].name))
			fputs(text, stderr);
		free(text);
	}
	tep_free(tep);
}

/*
 * The strings of the JSON that come from a file.  The decoder replaces the bytes of members and
 * events that are not printable: see records_test.c.
 */
static const struct {
	const char	*key;
	bool		is_printable;
} names[] = {
	{ "task", true }, { "name", true }, { "module", true }, { "member", true },
	{ "event", true }, { "instance", false },
};

/* Compare the first string with this key, by its characters */
static bool has_string(const char *json, const char *key, const char *wanted)
{
	char start[40];
	const char *at;

	snprintf(start, sizeof(start), "\"%s\":\"", key);
	at = strstr(json, start);
	if (!at)
		return false;
	for (at += strlen(start); *at != '"' && *wanted; wanted++)
		if (json_character(&at) != (unsigned char)*wanted)
			return false;
	return *at == '"' && !*wanted;
}

static bool lines_are_valid(const char *text)
{
	const char *end;
	char line[2000];

	for (; *text; text = end + 1) {
		end = strchr(text, '\n');
		if (!end || end - text >= (ptrdiff_t)sizeof(line))
			return false;
		snprintf(line, sizeof(line), "%.*s", (int)(end - text), text);
		if (!json_is_valid(line))
			return false;
	}
	return true;
}

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if ((*text < ' ' || *text > '~') && *text != '\n')
			return false;
	return true;
}

/* Use the name in each place, and check the views for programs, and a view for terminals. */
static bool survives(const char *name, const char *printable)
{
	struct record records[] = {
		{ .kind = RECORD_ADD, .pid = TASK, .event = printable },
		{ .kind = RECORD_VALUE, .pid = TASK, .ip = FUNCTION, .parent_ip = CALLER },
	};
	struct object object = { .instance = name, .member = printable };
	struct tep_handle *tep = names_new(name, name, (char *)name);
	char *lines, *events, *changes;
	bool is_good;
	unsigned int i;

	link_records(&object, records, 2);
	lines = view(view_json, tep, &object);
	events = view(view_perfetto, tep, &object);
	changes = view(view_changes, tep, &object);
	is_good = lines_are_valid(lines) && json_is_valid(events) && is_printable(changes);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!has_string(lines, names[i].key, names[i].is_printable ? printable : name))
			is_good = false;
	if (!is_good)
		fprintf(stderr, "%s%s%s", lines, events, changes);
	free(lines);
	free(events);
	free(changes);
	tep_free(tep);
	return is_good;
}

/* A newline would end the line of a symbol: libtraceevent prints one on each line */
static void check_hostile_bytes(void)
{
	unsigned int byte, nr_bad = 0;

	for (byte = 1; byte < 256; byte++) {
		char name[] = { 'a', byte, 'b', byte, '\0' };
		char printable[sizeof(name)];

		if (byte == '\n')
			continue;
		memcpy(printable, name, sizeof(name));
		if (byte < ' ' || byte > '~')
			printable[1] = printable[3] = '?';
		nr_bad += !survives(name, printable);
	}
	ok(!nr_bad, "names of hostile bytes are valid JSON: %u bytes are not", nr_bad);
}

int main(void)
{
	check_names_of_changes();
	check_hostile_bytes();
	return tap_done();
}
