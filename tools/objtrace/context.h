/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the kernel that tell more about an object: each has the object's address in a field.
 */
#ifndef _TOOLS_OBJTRACE_CONTEXT_H
#define _TOOLS_OBJTRACE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

struct tep_event;
struct tep_format_field;
struct tep_handle;
struct tep_record;

/**
 * struct context - an event that belongs to a struct
 * @type: tag of the struct
 * @system: system of the event; NULL if the event lacks the address.  Then a probe on its
 *	    tracepoint takes the place of the event.
 * @event: name of the event
 * @field: the field with the address
 * @function: the function that has the probe if there is no such tracepoint, or if the kernel has
 *	      no probes on tracepoints
 * @args: the arguments of the probe.  % is the object, and {STRUCT.MEMBER} an offset in bytes.
 */
struct context {
	const char	*type;
	const char	*system;
	const char	*event;
	const char	*field;
	const char	*function;
	const char	*args;
};

#define CONTEXT_FIELD	"object"	/* of probes */
/* The end of the name of an instance that has these events only */
#define CONTEXT_INSTANCE ".context"

/* Number of events that contexts_find() can find */
#define CONTEXT_MAX	32

/**
 * struct contexts - the events of a file, or of the running kernel, that are in the table
 * @tep: the formats
 * @nr: number of events; an event with two such fields counts twice
 * @events: the formats of the events
 * @fields: their fields with the address
 * @sizes: number of bytes that each record of the event has at least
 */
struct contexts {
	struct tep_handle	*tep;
	int			nr;
	struct tep_event	*events[CONTEXT_MAX];
	struct tep_format_field	*fields[CONTEXT_MAX];
	int			sizes[CONTEXT_MAX];
};

const struct context *context_next(const struct context *context);
void contexts_find(struct contexts *contexts, struct tep_handle *tep);
bool contexts_next(const struct contexts *contexts, const struct tep_record *raw, int *position,
		   unsigned long long *address);
char *contexts_text(const struct contexts *contexts, const struct tep_record *raw);

#endif /* _TOOLS_OBJTRACE_CONTEXT_H */
