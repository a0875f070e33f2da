/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks of `objtrace doctor'.
 */
#ifndef _TOOLS_OBJTRACE_DOCTOR_H
#define _TOOLS_OBJTRACE_DOCTOR_H

#include <stdbool.h>

/**
 * struct doctor - a run of the checks
 * @release: the release of the kernel, as uname(2) says it
 * @is_loaded: the module is loaded
 * @nr_remedies: number of lines that are not ok
 */
struct doctor {
	char		release[128];
	bool		is_loaded;
	unsigned int	nr_remedies;
};

void doctor_ok(const char *what);
void doctor_remedy(struct doctor *d, const char *what, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void doctor_kernel(struct doctor *d);
void doctor_module(struct doctor *d);
void doctor_tracing(struct doctor *d);

#endif /* _TOOLS_OBJTRACE_DOCTOR_H */
