/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trigger fires.
 */
#ifndef _OBJTRACE_FIRE_H
#define _OBJTRACE_FIRE_H

struct objtrace_trigger;

void objtrace_fire_start(struct objtrace_trigger *trigger);
void objtrace_fire_stop(struct objtrace_trigger *trigger);
void objtrace_fire(struct objtrace_trigger *trigger, const void *rec);

#endif /* _OBJTRACE_FIRE_H */
