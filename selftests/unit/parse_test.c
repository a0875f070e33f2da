// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser: what it accepts, what it makes of it, and for everything that it
 * rejects, which error at which column.
 */
#include <linux/kernel.h>

#include "objtrace_parse.h"
#include "tap.h"

/* What is accepted, what it prints as, and what it means */
static const struct {
	const char		*text;
	const char		*printed;
	const char		*field;
	int			offset;
	enum objtrace_type	type;
	unsigned long		count;
	const char		*filter;
} good[] = {
	{ "add:arg1", "add:arg1", "arg1" },
	{ "add:arg1,0", "add:arg1", "arg1" },
	{ "add:arg1,0x28", "add:arg1,0x28", "arg1", 0x28 },
	{ "add:arg1,40", "add:arg1,0x28", "arg1", 40 },
	{ "add:arg1,050", "add:arg1,0x28", "arg1", 050 },
	{ "add:arg1,-8", "add:arg1,-0x8", "arg1", -8 },
	{ "add:arg1,-0x8", "add:arg1,-0x8", "arg1", -8 },
	{ "add:arg1,2147483647", "add:arg1,0x7fffffff", "arg1", INT_MAX },
	{ "add:arg1,-2147483648", "add:arg1,-0x80000000", "arg1", INT_MIN },
	{ "add:arg1:u8", "add:arg1:u8", "arg1", 0, OBJTRACE_TYPE_U8 },
	{ "add:arg1:u16", "add:arg1:u16", "arg1", 0, OBJTRACE_TYPE_U16 },
	{ "add:arg1:u32", "add:arg1:u32", "arg1", 0, OBJTRACE_TYPE_U32 },
	{ "add:arg1:u64", "add:arg1:u64", "arg1", 0, OBJTRACE_TYPE_U64 },
	{ "add:arg1:x8", "add:arg1:x8", "arg1", 0, OBJTRACE_TYPE_X8 },
	{ "add:arg1:x16", "add:arg1:x16", "arg1", 0, OBJTRACE_TYPE_X16 },
	{ "add:arg1:x32", "add:arg1:x32", "arg1", 0, OBJTRACE_TYPE_X32 },
	{ "add:arg1:x64", "add:arg1:x64", "arg1", 0, OBJTRACE_TYPE_X64 },
	{ "add:arg1:5", "add:arg1:5", "arg1", 0, 0, 5 },
	{ "add:arg1:0x10", "add:arg1:16", "arg1", 0, 0, 16 },
	{ "add:arg1:9223372036854775807", "add:arg1:9223372036854775807", "arg1", 0, 0,
	  LONG_MAX },
	{ "add:arg1,0x28:u32:1 if comm == \"cat\"", "add:arg1,0x28:u32:1", "arg1", 0x28,
	  OBJTRACE_TYPE_U32, 1, "comm == \"cat\"" },
	{ "add:arg1 \t if\t common_pid > 0", "add:arg1", "arg1", 0, 0, 0,
	  "common_pid > 0" },
	{ "add:skb if a:b,c == 1", "add:skb", "skb", 0, 0, 0, "a:b,c == 1" },
};

/* What is rejected: a '^' stands in front of the column of the error */
static const struct {
	const char		*marked;
	enum objtrace_error_id	id;
} bad[] = {
	{ "^",				OBJTRACE_ERR_NO_VERB },
	{ "^: add",			OBJTRACE_ERR_NO_VERB },
	{ "^arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^ad:arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^adds:arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^ADD:arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "add^",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^:u32",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^,8",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^ arg1",			OBJTRACE_ERR_NO_FIELD },
	{ "add^ arg1",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^a234567890123456789012345678901234567890123456789012345678901234",
					OBJTRACE_ERR_FIELD_TOO_LONG },
	{ "add:arg1,^",			OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^zz",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^8x",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^--8",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^8,8",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^ 8",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^:u32",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^00000000000000000000000000000000008", OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^2147483648",	OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1,^-2147483649",	OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1,^0xffffffffffffffff", OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1,^99999999999999999999", OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1:^",			OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^:5",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^u7",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^s32",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^u",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^u3200000000000000000000000000000000", OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:u32:^",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:u32:^u64",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:^5x",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:^-1",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:^00000000000000000000000000000000005", OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:^18446744073709551616", OBJTRACE_ERR_COUNT_RANGE },
	{ "add:arg1:^9223372036854775808", OBJTRACE_ERR_COUNT_RANGE },
	{ "add:arg1:^0",		OBJTRACE_ERR_ZERO_COUNT },
	{ "add:arg1:u32:^0x0",		OBJTRACE_ERR_ZERO_COUNT },
	{ "add:arg1:u32:5:^",		OBJTRACE_ERR_TRAILING_TEXT },
	{ "add:arg1:5:^6",		OBJTRACE_ERR_TRAILING_TEXT },
	{ "add:arg1 ^comm == 1",	OBJTRACE_ERR_NO_IF },
	{ "add:arg1:u32 ^iff a == 1",	OBJTRACE_ERR_NO_IF },
	{ "add:arg1 ^u32",		OBJTRACE_ERR_NO_IF },
	{ "add:arg1 if^",		OBJTRACE_ERR_EMPTY_FILTER },
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void test_good(void)
{
	char printed[OBJTRACE_SPEC_LEN], again[OBJTRACE_SPEC_LEN];
	struct objtrace_error error;
	struct objtrace_spec spec;
	unsigned int i;
	bool right;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		right = !objtrace_parse(good[i].text, &spec, &error) &&
			!strcmp(spec.field, good[i].field) &&
			spec.field_pos == strlen("add:") &&
			spec.offset == good[i].offset && spec.type == good[i].type &&
			spec.count == good[i].count &&
			same_text(spec.filter, good[i].filter);
		ok(right, "'%s' is understood", good[i].text);
		objtrace_spec_print(&spec, printed, sizeof(printed));
		ok(!strcmp(printed, good[i].printed), "'%s' prints as '%s'",
		   good[i].text, printed);
		right = !objtrace_parse(printed, &spec, &error);
		objtrace_spec_print(&spec, again, sizeof(again));
		ok(right && !strcmp(printed, again), "'%s' prints the same again", printed);
	}
}

static void test_bad(void)
{
	bool tested[OBJTRACE_NR_ERRORS] = {};
	struct objtrace_error error;
	struct objtrace_spec spec;
	char text[128];
	unsigned int i;
	size_t pos;
	int ret;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		pos = strcspn(bad[i].marked, "^");
		snprintf(text, sizeof(text), "%.*s%s", (int)pos, bad[i].marked,
			 bad[i].marked + pos + 1);
		error = (struct objtrace_error){ OBJTRACE_NR_ERRORS };
		ret = objtrace_parse(text, &spec, &error);
		ok(ret < 0 && ret == objtrace_error_errno(error.id) &&
		   error.id == bad[i].id && error.pos == pos,
		   "'%s' is rejected: %s", bad[i].marked,
		   error.id < OBJTRACE_NR_ERRORS ? objtrace_error_text(error.id) : "no");
		tested[bad[i].id] = true;
	}
	/* The errors behind it depend on the event, and are tested in a kernel */
	for (i = 0; i <= OBJTRACE_ERR_EMPTY_FILTER; i++)
		if (i != OBJTRACE_ERR_UNKNOWN_FIELD && i != OBJTRACE_ERR_GENERIC_FIELD &&
		    i != OBJTRACE_ERR_FIELD_SIZE)
			ok(tested[i], "there is a test for: %s", objtrace_error_text(i));
}

static void test_sizes(void)
{
	ok(objtrace_type_size(OBJTRACE_TYPE_DEFAULT) == 8 &&
	   objtrace_type_size(OBJTRACE_TYPE_U8) == 1 &&
	   objtrace_type_size(OBJTRACE_TYPE_X16) == 2 &&
	   objtrace_type_size(OBJTRACE_TYPE_U32) == 4 &&
	   objtrace_type_size(OBJTRACE_TYPE_X64) == 8, "types have their sizes");
}

/* Every text that differs from a good one in one byte: no crash, and if it is
 * accepted, what it prints is accepted too.
 */
static void test_mutations(void)
{
	char text[128], printed[OBJTRACE_SPEC_LEN];
	struct objtrace_error error;
	struct objtrace_spec spec;
	unsigned int i, at, c, accepted = 0, lost = 0;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		for (at = 0; at < strlen(good[i].text); at++) {
			for (c = 0; c < 256; c++) {
				strcpy(text, good[i].text);
				text[at] = c;
				if (objtrace_parse(text, &spec, &error))
					continue;
				accepted++;
				objtrace_spec_print(&spec, printed, sizeof(printed));
				lost += !!objtrace_parse(printed, &spec, &error);
			}
		}
	}
	ok(accepted && !lost, "%u mutated commands were accepted, %u not again",
	   accepted, lost);
}

int main(void)
{
	test_good();
	test_bad();
	test_sizes();
	test_mutations();
	return tap_done();
}
