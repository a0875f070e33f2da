// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of `objtrace follow': whole outputs for sequences of records.
 */
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/live.h"
#include "tools/objtrace/stream.h"
#include "tools/objtrace/symbols.h"
#include "tap.h"

#define ADDRESS		0xff00000000001000ULL
/* Functions with the names f, g, c and d */
#define F		0xffffffff81000000ULL
#define G		0xffffffff81000100ULL
#define C		0xffffffff81000200ULL
#define D		0xffffffff81000300ULL
#define LONG		3000000000ULL

/* A record without a member @id is the end of a sequence. */
struct step {
	u64		id;
	u64		address;
	struct record	record;
};

#define ADD(i, a, v)								\
	{ i, a, { .kind = RECORD_ADD, .value = v, .format = FORMAT_SIGNED, .event = "e:e" } }
#define CHANGED(i, h, o, v)							\
	{ i, 0, { .kind = RECORD_CHANGE, .how = h, .ip = F, .parent_ip = C, .old = o,	\
		  .value = v, .seen_ip = G, .seen_parent_ip = D, .format = FORMAT_SIGNED } }
#define UNKNOWN(i, v)								\
	{ i, 0, { .kind = RECORD_CHANGE, .how = AFTER_UNKNOWN, .old_fault = FAULT_UNKNOWN,	\
		  .value = v, .seen_ip = G, .seen_parent_ip = D, .seen_unknown = 7,	\
		  .format = FORMAT_SIGNED } }
#define ENDED(i)								\
	{ i, 0, { .kind = RECORD_DEL, .reason = DEL_FREE, .ip = C, .by = F, .hits = 2 } }
#define WATCHED(i)	{ i, 0, { .kind = RECORD_WATCH, .cpus = 2, .age = 1000 } }
/* So much later */
#define PAUSE		{ 0, LONG }

static const struct sequence {
	const char	*name;
	int		nr_members;
	struct step	steps[8];
	const char	*wanted;
} sequences[] = {
	{
		"an object that changes and ends", 1,
		{ ADD(1, ADDRESS, 4), CHANGED(1, AFTER_CALL, 4, 5), CHANGED(1, WITHIN, 5, 6),
		  ENDED(1) },
		"object 1: struct thing 0xff00000000001000\n"
		"  +0.000000  4                            added at e:e\n"
		"  +0.000001  4 -> 5                       after f <- c, seen at g <- d\n"
		"  +0.000002  5 -> 6                       in f <- c\n"
		"  +0.000003  freed by f <- c, 2 hits\n"
		"1 object, 2 functions, 2 hits, "
	},
	{
		"values that tell nothing", 1,
		{ ADD(1, ADDRESS, 4), UNKNOWN(1, 4), CHANGED(1, AFTER_CALL, 4, 5), UNKNOWN(1, 5),
		  ENDED(1) },
		"object 1: struct thing 0xff00000000001000\n"
		"  +0.000000  4                            added at e:e\n"
		"  +0.000002  4 -> 5                       after f <- c, seen at g <- d\n"
		"  +0.000004  freed by f <- c, 2 hits\n"
		"1 object, 2 functions, 2 hits, "
	},
	{
		"values whose changes follow", 1,
		{ ADD(1, ADDRESS, 4), UNKNOWN(1, 5), UNKNOWN(1, 5), WATCHED(1),
		  CHANGED(1, AFTER_CALL, 4, 5), ENDED(1) },
		"object 1: struct thing 0xff00000000001000\n"
		"  +0.000000  4                            added at e:e\n"
		"  +0.000003  2 CPUs report stores now, the last one since +0.000001\n"
		"  +0.000004  4 -> 5                       after f <- c, seen at g <- d\n"
		"  +0.000005  freed by f <- c, 2 hits\n"
		"1 object, 2 functions, 2 hits, "
	},
	{
		"values without other records", 1,
		{ ADD(1, ADDRESS, 4), UNKNOWN(1, 5), UNKNOWN(1, 6), PAUSE, ADD(2, ADDRESS + 8, 1),
		  UNKNOWN(2, 3), ENDED(2) },
		"object 1: struct thing 0xff00000000001000\n"
		"  +0.000000  4                            added at e:e\n"
		"  +0.000001  ? -> 5                       somewhere, seen at g <- d (argument 7 is uncertain)\n"
		"  +0.000002  ? -> 6                       somewhere, seen at g <- d (argument 7 is uncertain)\n"
		"object 2: struct thing 0xff00000000001008\n"
		"  +0.000000  1                            added at e:e\n"
		"  +0.000001  ? -> 3                       somewhere, seen at g <- d (argument 7 is uncertain)\n"
		"  +0.000002  freed by f <- c, 2 hits\n"
		"2 objects, 1 function, 2 hits, "
	},
	{
		"an object whose add is lost", 1,
		{ WATCHED(1), CHANGED(1, AFTER_CALL, 4, 5), CHANGED(1, AFTER_CALL, 5, 6), ENDED(1) },
		"object 1: struct thing 0x0\n"
		"  +0.000000  4 -> 5                       after f <- c, seen at g <- d\n"
		"  +0.000001  5 -> 6                       after f <- c, seen at g <- d\n"
		"  +0.000002  freed by f <- c, 2 hits\n"
		"1 object, 2 functions, 2 hits, "
	},
	{
		"two members and two objects", 2,
		{ ADD(1, ADDRESS, 4), ADD(2, ADDRESS, 7), ADD(3, ADDRESS + 8, 1),
		  UNKNOWN(2, 8), CHANGED(1, AFTER_CALL, 4, 5), ENDED(1), ENDED(2) },
		"object 1: struct thing 0xff00000000001000\n"
		"  +0.000000  one: 4                       added at e:e\n"
		"  +0.000001  two: 7                       added at e:e\n"
		"object 2: struct thing 0xff00000000001008\n"
		"  +0.000000  one: 1                       added at e:e\n"
		"object 1: again\n"
		"  +0.000004  one: 4 -> 5                  after f <- c, seen at g <- d\n"
		"  +0.000003  two: ? -> 8                  somewhere, seen at g <- d (argument 7 is uncertain)\n"
		"  +0.000005  freed by f <- c, 2 hits\n"
		"2 objects, 2 functions, 2 hits, "
	},
};

static void take(struct stream *stream, const struct step *step, u64 ts)
{
	struct kept_record *kept = malloc(sizeof(*kept));

	kept->record = step->record;
	kept->record.ts = ts;
	kept->owner = (struct record_owner){ .id = step->id, .address = step->address };
	stream_take(stream, kept);
}

static void check(const struct sequence *sequence, struct trace_symbols *symbols,
		  struct decoder *decoder)
{
	static char *members[] = { "one", "two" };
	const struct live_view view = {
		.struct_name = "thing", .source = "e:e", .members = members,
		.nr_members = sequence->nr_members, .nr_values = sequence->nr_members,
	};
	struct stream stream = {
		.lines = { .view = &view, .report = { .symbols = symbols, .decoder = decoder } },
	};
	const struct step *step = sequence->steps;
	char *text = NULL;
	u64 ts = 1000000;
	size_t size;

	stream.lines.report.out = open_memstream(&text, &size);
	for (; step->id || step->address; step++, ts += 1000) {
		if (step->id) {
			take(&stream, step, ts);
		} else {
			ts += step->address;
			stream_release(&stream, ts - LONG / 2);
		}
	}
	stream_summary(&stream);
	fclose(stream.lines.report.out);
	if (!ok(!strcmp(text, sequence->wanted), "%s", sequence->name))
		fprintf(stderr, "%s\n", text);
	stream_free(&stream);
	free(text);
}

int main(void)
{
	static const char format[] =
		"name: objtrace_watch\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:u64 object;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:u64 id;\toffset:16;\tsize:8;\tsigned:0;\n"
		"\tfield:u64 window;\toffset:24;\tsize:8;\tsigned:0;\n"
		"\tfield:u32 cpus;\toffset:32;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"%d\", REC->cpus\n";
	struct tep_handle *tep = tep_alloc();
	struct trace_symbols *symbols;
	struct decoder *decoder;
	size_t i;

	tep_register_function(tep, "f", F, NULL);
	tep_register_function(tep, "g", G, NULL);
	tep_register_function(tep, "c", C, NULL);
	tep_register_function(tep, "d", D, NULL);
	tep_parse_event(tep, format, strlen(format), "objtrace");
	symbols = symbols_new(tep);
	decoder = decoder_new(tep, NULL, 0);
	for (i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		check(&sequences[i], symbols, decoder);
	decoder_free(decoder);
	symbols_free(symbols);
	tep_free(tep);
	return tap_done();
}
