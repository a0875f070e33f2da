/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subsystem of a function.
 */
#ifndef _TOOLS_OBJTRACE_SUBSYSTEM_H
#define _TOOLS_OBJTRACE_SUBSYSTEM_H

struct symbol;

#define SUBSYSTEM_LEN	24	/* longest name, with its NUL */

void subsystem_name(const struct symbol *symbol, char name[SUBSYSTEM_LEN]);

#endif /* _TOOLS_OBJTRACE_SUBSYSTEM_H */
