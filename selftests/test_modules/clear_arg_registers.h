/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clear the argument registers after calls of traced functions.  objtrace would take stale
 * values for arguments of the next function.
 *
 * For the kernel and for user space.  The includer defines __always_inline.
 */
#ifndef _OTT_CLEAR_ARG_REGISTERS_H
#define _OTT_CLEAR_ARG_REGISTERS_H

static __always_inline void clear_arg_registers(void)
{
#if defined(__x86_64__)
	asm volatile("xorl %%edi, %%edi\n\t"
		     "xorl %%esi, %%esi\n\t"
		     "xorl %%edx, %%edx\n\t"
		     "xorl %%ecx, %%ecx\n\t"
		     "xorl %%r8d, %%r8d\n\t"
		     "xorl %%r9d, %%r9d"
		     : : : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "cc", "memory");
#elif defined(__aarch64__)
	asm volatile("mov x0, xzr\n\t"
		     "mov x1, xzr\n\t"
		     "mov x2, xzr\n\t"
		     "mov x3, xzr\n\t"
		     "mov x4, xzr\n\t"
		     "mov x5, xzr\n\t"
		     "mov x6, xzr\n\t"
		     "mov x7, xzr"
		     : : : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "memory");
#else
#error "this architecture needs a list of its argument registers"
#endif
}

#endif /* _OTT_CLEAR_ARG_REGISTERS_H */
