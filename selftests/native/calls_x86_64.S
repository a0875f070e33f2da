/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of calls.h for x86-64.
 */
	.text

.macro function name:req
	.balign	64
	.globl	\name
	.type	\name, @function
\name:
.endm

.macro traced size:req
function native_\size
	call	objtrace_tramp_\size
	ret
.endm

function native_untraced
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00	/* a nop of five bytes */
	ret

function empty
	ret

function native_call
	call	empty
	ret

/* Registers that a callback may change, and the frame pointer, in a struct of 168 bytes */
function save_registers
	sub	$168, %rsp
	mov	%rax, 80(%rsp)
	mov	%rcx, 88(%rsp)
	mov	%rdx, 96(%rsp)
	mov	%rsi, 104(%rsp)
	mov	%rdi, 112(%rsp)
	mov	%r8, 72(%rsp)
	mov	%r9, 64(%rsp)
	mov	%rbp, 32(%rsp)
	movq	$0, 120(%rsp)
	/* The callback's arguments: ip, parent_ip, ops and regs */
	mov	168(%rsp), %rdi
	sub	$5, %rdi
	mov	%rdi, 128(%rsp)
	mov	176(%rsp), %rsi
	lea	empty(%rip), %rdx
	mov	%rsp, %rcx
	call	empty
	mov	32(%rsp), %rbp
	mov	64(%rsp), %r9
	mov	72(%rsp), %r8
	mov	112(%rsp), %rdi
	mov	104(%rsp), %rsi
	mov	96(%rsp), %rdx
	mov	88(%rsp), %rcx
	mov	80(%rsp), %rax
	add	$168, %rsp
	ret

function native_saved
	call	save_registers
	ret

.irp size, small, large
.irp nr, 1, 2, 3
traced \size\nr
.endr
traced \size
.endr

/* No pointer passes the filter, so nothing calls this function */
function objtrace_fops_look
	ud2

	.section .note.GNU-stack, "", @progbits
