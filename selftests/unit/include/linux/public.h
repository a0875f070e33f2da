/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's public structs, as a kernel's headers could define them: all that is
 * in kernel/structs.h, each member a u64, and the enumerators from 0 on.  The
 * private ones come out without members.
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
