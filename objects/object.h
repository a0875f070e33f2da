/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of tracked objects, and the time at which they are added.
 */
#ifndef _OBJTRACE_OBJECT_H
#define _OBJTRACE_OBJECT_H

#include <linux/types.h>

#include "records/tally.h"

struct objtrace_match;
struct objtrace_trigger;

int objtrace_object_start(struct objtrace_trigger *trigger);
void objtrace_object_stop(struct objtrace_trigger *trigger);
void objtrace_object_begin(const struct objtrace_match *match);
enum objtrace_tally objtrace_object_clear(struct objtrace_trigger *trigger);
bool objtrace_object_delete(const struct objtrace_match *match, unsigned int context);
void objtrace_object_free(const struct objtrace_match *match, unsigned long start,
			  unsigned long ip, unsigned int context);
u64 objtrace_object_age(const struct objtrace_match *match);
int objtrace_object_init(void);
void objtrace_object_exit(void);

#endif /* _OBJTRACE_OBJECT_H */
