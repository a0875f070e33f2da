/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session is all that the program makes in tracefs: an instance for the records, an instance
 * that finds the objects, a probe, an event for each member, the triggers, and an instance for
 * events of the kernel that belong to the objects.
 *
 * The names of all these begin with objtrace_PID_TIME, with the process of the session and the time
 * when it was started.  The next session, and `objtrace clean', recognise a session whose
 * process is gone.
 */
#ifndef _TOOLS_OBJTRACE_SESSION_H
#define _TOOLS_OBJTRACE_SESSION_H

#include <stdbool.h>

#include "tools/objtrace/context_plan.h"
#include "tools/objtrace/context_session.h"
#include "tools/objtrace/recorder.h"

#define SESSION_MAX_VALUES	4

/**
 * struct session_plan - what a session consists of
 * @system: the system of the event that finds the object, or NULL for a probe
 * @event: the event
 * @field: its field with the object
 * @place: where the probe is, such as "MODULE:FUNCTION"
 * @is_return: the probe is on the return of the function
 * @args: the arguments of the probe
 * @address: the object itself, or 0; then there is neither an event nor a probe
 * @filter: the filter of the event, or NULL
 * @pid: follow only objects of this process and its children, or 0
 * @output: the file that gets the records, or NULL
 * @context: events that are on beside the records
 * @nr_values: the number of triggers, at least 1
 * @triggers: the text of each trigger after "objtrace:add:"
 */
struct session_plan {
	char			*system;
	char			*event;
	char			*field;
	char			*place;
	bool			is_return;
	char			*args;
	unsigned long long	address;
	char			*filter;
	long			pid;
	const char		*output;
	struct context_plan	context;
	int			nr_values;
	char			*triggers[SESSION_MAX_VALUES];
};

/**
 * struct session - what a session made in tracefs
 * @name: the name of its parts, or the beginning of their names
 * @records: the instance with the records
 * @source: the instance whose event finds the objects, or NULL
 * @context: the instance with the events of the kernel that belong to the objects
 * @recorder: the process that writes the records to a file
 * @nr_set: the number of triggers that are set
 * @has_probe: the session has a probe, whose event has the session's name
 */
struct session {
	char			name[64];
	struct tracefs_instance	*records;
	struct tracefs_instance	*source;
	struct context_session	context;
	struct recorder		recorder;
	int			nr_set;
	bool			has_probe;
};

int session_is_allowed(void);
int session_ready(void);
int session_open(struct session *s, const struct session_plan *plan);
void session_stop(struct session *s, const struct session_plan *plan);
void session_close(struct session *s);

#endif /* _TOOLS_OBJTRACE_SESSION_H */
