// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a session are removed in the reverse order of session.c.  Removal goes by names
 * only, so it does not matter how far a session came.  An instance is in use while one of its
 * events has a hist trigger with an action.  So the name of such an instance also names the event:
 * objtrace_PID_TIME:SYSTEM:EVENT.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tracefs.h>

#include "tools/objtrace/leftovers.h"
#include "tools/objtrace/stop.h"

#define WAIT_US		50000
#define MAX_WAITS	100

/**
 * start_time() - tell processes with the same number apart
 * @pid: the process
 *
 * Return: the time when it was started, in clock ticks since boot; 0 if there is no such process.
 */
unsigned long long start_time(long pid)
{
	unsigned long long time = 0;
	char path[40], line[1024], *pos;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	/* The name of the task, in parentheses, can have blanks */
	pos = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	if (pos)
		sscanf(pos + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		       &time);
	fclose(file);
	return time;
}

/* Is this the name of a part of a session whose process is gone, or of the session @own? */
static bool is_removable(const char *name, const char *own)
{
	unsigned long long time;
	long pid;

	if (own)
		return !strncmp(name, own, strlen(own));
	if (sscanf(name, SESSION_PREFIX "%ld_%llu", &pid, &time) != 2)
		return false;
	return start_time(pid) != time;
}

/* The waits that are left for ended sessions */
static int waits_left = MAX_WAITS;

/*
 * The kernel refuses while a reader or an event's last call is not done.  A session waits for each
 * of its own parts.  The parts of ended sessions share the waits, and a signal ends these waits.
 * Another process may remove the same part.
 */
static bool repeat(int (*destroy)(void *part), void *part, const char *own)
{
	int own_waits = MAX_WAITS, *waits = own ? &own_waits : &waits_left;

	while (destroy(part) < 0 && errno != ENOENT) {
		if (!*waits || (!own && stop_is_wanted()))
			return false;
		--*waits;
		usleep(WAIT_US);
	}
	return true;
}

static int destroy_instance(void *name)
{
	struct tracefs_instance *instance = tracefs_instance_alloc(NULL, name);
	int ret;

	if (!instance)
		return -1;
	ret = tracefs_instance_destroy(instance);
	tracefs_instance_free(instance);
	return ret;
}

/* Linux 7.3 prints this key twice when it prints a trigger, and then does not find the trigger */
static void repair_key(char *line)
{
	char *twice = strstr(line, "=" SESSION_KEY SESSION_KEY ":");
	char *rest;

	if (!twice)
		return;
	rest = twice + strlen("=" SESSION_KEY);
	memmove(twice + 1, rest, strlen(rest) + 1);
}

/*
 * The end of the line has the state of the trigger: " [active]".  The filter before the state can
 * have such text, too.
 */
static void cut_state(char *line)
{
	char *state = NULL, *pos;

	line[strcspn(line, "\n")] = '\0';
	for (pos = strstr(line, " ["); pos; pos = strstr(pos + 1, " ["))
		state = pos;
	if (state)
		*state = '\0';
}

/* Remove the hist trigger from the event in the name objtrace_PID_TIME:SYSTEM:EVENT */
static void remove_selection(const char *name)
{
	struct tracefs_instance *instance = tracefs_instance_alloc(NULL, name);
	char system[128], event[128], *text, *line, *command;

	if (!instance || sscanf(name, "%*[^:]:%127[^:]:%127s", system, event) != 2)
		goto free;
	text = tracefs_event_file_read(instance, system, event, "trigger", NULL);
	line = text ? strstr(text, "hist:") : NULL;
	if (line) {
		cut_state(line);
		repair_key(line);
	}
	if (line && asprintf(&command, "!%s", line) > 0) {
		tracefs_event_file_append(instance, system, event, "trigger", command);
		free(command);
	}
	free(text);
free:
	tracefs_instance_free(instance);
}

static int remove_instances(const char *own, bool has_event)
{
	char **names = tracefs_instances("^" SESSION_PREFIX);
	int i, nr_failed = 0;

	for (i = 0; names && names[i]; i++) {
		if (!!strchr(names[i], ':') != has_event || !is_removable(names[i], own))
			continue;
		if (has_event)
			remove_selection(names[i]);
		if (!repeat(destroy_instance, names[i], own))
			nr_failed++;
	}
	tracefs_list_free(names);
	return nr_failed;
}

/* libtracefs 1.6 has no probes on tracepoints: "t:SYSTEM/EVENT TRACEPOINT ARGUMENTS" */
static int destroy_tracepoint(void *command)
{
	return tracefs_instance_file_append(NULL, "dynamic_events", command);
}

static int remove_tracepoints(const char *own)
{
	char *events = tracefs_instance_file_read(NULL, "dynamic_events", NULL);
	char system[128], event[128], command[300], *line, *save = NULL;
	int nr_failed = 0;

	for (line = events ? strtok_r(events, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "t%*[^:]:%127[^/]/%127s", system, event) != 2 &&
		    sscanf(line, "t:%127[^/]/%127s", system, event) != 2)
			continue;
		if (!is_removable(system, own))
			continue;
		snprintf(command, sizeof(command), "-:%s/%s\n", system, event);
		if (!repeat(destroy_tracepoint, command, own))
			nr_failed++;
	}
	free(events);
	return nr_failed;
}

static int destroy_event(void *event)
{
	return tracefs_dynevent_destroy(event, false);
}

static int remove_events(const char *own, unsigned int types)
{
	struct tracefs_dynevent **events = tracefs_dynevent_get_all(types, NULL);
	char *system, *name;
	int i, nr_failed = 0;

	for (i = 0; events && events[i]; i++) {
		system = name = NULL;
		tracefs_dynevent_info(events[i], &system, &name, NULL, NULL, NULL);
		if (((system && is_removable(system, own)) || (name && is_removable(name, own))) &&
		    !repeat(destroy_event, events[i], own))
			nr_failed++;
		free(system);
		free(name);
	}
	tracefs_dynevent_list_free(events);
	return nr_failed;
}

/**
 * leftovers_remove() - remove sessions from tracefs
 * @own: the name of a session; NULL for all sessions whose processes are gone
 *
 * The function waits five seconds at most for the parts of ended sessions.
 *
 * Return: the number of parts that are in use.
 */
int leftovers_remove(const char *own)
{
	int nr_failed = remove_instances(own, true);

	nr_failed += remove_instances(own, false);
	nr_failed += remove_events(own, TRACEFS_DYNEVENT_SYNTH);
	nr_failed += remove_tracepoints(own);
	nr_failed += remove_events(own, TRACEFS_DYNEVENT_KPROBE | TRACEFS_DYNEVENT_KRETPROBE);
	return nr_failed;
}
