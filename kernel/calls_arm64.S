/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ksym() calls on arm64, see kernel/ksyms.h: a function for each function of the
 * kernel, which branches to that function.
 *
 * Each call may change x16.  A branch by x16 may lead to a landing pad for calls, "bti c".
 * These functions are called directly alone, and have none.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>

.macro call name:req, addr:req
SYM_START(\name, SYM_L_GLOBAL, SYM_A_ALIGN)
	ldr_l	x16, \addr
	br	x16
SYM_FUNC_END(\name)
.endm

	.text

#define OBJTRACE_FUNC(ret, name, args)	call objtrace_##name, objtrace_##name##_addr
#define OBJTRACE_MAYBE(ret, name, args)	OBJTRACE_FUNC(ret, name, args)
#define OBJTRACE_ADDR(name)
#include "objtrace_symbols.h"
