/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings in JSON.
 */
#ifndef _TOOLS_OBJTRACE_JSONTEXT_H
#define _TOOLS_OBJTRACE_JSONTEXT_H

#include <stdio.h>

void json_string(FILE *out, const char *text);

#endif /* _TOOLS_OBJTRACE_JSONTEXT_H */
