/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of sessions in tracefs, and their removal.
 */
#ifndef _TOOLS_OBJTRACE_LEFTOVERS_H
#define _TOOLS_OBJTRACE_LEFTOVERS_H

/* The names of all parts of a session begin with this prefix, the process and its start_time() */
#define SESSION_PREFIX	"objtrace_"
/* The key of the hist trigger: a few entries */
#define SESSION_KEY	"common_cpu"

unsigned long long start_time(long pid);
int leftovers_remove(const char *own);

#endif /* _TOOLS_OBJTRACE_LEFTOVERS_H */
