// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the steps of selftests/fuzz: a seed repeats its steps, and the parser accepts each
 * command that the grammar of the fuzzer makes.
 */
#include <fcntl.h>
#include <linux/kernel.h>

#include "command/option.h"
#include "command/parse.h"
#include "command/spec.h"
#include "selftests/fuzz/command.h"
#include "selftests/fuzz/step.h"
#include "tap.h"

#define COMMANDS	20000
#define STEPS		20000

static bool has_verb[OBJTRACE_CLEAR + 1];
static bool has_type[OBJTRACE_TYPE_SYMBOL + 1];
static unsigned int nr_options[16];

/* The text of a command after "objtrace:", in a buffer that the next call overwrites */
static const char *make_command(struct random *r, bool is_mutated)
{
	static char command[COMMAND_LEN], buf[STEP_DATA];
	struct text t = text_start(command, sizeof(command));

	command_make(r, command_event(r), &t);
	t = text_start(buf, sizeof(buf));
	text_add(&t, "%s", command + (command[0] == '!') + strlen("objtrace:"));
	if (is_mutated)
		command_mutate(r, &t);
	return buf;
}

/* Some addresses of the grammar cannot be those of an object */
static bool is_accepted(const char *text)
{
	struct objtrace_error error;
	struct objtrace_spec spec;
	const char *name;
	unsigned int i;

	if (objtrace_parse(text, &spec, &error)) {
		if (error.id == OBJTRACE_ERR_USER_ADDRESS || error.id == OBJTRACE_ERR_NOT_CANONICAL)
			return true;
		printf("# %s: %s\n", objtrace_error_text(error.id), text);
		return false;
	}
	has_verb[spec.verb] = true;
	has_type[spec.type] = true;
	for (i = 0; (name = objtrace_option_name(i)); i++)
		nr_options[i] += !!strstr(text, name);
	return true;
}

static void test_grammar(void)
{
	unsigned int i, refused = 0, missing = 0;
	const char *name;
	struct random r;

	random_start(&r, 1, 0);
	for (i = 0; i < COMMANDS && refused < 10; i++)
		refused += !is_accepted(make_command(&r, false));
	ok(!refused, "the parser accepts each of %u commands", COMMANDS);
	for (i = 0; i < ARRAY_SIZE(has_verb); i++)
		missing += !has_verb[i];
	for (i = 0; i < ARRAY_SIZE(has_type); i++)
		missing += !has_type[i];
	ok(!missing, "the commands have all verbs and types");
	for (i = 0; (name = objtrace_option_name(i)); i++)
		ok(nr_options[i], "%u commands have the option %s", nr_options[i], name);
}

static void test_mutation(void)
{
	unsigned int i, refused = 0;
	struct objtrace_error error;
	struct objtrace_spec spec;
	struct random r;

	random_start(&r, 1, 0);
	for (i = 0; i < COMMANDS; i++)
		refused += !!objtrace_parse(make_command(&r, true), &spec, &error);
	ok(refused > COMMANDS / 4 && refused < COMMANDS, "the parser refuses %u of %u mutated commands",
	   refused, COMMANDS);
}

/* A checksum of the steps of a thread */
static unsigned long sum_of(unsigned int seed, unsigned int thread, unsigned int *ops)
{
	static char line[4 * STEP_DATA + 256];
	unsigned long sum = 0;
	unsigned int i;
	struct random r;
	struct step s;

	random_start(&r, seed, thread);
	for (i = 0; i < STEPS; i++) {
		struct text t = text_start(line, sizeof(line));
		const char *c;

		/* The contents of the old step must not matter */
		memset(&s, i, sizeof(s));
		step_make(&r, &s);
		ops[s.op]++;
		step_print(&s, &t);
		for (c = line; *c; c++)
			sum = sum * 31 + *c;
	}
	return sum;
}

static void test_seeds(void)
{
	unsigned int ops[NR_STEP_OPS] = {}, missing = 0, i;
	unsigned long sum = sum_of(2, 1, ops);

	ok(sum == sum_of(2, 1, ops), "a seed repeats the steps of a thread");
	ok(sum != sum_of(2, 0, ops), "another thread has other steps");
	ok(sum != sum_of(1, 1, ops), "another seed has other steps");
	for (i = 0; i < NR_STEP_OPS; i++)
		missing += !ops[i];
	ok(!missing, "the steps have all kinds");
}

/* Count the parameters of a hist trigger that begin with a text.  A colon ends a parameter. */
static unsigned int nr_parameters(const char *trigger, const char *start)
{
	unsigned int nr = 0;

	while ((trigger = strchr(trigger, ':')))
		nr += !strncmp(++trigger, start, strlen(start));
	return nr;
}

/*
 * If the filter of a hist trigger had a line break, the trigger would stay after all steps.  The
 * kernel leaks the first value of a parameter that a hist trigger has twice.
 */
static void test_hist_triggers(void)
{
	unsigned int i, triggers = 0, breaks = 0, repeated = 0;
	struct random r;
	struct step s;

	random_start(&r, 1, 0);
	/* Few of the triggers have a changed text */
	for (i = 0; i < 10 * STEPS; i++) {
		step_make(&r, &s);
		if (s.op != STEP_WRITE || strncmp(s.data, "hist:", strlen("hist:")))
			continue;
		triggers++;
		breaks += !!memchr(s.data, '\n', s.len);
		repeated += nr_parameters(s.data, "key") > 1 || nr_parameters(s.data, "val") > 1 ||
			    nr_parameters(s.data, "sort") > 1;
	}
	ok(triggers && !breaks, "each of %u hist triggers is one line", triggers);
	ok(triggers && !repeated, "%u of %u hist triggers have a parameter twice", repeated, triggers);
}

/* If the filter has no function, the kernel's tracers trace all of them */
static void test_filter(void)
{
	unsigned int i, truncations = 0, empty = 0;
	struct random r;
	struct step s;

	random_start(&r, 1, 0);
	for (i = 0; i < STEPS; i++) {
		step_make(&r, &s);
		if (s.op != STEP_WRITE || !(s.flags & O_TRUNC) || !strstr(s.path, "set_ftrace_filter"))
			continue;
		truncations++;
		empty += !!strchr(s.data, ':');
	}
	ok(truncations && !empty, "each of %u new filters for tracers has a function", truncations);
}

static bool has_data(const struct step *s, const char *data)
{
	return s->len == strlen(data) && !strcmp(s->data, data);
}

static void test_len(void)
{
	struct step s = { .data = "clear", .len = 5 };

	step_set_len(&s, 8, ' ');
	ok(has_data(&s, "clear   "), "short data is filled up to the length");
	step_set_len(&s, 3, ' ');
	ok(has_data(&s, "cle"), "data that is longer is cut at the length");
	step_set_len(&s, STEP_DATA - 1, '(');
	ok(s.len == STEP_DATA - 1 && strlen(s.data) == s.len, "data can fill its buffer");
}

int main(void)
{
	test_grammar();
	test_mutation();
	test_seeds();
	test_hist_triggers();
	test_filter();
	test_len();
	return tap_done();
}
