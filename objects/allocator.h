/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's functions that belong to the allocator.  These functions rightly receive the
 * address of free memory.
 *
 * The code uses its arguments only.  The kernel and the unit tests build the same source.
 */
#ifndef _OBJTRACE_ALLOCATOR_H
#define _OBJTRACE_ALLOCATOR_H

#include <linux/types.h>

bool objtrace_allocator_has(const char *symbol);

#endif /* _OBJTRACE_ALLOCATOR_H */
