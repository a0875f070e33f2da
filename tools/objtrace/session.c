// SPDX-License-Identifier: GPL-2.0-only
/*
 * An event finds the object: a probe of the session, or an event of the kernel.  A hist trigger
 * on it passes the object to a synthetic event for each member.  The triggers of objtrace are
 * on the synthetic events.  There are two reasons for this detour:
 *
 *	- set_event_pid of an instance selects a process and its children, but also drops the
 *	  records of all other tasks, such as interrupts.  So the event with the hist trigger is
 *	  in an instance of its own, which has set_event_pid.
 *	- A record names the event that added the object, and thereby the member.
 *
 * leftovers.c removes the parts of a session by their names.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tracefs.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/leftovers.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/places.h"
#include "tools/objtrace/progress.h"
#include "tools/objtrace/session.h"
#include "tools/objtrace/stop.h"
#include "tools/objtrace/tasks.h"

/* The field of the session's probe with the object */
#define FIELD		"object"

/*
 * A return probe needs memory for each call that has not returned yet, of any task.  By itself, the
 * kernel reserves memory for ten calls, or for two on each CPU.  It allows 4096 at most.
 */
#define RETURN_PROBE	"r4096"

/* A busy process has new tasks at each look for its tasks */
#define MAX_LOOKS	10

/* An event that each process can fire, with prctl(PR_SET_NAME) */
#define OWN_SYSTEM	"task"
#define OWN_EVENT	"task_rename"

static int load_module(void)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execl("/sbin/modprobe", "modprobe", "objtrace", NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ENOENT;
}

/**
 * session_is_allowed() - check if this process can make and remove sessions
 *
 * Return: EXIT_DONE, or EXIT_REFUSED with a message.
 */
int session_is_allowed(void)
{
	if (geteuid())
		return refusal("only root can trace the kernel; run it with sudo");
	if (!tasks_have_kernel_numbers())
		return refusal("the processes of this container have other numbers than in the kernel; run it outside, or in the host's PID namespace");
	if (!tasks_have_kernel_times())
		return refusal("the processes of this container have other start times than in the kernel; run it outside, or in the host's time namespace");
	if (!tracefs_tracing_dir())
		return refusal("tracefs is not mounted; mount -t tracefs nodev /sys/kernel/tracing");
	return EXIT_DONE;
}

/**
 * session_ready() - check for tracefs and the module, and load the module if it is installed
 *
 * Return: EXIT_DONE, or EXIT_REFUSED with a message.
 */
int session_ready(void)
{
	char level[16];
	int ret = session_is_allowed();

	if (ret)
		return ret;
	if (places_read(level, sizeof(level), "/proc/sys/kernel/kptr_restrict") && *level == '2')
		return refusal("the kernel hides the addresses of its functions, so they have no names; run `sysctl kernel.kptr_restrict=1'");
	if (tracefs_file_exists(NULL, "objtrace/stats"))
		return EXIT_DONE;
	if (load_module() || !tracefs_file_exists(NULL, "objtrace/stats"))
		return refusal("the module objtrace is not loaded, and modprobe cannot load it; dmesg shows why, or run `make install' first");
	return EXIT_DONE;
}

static int no_permission(const char *what)
{
	if (errno == EACCES || errno == EPERM)
		return refusal("the kernel does not allow %s; it may be locked down", what);
	return refusal("%s failed: %s", what, strerror(errno));
}

/*
 * The kernel's error has "[TIME] SYSTEM: WHERE: error: SENTENCE", the command and the caret.  A
 * refusal can have no error.  Then the last one in the log is still @before, of another command.
 */
static int kernel_refusal(struct tracefs_instance *instance, const char *before, const char *what)
{
	int error = errno;
	char *log = tracefs_error_last(instance), *start, *end, *line;

	errno = error;
	start = log && (!before || strcmp(log, before)) ? strstr(log, "] ") : NULL;
	end = start ? strchr(start, '\n') : NULL;
	if (!end) {
		free(log);
		return no_permission(what);
	}
	start += 2;
	*end = '\0';
	line = strstr(start, ": error: ");
	if (line) {
		*line = '\0';
		line += strlen(": error: ");
	}
	refusal("the kernel refuses %s: %s", what, line ?: start);
	fprintf(stderr, "%s%s", end + 1, end[1] && log[strlen(log) - 1] == '\n' ? "" : "\n");
	free(log);
	return EXIT_REFUSED;
}

/* The log of errors belongs to all users of the instance, so it is not cleared */
static int give_command(struct tracefs_instance *instance, const char *file, const char *command,
			const char *what)
{
	char *before = tracefs_error_last(instance);
	int ret = EXIT_DONE;

	if (tracefs_instance_file_append(instance, file, command) < 0)
		ret = kernel_refusal(instance, before, what);
	free(before);
	return ret;
}

static int give_trigger(struct tracefs_instance *instance, const char *system, const char *event,
			const char *command, const char *what)
{
	char *file;
	int ret;

	if (asprintf(&file, "events/%s/%s/trigger", system, event) < 0)
		return no_permission("memory");
	ret = give_command(instance, file, command, what);
	free(file);
	return ret;
}

static int make_records(struct session *s, const struct session_plan *plan)
{
	s->records = tracefs_instance_create(s->name);
	if (!s->records)
		return no_permission("an instance of tracefs");
	/* Times of the records are compared with those of the program */
	if (tracefs_instance_file_write(s->records, "trace_clock", "mono") < 0)
		return no_permission("the clock of the instance");
	return EXIT_DONE;
}

static int make_probe(struct session *s, const struct session_plan *plan)
{
	char *line;
	int ret;

	/*
	 * kprobe_profile has the name of the event only, so it must be unique.  libtracefs 1.6 makes
	 * a mistake in the line of a return probe with a number.
	 */
	if (asprintf(&line, "%s:%s/%s %s %s\n", plan->is_return ? RETURN_PROBE : "p", s->name,
		     s->name, plan->place, plan->args) < 0)
		return no_permission("memory");
	ret = give_command(NULL, "dynamic_events", line, "the probe");
	free(line);
	s->has_probe = !ret;
	return ret;
}

static void synthetic_name(const struct session *s, int value, char *name, size_t size)
{
	snprintf(name, size, "%s_%d", s->name, value);
}

static int make_synthetic(struct session *s, int value)
{
	char name[80], line[120];

	synthetic_name(s, value, name, sizeof(name));
	snprintf(line, sizeof(line), "%s u64 object\n", name);
	return give_command(NULL, "synthetic_events", line, "a synthetic event");
}

/*
 * The action needs a handler, and "onmatch" of the event itself is always true.  A variable would
 * keep the instance in use until the trigger is removed, also after the program was killed.
 */
static char *selection(const struct session *s, const struct session_plan *plan,
		       const char *system, const char *event, const char *field)
{
	char name[80], *line = NULL;
	size_t size;
	FILE *text = open_memstream(&line, &size);
	int i;

	if (!text)
		return NULL;
	fputs("hist:keys=" SESSION_KEY, text);
	for (i = 0; i < plan->nr_values; i++) {
		synthetic_name(s, i, name, sizeof(name));
		fprintf(text, ":onmatch(%s.%s).trace(%s,%s)", system, event, name, field);
	}
	if (plan->filter)
		fprintf(text, " if %s", plan->filter);
	fclose(text);
	return line;
}

/*
 * Each CPU has a buffer for one event that has triggers and is not enabled.  If two such events fire
 * inside of each other, the inner event goes to the ring buffer, and is discarded there.  The kernel
 * then loses the time before a discarded event.  So the outer event, which finds the object, is
 * enabled: it goes to the ring buffer of its own instance, which nobody reads.  The inner event is
 * the synthetic event.
 */
static int enable_source(struct session *s, const char *system, const char *event)
{
	if (tracefs_instance_file_write(s->source, "buffer_size_kb", "16") < 0 ||
	    tracefs_event_enable(s->source, system, event))
		return no_permission("the event that finds the objects");
	return EXIT_DONE;
}

static int pass_objects(struct session *s, const struct session_plan *plan, const char *system,
			const char *event)
{
	char *line = selection(s, plan, system, event, plan->system ? plan->field : FIELD);
	int ret;

	if (!line)
		return no_permission("memory");
	ret = give_trigger(s->source, system, event, line, "the selection of objects");
	free(line);
	return ret;
}

/* Select all tasks that a process has now, and return their number, or -1 */
static long add_tasks(struct session *s, long pid)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	long nr;

	if (!out)
		return -1;
	nr = tasks_write(pid, out);
	if (fclose(out) ||
	    (nr && tracefs_instance_file_append(s->source, "set_event_pid", text) < 0))
		nr = -1;
	free(text);
	return nr;
}

/*
 * The kernel selects the new tasks of a selected task.  A task that is not selected yet can have
 * new tasks during a look, so the last look must find as many as the look before.
 */
static int select_tasks(struct session *s, long pid)
{
	long nr = 0, nr_before, looks = 0;

	if (!pid)
		return EXIT_DONE;
	if (tracefs_option_enable(s->source, TRACEFS_OPTION_EVENT_FORK))
		return no_permission("the selection of processes");
	do {
		nr_before = nr;
		nr = add_tasks(s, pid);
		if (nr < 0)
			return no_permission("the selection of processes");
		if (!nr)
			return refusal("there is no process %ld", pid);
	} while (nr != nr_before && ++looks < MAX_LOOKS);
	return EXIT_DONE;
}

static int make_source(struct session *s, const struct session_plan *plan)
{
	const char *system = plan->system ?: s->name, *event = plan->event ?: s->name;
	char *name;
	int ret;

	if (plan->address)
		return EXIT_DONE;
	if (asprintf(&name, "%s:%s:%s", s->name, system, event) < 0)
		return no_permission("memory");
	s->source = tracefs_instance_create(name);
	free(name);
	if (!s->source)
		return no_permission("an instance of tracefs");
	ret = select_tasks(s, plan->pid);
	ret = ret ?: enable_source(s, system, event);
	return ret ?: pass_objects(s, plan, system, event);
}

static void trigger_event(const struct session *s, const struct session_plan *plan, int value,
			  const char **system, char *event, size_t size)
{
	*system = plan->address ? OWN_SYSTEM : "synthetic";
	if (plan->address)
		snprintf(event, size, OWN_EVENT);
	else
		synthetic_name(s, value, event, size);
}

static int set_trigger(struct session *s, const struct session_plan *plan, int value)
{
	const char *system;
	char event[80], *line;
	int ret;

	trigger_event(s, plan, value, &system, event, sizeof(event));
	if (plan->address)
		ret = asprintf(&line, "objtrace:add:%s if pid == %d", plan->triggers[value],
			       getpid());
	else
		ret = asprintf(&line, "objtrace:add:%s", plan->triggers[value]);
	if (ret < 0)
		return no_permission("memory");
	ret = give_trigger(s->records, system, event, line, "the trigger");
	free(line);
	if (ret)
		return ret;
	s->nr_set++;
	/* Fire the event, so that the objects are added in the order of the members */
	if (plan->address)
		prctl(PR_SET_NAME, "objtrace");
	return EXIT_DONE;
}

static int set_triggers(struct session *s, const struct session_plan *plan)
{
	int i, ret = EXIT_DONE;

	for (i = 0; !ret && i < plan->nr_values; i++)
		ret = stop_is_wanted() ? EXIT_STOPPED : set_trigger(s, plan, i);
	return ret;
}

static int make_events(struct session *s, const struct session_plan *plan)
{
	int i, ret = EXIT_DONE;

	if (plan->address)
		return EXIT_DONE;
	if (!plan->system)
		ret = make_probe(s, plan);
	for (i = 0; !ret && i < plan->nr_values; i++)
		ret = make_synthetic(s, i);
	return ret;
}

static int make_context(struct session *s, const struct session_plan *plan)
{
	context_open(&s->context, s->name, &plan->context);
	return EXIT_DONE;
}

static int start_recorder(struct session *s, const struct session_plan *plan)
{
	if (!plan->output)
		return EXIT_DONE;
	return recorder_start(&s->recorder, s->records, &s->context, plan->output);
}

static int build(struct session *s, const struct session_plan *plan)
{
	static int (* const steps[])(struct session *s, const struct session_plan *plan) = {
		make_records, make_context, start_recorder, make_events, set_triggers, make_source,
	};
	size_t i;
	int ret = EXIT_DONE;

	for (i = 0; !ret && i < sizeof(steps) / sizeof(*steps); i++)
		ret = stop_is_wanted() ? EXIT_STOPPED : steps[i](s, plan);
	return ret;
}

/**
 * session_open() - make a session in tracefs
 * @s: the result
 * @plan: what the session consists of
 *
 * On failure, nothing is left in tracefs.
 *
 * Return: EXIT_DONE, EXIT_STOPPED, or EXIT_REFUSED with a message.
 */
int session_open(struct session *s, const struct session_plan *plan)
{
	int ret;

	*s = (struct session){};
	snprintf(s->name, sizeof(s->name), SESSION_PREFIX "%d_%llu", getpid(), start_time(getpid()));
	/* The first trigger makes the module patch the functions, which takes long */
	progress_wait("objtrace prepares the functions of the kernel (^C ends this)");
	ret = build(s, plan);
	progress_wait_end();
	if (ret)
		session_close(s);
	return ret;
}

/**
 * session_stop() - end all objects of a session
 * @s: the session
 * @plan: the plan that it was opened with
 *
 * The records of the ends are in the buffer when this function returns.
 */
void session_stop(struct session *s, const struct session_plan *plan)
{
	const char *system;
	char event[80], *line;
	int i;

	progress_wait("objtrace ends the records");
	for (i = 0; i < s->nr_set; i++) {
		trigger_event(s, plan, i, &system, event, sizeof(event));
		if (asprintf(&line, "!objtrace:add:%s", plan->triggers[i]) < 0)
			continue;
		tracefs_event_file_append(s->records, system, event, "trigger", line);
		free(line);
	}
	s->nr_set = 0;
	progress_wait_end();
}

/**
 * session_close() - remove a session from tracefs
 * @s: the session
 */
void session_close(struct session *s)
{
	progress_wait("objtrace removes its session");
	recorder_stop(&s->recorder);
	context_close(&s->context);
	tracefs_instance_free(s->source);
	tracefs_instance_free(s->records);
	s->source = s->records = NULL;
	if (leftovers_remove(s->name))
		refusal("tracefs keeps a part of %s; `objtrace clean' removes it later", s->name);
	progress_wait_end();
}
