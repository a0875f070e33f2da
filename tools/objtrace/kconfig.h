/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that the kernel was built with.
 */
#ifndef _TOOLS_OBJTRACE_KCONFIG_H
#define _TOOLS_OBJTRACE_KCONFIG_H

#include <stdbool.h>

/**
 * struct kconfig - a .config of the kernel
 * @text: the text, with a newline before the first line, or NULL
 */
struct kconfig {
	char *text;
};

bool kconfig_read(struct kconfig *config, const char *release);
bool kconfig_is_set(const struct kconfig *config, const char *name);
void kconfig_free(struct kconfig *config);

#endif /* _TOOLS_OBJTRACE_KCONFIG_H */
