/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks of a process and of its children.
 */
#ifndef _TOOLS_OBJTRACE_TASKS_H
#define _TOOLS_OBJTRACE_TASKS_H

#include <stdbool.h>
#include <stdio.h>

bool tasks_have_kernel_numbers(void);
bool tasks_have_kernel_times(void);
long tasks_write(long pid, FILE *out);

#endif /* _TOOLS_OBJTRACE_TASKS_H */
