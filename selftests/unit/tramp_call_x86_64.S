/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tramp_call() for x86-64, see tramp_call.h.
 */
#include "tramp_call.h"

	.text

/* A traced function: it calls its trampoline first.  r11 has the trampoline */
	.type traced, %function
traced:
	call	*%r11
after_trampoline:
	ret

/* The registers that a callee preserves, but for the stack pointer, and a value for each */
.macro for_preserved what:req
	\what	%rbx, 0x1b
	\what	%rbp, 0x1c
	\what	%r13, 0x1d
	\what	%r14, 0x1e
	\what	%r15, 0x1f
.endm

.macro save reg, value
	push	\reg
	mov	$\value, \reg
.endm

.macro compare reg, value
	xor	$\value, \reg
	or	\reg, %r10
.endm

	.globl tramp_call
	.type tramp_call, %function
tramp_call:
	push	%r12
	for_preserved save
	mov	%rdi, %r12
	lea	after_trampoline(%rip), %r10
	mov	%r10, TRAMP_CALL_RETURN(%r12)
	lea	after_traced(%rip), %r10
	mov	%r10, TRAMP_CALL_PARENT(%r12)
	mov	TRAMP_CALL_TRAMP(%r12), %r11
	mov	(TRAMP_CALL_REGS + 0*8)(%r12), %rdi
	mov	(TRAMP_CALL_REGS + 1*8)(%r12), %rsi
	mov	(TRAMP_CALL_REGS + 2*8)(%r12), %rdx
	mov	(TRAMP_CALL_REGS + 3*8)(%r12), %rcx
	mov	(TRAMP_CALL_REGS + 4*8)(%r12), %r8
	mov	(TRAMP_CALL_REGS + 5*8)(%r12), %r9
	mov	(TRAMP_CALL_REGS + 6*8)(%r12), %rax
	call	traced
after_traced:
	mov	%rdi, (TRAMP_CALL_REGS + 0*8)(%r12)
	mov	%rsi, (TRAMP_CALL_REGS + 1*8)(%r12)
	mov	%rdx, (TRAMP_CALL_REGS + 2*8)(%r12)
	mov	%rcx, (TRAMP_CALL_REGS + 3*8)(%r12)
	mov	%r8, (TRAMP_CALL_REGS + 4*8)(%r12)
	mov	%r9, (TRAMP_CALL_REGS + 5*8)(%r12)
	mov	%rax, (TRAMP_CALL_REGS + 6*8)(%r12)
	xor	%r10d, %r10d
	for_preserved compare
	mov	%r10, %rax
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%rbp
	pop	%rbx
	pop	%r12
	ret

	.section .note.GNU-stack, "", %progbits
