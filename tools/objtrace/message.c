// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages go to standard error, so that standard output has the answer only.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/progress.h"

static void print_sentence(const char *format, va_list args)
{
	progress_wait_end();
	fputs("objtrace: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/**
 * usage_error() - report a mistake on the command line
 * @format: one sentence, without a newline: the mistake and its remedy
 *
 * Return: EXIT_USAGE.
 */
int usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_sentence(format, args);
	va_end(args);
	return EXIT_USAGE;
}

/**
 * usage_error_at() - report a mistake in a word of the command line, with its place
 * @text: the word
 * @place: the offset of the mistake from the start of @text, in bytes
 * @format: one sentence, without a newline: the mistake and its remedy
 *
 * Return: EXIT_USAGE.
 */
int usage_error_at(const char *text, size_t place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_sentence(format, args);
	va_end(args);
	fprintf(stderr, "  %s\n  %*s^\n", text, (int)place, "");
	return EXIT_USAGE;
}

/**
 * refusal() - report that a correct command cannot be carried out
 * @format: one sentence, without a newline: the reason and the remedy
 *
 * Return: EXIT_REFUSED.
 */
int refusal(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_sentence(format, args);
	va_end(args);
	return EXIT_REFUSED;
}

/**
 * no_memory() - report that an allocation failed, and exit
 */
void no_memory(void)
{
	exit(refusal("there is not enough memory"));
}
