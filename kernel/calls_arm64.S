/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that ksym() calls on arm64, see kernel/ksyms.h.  Each function branches to one
 * function of the kernel.
 *
 * A call may change x16.  "br x16" can branch to the landing pad "bti c".  The functions below
 * have no landing pads, because they are only called directly.
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
