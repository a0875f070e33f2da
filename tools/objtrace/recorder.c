// SPDX-License-Identifier: GPL-2.0-only
/*
 * `trace-cmd record' reads the instance of a session until it gets SIGINT.  If this program dies,
 * the kernel sends this signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/context_session.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/recorder.h"
#include "tools/objtrace/stop.h"

#define PERIOD_US	20000
/* trace-cmd starts a process for each CPU.  An emulated machine needs seconds for it. */
#define MAX_PERIODS	1500
/* A killed process ends at once, but some containers have no init that reaps it */
#define MAX_DEATHS	50

/* The command line of trace-cmd */
struct words {
	const char	*word[16 + 2 * CONTEXT_MAX];
	int		nr;
};

static void add_option(struct words *words, const char *option, const char *value)
{
	words->word[words->nr++] = option;
	words->word[words->nr++] = value;
	words->word[words->nr] = NULL;
}

/* -B begins the options of an instance */
static void set_words(struct words *words, const char *instance,
		      const struct context_session *context, const char *file)
{
	int i;

	words->nr = 0;
	add_option(words, "trace-cmd", "record");
	words->word[words->nr++] = "-q";
	add_option(words, "-o", file);
	add_option(words, "-B", instance);
	add_option(words, "-e", "objtrace");
	if (context->nr)
		add_option(words, "-B", tracefs_instance_get_name(context->instance));
	for (i = 0; i < context->nr; i++)
		add_option(words, "-e", context->events[i]);
}

static void run_trace_cmd(const struct words *words, const struct recorder *r, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);

	/* ^C ends this program, which then stops the recording */
	setpgid(0, 0);
	/* The program's handler would lose the signal below.  exec keeps a signal that is ignored. */
	stop_reset_signals();
	prctl(PR_SET_PDEATHSIG, SIGINT);
	if (getppid() != parent)
		_exit(1);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(r->complaints, STDERR_FILENO);
	if (!chdir(r->directory))
		execvp(words->word[0], (char **)words->word);
	_exit(errno == ENOENT ? 127 : 126);
}

static void forget(struct recorder *r)
{
	close(r->complaints);
	rmdir(r->directory);
	r->pid = 0;
}

/* The last line of the messages is the reason */
static int failure(struct recorder *r, int status)
{
	char text[4096], *line, *end;
	ssize_t nr, size = 0;

	while (size < (ssize_t)sizeof(text) - 1 &&
	       (nr = read(r->complaints, text + size, sizeof(text) - 1 - size)) > 0)
		size += nr;
	forget(r);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return refusal("there is no program trace-cmd, which writes the file; install the package trace-cmd");
	for (end = text + size; end > text && (end[-1] == '\n' || end[-1] == ' '); end--)
		;
	*end = '\0';
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	line += strspn(line, " ");
	return refusal("trace-cmd cannot record: %s", *line ? line : "it gives no reason");
}

static bool is_recording(struct tracefs_instance *instance)
{
	return tracefs_trace_is_on(instance) == 1;
}

static int wait_until_recording(struct recorder *r, struct tracefs_instance *instance)
{
	int i, status;

	for (i = 0; i < MAX_PERIODS; i++) {
		if (waitpid(r->pid, &status, WNOHANG) == r->pid)
			return failure(r, status);
		if (is_recording(instance))
			return EXIT_DONE;
		if (stop_is_wanted())
			return EXIT_STOPPED;
		usleep(PERIOD_US);
	}
	return refusal("trace-cmd does not begin to record");
}

/* trace-cmd runs in another directory */
static int absolute_path(const char *file, char *path)
{
	const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	char directory[PATH_MAX];
	int size;

	snprintf(directory, sizeof(directory), "%.*s.", (int)(name - file), file);
	if (!realpath(directory, path))
		return -1;
	size = strlen(path);
	if (snprintf(path + size, PATH_MAX - size, "/%s", name) < PATH_MAX - size)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

/* trace-cmd 3.1 hangs if it cannot create the file */
static int create(const char *path, bool *is_new)
{
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	*is_new = file >= 0;
	if (file < 0 && errno == EEXIST)
		file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	return file < 0 ? -1 : close(file);
}

/* trace-cmd records each CPU of an instance to a file, and makes one file of them at its end */
static void remove_cpu_files(const char *path, struct tracefs_instance *instance)
{
	long cpu, nr = sysconf(_SC_NPROCESSORS_CONF);
	char *file;

	for (cpu = 0; cpu < nr; cpu++) {
		if (asprintf(&file, "%s.%s.cpu%ld", path, tracefs_instance_get_name(instance),
			     cpu) < 0)
			continue;
		unlink(file);
		free(file);
	}
}

/* trace-cmd 3.1 writes an empty file for each CPU to its working directory, and removes it */
static int make_directory(struct recorder *r)
{
	snprintf(r->directory, sizeof(r->directory), "/tmp/objtrace.XXXXXX");
	return mkdtemp(r->directory) ? 0 : -1;
}

static int fork_trace_cmd(struct recorder *r, const struct words *words)
{
	pid_t parent = getpid();
	int ends[2];

	/* A process that trace-cmd leaves behind must not block the reader */
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -1;
	r->pid = fork();
	if (!r->pid) {
		r->complaints = ends[1];
		run_trace_cmd(words, r, parent);
	}
	close(ends[1]);
	r->complaints = ends[0];
	if (r->pid > 0) {
		/* The process does the same.  The first of both prepares for a signal to the group. */
		setpgid(r->pid, r->pid);
		return 0;
	}
	close(ends[0]);
	r->pid = 0;
	return -1;
}

/*
 * The processes of trace-cmd, one for each CPU, would keep the instance in use.  A killed process
 * can be in open(2), and makes its file before it dies.
 */
static void kill_group(struct recorder *r)
{
	pid_t group = r->pid;
	int i;

	kill(-group, SIGKILL);
	while (waitpid(group, NULL, 0) < 0 && errno == EINTR)
		;
	forget(r);
	for (i = 0; i < MAX_DEATHS && !kill(-group, 0); i++)
		usleep(PERIOD_US);
}

static int start_trace_cmd(struct recorder *r, struct tracefs_instance *instance,
			   const struct context_session *context, const char *path)
{
	struct words words;
	int ret;

	if (tracefs_trace_off(instance) < 0 || make_directory(r))
		return refusal("the recording cannot be prepared: %s", strerror(errno));
	set_words(&words, tracefs_instance_get_name(instance), context, path);
	if (fork_trace_cmd(r, &words)) {
		ret = refusal("no process: %s", strerror(errno));
		rmdir(r->directory);
		return ret;
	}
	ret = wait_until_recording(r, instance);
	if (ret && r->pid)
		kill_group(r);
	return ret;
}

/**
 * recorder_start() - begin to record an instance of tracefs
 * @r: the result
 * @instance: the instance
 * @context: an instance with other events, which the file has, too
 * @file: path of the file, which is replaced
 *
 * trace-cmd is ready when it switches the instance on.  On failure, no new file is left.
 *
 * Return: EXIT_DONE, EXIT_STOPPED, or EXIT_REFUSED with a message.
 */
int recorder_start(struct recorder *r, struct tracefs_instance *instance,
		   const struct context_session *context, const char *file)
{
	char path[PATH_MAX];
	bool is_new;
	int ret;

	*r = (struct recorder){};
	if (absolute_path(file, path) || create(path, &is_new))
		return refusal("%s cannot be written: %s", file, strerror(errno));
	ret = start_trace_cmd(r, instance, context, path);
	if (!ret)
		return EXIT_DONE;
	remove_cpu_files(path, instance);
	if (context->nr)
		remove_cpu_files(path, context->instance);
	if (is_new)
		unlink(path);
	return ret;
}

/**
 * recorder_stop() - let trace-cmd write the rest of the records, and wait for its end
 * @r: what recorder_start() made, or zeroes
 *
 * Return: EXIT_DONE, or EXIT_REFUSED with a message.
 */
int recorder_stop(struct recorder *r)
{
	int status;

	if (!r->pid)
		return EXIT_DONE;
	kill(r->pid, SIGINT);
	while (waitpid(r->pid, &status, 0) < 0)
		if (errno != EINTR)
			return refusal("trace-cmd is lost: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return failure(r, status);
	forget(r);
	return EXIT_DONE;
}
