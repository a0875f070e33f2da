/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Definitions for the functions of generate.py, in the kernel and in a program on the host.
 */
#ifndef _OTT_TRUTH_H
#define _OTT_TRUTH_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>
#else
#include "truth_host.h"
#endif

#define OTT_OBJECTS	8

/* The tests name the offset of the value, which is changed on the way. */
struct ott_object {
	unsigned long	unused[3];
	u32		before;
	u32		value;
	unsigned long	behind[4];
};

static_assert(offsetof(struct ott_object, value) == 0x1c);

/* As in test_modules/target/target.h: with these, clang passes all arguments as the ABI says. */
#define OTT_FUNC	noinline __noclone __used
#define ott_barrier()	asm volatile("" : : : "memory")
#define ott_use(arg)	asm volatile("" : : "m" (arg))

/* The objects' addresses, by their numbers in a step */
extern unsigned long ott_slot[OTT_OBJECTS];
#define S(i)		ott_slot[((i) + r) % OTT_OBJECTS]

/* Such objects, which are never tracked */
extern unsigned long ott_spare;

/* Make a value of any type from its words */
#define MAKE(type, ...)							\
({									\
	unsigned long words_[] = { __VA_ARGS__ };			\
	type value_;							\
									\
	__builtin_memcpy(&value_, words_, sizeof(value_));		\
	value_;								\
})

/* Read word @n of a value, or its first bytes */
#define PART(type, value, n)						\
({									\
	type part_;							\
									\
	__builtin_memcpy(&part_, (char *)&(value) + 8 * (n), sizeof(part_)); \
	part_;								\
})

#define WORD(value, n)	PART(unsigned long, value, n)

typedef void (*ott_raw_t)(unsigned long a1, unsigned long a2, unsigned long a3,
			  unsigned long a4, unsigned long a5, unsigned long a6,
			  unsigned long a7, unsigned long a8);

/* Call a function with another type, so that all registers have chosen values */
#define RAW(function, ...)						\
do {									\
	ott_raw_t raw_ = (ott_raw_t)(function);				\
									\
	asm volatile("" : "+r"(raw_));					\
	raw_(__VA_ARGS__);						\
} while (0)

/* Find the object with an address; NULL for all other words */
static __always_inline struct ott_object *ott_object_of(unsigned long word)
{
	unsigned int i;

	for (i = 0; i < OTT_OBJECTS; i++)
		if (ott_slot[i] == word)
			return (struct ott_object *)word;
	return NULL;
}

/* Increment the value of an object: one store, which the compiler cannot merge with others */
static __always_inline void ott_increment(struct ott_object *object)
{
	*(volatile u32 *)&object->value = object->value + 1;
}

/* The ways in which a function changes an object, see generate.py */
static __always_inline void ott_do_inline(unsigned long word)
{
	struct ott_object *object = ott_object_of(word);

	if (object)
		ott_increment(object);
}

void ott_change_notrace(unsigned long word);
#define ott_do_notrace		ott_change_notrace
#ifdef __KERNEL__
void ott_do_interrupt(unsigned long word);
void ott_do_other_cpu(unsigned long word);
#else
#define ott_do_interrupt	ott_change_notrace
#define ott_do_other_cpu	ott_change_notrace
#endif

void ott_entered(void);
void ott_poison(unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		unsigned long a5, unsigned long a6, unsigned long a7, unsigned long a8);

/* Definitions for truth_play.c and its callers only */
extern unsigned long ott_calls;
void ott_reset(void);
int ott_play(unsigned int nr_steps);
void ott_truth_add(void *object);
void ott_truth_del(void *object);
#ifdef __KERNEL__
void ott_wait_for_cpus(void);
#endif
int ott_renew(unsigned int one, unsigned int other, bool swap);

#include "truth_functions.h"

#endif /* _OTT_TRUTH_H */
