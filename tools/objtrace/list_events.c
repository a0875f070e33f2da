// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fields of events that are pointers, as `objtrace follow' takes them.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include <event-parse.h>
#include <tracefs.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/decl.h"
#include "tools/objtrace/fields.h"
#include "tools/objtrace/formats.h"
#include "tools/objtrace/list.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/places.h"
#include "tools/objtrace/suggest.h"

/* System calls receive pointers of user space, which objtrace cannot follow */
#define SYSCALLS	"syscalls"

static bool is_wanted(const char *system, const char *event, const char *pattern)
{
	char name[256];

	if (!pattern)
		return true;
	if (!strchr(pattern, ':'))
		return !fnmatch(pattern, event, 0) || !fnmatch(pattern, system, 0);
	snprintf(name, sizeof(name), "%s:%s", system, event);
	return !fnmatch(pattern, name, 0);
}

static void read_system(struct tep_handle *tep, const char *system, const char *pattern)
{
	char **events = tracefs_system_events(NULL, system), **event;

	for (event = events; event && *event; event++)
		if (is_wanted(system, *event, pattern))
			formats_read(tep, system, *event);
	tracefs_list_free(events);
}

static void print_field(struct kbtf *k, const struct tep_event *event,
			const struct tep_format_field *field)
{
	const char *name = fields_is_void(field) ? fields_struct(k, event->name, field) : NULL;
	struct kbtf_type type;

	printf("%s:%s.%s ", event->system, event->name, field->name);
	if (name && kbtf_struct(k, name, &type)) {
		decl_print(stdout, &type, "");
		puts(" *");
	} else {
		puts(field->type);
	}
}

static unsigned int print_fields(struct kbtf *k, const struct tep_event *event)
{
	const struct tep_format_field *field = event->format.fields;
	unsigned int nr = 0;

	for (; field; field = field->next) {
		if (!(field->flags & TEP_FIELD_IS_POINTER) || field->flags & TEP_FIELD_IS_ARRAY)
			continue;
		print_field(k, event, field);
		nr++;
	}
	return nr;
}

/* The suggestion stays when the list of names is freed */
static void consider_name(struct suggestion *s, const char *name, char *best, size_t size)
{
	suggest_consider(s, name);
	if (s->best != name)
		return;
	snprintf(best, size, "%s", name);
	s->best = best;
}

static int no_such_system(char **systems, const char *pattern, size_t len)
{
	struct suggestion s;
	char hint[160];

	suggest_init(&s, pattern, len);
	for (; *systems; systems++)
		suggest_consider(&s, *systems);
	return usage_error_at(pattern, 0, "there is no such system of events%s",
			      suggest_text(&s, hint, sizeof(hint)));
}

/* @len: the length of the system in SYSTEM:EVENT, or 0 */
static int no_such_event(char **systems, const char *pattern, size_t len)
{
	const char *name = len ? pattern + len + 1 : pattern;
	char **events, **event, best[128], hint[160];
	struct suggestion s;

	suggest_init(&s, name, strlen(name));
	for (; *systems; systems++) {
		if (!len)
			consider_name(&s, *systems, best, sizeof(best));
		else if (strlen(*systems) != len || memcmp(*systems, pattern, len))
			continue;
		events = tracefs_system_events(NULL, *systems);
		for (event = events; event && *event; event++)
			consider_name(&s, *event, best, sizeof(best));
		tracefs_list_free(events);
	}
	return usage_error_at(pattern, name - pattern, "there is no such event%s",
			      suggest_text(&s, hint, sizeof(hint)));
}

static bool has_system(char **systems, const char *name, size_t len)
{
	for (; *systems; systems++)
		if (strlen(*systems) == len && !memcmp(*systems, name, len))
			return true;
	return false;
}

static int nothing_found(char **systems, const char *pattern)
{
	size_t len = strchr(pattern, ':') ? strcspn(pattern, ":") : 0;

	if (!strncmp(pattern, SYSCALLS, strlen(SYSCALLS)) && strcspn(pattern, ":") == strlen(SYSCALLS))
		return usage_error_at(pattern, 0, "system calls receive pointers of user space, which cannot be followed");
	if (!list_is_name(pattern))
		return usage_error_at(pattern, 0, "no event with a pointer has such a name");
	if (len && !has_system(systems, pattern, len))
		return no_such_system(systems, pattern, len);
	return no_such_event(systems, pattern, len);
}

static int print_events(struct kbtf *k, struct tep_handle *tep, char **systems,
			const char *pattern)
{
	struct tep_event **event = tep_list_events(tep, TEP_EVENT_SORT_SYSTEM);
	unsigned int nr_events = 0, nr_fields = 0;

	for (; event && *event; event++, nr_events++)
		nr_fields += print_fields(k, *event);
	if (nr_fields || !pattern)
		return EXIT_DONE;
	if (!nr_events)
		return nothing_found(systems, pattern);
	return usage_error_at(pattern, 0, "no field of the %s is a pointer",
			      nr_events > 1 ? "events" : "event");
}

/**
 * list_events() - list fields of events
 * @k: the BTF
 * @o: the command line
 *
 * Return: the exit code of the program.
 */
int list_events(struct kbtf *k, const struct list_options *o)
{
	const char *dir = places_tracefs();
	char **systems = dir ? tracefs_event_systems(NULL) : NULL, **system;
	struct tep_handle *tep = tep_alloc();
	int ret;

	for (system = systems; tep && system && *system; system++)
		if (strcmp(*system, SYSCALLS))
			read_system(tep, *system, o->pattern);
	if (tep && systems)
		ret = print_events(k, tep, systems, o->pattern);
	else
		ret = refusal("the events of tracefs cannot be read; `objtrace doctor' shows the reason");
	tep_free(tep);
	tracefs_list_free(systems);
	return ret;
}
