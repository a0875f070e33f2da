/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Public structs in place of the kernel's headers: all structs of kernel/structs.h, with a u64 for
 * each member, and the enumerators from 0 on.  The private structs have no members here.
 */
#ifndef _UNIT_PUBLIC_H
#define _UNIT_PUBLIC_H

#include <linux/kernel.h>

struct unit_before_the_first {
#define OBJTRACE_STRUCT(name)		}; struct name {
#define OBJTRACE_MEMBER(name, member)	u64 member;
#include "kernel/structs.h"
};

enum {
#define OBJTRACE_ENUMERATOR(name)	name,
#include "kernel/structs.h"
};

#endif /* _UNIT_PUBLIC_H */
