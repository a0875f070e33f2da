// SPDX-License-Identifier: GPL-2.0-only
/*
 * zlib reads compressed files and plain files alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "tools/objtrace/kconfig.h"
#include "tools/objtrace/places.h"

#define PART	65536

static char *read_text(gzFile file)
{
	size_t size = 1;
	char *text = malloc(size + PART + 1), *more;
	int len;

	while (text) {
		len = gzread(file, text + size, PART);
		if (len <= 0)
			break;
		size += len;
		more = realloc(text, size + PART + 1);
		if (!more)
			free(text);
		text = more;
	}
	if (!text || len < 0) {
		free(text);
		return NULL;
	}
	text[0] = '\n';
	text[size] = '\0';
	return text;
}

/**
 * kconfig_read() - read the options of the running kernel
 * @config: the result; free it with kconfig_free(), also after a failure
 * @release: the release of the kernel
 *
 * Return: whether there is a file with the options.
 */
bool kconfig_read(struct kconfig *config, const char *release)
{
	char paths[3][PLACES_SIZE];
	gzFile file;
	size_t i;

	places_path(paths[0], "/proc/config.gz");
	places_path(paths[1], "/boot/config-%s", release);
	places_path(paths[2], "/lib/modules/%s/config", release);
	*config = (struct kconfig){};
	for (i = 0; i < 3 && !config->text; i++) {
		file = gzopen(paths[i], "r");
		if (!file)
			continue;
		config->text = read_text(file);
		gzclose(file);
	}
	return config->text;
}

/**
 * kconfig_is_set() - is an option built in or a module?
 * @config: what kconfig_read() read
 * @name: the name of the option
 *
 * Return: true or false.
 */
bool kconfig_is_set(const struct kconfig *config, const char *name)
{
	char line[80];

	snprintf(line, sizeof(line), "\n%s=y\n", name);
	if (strstr(config->text, line))
		return true;
	snprintf(line, sizeof(line), "\n%s=m\n", name);
	return strstr(config->text, line);
}

/**
 * kconfig_free() - free the options
 * @config: what kconfig_read() read
 */
void kconfig_free(struct kconfig *config)
{
	free(config->text);
}
