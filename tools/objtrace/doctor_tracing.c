// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs, the switches of ftrace and of kprobes, and other tracers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tracefs.h>

#include "tools/objtrace/doctor.h"
#include "tools/objtrace/places.h"

/* Open a file: with lockdown, root has the permission, but cannot open it */
static int try_tracefs(const char *dir)
{
	char path[PLACES_SIZE];
	int file;

	snprintf(path, sizeof(path), "%s/available_filter_functions", dir);
	file = open(path, O_RDONLY);
	if (file < 0)
		return errno;
	close(file);
	return 0;
}

static bool check_tracefs(struct doctor *d)
{
	const char *dir = places_tracefs();
	int error = dir ? try_tracefs(dir) : 0;

	if (!dir)
		doctor_remedy(d, "tracefs", "it is not mounted; run `mount -t tracefs nodev /sys/kernel/tracing'");
	else if (error == EACCES)
		doctor_remedy(d, "tracefs", "only root can read it; run objtrace with sudo");
	else if (error == EPERM)
		doctor_remedy(d, "tracefs", "the kernel does not open available_filter_functions, as if it was locked down; boot without lockdown=confidentiality");
	else if (error)
		doctor_remedy(d, "tracefs", "available_filter_functions cannot be read (%s); boot a kernel with CONFIG_DYNAMIC_FTRACE",
			      strerror(error));
	else
		doctor_ok("tracefs");
	return dir && !error;
}

/* Root always can use the events with perf */
static void check_perf(struct doctor *d)
{
	char level[16];

	places_read(level, sizeof(level), "/proc/sys/kernel/perf_event_paranoid");
	if (geteuid() && *level && atoi(level) > -1)
		doctor_remedy(d, "perf_event_paranoid", "only root can use the events with perf; run `sysctl kernel.perf_event_paranoid=-1' to allow it for all users");
	else
		doctor_ok("perf_event_paranoid");
}

/* @name: of the instance, or NULL for the top instance */
static bool check_tracer(struct doctor *d, const char *name)
{
	struct tracefs_instance *instance = name ? tracefs_instance_alloc(NULL, name) : NULL;
	char *tracer = tracefs_instance_file_read(instance, "current_tracer", NULL);
	bool is_nop = !tracer || !strcmp(tracer, "nop\n");

	if (!is_nop) {
		tracer[strcspn(tracer, "\n")] = '\0';
		doctor_remedy(d, "current_tracer", "the tracer %s makes objtrace slow; write nop to %s%s%scurrent_tracer",
			      tracer, name ? "instances/" : "", name ?: "", name ? "/" : "");
	}
	free(tracer);
	tracefs_instance_free(instance);
	return is_nop;
}

static void check_tracers(struct doctor *d)
{
	char **names = tracefs_instances(NULL), **name;
	bool are_nop = check_tracer(d, NULL);

	for (name = names; name && *name; name++)
		are_nop &= check_tracer(d, *name);
	tracefs_list_free(names);
	if (are_nop)
		doctor_ok("current_tracer");
}

static void check_switch(struct doctor *d, const char *what, const char *path, char bad,
			 const char *remedy)
{
	char value[16];

	if (places_read(value, sizeof(value), "%s", path) && *value == bad)
		doctor_remedy(d, what, "%s", remedy);
	else
		doctor_ok(what);
}

/**
 * doctor_tracing() - check tracefs, ftrace and kprobes
 * @d: the run
 */
void doctor_tracing(struct doctor *d)
{
	bool has_tracefs = check_tracefs(d);

	check_perf(d);
	check_switch(d, "kptr_restrict", "/proc/sys/kernel/kptr_restrict", '2',
		     "it hides the addresses of functions, so they have no names; run `sysctl kernel.kptr_restrict=1'");
	if (has_tracefs)
		check_tracers(d);
	check_switch(d, "ftrace_enabled", "/proc/sys/kernel/ftrace_enabled", '0',
		     "ftrace is switched off, so no function is traced; run `sysctl kernel.ftrace_enabled=1'");
	check_switch(d, "kprobes", "/sys/kernel/debug/kprobes/enabled", '0',
		     "they are switched off, so no probe fires; write 1 to /sys/kernel/debug/kprobes/enabled");
	check_switch(d, "stack_tracer_enabled", "/proc/sys/kernel/stack_tracer_enabled", '1',
		     "the stack tracer traces all functions and makes objtrace slow; run `sysctl kernel.stack_tracer_enabled=0'");
	check_switch(d, "function_profile_enabled", "/sys/kernel/tracing/function_profile_enabled",
		     '1', "the profiler traces all functions and makes objtrace slow; write 0 to function_profile_enabled");
}
