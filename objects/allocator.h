/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the kernel's functions belong to the allocator, and rightly have the address
 * of memory that is free.
 *
 * Pure functions of their arguments, the same source in the kernel and in the unit tests.
 */
#ifndef _OBJTRACE_ALLOCATOR_H
#define _OBJTRACE_ALLOCATOR_H

#include <linux/types.h>

bool objtrace_allocator_has(const char *symbol);

#endif /* _OBJTRACE_ALLOCATOR_H */
