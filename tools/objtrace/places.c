// SPDX-License-Identifier: GPL-2.0-only
/*
 * With another root directory, the tests read the files of another kernel.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tracefs.h>

#include "tools/objtrace/places.h"

/**
 * places_root() - the directory that stands for the root directory
 *
 * Return: its path without a slash at the end, which is empty unless this is a test.
 */
const char *places_root(void)
{
	return getenv("OBJTRACE_TEST_ROOT") ?: "";
}

/**
 * places_path() - the path of a file of the kernel
 * @path: memory of PLACES_SIZE bytes for the path
 * @format: the path from the root directory
 *
 * Return: @path.
 */
const char *places_path(char *path, const char *format, ...)
{
	int len = snprintf(path, PLACES_SIZE, "%s", places_root());
	va_list args;

	va_start(args, format);
	if (len < PLACES_SIZE)
		vsnprintf(path + len, PLACES_SIZE - len, format, args);
	va_end(args);
	return path;
}

/**
 * places_read() - read the first line of a file of the kernel
 * @line: memory for the line, which gets no newline; empty if there is no such file
 * @size: the size of @line in bytes
 * @format: the path from the root directory
 *
 * Return: whether the file has a line.
 */
bool places_read(char *line, size_t size, const char *format, ...)
{
	char name[PLACES_SIZE], path[PLACES_SIZE];
	va_list args;
	FILE *file;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	line[0] = '\0';
	file = fopen(places_path(path, "%s", name), "r");
	if (!file)
		return false;
	if (!fgets(line, size, file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return line[0];
}

/**
 * places_tracefs() - the directory of tracefs
 *
 * Return: its path, or NULL if tracefs is not mounted.
 */
const char *places_tracefs(void)
{
	char path[PLACES_SIZE];

	if (!*places_root())
		return tracefs_tracing_dir();
	if (access(places_path(path, "/sys/kernel/tracing"), F_OK) || tracefs_set_tracing_dir(path))
		return NULL;
	return tracefs_tracing_dir();
}
