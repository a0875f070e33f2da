// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs_local_events() also reads /proc/kallsyms, which takes longer than the formats.  So this
 * file reads the formats that are needed.
 */
#include <stdlib.h>
#include <unistd.h>

#include <event-parse.h>
#include <tracefs.h>

#include "tools/objtrace/formats.h"

/* Without the format of a page of the ring buffer, libtraceevent takes its header for records */
static int read_header_page(struct tep_handle *tep)
{
	int size, ret;
	char *text = tracefs_instance_file_read(NULL, "events/header_page", &size);

	if (!text)
		return -1;
	ret = tep_parse_header_page(tep, text, size, sizeof(long));
	free(text);
	return ret;
}

/**
 * formats_new() - read the format of a page, and prepare to read the formats of events
 *
 * Return: formats without an event, for tep_free(); NULL without memory, or if the format of a
 * page cannot be read.
 */
struct tep_handle *formats_new(void)
{
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		return NULL;
	tep_set_long_size(tep, sizeof(long));
	tep_set_page_size(tep, getpagesize());
	if (read_header_page(tep)) {
		tep_free(tep);
		return NULL;
	}
	return tep;
}

/**
 * formats_read() - read the format of an event
 * @tep: gets the format
 * @system: the system of the event
 * @event: the event
 *
 * Return: the event; NULL if the kernel has no such event, or if libtraceevent does not know its
 * format.
 */
struct tep_event *formats_read(struct tep_handle *tep, const char *system, const char *event)
{
	int size;
	char *text = tracefs_event_file_read(NULL, system, event, "format", &size);

	if (text)
		tep_parse_event(tep, text, size, system);
	free(text);
	return tep_find_event_by_name(tep, system, event);
}

/**
 * formats_read_system() - read the formats of all events of a system
 * @tep: gets the formats
 * @system: the system
 */
void formats_read_system(struct tep_handle *tep, const char *system)
{
	char **events = tracefs_system_events(NULL, system), **event;

	for (event = events; event && *event; event++)
		formats_read(tep, system, *event);
	tracefs_list_free(events);
}
