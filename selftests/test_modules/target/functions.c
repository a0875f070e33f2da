// SPDX-License-Identifier: GPL-2.0-only
/*
 * functions.c - the functions that objtrace traces, and that scenarios pass objects to
 */
#include <linux/instruction_pointer.h>
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "objtrace_target_trace.h"

#include "clear_arg_registers.h"
#include "target.h"

#define OTT_USE_ARGS()	\
do {			\
	ott_use(a1);	\
	ott_use(a2);	\
	ott_use(a3);	\
	ott_use(a4);	\
	ott_use(a5);	\
	ott_use(a6);	\
	ott_use(a7);	\
	ott_use(a8);	\
} while (0)

/*
 * A call that is compiled to a jump.  clang has an attribute for one call.  gcc 12 has
 * an attribute for the function that makes the call.
 */
#if __has_attribute(musttail)
#define OTT_JUMPS
#define OTT_JUMP	__attribute__((musttail))
#else
#define OTT_JUMPS	__attribute__((optimize("optimize-sibling-calls")))
#define OTT_JUMP
#endif

/*
 * Functions that tests set kprobes on.  The kernel keeps the addresses of a module's WARN()s
 * after it frees the module's init text, and sets no kprobe on such an address.  The next
 * module can get this memory (lib/bug.c, module_find_bug()).  In the guests, jbd2 has WARN()s
 * in the first 1040 bytes of a page, so these functions are in the second half of a page.
 * check-kernel.sh compares the addresses.
 */
#define OTT_PROBED	OTT_FUNC __section(".text.ott_probed")
asm(".pushsection .text.ott_probed, \"ax\"\n"
	".balign 4096\n"
	".skip 2048, 0x90\n"	/* objtool needs instructions: nop on x86-64 */
	".popsection");

/* The event of add triggers has a probe here. */
OTT_PROBED void ott_add(OTT_ARGS)
{
	OTT_USE_ARGS();
	ott_barrier();
}

OTT_PROBED void ott_take(OTT_ARGS)
{
	OTT_USE_ARGS();
	ott_barrier();
}

/* The event of del triggers has a probe here. */
OTT_PROBED void ott_drop(OTT_ARGS)
{
	OTT_USE_ARGS();
	ott_barrier();
}

OTT_PROBED void ott_noargs(void)
{
	ott_barrier();
}

/* Receives the object in the second argument, and changes it. */
OTT_PROBED void ott_step2(OTT_ARGS)
{
	struct ott_object *obj = a2;

	OTT_USE_ARGS();
	WRITE_ONCE(obj->value, 0x30);
	clear_arg_registers();
	ott_noargs();
	ott_barrier();
}

OTT_PROBED void ott_step1(OTT_ARGS)
{
	struct ott_object *obj = a1;

	OTT_USE_ARGS();
	WRITE_ONCE(obj->value, 0x20);
	ott_step2(NULL, obj, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

OTT_PROBED void *ott_get(void)
{
	ott_barrier();
	return OTT_A;
}

OTT_FUNC unsigned long ott_here(void)
{
	ott_barrier();
	return _RET_IP_;
}

/* A probe at ott_mid_offset is after the entry: on x86-64 an int3, as in an NMI. */
OTT_PROBED void ott_mid(OTT_ARGS)
{
	OTT_USE_ARGS();
	ott_mid_offset = ott_here() - (unsigned long)ott_mid;
	ott_barrier();
}

OTT_FUNC void ott_fire(OTT_ARGS)
{
	OTT_USE_ARGS();
	trace_ott_event(a1, (unsigned long)a2);
	ott_barrier();
}

/* Calls itself with the parent of the object. */
OTT_PROBED void ott_up(OTT_ARGS)
{
	struct ott_object *obj = a1;

	OTT_USE_ARGS();
	if (obj->parent)
		ott_up(obj->parent, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

/* Ends with a jump.  Kbuild keeps the other functions from jumps. */
OTT_JUMPS OTT_FUNC void ott_leap(OTT_ARGS)
{
	OTT_JUMP return ott_take(a1, a2, a3, a4, a5, a6, a7, a8);
}

/* Ends with a jump to a function that changes the object. */
OTT_JUMPS OTT_FUNC long ott_jumps_to_own(OTT_ARGS)
{
	OTT_JUMP return ott_own(a1, a2, a3, a4, a5, a6, a7, a8);
}

/*
 * Functions that receive less than all argument registers.  The scenario stale calls them with
 * objects in all registers: callers leave such stale values in registers.
 */
OTT_PROBED void ott_takes_one(void *a1)
{
	ott_use(a1);
	ott_barrier();
}

OTT_FUNC void ott_takes_ints(int a1, unsigned short a2, bool a3, enum ott_colour a4)
{
	ott_use(a1);
	ott_use(a2);
	ott_use(a3);
	ott_use(a4);
	ott_barrier();
}

OTT_FUNC void ott_takes_mixed(int a1, void *a2, unsigned long a3, bool a4)
{
	ott_use(a1);
	ott_use(a2);
	ott_use(a3);
	ott_use(a4);
	ott_barrier();
}

OTT_FUNC void ott_takes_pair(struct ott_pair pair, void *last)
{
	ott_use(pair);
	ott_use(last);
	ott_barrier();
}

OTT_FUNC void ott_takes_any(void *a1, ...)
{
	ott_use(a1);
	ott_barrier();
}

OTT_FUNC void ott_clone(OTT_ARGS)
{
	OTT_USE_ARGS();
	ott_barrier();
}

/* Functions for objects of one type, or of any type. */
OTT_PROBED void ott_for_object(struct ott_object *object)
{
	ott_use(object);
	ott_barrier();
}

OTT_FUNC void ott_for_const(int n, const struct ott_object *object)
{
	ott_use(n);
	ott_use(object);
	ott_barrier();
}

OTT_FUNC void ott_for_any(void *object)
{
	ott_use(object);
	ott_barrier();
}

OTT_FUNC void ott_for_shape(struct ott_shape *shape)
{
	ott_use(shape);
	ott_barrier();
}

OTT_FUNC void ott_for_number(unsigned long number)
{
	ott_use(number);
	ott_barrier();
}
