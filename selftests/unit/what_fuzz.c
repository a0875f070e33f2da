// SPDX-License-Identifier: GPL-2.0-only
/*
 * For libFuzzer: any words after `objtrace follow' are a plan for a session, or have one message
 * with a place in one of these words.  The kernel is that of selftests/program.
 *
 * An input has a word on each line.  OBJTRACE_TEST_ROOT is the root directory of the kernel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/decl.h"
#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/options.h"
#include "tools/objtrace/places.h"
#include "tools/objtrace/resolve.h"

#define MAX_WORDS	16

static struct kbtf kbtf;
static char *words[MAX_WORDS + 1];
static int nr_words, nr_messages;

/* The option --help ends the program */
static jmp_buf end;
static bool can_end;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);

_Noreturn void __wrap_exit(int status)
{
	if (!can_end)
		__real_exit(status);
	longjmp(end, 1);
}

static void fail(const char *complaint)
{
	int i;

	fprintf(stderr, "what_fuzz: %s\n", complaint);
	for (i = 0; i < nr_words; i++)
		fprintf(stderr, "  %s\n", words[i]);
	abort();
}

static void check_message(const char *format, va_list args)
{
	char *text;

	nr_messages++;
	if (vasprintf(&text, format, args) < 0)
		fail("no memory");
	if (!*text || strchr(text, '\n'))
		fail("a message is no sentence");
	free(text);
}

int usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check_message(format, args);
	va_end(args);
	return EXIT_USAGE;
}

int usage_error_at(const char *text, size_t place, const char *format, ...)
{
	va_list args;
	int i;

	va_start(args, format);
	check_message(format, args);
	va_end(args);
	for (i = 1; i < nr_words; i++)
		if (text >= words[i] && text <= words[i] + strlen(words[i]))
			break;
	if (i == nr_words)
		fail("a mistake is in no word");
	if (place > strlen(text))
		fail("a mistake is after its word");
	return EXIT_USAGE;
}

int refusal(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check_message(format, args);
	va_end(args);
	return EXIT_REFUSED;
}

void no_memory(void)
{
	abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	if (kbtf_open(&kbtf) || !places_tracefs())
		fail("there is no kernel in OBJTRACE_TEST_ROOT");
	if (!freopen("/dev/null", "w", stdout))
		fail("no /dev/null");
	return 0;
}

/* The sanitizer guards the end of each word */
static void add_word(const char *start, size_t len)
{
	words[nr_words] = malloc(len + 1);
	memcpy(words[nr_words], start, len);
	words[nr_words++][len] = '\0';
}

static void split(const char *text, size_t size)
{
	size_t len;

	nr_words = 0;
	add_word("follow", strlen("follow"));
	while (size && nr_words < MAX_WORDS) {
		for (len = 0; len < size && text[len] && text[len] != '\n'; len++)
			;
		add_word(text, len);
		if (len < size)
			len++;
		text += len;
		size -= len;
	}
	words[nr_words] = NULL;
}

static void check_word(const struct what_word *word, const char *text)
{
	if (word->len && (word->start < text || word->start + word->len > text + strlen(text)))
		fail("a part of WHAT is outside of its word");
}

static void check_what(const struct follow_options *o)
{
	check_word(&o->what.function, o->text);
	check_word(&o->what.arg, o->text);
	check_word(&o->what.system, o->text);
	check_word(&o->what.event, o->text);
	check_word(&o->what.field, o->text);
}

static void check_plan(const struct resolved *r)
{
	const struct session_plan *plan = &r->plan;
	int i;

	if (plan->nr_values < 1 || plan->nr_values > SESSION_MAX_VALUES)
		fail("a plan has no values");
	for (i = 0; i < plan->nr_values; i++)
		if (!plan->triggers[i])
			fail("a value has no trigger");
	if (!plan->address == !(plan->place ? plan->args : plan->field))
		fail("a plan has no source, or two");
}

/* `objtrace list' prints the declaration of the function, and of the members of its struct */
static void print_declarations(const struct follow_options *o, const struct resolved *r)
{
	char *name = strndup(o->what.function.start ?: "", o->what.function.len), *text = NULL;
	struct kbtf_type type;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (kbtf_function(&kbtf, name, &type))
		decl_print(out, &type, name);
	if (r->type.btf)
		decl_print(out, &r->type, o->nr_members ? o->members[0] : "");
	fclose(out);
	free(text);
	free(name);
}

static void parse(void)
{
	/* Changed between setjmp() and longjmp() */
	static struct follow_options o;
	static struct resolved r;
	int ret = 0;

	memset(&r, 0, sizeof(r));
	nr_messages = 0;
	can_end = true;
	if (!setjmp(end)) {
		ret = follow_parse(nr_words, words, &o);
		can_end = false;
		if (!ret) {
			check_what(&o);
			ret = resolve(&kbtf, &o, &r);
			print_declarations(&o, &r);
		}
		if (!ret)
			check_plan(&r);
		if (nr_messages != !!ret)
			fail(ret ? "a failure has no message, or two" : "a success has a message");
	}
	can_end = false;
	resolve_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int i;

	split((const char *)data, size);
	parse();
	/* getopt_long() has changed their order */
	for (i = 0; i < nr_words; i++)
		free(words[i]);
	return 0;
}
