/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream that a report is printed to.
 */
#ifndef _TOOLS_OBJTRACE_OUTPUT_H
#define _TOOLS_OBJTRACE_OUTPUT_H

#include <stdio.h>

FILE *output_open(int fd, const char *path);

#endif /* _TOOLS_OBJTRACE_OUTPUT_H */
