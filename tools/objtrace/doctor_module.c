// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module: where it is, its version, and whether the kernel accepts it.
 */
#include <stdio.h>
#include <string.h>

#include "tools/objtrace/doctor.h"
#include "tools/objtrace/places.h"

/* The file of the module in /lib/modules.  modules.dep has "PATH: NEEDED...". */
static void find_module(const struct doctor *d, char *file)
{
	char path[PLACES_SIZE], line[4096], *end;
	bool is_found = false;
	FILE *modules;

	file[0] = '\0';
	modules = fopen(places_path(path, "/lib/modules/%s/modules.dep", d->release), "r");
	while (modules && !is_found && fgets(line, sizeof(line), modules)) {
		end = strchr(line, ':');
		if (!end)
			continue;
		*end = '\0';
		is_found = strstr(line, "/objtrace.ko") && !strchr(line, '\'');
	}
	if (modules)
		fclose(modules);
	if (is_found)
		places_path(file, "/lib/modules/%s/%.256s", d->release, line);
}

/* modinfo also reads compressed modules */
static void read_info(const char *file, const char *field, char *value, size_t size)
{
	char command[PLACES_SIZE + 80];
	FILE *modinfo;

	snprintf(command, sizeof(command), "/sbin/modinfo -F %s '%s' 2>/dev/null", field, file);
	value[0] = '\0';
	modinfo = popen(command, "r");
	if (!modinfo)
		return;
	if (fgets(value, size, modinfo))
		value[strcspn(value, "\n")] = '\0';
	pclose(modinfo);
}

static void check_module(struct doctor *d, const char *file)
{
	char version[64];

	if (!d->is_loaded && !*file) {
		doctor_remedy(d, "module", "it is not installed for this kernel; run `make install' in the source of objtrace");
		return;
	}
	if (d->is_loaded)
		places_read(version, sizeof(version), "/sys/module/objtrace/version");
	else
		read_info(file, "version", version, sizeof(version));
	if (strcmp(version, OBJTRACE_VERSION))
		doctor_remedy(d, "module", "its version is %s and that of the program is %s; install both from the same source",
			      *version ? version : "unknown", OBJTRACE_VERSION);
	else if (!d->is_loaded)
		doctor_remedy(d, "module", "it is not loaded; run `modprobe objtrace'");
	else
		doctor_ok("module");
}

static bool is_locked(const char *level)
{
	char line[80], name[32];

	snprintf(name, sizeof(name), "[%s]", level);
	return places_read(line, sizeof(line), "/sys/kernel/security/lockdown") &&
	       strstr(line, name);
}

static bool needs_signature(void)
{
	char line[8];

	places_read(line, sizeof(line), "/sys/module/module/parameters/sig_enforce");
	return *line == 'Y' || is_locked("integrity") || is_locked("confidentiality");
}

static void check_signature(struct doctor *d, const char *file)
{
	char signer[256] = "";

	if (*file)
		read_info(file, "signer", signer, sizeof(signer));
	if (!d->is_loaded && *file && !*signer && needs_signature())
		doctor_remedy(d, "signature", "the kernel accepts signed modules only, and objtrace has no signature; install it with dkms, and enrol the key of dkms with `mokutil --import /var/lib/dkms/mok.pub'");
	else
		doctor_ok("signature");
}

static void check_lockdown(struct doctor *d)
{
	if (is_locked("confidentiality"))
		doctor_remedy(d, "lockdown", "the level confidentiality closes tracefs; boot without lockdown=confidentiality");
	else
		doctor_ok("lockdown");
}

/**
 * doctor_module() - check the module
 * @d: the run
 */
void doctor_module(struct doctor *d)
{
	char file[PLACES_SIZE];

	find_module(d, file);
	check_module(d, file);
	check_signature(d, file);
	check_lockdown(d);
}
