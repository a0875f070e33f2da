// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel: its version, the options that it was built with, and its BTF.
 */
#include <stdio.h>
#include <string.h>

#include "tools/objtrace/doctor.h"
#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/kconfig.h"

static const struct {
	const char *name;
	const char *user;
} options[] = {
	{ "CONFIG_MODULES", "the module" },
	{ "CONFIG_EVENT_TRACING", "the module" },
	{ "CONFIG_FUNCTION_TRACER", "the module" },
	{ "CONFIG_DYNAMIC_FTRACE", "the module" },
	{ "CONFIG_KPROBE_EVENTS", "the module" },
	{ "CONFIG_KALLSYMS", "the module" },
#ifdef __x86_64__
	{ "CONFIG_KALLSYMS_ALL", "the module" },
#endif
	{ "CONFIG_BPF_SYSCALL", "the module" },
	{ "CONFIG_DEBUG_INFO_BTF", "the module" },
	{ "CONFIG_HIST_TRIGGERS", "`objtrace follow'" },
	{ "CONFIG_SYNTH_EVENTS", "`objtrace follow'" },
};

static void check_release(struct doctor *d)
{
	unsigned int major, minor;
	char what[sizeof(d->release) + 16];

	snprintf(what, sizeof(what), "kernel %s", d->release);
	if (sscanf(d->release, "%u.%u", &major, &minor) == 2 &&
	    (major < 6 || (major == 6 && minor < 1)))
		doctor_remedy(d, what, "it is too old; boot Linux 6.1 or newer");
	else
		doctor_ok(what);
}

static void check_each_option(struct doctor *d, const struct kconfig *config)
{
	bool are_set = true;
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (kconfig_is_set(config, options[i].name))
			continue;
		are_set = false;
		doctor_remedy(d, options[i].name, "the kernel was built without it; %s needs a kernel with it",
			      options[i].user);
	}
	if (are_set)
		doctor_ok("options");
}

/* A module that is loaded has found all that it needs */
static void check_options(struct doctor *d)
{
	struct kconfig config;

	if (kconfig_read(&config, d->release))
		check_each_option(d, &config);
	else if (d->is_loaded)
		doctor_ok("options");
	else
		doctor_remedy(d, "options", "they are unknown, because there is neither /proc/config.gz nor /boot/config-%s; load the module, which checks the kernel",
			      d->release);
	kconfig_free(&config);
}

static void check_btf(struct doctor *d)
{
	struct kbtf k;

	if (kbtf_open(&k))
		doctor_remedy(d, "BTF", "/sys/kernel/btf/vmlinux cannot be read; boot a kernel with CONFIG_DEBUG_INFO_BTF");
	else
		doctor_ok("BTF");
	kbtf_close(&k);
}

/**
 * doctor_kernel() - check the kernel
 * @d: the run
 */
void doctor_kernel(struct doctor *d)
{
	check_release(d);
	check_options(d);
	check_btf(d);
}
