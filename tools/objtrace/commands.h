/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of objtrace(1).  A command gets its own name as argv[0], and returns the exit
 * code of the program.
 */
#ifndef _TOOLS_OBJTRACE_COMMANDS_H
#define _TOOLS_OBJTRACE_COMMANDS_H

/**
 * enum exit_code - the exit codes of the program
 * @EXIT_DONE: success
 * @EXIT_REFUSED: the command cannot be carried out: no permission, no module, a refusal by the
 *		  kernel, an unreadable file
 * @EXIT_USAGE: a mistake on the command line
 * @EXIT_STOPPED: a signal ended the command early; the program dies of the signal
 */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_REFUSED = 1,
	EXIT_USAGE = 2,
	EXIT_STOPPED = 3,
};

int clean_main(int argc, char **argv);
int doctor_main(int argc, char **argv);
int follow_main(int argc, char **argv);
int list_main(int argc, char **argv);
int report_main(int argc, char **argv);

#endif /* _TOOLS_OBJTRACE_COMMANDS_H */
