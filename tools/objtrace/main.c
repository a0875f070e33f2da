// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace(1): the table of its commands.  Each command is a file of its own.
 */
#include <stdio.h>
#include <string.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"

static int help(int argc, char **argv);

static const struct command {
	const char	*name;
	int		(*run)(int argc, char **argv);
	const char	*summary;
} commands[] = {
	{ "follow", follow_main, "follow objects, and print the changes of their members" },
	{ "list",   list_main,   "list functions, members and events that can be followed" },
	{ "doctor", doctor_main, "check the kernel, the module and tracefs" },
	{ "clean",  clean_main,  "remove what killed runs of follow left in tracefs" },
	{ "report", report_main, "show the objects in a file of trace-cmd" },
	{ "help",   help,    "print this list" },
};

static int help(int argc, char **argv)
{
	const struct command *command = commands;

	puts("usage: objtrace COMMAND [ARGUMENT...]\n");
	for (; command < commands + sizeof(commands) / sizeof(*commands); command++)
		printf("  %-8s %s\n", command->name, command->summary);
	return EXIT_DONE;
}

int main(int argc, char **argv)
{
	const struct command *command = commands;

	if (argc < 2) {
		help(0, NULL);
		return EXIT_USAGE;
	}
	for (; command < commands + sizeof(commands) / sizeof(*commands); command++)
		if (!strcmp(argv[1], command->name))
			return command->run(argc - 1, argv + 1);
	return usage_error("objtrace has no command '%s'; `objtrace help' lists them", argv[1]);
}
