// SPDX-License-Identifier: GPL-2.0-only
/*
 * `objtrace doctor': what prevents objtrace from working on this machine.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/doctor.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/places.h"

/**
 * doctor_ok() - print a line for a check that found nothing
 * @what: the name of the check
 */
void doctor_ok(const char *what)
{
	printf("%s: ok\n", what);
}

/**
 * doctor_remedy() - print a line for a check that found a problem
 * @d: the run, which counts the line
 * @what: the name of the check
 * @format: one sentence, without a newline: the problem and its remedy
 */
void doctor_remedy(struct doctor *d, const char *what, const char *format, ...)
{
	va_list args;

	d->nr_remedies++;
	printf("%s: ", what);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/**
 * doctor_main() - `objtrace doctor'
 * @argc: the number of arguments
 * @argv: the arguments, the name of the command first
 *
 * Return: the exit code of the program.
 */
int doctor_main(int argc, char **argv)
{
	struct doctor d = {};
	char state[16];

	if (argc > 1)
		return usage_error_at(argv[1], 0, "doctor has no arguments");
	if (!places_read(d.release, sizeof(d.release), "/proc/sys/kernel/osrelease"))
		return refusal("the release of the kernel cannot be read; mount procfs first");
	d.is_loaded = places_read(state, sizeof(state), "/sys/module/objtrace/initstate") &&
		      !strcmp(state, "live");
	doctor_kernel(&d);
	doctor_module(&d);
	doctor_tracing(&d);
	if (fflush(stdout))
		return refusal("the answer cannot be written: %s", strerror(errno));
	return d.nr_remedies ? EXIT_REFUSED : EXIT_DONE;
}
