/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event command: turns commands written to trigger files into triggers.
 */
#ifndef _OBJTRACE_TRIGGER_H
#define _OBJTRACE_TRIGGER_H

int objtrace_trigger_init(void);
void objtrace_trigger_exit(void);

#endif /* _OBJTRACE_TRIGGER_H */
