/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event command: what is written to a trigger file becomes a trigger.
 */
#ifndef _OBJTRACE_TRIGGER_H
#define _OBJTRACE_TRIGGER_H

int objtrace_trigger_init(void);
void objtrace_trigger_exit(void);

#endif /* _OBJTRACE_TRIGGER_H */
