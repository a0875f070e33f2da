// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module counts the records that it cannot write, and the objects that it cannot track.  The
 * kernel counts the records that the ring buffer overwrites or drops, and the calls that a probe
 * misses.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tracefs.h>

#include "tools/objtrace/losses.h"
#include "tools/objtrace/session.h"

static void add_loss(struct losses *losses, const char *name, unsigned long long count)
{
	if (strstr(name, ".lost_"))
		losses->records += count;
	if (!strcmp(name, "fired.table_full") || !strcmp(name, "fired.slots_busy"))
		losses->objects += count;
}

/**
 * losses_of_triggers() - add what objtrace/stats counts for the triggers of a session
 * @losses: the sum
 * @session: the session, whose triggers must be set still
 */
void losses_of_triggers(struct losses *losses, const struct session *session)
{
	char *stats = tracefs_instance_file_read(NULL, "objtrace/stats", NULL);
	char head[100], name[64], *line, *save = NULL;
	unsigned long long count;
	bool is_ours = false;

	snprintf(head, sizeof(head), "trigger: %s ", session->name);
	for (line = stats ? strtok_r(stats, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (*line != ' ')
			is_ours = !strncmp(line, head, strlen(head));
		else if (is_ours && sscanf(line, " %63[^:]: %llu", name, &count) == 2)
			add_loss(losses, name, count);
	}
	free(stats);
}

/**
 * losses_of_probe() - add the calls that the probe of a session missed
 * @losses: the sum
 * @session: the session
 *
 * A line of kprobe_profile has the event, the number of hits and the number of misses.
 */
void losses_of_probe(struct losses *losses, const struct session *session)
{
	char *profile, *line, *save = NULL, name[sizeof(session->name)];
	unsigned long long count;

	profile = session->has_probe ? tracefs_instance_file_read(NULL, "kprobe_profile", NULL) : NULL;
	for (line = profile ? strtok_r(profile, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, " %63s %*u %llu", name, &count) == 2 &&
		    !strcmp(name, session->name))
			losses->calls += count;
	}
	free(profile);
}

static unsigned long long count_overruns(struct tracefs_instance *instance)
{
	long cpu, nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	unsigned long long count, sum = 0;
	char path[40], *stats, *line;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		snprintf(path, sizeof(path), "per_cpu/cpu%ld/stats", cpu);
		stats = tracefs_instance_file_read(instance, path, NULL);
		line = stats ? strstr(stats, "\noverrun: ") : NULL;
		if (line && sscanf(line, " overrun: %llu", &count) == 1)
			sum += count;
		free(stats);
	}
	return sum;
}

/**
 * losses_of_buffers() - add what the ring buffers of a session's instances overwrote or dropped
 * @losses: the sum
 * @session: the session, which must be stopped
 */
void losses_of_buffers(struct losses *losses, const struct session *session)
{
	losses->records += count_overruns(session->records);
	if (session->context.instance)
		losses->events += count_overruns(session->context.instance);
}
