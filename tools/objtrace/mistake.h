/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mistakes that users of several commands can make.
 */
#ifndef _TOOLS_OBJTRACE_MISTAKE_H
#define _TOOLS_OBJTRACE_MISTAKE_H

struct option;

int mistake_in_option(const char *command, const struct option *options, int code, char **argv);

#endif /* _TOOLS_OBJTRACE_MISTAKE_H */
