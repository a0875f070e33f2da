// SPDX-License-Identifier: GPL-2.0-only
/*
 * All commands call getopt_long() with opterr = 0 and ":" at the start of the short options.
 */
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "tools/objtrace/message.h"
#include "tools/objtrace/mistake.h"
#include "tools/objtrace/suggest.h"

static int unknown_option(const char *command, const struct option *option, const char *word)
{
	const char *name = word + strspn(word, "-");
	struct suggestion s;

	suggest_init(&s, name, strcspn(name, "="));
	for (; option->name; option++)
		suggest_consider(&s, option->name);
	if (!s.best || word[1] != '-')
		return usage_error_at(word, 0, "%s has no such option; `objtrace %s --help' lists them",
				      command, command);
	return usage_error_at(word, 2, "%s has no such option; did you mean '--%s'?", command,
			      s.best);
}

/* "--all=1", also abbreviated: getopt_long() sets optopt to the option */
static bool has_argument(const struct option *options, const char *word)
{
	size_t len = strcspn(word, "=");

	if (strncmp(word, "--", 2) || !word[len])
		return false;
	for (; options->name; options++)
		if (options->val == optopt && !strncmp(word + 2, options->name, len - 2))
			return true;
	return false;
}

/* getopt_long() leaves a word with several short options after the last one of them */
static const char *word_of_mistake(char **argv)
{
	const char *word = argv[optind - 1];
	char option = optopt;

	if (option && (word[0] != '-' || word[1] == '-' || word[strlen(word) - 1] != option))
		return argv[optind];
	return word;
}

/**
 * mistake_in_option() - report an option that getopt_long() refuses
 * @command: the name of the command
 * @options: the options of the command
 * @code: what getopt_long() returned: '?' or ':'
 * @argv: the words; optind is behind the word with the option
 *
 * Return: EXIT_USAGE.
 */
int mistake_in_option(const char *command, const struct option *options, int code, char **argv)
{
	const char *word = argv[optind - 1];

	if (code == ':')
		return usage_error_at(word, strlen(word), "the option needs an argument");
	if (has_argument(options, word))
		return usage_error_at(word, strcspn(word, "="), "the option takes no argument");
	return unknown_option(command, options, word_of_mistake(argv));
}
