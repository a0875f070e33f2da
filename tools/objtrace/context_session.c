// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events have an instance of their own, so that they never take the place of objtrace's records
 * in a ring buffer.  leftovers.c removes the instance and the probes by their names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tracefs.h>

#include "tools/objtrace/context_plan.h"
#include "tools/objtrace/context_session.h"
#include "tools/objtrace/formats.h"

/* For each CPU */
#define BUFFER_KB	"256"

static struct tracefs_instance *make_instance(const char *session)
{
	struct tracefs_instance *instance;
	char *name;

	if (asprintf(&name, "%s" CONTEXT_INSTANCE, session) < 0)
		return NULL;
	instance = tracefs_instance_create(name);
	free(name);
	if (instance && (tracefs_instance_file_write(instance, "trace_clock", "mono") < 0 ||
			 tracefs_instance_file_write(instance, "buffer_size_kb", BUFFER_KB) < 0)) {
		tracefs_instance_destroy(instance);
		tracefs_instance_free(instance);
		return NULL;
	}
	return instance;
}

/* libtracefs 1.6 has no probes on tracepoints */
static bool probe_tracepoint(const char *session, const char *event, const char *args)
{
	char *line;
	int ret;

	if (!args || asprintf(&line, "t:%s/%s %s %s\n", session, event, event, args) < 0)
		return false;
	ret = tracefs_instance_file_append(NULL, "dynamic_events", line);
	free(line);
	return ret >= 0;
}

static bool probe_function(const char *session, const char *function, const char *args)
{
	return args && !tracefs_kprobe_raw(session, function, function, args);
}

/* The kernel can lack the event, or probes on tracepoints.  Then the user sees no such lines. */
static void add_event(struct context_session *c, const char *session,
		      const struct context_plan *plan, int i)
{
	const struct context *context = plan->events[i];
	const char *system = context->system ?: session, *event = context->event;

	if (!context->system && !probe_tracepoint(session, event, plan->probes[i])) {
		event = context->function;
		if (!probe_function(session, event, plan->others[i]))
			return;
	}
	if (tracefs_event_enable(c->instance, system, event))
		return;
	if (asprintf(&c->events[c->nr], "%s:%s", system, event) >= 0)
		c->nr++;
}

/**
 * context_open() - switch on the events of a session
 * @c: the result
 * @session: the name of the session
 * @plan: the events
 *
 * Without any of the events, there is no instance.
 */
void context_open(struct context_session *c, const char *session, const struct context_plan *plan)
{
	int i;

	*c = (struct context_session){};
	if (plan->nr)
		c->instance = make_instance(session);
	for (i = 0; c->instance && i < plan->nr; i++)
		add_event(c, session, plan, i);
}

/**
 * context_formats() - read the formats of the events
 * @c: the events
 * @tep: gets the formats
 */
void context_formats(const struct context_session *c, struct tep_handle *tep)
{
	char system[128], event[128];
	int i;

	for (i = 0; i < c->nr; i++)
		if (sscanf(c->events[i], "%127[^:]:%127s", system, event) == 2)
			formats_read(tep, system, event);
}

/**
 * context_close() - free the names of the events
 * @c: what context_open() made, or zeroes
 *
 * leftovers_remove() removes the instance and the probes from tracefs.
 */
void context_close(struct context_session *c)
{
	while (c->nr)
		free(c->events[--c->nr]);
	tracefs_instance_free(c->instance);
	c->instance = NULL;
}
