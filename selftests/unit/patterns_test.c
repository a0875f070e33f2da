// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of functions: accepted patterns, matching functions, and the change of a list by further
 * patterns.
 */
#include <linux/kernel.h>

#include "command/parse.h"
#include "functions/glob.h"
#include "functions/patterns.h"
#include "patterns_check.h"
#include "tap.h"

#define TEN(c)	c c c c c c c c c c
/* The longest pattern, with a suffix */
#define LONGEST	TEN(TEN("abcdef")) TEN("abc") "abcdefghi"

static struct objtrace_patterns *must(struct objtrace_patterns *patterns)
{
	if (!patterns) {
		perror("patterns_test");
		exit(99);
	}
	return patterns;
}

/* Refused patterns, with ^ before the column */
static const struct {
	const char		*marked;
	enum objtrace_error_id	id;
} bad[] = {
	{ "!^",				OBJTRACE_ERR_NO_PATTERN },
	{ "^7",				OBJTRACE_ERR_PATTERN_NUMBER },
	{ "!^42",			OBJTRACE_ERR_PATTERN_NUMBER },
	{ "vfs_read^:traceoff",		OBJTRACE_ERR_PATTERN_COMMAND },
	{ "vfs_read^:traceoff:5",	OBJTRACE_ERR_PATTERN_COMMAND },
	{ "!vfs_*^:stacktrace",		OBJTRACE_ERR_PATTERN_COMMAND },
	{ "vfs_read^:mod",		OBJTRACE_ERR_PATTERN_COMMAND },
	{ "vfs_read^:",			OBJTRACE_ERR_PATTERN_COMMAND },
	{ "^:",				OBJTRACE_ERR_PATTERN_COMMAND },
	{ "vfs_read:mod:ext4^:1",	OBJTRACE_ERR_PATTERN_COMMAND },
	{ "vfs_read:mod:ext4^:mod:",	OBJTRACE_ERR_PATTERN_COMMAND },
	{ "^" LONGEST "x",		OBJTRACE_ERR_PATTERN_TOO_LONG },
	{ "^!" LONGEST,			OBJTRACE_ERR_PATTERN_TOO_LONG },
};

static void test_bad(void)
{
	struct objtrace_patterns *patterns;
	struct objtrace_error error;
	char text[OBJTRACE_PATTERN_LEN + 2];
	const char *caret;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		caret = strchr(bad[i].marked, '^');
		snprintf(text, sizeof(text), "%.*s%s", (int)(caret - bad[i].marked),
			 bad[i].marked, caret + 1);
		patterns = list_of(text, &error);
		ok(!patterns && error.id == bad[i].id && error.pos == caret - bad[i].marked,
		   "'%.60s': %s", bad[i].marked, objtrace_error_text(bad[i].id));
		ok(!check_pattern(text), "the error of the pattern is consistent");
	}
	patterns = must(objtrace_patterns_new(NULL));
	ok(objtrace_patterns_add(patterns, "!vfs_read", &error) == -EINVAL &&
	   error.id == OBJTRACE_ERR_NOTHING_TO_TAKE, "'!' is refused for an empty list");
	objtrace_patterns_free(patterns);
}

/* A pattern, a function and its module, and the result of the match */
static const struct {
	const char *pattern, *function, *module;
	bool matches;
} cases[] = {
	{ "vfs_read",		"vfs_read",	NULL,	true },
	{ "vfs_read",		"vfs_reads",	NULL,	false },
	{ "vfs_read",		"vfs_rea",	NULL,	false },
	{ "vfs_read",		"vfs_read",	"ext4",	true },
	{ "vfs_*",		"vfs_read",	NULL,	true },
	{ "vfs_*",		"vfs_",		NULL,	true },
	{ "vfs_*",		"ovfs_read",	NULL,	false },
	{ "*_read",		"vfs_read",	NULL,	true },
	{ "*_read",		"vfs_ready",	NULL,	false },
	{ "*fs_*ad*",		"vfs_reading",	NULL,	true },
	{ "*",			"vfs_read",	"ext4",	true },
	{ "vfs_r??d",		"vfs_read",	NULL,	true },
	{ "vfs_r?d",		"vfs_read",	NULL,	false },
	{ "vfs_[rw]*",		"vfs_write",	NULL,	true },
	{ "vfs_[!rw]*",		"vfs_write",	NULL,	false },
	{ "vfs_[a-m]*",		"vfs_fsync",	NULL,	true },
	{ "*:mod:ext4",		"f",		"ext4",	true },
	{ "*:mod:ext4",		"f",		"ext3",	false },
	{ "*:mod:ext4",		"f",		NULL,	false },
	{ ":mod:ext4",		"f",		"ext4",	true },
	{ ":mod:ext4",		"f",		NULL,	false },
	{ "f:mod:ext4",		"g",		"ext4",	false },
	{ "*:mod:ext*",		"f",		"ext3",	true },
	{ "*:mod:*",		"f",		"ext3",	true },
	{ "*:mod:*",		"f",		NULL,	false },
	{ "*:mod:",		"f",		"ext3",	true },
	{ "*:mod:",		"f",		NULL,	false },
	{ "*:mod:!ext4",	"f",		"ext3",	true },
	{ "*:mod:!ext4",	"f",		NULL,	true },
	{ "*:mod:!ext4",	"f",		"ext4",	false },
	{ "*:mod:!*",		"f",		"ext4",	false },
	{ "*:mod:!*",		"f",		NULL,	true },
	{ LONGEST,		LONGEST,	NULL,	true },
};

static void test_matches(void)
{
	struct objtrace_patterns *patterns;
	struct objtrace_error error;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		patterns = must(objtrace_patterns_new(NULL));
		ok(!objtrace_patterns_add(patterns, cases[i].pattern, &error) &&
		   objtrace_patterns_match(patterns, cases[i].function, cases[i].module) ==
		   cases[i].matches, "%.40s %s %.40s of %s", cases[i].pattern,
		   cases[i].matches ? "matches" : "does not match", cases[i].function,
		   cases[i].module ?: "the kernel");
		ok(!check_pattern(cases[i].pattern), "the pattern is printed as it was written");
		objtrace_patterns_free(patterns);
	}
}

static void print_list(const struct objtrace_patterns *patterns, char *buf, size_t size)
{
	const struct objtrace_pattern *p;
	size_t len = 0;

	buf[0] = '\0';
	list_for_each_entry(p, &patterns->list, list) {
		if (len)
			len += scnprintf(buf + len, size - len, " ");
		len += objtrace_pattern_print(p, buf + len, size - len);
	}
}

/* Written patterns, the list, and the matches among the functions a, b, ab and c */
static const struct {
	const char *written, *kept, *in;
} lists[] = {
	{ "a",			"a",			"a" },
	{ "a b",		"a b",			"a b" },
	{ "* !b",		"* !b",			"a ab c" },
	{ "* !*b",		"* !*b",		"a c" },
	{ "* !*b ab",		"* !*b ab",		"a ab c" },
	{ "a a",		"a",			"a" },
	{ "a b a",		"b a",			"a b" },
	{ "a !a",		"",			"" },
	{ "a b !a",		"b !a",			"b" },
	{ "a* !ab a*",		"a*",			"a ab" },
	{ "* !a a",		"* a",			"a b ab c" },
	{ "a* !ab !a*",		"",			"" },
	{ "a b !*",		"a b !*",		"" },
	{ "a b !* c",		"a b !* c",		"c" },
	{ "a !b c !a",		"c !a",			"c" },
	{ "a:mod:m a",		"a:mod:m a",		"a" },
	{ "a:mod:m !a",		"a:mod:m !a",		"" },
	{ "a:mod:m !a:mod:!m",	"a:mod:m !a:mod:!m",	"" },
	{ "a:mod:!m !a:mod:!m",	"",			"" },
};

static bool is_word_of(const char *word, const char *words)
{
	size_t len = strlen(word);
	const char *found;

	for (found = words; (found = strstr(found, word)); found++)
		if ((found == words || found[-1] == ' ') && (!found[len] || found[len] == ' '))
			return true;
	return false;
}

static void test_lists(void)
{
	static const char * const functions[] = { "a", "b", "ab", "c" };
	struct objtrace_patterns *patterns;
	char text[64], *word, *rest;
	struct objtrace_error error;
	unsigned int i, j;
	bool right;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		patterns = must(objtrace_patterns_new(NULL));
		snprintf(text, sizeof(text), "%s", lists[i].written);
		right = true;
		for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
			right &= !objtrace_patterns_add(patterns, word, &error);
		print_list(patterns, text, sizeof(text));
		right &= !strcmp(text, lists[i].kept);
		right &= objtrace_patterns_are_none(patterns) == !*lists[i].kept;
		right &= patterns->size == (*text ? strlen(text) + 1 : 0);
		for (j = 0; j < ARRAY_SIZE(functions); j++)
			right &= objtrace_patterns_match(patterns, functions[j], NULL) ==
				 is_word_of(functions[j], lists[i].in);
		ok(right, "'%s' leaves '%s'", lists[i].written, text);
		objtrace_patterns_free(patterns);
	}
	ok(objtrace_patterns_are_none(NULL), "NULL counts as an empty list");
	objtrace_patterns_free(NULL);
}

static const char *missing_of(struct objtrace_patterns *patterns)
{
	static char text[OBJTRACE_PATTERN_LEN];
	const struct objtrace_pattern *p;

	objtrace_patterns_match(patterns, "a", NULL);
	objtrace_patterns_match(patterns, "b", "m");
	p = objtrace_patterns_missing(patterns);
	if (!p)
		return "nothing";
	objtrace_pattern_print(p, text, sizeof(text));
	return text;
}

/* Patterns without a match among the functions a, and b of module m */
static const struct {
	const char *pattern;
	bool is_missing;
} founds[] = {
	{ "a",		false },	{ "b",		false },
	{ "c",		true },		{ "!c",		true },
	{ "b:mod:m",	false },	{ "a:mod:m",	true },
	{ "!a:mod:m",	true },		{ "b:mod:!m",	true },
	{ "a:mod:!m",	false },	{ "c:mod:n",	false },
	{ "a:mod:n",	false },	{ "!*:mod:n",	false },
	{ "c:mod:*",	true },
};

static void test_missing(void)
{
	struct objtrace_patterns *patterns, *copy;
	struct objtrace_error error;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(founds); i++) {
		patterns = must(list_of(founds[i].pattern, &error));
		ok(!strcmp(missing_of(patterns), founds[i].is_missing ? founds[i].pattern : "nothing"),
		   "'%s' matches %s", founds[i].pattern,
		   founds[i].is_missing ? "nothing" : "a function, or a module that is not loaded");
		copy = must(objtrace_patterns_new(patterns));
		ok(!strcmp(missing_of(copy), "nothing"),
		   "a pattern that was accepted may match nothing");
		objtrace_patterns_forget(copy);
		ok(!strcmp(missing_of(copy), missing_of(patterns)),
		   "a pattern must match again after objtrace_patterns_forget()");
		objtrace_patterns_free(copy);
		objtrace_patterns_free(patterns);
	}
}

/* A pattern of the list is no mistake, even if its functions were unloaded */
static const struct {
	const char *pattern;
	bool is_missing;
} again[] = {
	{ "gone",	false },	{ "!gone",	false },
	{ "gone:mod:m",	true },		{ "!gone:mod:m", true },
	{ "gon?",	true },		{ "!gon?",	true },
};

static void test_missing_again(void)
{
	struct objtrace_patterns *patterns, *copy;
	struct objtrace_error error;
	unsigned int i;

	patterns = must(list_of("gone", &error));
	for (i = 0; i < ARRAY_SIZE(again); i++) {
		copy = must(objtrace_patterns_new(patterns));
		ok(!objtrace_patterns_add(copy, again[i].pattern, &error) &&
		   strcmp(missing_of(copy), again[i].is_missing ? again[i].pattern : "nothing") == 0,
		   "'%s' after '* gone' %s", again[i].pattern,
		   again[i].is_missing ? "matches nothing" : "is accepted");
		objtrace_patterns_free(copy);
	}
	ok(!objtrace_patterns_add(patterns, "!gone", &error) &&
	   !strcmp(missing_of(patterns), "!gone"),
	   "'!gone' is refused if 'gone' was not accepted before");
	objtrace_patterns_free(patterns);
}

/* The greatest number of patterns, one more pattern, and the same pattern again and again */
static void test_full(void)
{
	struct objtrace_patterns *patterns = must(objtrace_patterns_new(NULL));
	struct objtrace_error error;
	unsigned int i, nr = OBJTRACE_PATTERNS_SIZE / 8;
	bool right = true;
	char text[8];

	for (i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "f%06u", i);
		right &= !objtrace_patterns_add(patterns, text, &error);
	}
	ok(right && patterns->size == OBJTRACE_PATTERNS_SIZE, "%u patterns", nr);
	for (i = 0; i < 10; i++)
		right &= !objtrace_patterns_add(patterns, "f000000", &error);
	ok(right && nr_patterns(patterns) == nr,
	   "adding a pattern again does not change their number");
	ok(objtrace_patterns_add(patterns, "f", &error) == -ENOSPC &&
	   error.id == OBJTRACE_ERR_TOO_MANY_PATTERNS, "one more pattern is refused");
	objtrace_patterns_free(patterns);
}

/* A pattern, names that match, and names that do not match */
static const struct {
	const char *pattern, *yes, *no;
} globs[] = {
	{ "a",		"a",			"b aa _" },
	{ "",		"_",			"a" },
	{ "*",		"_ a ab",		"" },
	{ "**",		"_ a ab",		"" },
	{ "?",		"a",			"_ ab" },
	{ "a\\*",	"a*",			"ab a a\\*" },
	{ "a\\",	"a\\",			"a ab" },
	{ "[ab]",	"a b",			"c ab _" },
	{ "[]a]",	"] a",			"b _" },
	{ "[!]a]",	"b",			"] a _" },
	{ "[a-c]",	"a b c",		"d - _" },
	{ "[a-]",	"a -",			"b" },
	{ "[-a]",	"a -",			"b" },
	{ "[c-a]",	"",			"a b c -" },
	{ "[a-c-e]",	"a b c - e",		"d" },
	{ "a[b",	"a[b",			"ab a" },
	{ "a[",		"a[",			"a ab" },
	{ "a[!",	"a[!",			"a ab" },
	{ "a[]",	"a[]",			"a a] ab" },
	{ "a[!b]",	"ac",			"a ab acd" },
	{ "a[!b]*",	"ac acb",		"a ab abc" },
	{ "*[!b]",	"a ba",			"_ b ab" },
	{ "*[!b]*",	"a bab",		"_ b bb" },
	{ "a[!b][!b]",	"acc",			"a ac acb" },
	{ "*a*b*c",	"abc xaybzaybc",	"xaybzayb ac" },
	{ "*aab",	"aaab aabaab",		"aaba" },
	{ "a*b?",	"abc abbb",		"ab abcd" },
};

/* Words of a text, with an empty word for "_", each in memory that the sanitizer guards */
static bool all_match(const char *pattern, const char *words, bool yes)
{
	char text[64], *word, *rest, *name;
	bool right = true;

	snprintf(text, sizeof(text), "%s", words);
	for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		name = strdup(strcmp(word, "_") ? word : "");
		if (!name)
			exit(99);
		right &= objtrace_glob_match(pattern, name) == yes;
		free(name);
	}
	return right;
}

static void test_glob(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(globs); i++)
		ok(all_match(globs[i].pattern, globs[i].yes, true) &&
		   all_match(globs[i].pattern, globs[i].no, false),
		   "'%s' matches '%s' and does not match '%s'", globs[i].pattern, globs[i].yes,
		   globs[i].no);
}

int main(void)
{
	test_bad();
	test_matches();
	test_lists();
	test_missing();
	test_missing_again();
	test_full();
	test_glob();
	return tap_done();
}
