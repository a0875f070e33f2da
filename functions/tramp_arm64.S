/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trampolines for arm64, see functions/tramp.h.
 *
 * At its start, a traced function copies x30 to x9, and calls its trampoline.  x0 to x7 have the
 * arguments, and x8 has the address of a large result.  x9 has the function's return address, and
 * x30 has the trampoline's.  x10 to x17 are free.  The addresses in x9 and x30 are not signed: the
 * function signs its return address after the call.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>
#include <asm/ftrace.h>
#include <asm/insn.h>

#include "objects/bloom.h"

.macro function_start name:req
SYM_CODE_START(\name)
.endm

.macro function_end name:req
SYM_CODE_END(\name)
NOKPROBE(\name)
.endm

/* Return to the traced function, and restore its return address in x30 */
.macro resume
	mov	x10, x30
	mov	x30, x9
	ret	x10
.endm

/* Load the address of a level, which begins a page */
.macro level_at reg:req, level:req
	adrp	\reg, \level
.endm

/* Load the count of a register in the level at \level: objtrace_bloom_first() */
.macro first_level count:req, reg:req, bits:req, level=x10
.if OBJTRACE_BLOOM_IS_SHIFTED(\bits)
	ubfx	w\count, w\reg, #OBJTRACE_BLOOM_GRAIN_BITS, #(\bits)
.else
	add	w\count, w\reg, w\reg, lsl #OBJTRACE_BLOOM_SHIFT(\bits)
	lsr	w\count, w\count, #(32 - (\bits))
.endif
	ldrb	w\count, [\level, x\count]
.endm

/* Prepare check_large */
.macro prepare_large level:req
.ifc \level, objtrace_bloom_small
	level_at x16, objtrace_bloom_large
.endif
.endm

/*
 * Go on at \no if the count of a register is 0 in the large first level.  The small level lets more
 * pointers pass, if there are many objects.
 */
.macro check_large level:req, reg:req, no:req
.ifc \level, objtrace_bloom_small
	first_level 14, \reg, OBJTRACE_BLOOM_LARGE_BITS, x16
	cbz	w14, \no
.endif
.endm

/* Check x0 and the given registers in the first level */
.macro trampoline name:req, level:req, bits:req, on_hit:req, more:vararg
function_start \name
#ifdef CONFIG_ARM64_BTI_KERNEL
	/* The kernel's ftrace_caller jumps here if a BL cannot reach the trampoline */
	bti	c
#endif
	level_at x10, \level
	first_level 11, 0, \bits
.ifnb \more
.irp reg, \more
	first_level 12, \reg, \bits
	orr	w11, w11, w12
.endr
.endif
	cbnz	w11, \on_hit
	resume
function_end \name
.endm

/* Load a count of x11 in the second level at x10: objtrace_bloom_next() */
.macro next_place count:req, factor:req
	mul	w\count, w11, w\factor
	lsr	w\count, w\count, #(32 - OBJTRACE_BLOOM_SECOND_BITS)
	ldrb	w\count, [x10, x\count]
.endm

/* Prepare check_next */
.macro prepare_next
	level_at x10, objtrace_bloom_second
	movz	w12, #(OBJTRACE_BLOOM_FACTOR1 & 0xffff)
	movk	w12, #(OBJTRACE_BLOOM_FACTOR1 >> 16), lsl #16
	movz	w13, #(OBJTRACE_BLOOM_FACTOR2 & 0xffff)
	movk	w13, #(OBJTRACE_BLOOM_FACTOR2 >> 16), lsl #16
.endm

/* Check a register in the second level: look if it passes */
.macro check_next reg:req
	lsr	x11, x\reg, #OBJTRACE_BLOOM_GRAIN_BITS
	next_place 14, 12
	cbz	w14, 1f
	next_place 14, 13
	cbnz	w14, objtrace_tramp_look
1:
.endm

/*
 * Check the same registers in the second level.  One of them has passed the first level.  The others
 * are rejected again: the second level alone would let some of them pass.
 */
.macro second_level name:req, level:req, bits:req, regs:vararg
function_start \name
	level_at x15, \level
	prepare_large \level
	prepare_next
.irp reg, \regs
	first_level 14, \reg, \bits, x15
	cbz	w14, 2f
	check_large \level, \reg, 2f
	check_next \reg
2:
.endr
	resume
function_end \name
.endm

/* The only register has passed the first level */
.macro second_level_of_one name:req, level:req
function_start \name
	prepare_large \level
	check_large \level, 0, 2f
	prepare_next
	check_next 0
2:
	resume
function_end \name
.endm

	.text

/*
 * Call objtrace_fops_look(), which may change all registers.  The traced function has no frame
 * record yet.  So one frame record represents its caller, and one represents the function.
 */
function_start objtrace_tramp_look
	stp	x29, x9, [sp, #-16]!
	mov	x29, sp
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	sub	sp, sp, #80
	stp	x0, x1, [sp]
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	str	x8, [sp, #64]
	/* ip, parent_ip, args */
	sub	x0, x30, #MCOUNT_INSN_SIZE
	mov	x1, x9
	mov	x2, sp
	bl	objtrace_fops_look
	ldp	x0, x1, [sp]
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldr	x8, [sp, #64]
	add	sp, sp, #80
	ldp	x29, x30, [sp], #16
	ldp	x29, x9, [sp], #16
	resume
function_end objtrace_tramp_look

.macro trampolines size:req, level:req, bits:req
second_level_of_one objtrace_tramp_next_\size\()1, \level
second_level objtrace_tramp_next_\size\()2, \level, \bits, 0, 1
second_level objtrace_tramp_next_\size\()3, \level, \bits, 0, 1, 2
second_level objtrace_tramp_next_\size, \level, \bits, 0, 1, 2, 3, 4, 5, 6, 7
trampoline objtrace_tramp_\size\()1, \level, \bits, objtrace_tramp_next_\size\()1
trampoline objtrace_tramp_\size\()2, \level, \bits, objtrace_tramp_next_\size\()2, 1
trampoline objtrace_tramp_\size\()3, \level, \bits, objtrace_tramp_next_\size\()3, 1, 2
trampoline objtrace_tramp_\size, \level, \bits, objtrace_tramp_next_\size, \
	1, 2, 3, 4, 5, 6, 7
.endm

trampolines small, objtrace_bloom_small, OBJTRACE_BLOOM_SMALL_BITS
trampolines large, objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS
