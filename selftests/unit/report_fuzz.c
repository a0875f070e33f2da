// SPDX-License-Identifier: GPL-2.0-only
/*
 * For libFuzzer: any bytes in the records of a file have a report in each view, and the JSON of the
 * report is valid.  The formats are those of selftests/report/small.dat.
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
#include "tools/objtrace/reader.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

/* Of a record: its event, length, CPU and time before its bytes */
#define HEAD		4

static struct reader reader;
static struct trace_symbols *symbols;
static int ids[NR_RECORD_KINDS];

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
	symbols = symbols_new(reader.tep);
	for (kind = 0; kind < NR_RECORD_KINDS; kind++) {
		snprintf(name, sizeof(name), "objtrace_%s", record_kind_name(kind));
		ids[kind] = tep_find_event_by_name(reader.tep, "objtrace", name)->id;
	}
	return 0;
}

/* Take one record from the input: its type is one of ours, its other bytes are arbitrary. */
static size_t take(struct objects *objects, const uint8_t *data, size_t size, u64 *ts)
{
	size_t len = data[1] < size - HEAD ? data[1] : size - HEAD;
	struct tep_record raw = { .cpu = data[2], .size = len };
	struct record_owner owner;
	struct record record;

	raw.data = malloc(len ?: 1);	/* the sanitizer guards its end */
	memcpy(raw.data, data + HEAD, len);
	if (len >= 2)
		*(uint16_t *)raw.data = ids[data[0] % NR_RECORD_KINDS];
	*ts += data[3] * 100;
	raw.ts = *ts;
	if (data[3] == 255)
		objects_lose(objects, data[2] - 5);
	if (decode(reader.decoder, &raw, &record, &owner) == DECODED) {
		/* Few objects, so that they have many records */
		owner.id &= 3;
		owner.address &= 0x10;
		objects_add(objects, &record, &owner, NULL);
	}
	free(raw.data);
	return HEAD + len;
}

static char *view(int (*print)(struct report *), struct objects *objects, bool all)
{
	struct report report = {
		.all = all,
		.colour = all,
		.objects = objects,
		.symbols = symbols,
		.tep = reader.tep,
		.decoder = reader.decoder,
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

static void check_views(struct objects *objects)
{
	static int (* const texts[])(struct report *) = {
		view_changes, view_timeline, view_graph, view_functions, view_refs,
	};
	unsigned int i;
	char *text;

	for (i = 0; i < 2 * sizeof(texts) / sizeof(*texts); i++)
		free(view(texts[i / 2], objects, i % 2));
	text = view(view_json, objects, false);
	check_lines(text);
	free(text);
	text = view(view_perfetto, objects, false);
	if (!json_is_valid(text))
		fail("the events of Perfetto are no JSON");
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct objects objects = {};
	u64 ts = 1000000000;
	size_t used;

	while (size >= HEAD) {
		used = take(&objects, data, size, &ts);
		data += used;
		size -= used;
	}
	objects_end(&objects);
	check_views(&objects);
	objects_free(&objects);
	return 0;
}
