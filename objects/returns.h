/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The option "returns": calls that received an object are followed to their return.
 */
#ifndef _OBJTRACE_RETURNS_H
#define _OBJTRACE_RETURNS_H

#include <linux/types.h>

struct objtrace_last;
struct objtrace_match;
struct objtrace_place;
struct objtrace_sample;
struct objtrace_trigger;

/* Default and limit of the module parameter max_returns */
#define OBJTRACE_DEFAULT_RETURNS	1024
#define OBJTRACE_MAX_RETURNS		16384

void objtrace_returns_init(unsigned int most);
int objtrace_returns_start(void);
void objtrace_returns_stop(void);
void objtrace_returns_enter(struct objtrace_trigger *t, const struct objtrace_match *match,
			    const struct objtrace_sample *sample, bool compared,
			    const struct objtrace_place *place, const unsigned long *args);
bool objtrace_returns_blame(const struct objtrace_sample *sample, struct objtrace_last *before);

#endif /* _OBJTRACE_RETURNS_H */
