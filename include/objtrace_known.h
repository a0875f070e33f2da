/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of the arguments of the kernel's functions and of those of the modules
 * that are loaded.
 */
#ifndef _OBJTRACE_KNOWN_H
#define _OBJTRACE_KNOWN_H

struct objtrace_func;

int objtrace_known_init(void);
void objtrace_known_exit(void);
int objtrace_known_prepare(void);
const struct objtrace_func *objtrace_known_find(unsigned long ip);

#endif /* _OBJTRACE_KNOWN_H */
