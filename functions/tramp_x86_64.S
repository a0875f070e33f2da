/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trampolines for x86-64, see functions/tramp.h.
 *
 * A traced function calls its trampoline at its start, maybe after an ENDBR.  The arguments are in
 * their registers.  The top of the stack has the trampoline's return address, and the next word
 * has the function's return address.  Only r10, r11 and the flags are free.  rax is not free: a
 * variadic function receives the number of vector registers there.
 *
 * ftrace makes direct calls, so a trampoline has no ENDBR.  objtool describes functions to the
 * unwinder, so each trampoline has the form of a function.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <linux/stringify.h>
#include <asm/alternative.h>
#include <asm/asm.h>
#include <asm/cpufeatures.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>

#include "objects/bloom.h"

.macro function_start name:req
SYM_CODE_START(\name)
	ANNOTATE_NOENDBR
.endm

.macro function_end name:req
SYM_FUNC_END(\name)
_ASM_NOKPROBE(\name)
.endm

/*
 * Return to the traced function.  With retbleed=stuff, the kernel counts calls and returns.  It does
 * not count ftrace's call of a trampoline.  So the return must not be counted, either: a plain
 * "ret" keeps the balance, and writes no memory.
 */
.macro resume
#ifdef X86_FEATURE_CALL_DEPTH
	ALTERNATIVE __stringify(RET), __stringify(ANNOTATE_UNRET_SAFE; ret; int3), \
		X86_FEATURE_CALL_DEPTH
#else
	RET
#endif
.endm

/* Compute objtrace_bloom_first() of a register in r10, from the lower half of the product */
.macro first_place reg:req, bits:req
	imul	$(1 + (1 << OBJTRACE_BLOOM_SHIFT(\bits))), \reg, %r10
	shr	$(32 - (\bits)), %r10d
.endm

/* Go on at \no if the count of a register is 0 in a first level */
.macro check_first level:req, bits:req, reg:req, no:req
	first_place \reg, \bits
	cmpb	$0, \level(%r10)
	je	\no
.endm

/* The small first level lets more pointers pass than the large level, if there are many objects */
.macro check_large level:req, reg:req, no:req
.ifc \level, objtrace_bloom_small
	check_first objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS, \reg, \no
.endif
.endm

/* Check the given registers in the first level */
.macro trampoline name:req, level:req, bits:req, on_hit:req, reg:req, more:vararg
function_start \name
	first_place \reg, \bits
.ifb \more
	cmpb	$0, \level(%r10)
.else
	movzbl	\level(%r10), %r11d
.irp another, \more
	first_place \another, \bits
	orb	\level(%r10), %r11b
.endr
.endif
	jne	\on_hit
	resume
function_end \name
.endm

/* Compute objtrace_bloom_next() of r11 in r10, and compare the count with 0 */
.macro next_place factor:req
	imul	$\factor, %r11d, %r10d
	shr	$(32 - OBJTRACE_BLOOM_SECOND_BITS), %r10d
	cmpb	$0, objtrace_bloom_second(%r10)
.endm

/* Check a register in the second level: look if it passes */
.macro check_next reg:req
	mov	\reg, %r11
	shr	$OBJTRACE_BLOOM_GRAIN_BITS, %r11
	next_place OBJTRACE_BLOOM_FACTOR1
	je	1f
	next_place OBJTRACE_BLOOM_FACTOR2
	jne	objtrace_tramp_look
1:
.endm

/*
 * Check the same registers in the second level.  One of them has passed the first level.  The others
 * are rejected again: the second level alone would let some of them pass.
 */
.macro second_level name:req, level:req, bits:req, regs:vararg
function_start \name
.irp reg, \regs
	check_first \level, \bits, \reg, 2f
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
	check_large \level, %rdi, 2f
	check_next %rdi
2:
	resume
function_end \name
.endm

	.text

/*
 * Frames for the unwinder of a kernel with frame pointers, because the traced function has no frame
 * yet.  The outer frame represents the caller, and the inner frame represents the function.  A
 * miss needs no frames, because it calls no function.
 */
#ifdef CONFIG_FRAME_POINTER
#define FRAMES_SIZE	(4*8)
#else
#define FRAMES_SIZE	0
#endif

.macro push_frames
#ifdef CONFIG_FRAME_POINTER
	push	8(%rsp)
	push	%rbp
	mov	%rsp, %rbp
	push	2*8(%rsp)
	push	%rbp
	mov	%rsp, %rbp
#endif
.endm

.macro pop_frames
#ifdef CONFIG_FRAME_POINTER
	add	$(2*8), %rsp
	pop	%rbp
	add	$8, %rsp
#endif
.endm

/* Call objtrace_fops_look(), which may change all registers */
function_start objtrace_tramp_look
	push_frames
	push	%rax
	push	%r9
	push	%r8
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	/* ip, parent_ip, args */
	mov	(FRAMES_SIZE + 7*8)(%rsp), %rdi
	sub	$MCOUNT_INSN_SIZE, %rdi
	mov	(FRAMES_SIZE + 8*8)(%rsp), %rsi
	mov	%rsp, %rdx
	call	objtrace_fops_look
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%r8
	pop	%r9
	pop	%rax
	pop_frames
	resume
function_end objtrace_tramp_look
/* objtool does not expect two frames */
STACK_FRAME_NON_STANDARD_FP objtrace_tramp_look

.macro trampolines size:req, level:req, bits:req
second_level_of_one objtrace_tramp_next_\size\()1, \level
second_level objtrace_tramp_next_\size\()2, \level, \bits, %rdi, %rsi
second_level objtrace_tramp_next_\size\()3, \level, \bits, %rdi, %rsi, %rdx
second_level objtrace_tramp_next_\size, \level, \bits, %rdi, %rsi, %rdx, %rcx, %r8, %r9
trampoline objtrace_tramp_\size\()1, \level, \bits, objtrace_tramp_next_\size\()1, %rdi
trampoline objtrace_tramp_\size\()2, \level, \bits, objtrace_tramp_next_\size\()2, %rdi, %rsi
trampoline objtrace_tramp_\size\()3, \level, \bits, objtrace_tramp_next_\size\()3, \
	%rdi, %rsi, %rdx
trampoline objtrace_tramp_\size, \level, \bits, objtrace_tramp_next_\size, \
	%rdi, %rsi, %rdx, %rcx, %r8, %r9
.endm

trampolines small, objtrace_bloom_small, OBJTRACE_BLOOM_SMALL_BITS
trampolines large, objtrace_bloom_large, OBJTRACE_BLOOM_LARGE_BITS
