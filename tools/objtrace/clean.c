// SPDX-License-Identifier: GPL-2.0-only
/*
 * `objtrace clean': remove what killed sessions left in tracefs.
 */
#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/leftovers.h"
#include "tools/objtrace/session.h"

/**
 * clean_main() - `objtrace clean'
 * @argc: the number of arguments
 * @argv: the arguments, the name of the command first
 *
 * Return: the exit code of the program.
 */
int clean_main(int argc, char **argv)
{
	int nr_failed, ret;

	if (argc > 1)
		return usage_error_at(argv[1], 0, "clean has no arguments");
	ret = session_is_allowed();
	if (ret)
		return ret;
	nr_failed = leftovers_remove(NULL);
	if (nr_failed)
		return refusal("%d parts of ended sessions are in use and stay in tracefs", nr_failed);
	return EXIT_DONE;
}
