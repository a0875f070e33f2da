/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of the running kernel and its modules.
 */
#ifndef _TOOLS_OBJTRACE_KALLSYMS_H
#define _TOOLS_OBJTRACE_KALLSYMS_H

#include <stdbool.h>

struct tep_handle;

/**
 * struct kallsyms - the functions; zeroes at first
 * @tep: the functions, and nothing else; or NULL
 * @modules: the modules that were loaded when @tep was read
 */
struct kallsyms {
	struct tep_handle	*tep;
	char			*modules;
};

bool kallsyms_update(struct kallsyms *kallsyms);
void kallsyms_free(struct kallsyms *kallsyms);

#endif /* _TOOLS_OBJTRACE_KALLSYMS_H */
