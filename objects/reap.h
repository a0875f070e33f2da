/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queue the reaper, the work item that frees the slots of ended objects, from any context.
 */
#ifndef _OBJTRACE_REAP_H
#define _OBJTRACE_REAP_H

#include <linux/types.h>

struct irq_work;
struct work_struct;

int objtrace_reap_init(struct work_struct *work);
void objtrace_reap_exit(void);
bool objtrace_reap_queue(struct irq_work *work);
void objtrace_reap_later(void);
void objtrace_reap_starts(void);

#endif /* _OBJTRACE_REAP_H */
