/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files in the directory objtrace of tracefs.
 */
#ifndef _OBJTRACE_TRACEFS_H
#define _OBJTRACE_TRACEFS_H

int objtrace_tracefs_init(void);
void objtrace_tracefs_start(void);
void objtrace_tracefs_exit(void);

#endif /* _OBJTRACE_TRACEFS_H */
