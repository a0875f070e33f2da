/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's definitions for truth.h and truth_play.c, for a program on the host. */
#ifndef _OTT_TRUTH_HOST_H
#define _OTT_TRUTH_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint8_t u8;

#define static_assert(expr)	_Static_assert(expr, #expr)
#define noinline		__attribute__((noinline))
#define __used			__attribute__((used))
#define notrace			__attribute__((no_instrument_function))
#define __nocfi
#if __has_attribute(noclone)
#define __noclone		__attribute__((noclone))
#else
#define __noclone
#endif
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define __packed		__attribute__((packed))

#define local_irq_save(flags)		((flags) = 0)
#define local_irq_restore(flags)	((void)(flags))
#define cond_resched()			((void)0)
#define ott_wait_for_cpus()		((void)0)

/**
 * struct ott_symbol - a function with its registers
 * @name: symbol of the function
 * @function: address of the function
 * @objects: bit N if register N is checked
 * @marked: bits of @objects whose register may be no argument
 */
struct ott_symbol {
	const char	*name;
	void		*function;
	unsigned int	objects;
	unsigned int	marked;
};

#endif /* _OTT_TRUTH_HOST_H */
