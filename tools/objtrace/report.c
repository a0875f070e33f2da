// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command `objtrace report'.
 *
 * libtracecmd can crash on a damaged file.  A child process reads, so that the user gets a sentence
 * instead of a crash.  The output file gets its name only after the child's success.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/progress.h"
#include "tools/objtrace/report.h"
#include "tools/objtrace/stop.h"

/* Written while the signals of pass_on() are blocked */
static pid_t child;

static void pass_on(int signal)
{
	if (child > 0)
		kill(child, signal);
}

/* The command ends as the child did, after it has removed its output */
static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP };

#define NR_PASSED_ON	(sizeof(passed_on) / sizeof(*passed_on))

static void handle_signals(void (*handler)(int signal))
{
	unsigned int i;

	for (i = 0; i < NR_PASSED_ON; i++)
		stop_set_handler(passed_on[i], handler);
}

/* SIG_BLOCK, or SIG_UNBLOCK */
static void block_signals(int how)
{
	sigset_t set;
	unsigned int i;

	sigemptyset(&set);
	for (i = 0; i < NR_PASSED_ON; i++)
		sigaddset(&set, passed_on[i]);
	sigprocmask(how, &set, NULL);
}

/**
 * struct output_file - the file that the report is written to
 * @fd: its descriptor
 * @path: its final name, or NULL for a file that exists and is no regular file
 * @temporary: its name until the end, for free()
 */
struct output_file {
	int		fd;
	const char	*path;
	char		*temporary;
};

static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

static int open_output(const struct report_options *options, struct output_file *file)
{
	const char *path = options->output;
	mode_t mask = umask(0);

	umask(mask);
	memset(file, 0, sizeof(*file));
	if (!path) {
		file->fd = dup(STDOUT_FILENO);
	} else if (is_special(path)) {
		file->fd = open(path, O_WRONLY | O_CLOEXEC);
	} else if (asprintf(&file->temporary, "%s.XXXXXX", path) >= 0) {
		file->path = path;
		file->fd = mkstemp(file->temporary);
		if (file->fd >= 0)
			fchmod(file->fd, 0666 & ~mask);
	} else {
		file->fd = -1;
	}
	if (file->fd >= 0)
		return EXIT_DONE;
	free(file->temporary);
	return refusal("%s cannot be written: %s", path ?: "standard output", strerror(errno));
}

static int close_output(struct output_file *file, int ret)
{
	close(file->fd);
	if (file->path && !ret && rename(file->temporary, file->path))
		ret = refusal("%s cannot be written: %s", file->path, strerror(errno));
	else if (file->path && ret)
		unlink(file->temporary);
	free(file->temporary);
	return ret;
}

static void run_child(const struct report_options *options, int fd)
{
	struct rlimit no_core = {};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The core of a crash in libtracecmd is of no use to the user */
	setrlimit(RLIMIT_CORE, &no_core);
	handle_signals(SIG_DFL);
	block_signals(SIG_UNBLOCK);
	exit(report_run(options, fd));
}

static bool is_users_signal(int signal)
{
	unsigned int i;

	for (i = 0; i < NR_PASSED_ON; i++)
		if (signal == passed_on[i])
			return true;
	return signal == SIGPIPE;
}

static int judge_child(const struct report_options *options, int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (is_users_signal(WTERMSIG(status)))
		return EXIT_REFUSED;
	if (WTERMSIG(status) == SIGKILL)
		return refusal("%s needs more memory than there is, or the process was killed; record fewer objects, or only changes",
			       options->file);
	return refusal("%s is damaged, and the library that reads it failed (%s); record it again",
		       options->file, strsignal(WTERMSIG(status)));
}

/* A shell must see that the user ended the command */
static void die_as_child(int status)
{
	if (!WIFSIGNALED(status) || !is_users_signal(WTERMSIG(status)))
		return;
	if (WTERMSIG(status) != SIGPIPE)
		progress_clear_line();
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
}

/* Return the status of the child, or a negative error code.  Signals are blocked before. */
static int run_and_wait(const struct report_options *options, int fd)
{
	int status = 0, error;

	fflush(stdout);
	handle_signals(pass_on);
	child = fork();
	error = errno;
	if (!child)
		run_child(options, fd);
	block_signals(SIG_UNBLOCK);
	if (child < 0)
		return -error;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	return status;
}

/**
 * report_main() - run `objtrace report'
 * @argc: number of words
 * @argv: the words; the first is the command
 *
 * Return: enum exit_code.
 */
int report_main(int argc, char **argv)
{
	struct report_options options;
	struct output_file file;
	int status, ret = report_parse(argc, argv, &options);

	if (ret)
		return ret;
	/* A signal must not leave the output without its final name */
	block_signals(SIG_BLOCK);
	ret = open_output(&options, &file);
	if (ret)
		return ret;
	status = run_and_wait(&options, file.fd);
	if (status < 0)
		return close_output(&file, refusal("no process can be started: %s",
						   strerror(-status)));
	ret = close_output(&file, judge_child(&options, status));
	die_as_child(status);
	return ret;
}
