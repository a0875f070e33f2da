// SPDX-License-Identifier: GPL-2.0-only
/*
 * For libFuzzer: any bytes in the records and in the names of a file have a report in each view, and
 * the JSON of the report is valid.  The formats are those of selftests/report/small.dat.
 *
 * libtracecmd itself is not fuzzed: it crashes on many damaged files, and `objtrace report' reads
 * in a child process for that reason.  selftests/report/test.sh damages whole files.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <trace-cmd/trace-cmd.h>

#include "json_check.h"
#include "tools/objtrace/pagedata.h"
#include "tools/objtrace/reader.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

/* Of a record: its event, length, CPU and time before its bytes */
#define HEAD		4

/* The task and the function that have the names of the input */
#define TASK		7
#define FUNCTION	0xffffffff81000000ULL
#define FUNCTION_SIZE	0x100

/* The input begins with these names, each after its length */
enum name { NAME_TASK, NAME_FUNCTION, NAME_MODULE, NAME_INSTANCE, NR_NAMES };

struct names {
	char			text[NR_NAMES][16];
	struct tep_handle	*tep;
	struct trace_symbols	*symbols;
};

static struct reader reader;
static int ids[NR_RECORD_KINDS + 1];

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *complaint)
{
	fprintf(stderr, "report_fuzz: %s\n", complaint);
	abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char name[40];
	int kind;

	if (reader_open(&reader, SMALL))
		fail("cannot open " SMALL);
	for (kind = 0; kind < NR_RECORD_KINDS; kind++) {
		snprintf(name, sizeof(name), "objtrace_%s", record_kind_name(kind));
		ids[kind] = tep_find_event_by_name(reader.tep, "objtrace", name)->id;
	}
	return 0;
}

/* The smallest bytes are the most frequent bytes of an input */
static char hostile(uint8_t byte)
{
	static const char bytes[] = "\"\\\n\033\177[]<&/ a";

	return byte < sizeof(bytes) - 1 ? bytes[byte] : (char)byte;
}

static size_t names_take(struct names *names, const uint8_t *data, size_t size)
{
	size_t at = 0, len, j;
	int i;

	memset(names, 0, sizeof(*names));
	for (i = 0; i < NR_NAMES && at < size; i++) {
		len = data[at++] % sizeof(names->text[i]);
		if (len > size - at)
			len = size - at;
		for (j = 0; j < len; j++)
			names->text[i][j] = hostile(data[at++]);
	}
	names->tep = tep_alloc();
	tep_register_comm(names->tep, names->text[NAME_TASK], TASK);
	tep_register_function(names->tep, names->text[NAME_FUNCTION], FUNCTION,
			      names->text[NAME_MODULE]);
	tep_register_function(names->tep, "end", FUNCTION + FUNCTION_SIZE, NULL);
	names->symbols = symbols_new(names->tep);
	return at;
}

static void names_free(struct names *names)
{
	symbols_free(names->symbols);
	tep_free(names->tep);
}

/* Let half of the records have the task, and half have the function, of the input. */
static void use_names(struct record *record)
{
	if (record->pid & 1)
		record->pid = TASK;
	if (record->ip & 1)
		record->ip = FUNCTION + record->ip % FUNCTION_SIZE;
}

/* An event of the kernel, with the bytes as its text */
static void add_event(struct objects *objects, const struct tep_record *raw)
{
	struct record record;
	char text[64];
	int i;

	if (raw->size < 8)
		return;
	for (i = 0; i < raw->size && i < (int)sizeof(text) - 1; i++)
		text[i] = ' ' + ((unsigned char *)raw->data)[i] % ('~' - ' ');
	text[i] = '\0';
	decode_event(reader.decoder, raw, &record, text);
	objects_add_event(objects, &record, ((unsigned char *)raw->data)[0] & 0x10);
}

/* Take one record from the input: its type is one of ours, its other bytes are arbitrary. */
static size_t take(struct objects *objects, const char *instance, const uint8_t *data, size_t size,
		   u64 *ts)
{
	size_t len = data[1] < size - HEAD ? data[1] : size - HEAD;
	struct tep_record raw = { .cpu = data[2], .size = len };
	struct record_owner owner;
	struct record record;

	raw.data = malloc(len ?: 1);	/* the sanitizer guards its end */
	memcpy(raw.data, data + HEAD, len);
	if (len >= 2)
		*(uint16_t *)raw.data = ids[data[0] % (NR_RECORD_KINDS + 1)];
	*ts += data[3] * 100;
	raw.ts = *ts;
	if (data[3] == 255)
		objects_lose(objects, data[2] - 5);
	if (data[0] % (NR_RECORD_KINDS + 1) == NR_RECORD_KINDS) {
		add_event(objects, &raw);
	} else if (decode(reader.decoder, &raw, &record, &owner) == DECODED) {
		/* Few objects, so that they have many records */
		owner.id &= 3;
		owner.address &= 0x10;
		use_names(&record);
		objects_add(objects, &record, &owner, instance);
	}
	free(raw.data);
	return HEAD + len;
}

static char *view(int (*print)(struct report *), struct objects *objects,
		  const struct names *names, bool all)
{
	struct report report = {
		.all = all,
		.colour = all,
		.objects = objects,
		.symbols = names->symbols,
		.tep = names->tep,
		.decoder = reader.decoder,
		.stacks = &reader.stacks,
		.file = SMALL,
	};
	char *text = NULL;
	size_t size;

	report.out = open_memstream(&text, &size);
	if (!report.out || print(&report))
		fail("no memory");
	fclose(report.out);
	if (strlen(text) != size)
		fail("the output has a NUL");
	return text;
}

static void check_lines(char *text)
{
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n")) && *line)
		if (!json_is_valid(line))
			fail(line);
}

/* With colours, a text has control characters */
static void check_text(const char *text, bool has_colours)
{
	for (; *text && !has_colours; text++)
		if ((*text < ' ' || *text > '~') && *text != '\n')
			fail("a terminal gets a character that is not printable");
}

/* Without a "<", the data cannot end the element that it is in */
static void check_page(struct objects *objects, const struct names *names)
{
	char *text;

	if (!objects->nr)
		return;
	text = view(pagedata_print, objects, names, false);
	if (!json_is_valid(text) || strchr(text, '<'))
		fail("the data of the page is no JSON, or has a tag");
	free(text);
}

static void check_views(struct objects *objects, const struct names *names)
{
	static int (* const texts[])(struct report *) = {
		view_changes, view_timeline, view_graph, view_functions, view_refs,
		view_svg,
	};
	unsigned int i;
	char *text;

	for (i = 0; i < 2 * sizeof(texts) / sizeof(*texts); i++) {
		text = view(texts[i / 2], objects, names, i % 2);
		check_text(text, i % 2);
		free(text);
	}
	text = view(view_json, objects, names, false);
	check_lines(text);
	free(text);
	text = view(view_perfetto, objects, names, false);
	if (!json_is_valid(text))
		fail("the events of Perfetto are no JSON");
	free(text);
	check_page(objects, names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct objects objects = {};
	u64 ts = 1000000000;
	struct names names;
	size_t used;

	used = names_take(&names, data, size);
	for (data += used, size -= used; size >= HEAD; data += used, size -= used)
		used = take(&objects, names.text[NAME_INSTANCE], data, size, &ts);
	objects_end(&objects);
	check_views(&objects, &names);
	objects_free(&objects);
	names_free(&names);
	return 0;
}
