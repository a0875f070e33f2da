// SPDX-License-Identifier: GPL-2.0-only
/*
 * libtraceevent cannot add functions after the first look-up, so a change of the modules makes
 * a new handle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/kallsyms.h"
#include "tools/objtrace/places.h"

/*
 * Call @copy for each line of a file.  Return what @copy wrote, or NULL if the file cannot be read or
 * memory is short.
 */
static char *filter(const char *name, void (*copy)(const char *line, FILE *to))
{
	char path[PLACES_SIZE], *line = NULL, *text = NULL;
	FILE *from = fopen(places_path(path, "%s", name), "r"), *to;
	size_t size = 0, line_size = 0;

	if (!from)
		return NULL;
	to = open_memstream(&text, &size);
	while (to && getline(&line, &line_size, from) > 0)
		copy(line, to);
	if (to && fclose(to)) {
		free(text);
		text = NULL;
	}
	free(line);
	fclose(from);
	return text;
}

/* The other fields of a module change while it is loaded */
static void copy_module(const char *line, FILE *to)
{
	char name[64], state[16], address[20];

	if (sscanf(line, "%63s %*s %*s %*s %15s %19s", name, state, address) == 3)
		fprintf(to, "%s %s %s\n", name, state, address);
}

/* No record has an address in data, or in the padding before a function, which __pfx_ names. */
static bool is_function(const char *line)
{
	const char *type = strchr(line, ' ');

	return type && strspn(type + 1, "tTwW") == 1 && strncmp(type + 2, " __pfx_", 7);
}

/* libtraceevent takes microseconds for each line.  A third of the lines have functions. */
static void copy_function(const char *line, FILE *to)
{
	if (is_function(line))
		fputs(line, to);
}

static struct tep_handle *read_functions(void)
{
	char *text = filter("/proc/kallsyms", copy_function);
	struct tep_handle *tep = text ? tep_alloc() : NULL;

	if (tep) {
		tep_parse_kallsyms(tep, text);
		/* The first look-up sorts the functions, which must not delay the records */
		tep_find_function(tep, 0);
	}
	free(text);
	return tep;
}

/**
 * kallsyms_update() - read the functions, if modules came or went since the last call
 * @kallsyms: the functions
 *
 * Without memory, or if the functions cannot be read, nothing changes.
 *
 * Return: true if @kallsyms has other functions.
 */
bool kallsyms_update(struct kallsyms *kallsyms)
{
	char *modules = filter("/proc/modules", copy_module);
	struct tep_handle *tep = NULL;

	if (!kallsyms->tep || (modules && strcmp(modules, kallsyms->modules ?: "")))
		tep = read_functions();
	if (!tep) {
		free(modules);
		return false;
	}
	kallsyms_free(kallsyms);
	*kallsyms = (struct kallsyms){ tep, modules };
	return true;
}

/**
 * kallsyms_free() - free the functions
 * @kallsyms: the functions, or zeroes
 */
void kallsyms_free(struct kallsyms *kallsyms)
{
	tep_free(kallsyms->tep);
	free(kallsyms->modules);
}
