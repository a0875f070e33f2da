/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that the kernel does not have.
 */
#ifndef _TOOLS_OBJTRACE_NOSUCH_H
#define _TOOLS_OBJTRACE_NOSUCH_H

struct kbtf;

int nosuch_struct(struct kbtf *k, const char *name);

#endif /* _TOOLS_OBJTRACE_NOSUCH_H */
