/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options "changes" and "returns" store the last value of each object and its place, so that
 * a changed value is noticed.
 */
#ifndef _OBJTRACE_CHANGES_H
#define _OBJTRACE_CHANGES_H

#include <linux/types.h>

struct objtrace_last;
struct objtrace_place;
struct objtrace_sample;
struct objtrace_slot;
struct trace_array;

int objtrace_changes_init(void);
void objtrace_changes_exit(void);
void objtrace_changes_start(const struct objtrace_slot *slot, struct trace_array *tr,
			    const struct objtrace_sample *sample);
struct objtrace_last *objtrace_changes_claim(const struct objtrace_slot *slot);
bool objtrace_changes_replace(struct objtrace_last *last, struct trace_array *tr,
			      const struct objtrace_sample *sample,
			      const struct objtrace_place *place, unsigned int how,
			      struct objtrace_last *before);
void objtrace_changes_store(struct objtrace_last *last, struct trace_array *tr,
			    const struct objtrace_sample *sample, unsigned long ip,
			    const u64 *old);

#endif /* _OBJTRACE_CHANGES_H */
