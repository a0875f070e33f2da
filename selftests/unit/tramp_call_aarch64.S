/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tramp_call() for arm64, see tramp_call.h.
 */
#include "tramp_call.h"

	.text

/* A traced function: it copies x30 to x9, and calls its trampoline.  x16 has the trampoline */
	.type traced, %function
traced:
	mov	x9, x30
	blr	x16
after_trampoline:
	ret

	.globl tramp_call
	.type tramp_call, %function
tramp_call:
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	mov	x19, x0
	mov	x20, #20
	mov	x21, #21
	mov	x22, #22
	mov	x23, #23
	mov	x24, #24
	mov	x25, #25
	mov	x26, #26
	mov	x27, #27
	mov	x28, #28
	mov	x29, #29
	adr	x10, after_trampoline
	str	x10, [x19, #TRAMP_CALL_RETURN]
	adr	x10, after_traced
	str	x10, [x19, #TRAMP_CALL_PARENT]
	ldr	x16, [x19, #TRAMP_CALL_TRAMP]
	ldp	x0, x1, [x19, #(TRAMP_CALL_REGS + 0*8)]
	ldp	x2, x3, [x19, #(TRAMP_CALL_REGS + 2*8)]
	ldp	x4, x5, [x19, #(TRAMP_CALL_REGS + 4*8)]
	ldp	x6, x7, [x19, #(TRAMP_CALL_REGS + 6*8)]
	ldr	x8, [x19, #(TRAMP_CALL_REGS + 8*8)]
	bl	traced
after_traced:
	stp	x0, x1, [x19, #(TRAMP_CALL_REGS + 0*8)]
	stp	x2, x3, [x19, #(TRAMP_CALL_REGS + 2*8)]
	stp	x4, x5, [x19, #(TRAMP_CALL_REGS + 4*8)]
	stp	x6, x7, [x19, #(TRAMP_CALL_REGS + 6*8)]
	str	x8, [x19, #(TRAMP_CALL_REGS + 8*8)]
	/* The sum is 245 if no register has changed */
	add	x0, x20, x21
	add	x0, x0, x22
	add	x0, x0, x23
	add	x0, x0, x24
	add	x0, x0, x25
	add	x0, x0, x26
	add	x0, x0, x27
	add	x0, x0, x28
	add	x0, x0, x29
	sub	x0, x0, #245
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret

	.section .note.GNU-stack, "", %progbits
