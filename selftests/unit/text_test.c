// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values, pairs of values and durations as text.
 */
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/records.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tap.h"

#define FUNCTION	0xffffffff81000000ULL

static void check_numbers(void)
{
	static const struct {
		u64		value;
		unsigned int	base;
		int		min;
		const char	*wanted;
	} cases[] = {
		{ 0,	  16, 1, "0" },
		{ 0xabc,  16, 1, "abc" },
		{ -1ULL,  16, 1, "ffffffffffffffff" },
		{ -1ULL,  10, 1, "18446744073709551615" },
		{ 42,	  10, 6, "000042" },
		{ 999999, 10, 6, "999999" },
	};
	char number[NUMBER_LEN];
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(!strcmp(text_number(number + NUMBER_LEN, cases[i].value, cases[i].base,
				       cases[i].min), cases[i].wanted),
		   "a number of base %u: %s", cases[i].base, cases[i].wanted);
}

static void check_values(struct report *report)
{
	static const struct {
		unsigned int	format;
		unsigned int	fault;
		u64		value;
		const char	*wanted;
	} cases[] = {
		{ FORMAT_HEX,	 NO_FAULT,	 -1ULL,		"0xffffffffffffffff" },
		{ FORMAT_SIGNED, NO_FAULT,	 -1ULL,		"-1" },
		{ FORMAT_CHAR,	 NO_FAULT,	 'a',		"'a'" },
		{ FORMAT_CHAR,	 NO_FAULT,	 '\n',		"0xa" },
		{ FORMAT_CHAR,	 NO_FAULT,	 -1ULL,		"0xff" },
		{ FORMAT_SYMBOL, NO_FAULT,	 FUNCTION + 3,	"f+0x3" },
		{ FORMAT_SYMBOL, NO_FAULT,	 0,		"0x0" },
		{ FORMAT_ENUM,	 NO_FAULT,	 -7ULL,		"-7" },
		{ 99,		 NO_FAULT,	 7,		"0x7" },
		{ FORMAT_HEX,	 FAULT_UNMAPPED, 7,		"(fault)" },
		{ FORMAT_SIGNED, FAULT_IO,	 7,		"(io)" },
		{ FORMAT_ENUM,	 FAULT_UNKNOWN,	 7,		"?" },
	};
	char text[VALUE_LEN];
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record record = { .format = cases[i].format };

		text_value(report, &record, cases[i].value, cases[i].fault, text);
		ok(!strcmp(text, cases[i].wanted), "a value of the format %u: %s",
		   cases[i].format, text);
	}
}

static void check_pairs(struct report *report)
{
	struct record record = { .kind = RECORD_WRITE, .format = FORMAT_SIGNED, .value = 5 };
	struct change change = { .culprit = CULPRIT_STORE, .knows_old = true, .old = 4 };
	char text[VALUES_LEN];

	text_values(report, &record, &change, text);
	ok(!strcmp(text, "4 -> 5"), "both values of a change: %s", text);
	change.knows_old = false;
	text_values(report, &record, &change, text);
	ok(!strcmp(text, "? -> 5"), "an unknown old value: %s", text);
	change.culprit = CULPRIT_NONE;
	text_values(report, &record, &change, text);
	ok(!strcmp(text, "5"), "a value that did not change: %s", text);
	record.kind = RECORD_DEL;
	text_values(report, &record, &change, text);
	ok(!*text, "a record without a value");
}

static void check_event(struct report *report, struct record *record, const char *wanted)
{
	struct record add = { .kind = RECORD_ADD, .value = 1 };
	struct history history = {};
	struct change change;
	char *text = NULL;
	size_t size;

	report->out = open_memstream(&text, &size);
	history_next(&history, &add, &change);
	history_next(&history, record, &change);
	print_event(report, record, &change);
	fclose(report->out);
	ok(!strcmp(text, wanted), "the event of a record: %s", text);
	free(text);
}

static void check_events(struct report *report)
{
	struct record record = {
		.kind = RECORD_CHANGE, .how = AFTER_UNKNOWN, .value = 2,
		.seen_ip = FUNCTION, .seen_parent_ip = FUNCTION + 1,
	};

	check_event(report, &record, "seen at f <- f");
	/* With --all, a change that tells nothing has a line, too */
	record.value = 1;
	check_event(report, &record, "seen at f <- f");
	record.how = AFTER_CALL;
	record.value = 2;
	record.ip = FUNCTION + 0x100;
	check_event(report, &record, "in or after end, seen at f <- f");
}

static void check_durations(void)
{
	static const struct {
		u64		ns;
		const char	*wanted;
	} cases[] = {
		{ 0, "0 ns" }, { 999, "999 ns" }, { 1000, "1.0 us" }, { 999900, "999.9 us" },
		{ 1000000, "1.0 ms" }, { 1000000000, "1.000 s" }, { 3600000000000, "3600.000 s" },
	};
	char text[32];
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		text_duration(cases[i].ns, text);
		ok(!strcmp(text, cases[i].wanted), "%llu ns: %s", cases[i].ns, text);
	}
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
	struct report report = { .tep = tep };

	tep_register_function(tep, "f", FUNCTION, NULL);
	tep_register_function(tep, "end", FUNCTION + 0x100, NULL);
	tep_parse_event(tep, format, strlen(format), "objtrace");
	report.symbols = symbols_new(tep);
	report.decoder = decoder_new(tep, NULL, 0);
	check_numbers();
	check_values(&report);
	check_pairs(&report);
	check_events(&report);
	check_durations();
	decoder_free(report.decoder);
	symbols_free(report.symbols);
	tep_free(tep);
	return tap_done();
}
