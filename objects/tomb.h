/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The option "after-free": tombstones of objects whose memory was freed.
 */
#ifndef _OBJTRACE_TOMB_H
#define _OBJTRACE_TOMB_H

#include <linux/types.h>

struct objtrace_match;
struct objtrace_place;

/* Default and limit of the module parameter after_free_ms */
#define OBJTRACE_DEFAULT_AFTER_FREE_MS	60000
#define OBJTRACE_MAX_AFTER_FREE_MS	3600000

void objtrace_tomb_init(unsigned int ms);
void objtrace_tomb_exit(void);
int objtrace_tomb_start(void);
void objtrace_tomb_stop(void);
void objtrace_tomb_make(const struct objtrace_match *match, unsigned long start,
			unsigned long ip);
void objtrace_tomb_hit(const struct objtrace_match *match,
		       const struct objtrace_place *place);
void objtrace_tomb_bulk(unsigned long cache);
void objtrace_tomb_tracked(unsigned long object);
void objtrace_tomb_expire(void);

#endif /* _OBJTRACE_TOMB_H */
