/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the benchmark calls, in assembly.  Each returns at once, after the call of a
 * trampoline at its start.
 */
#ifndef _NATIVE_CALLS_H
#define _NATIVE_CALLS_H

/**
 * typedef native_fn_t - a function that ignores its pointers, which are in registers
 * @a: first pointer
 * @b: second pointer
 * @c: third pointer
 * @d: fourth pointer
 * @e: fifth pointer
 * @f: sixth pointer
 */
typedef void native_fn_t(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		       unsigned long e, unsigned long f);

/* The function is not traced: it has a nop */
native_fn_t native_untraced;

/* The function calls code that returns at once */
native_fn_t native_call;

/* The function calls code that saves the registers, as ftrace does, and calls an empty callback */
native_fn_t native_saved;

/* The function calls the trampoline of this name */
native_fn_t native_small1, native_small2, native_small3, native_small;
native_fn_t native_large1, native_large2, native_large3, native_large;

#endif /* _NATIVE_CALLS_H */
