/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of calls.h for arm64.
 */
	.text

.macro function name:req
	.balign	64
	.globl	\name
	.type	\name, %function
\name:
.endm

.macro traced size:req
function native_\size
	mov	x9, x30
	bl	objtrace_tramp_\size
	ret
.endm

function native_untraced
	nop
	nop
	ret

function empty
	ret

/* Return from a trampoline, and restore the function's return address */
.macro resume
	mov	x10, x30
	mov	x30, x9
	ret	x10
.endm

function return_at_once
	resume

function native_call
	mov	x9, x30
	bl	return_at_once
	ret

/* The arguments, x8, x9 and two frame records, as ftrace saves registers */
function save_registers
	stp	x29, x9, [sp, #-16]!
	mov	x29, sp
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	sub	sp, sp, #112
	stp	x0, x1, [sp]
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	str	x8, [sp, #64]
	str	x9, [sp, #72]
	str	x30, [sp, #80]
	/* The callback's arguments: ip, parent_ip, ops and regs */
	sub	x0, x30, #4
	mov	x1, x9
	adr	x2, empty
	mov	x3, sp
	bl	empty
	ldp	x0, x1, [sp]
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldr	x8, [sp, #64]
	add	sp, sp, #112
	ldp	x29, x30, [sp], #16
	ldp	x29, x9, [sp], #16
	resume

function native_saved
	mov	x9, x30
	bl	save_registers
	ret

.irp size, small, large
.irp nr, 1, 2, 3
traced \size\nr
.endr
traced \size
.endr

/* No pointer passes the filter, so nothing calls this function */
function objtrace_fops_look
	udf	#0

	.section .note.GNU-stack, "", %progbits
