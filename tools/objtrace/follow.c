// SPDX-License-Identifier: GPL-2.0-only
/*
 * `objtrace follow': make a session, start the command, and print the records until the command
 * ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/leftovers.h"
#include "tools/objtrace/live.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/options.h"
#include "tools/objtrace/progress.h"
#include "tools/objtrace/resolve.h"
#include "tools/objtrace/session.h"
#include "tools/objtrace/stop.h"

#define PERIOD_US	50000

/*
 * The command, which waits for the triggers before it is executed.
 *
 * @pid: the process, or 0
 * @start: the end of a pipe; a byte starts the command.  If the program dies, the pipe is
 *	   closed, and the command is not executed.
 * @error: the end of a pipe that has the errno of a failed execution
 */
struct child {
	pid_t	pid;
	int	start;
	int	error;
};

static void run_child(char **command, int start, int error)
{
	char byte;

	stop_reset_signals();
	if (read(start, &byte, 1) != 1)
		_exit(127);
	execvp(command[0], command);
	if (write(error, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

static int fork_child(char **command, struct child *child)
{
	int start[2], error[2];

	if (pipe2(start, O_CLOEXEC) || pipe2(error, O_CLOEXEC))
		return refusal("no pipe: %s", strerror(errno));
	child->pid = fork();
	if (child->pid < 0)
		return refusal("no process: %s", strerror(errno));
	if (!child->pid) {
		close(start[1]);
		run_child(command, start[0], error[1]);
	}
	close(start[0]);
	close(error[1]);
	child->start = start[1];
	child->error = error[0];
	return EXIT_DONE;
}

/* The pipe is closed without a byte when the command is executed. */
static int start_child(char **command, struct child *child)
{
	int error;

	if (write(child->start, "", 1) != 1)
		return refusal("the command cannot be started: %s", strerror(errno));
	if (read(child->error, &error, sizeof(error)) == sizeof(error))
		return refusal("%s cannot be executed: %s", command[0], strerror(error));
	return EXIT_DONE;
}

/* A command that was not started ends when the pipe is closed. */
static void forget_child(struct child *child)
{
	if (!child->pid)
		return;
	close(child->start);
	close(child->error);
}

static double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static bool has_ended(const struct child *child)
{
	return child->pid && waitpid(child->pid, NULL, WNOHANG) == child->pid;
}

static int print_until_end(struct live *live, const struct follow_options *o,
			   const struct child *child)
{
	double end = o->seconds ? seconds_now() + o->seconds : 0;
	bool is_last = false;

	while (!is_last) {
		is_last = stop_is_wanted() || has_ended(child) || (end && seconds_now() >= end);
		/* trace-cmd reads the records if they go to a file */
		if (!o->output && live_read(live, false))
			return refusal("the records cannot be read: %s", strerror(errno));
		if (ferror(stdout))
			return EXIT_REFUSED;
		if (!is_last)
			usleep(PERIOD_US);
	}
	return EXIT_DONE;
}

static int follow_session(struct live *live, struct session *s, const struct follow_options *o,
			  const struct resolved *r, struct child *child)
{
	int ret = EXIT_DONE;

	/* The session is complete.  Without a command, there can be records to print. */
	if (o->command)
		ret = stop_is_wanted() ? EXIT_STOPPED : start_child(o->command, child);
	if (!ret)
		ret = print_until_end(live, o, child);
	if (ret)
		return ret;
	live_read_losses(live);
	session_stop(s, &r->plan);
	live_read_overruns(live);
	if (o->output) {
		ret = recorder_stop(&s->recorder);
		if (!ret)
			live_recorded(live, o->output);
		return ret;
	}
	if (live_read(live, true))
		return refusal("the records cannot be read: %s", strerror(errno));
	live_summary(live);
	return EXIT_DONE;
}

static int follow_resolved(struct kbtf *k, const struct follow_options *o, struct resolved *r,
			   struct child *child)
{
	struct session session;
	struct live_view view = {
		.session = &session, .kbtf = k, .type = r->type, .struct_name = r->struct_name,
		.source = o->text, .members = o->members, .nr_members = o->nr_members,
		.nr_values = r->plan.nr_values, .is_recorded = o->output,
	};
	struct live *live;
	int ret;

	if (child->pid && !r->plan.address)
		r->plan.pid = child->pid;
	r->plan.output = o->output;
	ret = session_open(&session, &r->plan);
	if (ret)
		return ret;
	live = live_open(&view);
	if (live) {
		ret = follow_session(live, &session, o, r, child);
		live_close(live);
	} else {
		ret = EXIT_REFUSED;
	}
	session_close(&session);
	return ret;
}

static int follow(const struct follow_options *o)
{
	struct child child = {};
	struct resolved r = {};
	struct kbtf k;
	int ret = session_ready();

	if (ret)
		return ret;
	if (kbtf_open(&k))
		ret = refusal("the kernel has no BTF: it needs CONFIG_DEBUG_INFO_BTF");
	if (!ret)
		ret = resolve(&k, o, &r);
	if (!ret) {
		stop_handle_signals();
		progress_wait("objtrace removes ended sessions (^C ends this)");
		leftovers_remove(NULL);
		progress_wait_end();
		ret = o->command ? fork_child(o->command, &child) : EXIT_DONE;
	}
	if (!ret)
		ret = follow_resolved(&k, o, &r, &child);
	forget_child(&child);
	resolve_free(&r);
	kbtf_close(&k);
	if (ret == EXIT_STOPPED)
		stop_die();
	return ret;
}

/**
 * follow_main() - `objtrace follow'
 * @argc: the number of arguments
 * @argv: the arguments, the name of the command first
 *
 * Return: the exit code of the program.
 */
int follow_main(int argc, char **argv)
{
	struct follow_options o;
	int ret = follow_parse(argc, argv, &o);

	return ret ?: follow(&o);
}
