/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The number of bulk allocations of a cache.
 *
 * The kernel and the unit tests build the same source.
 */
#ifndef _OBJTRACE_BULK_H
#define _OBJTRACE_BULK_H

#include <linux/types.h>

void objtrace_bulk_add(unsigned long cache);
u32 objtrace_bulk_nr(unsigned long cache);

#endif /* _OBJTRACE_BULK_H */
