/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types as C writes them.
 */
#ifndef _TOOLS_OBJTRACE_DECL_H
#define _TOOLS_OBJTRACE_DECL_H

#include <stdio.h>

struct kbtf_type;

void decl_print(FILE *out, const struct kbtf_type *type, const char *name);

#endif /* _TOOLS_OBJTRACE_DECL_H */
