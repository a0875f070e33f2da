// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_target - known calls with known arguments, for the objtrace selftests
 *
 * Write a scenario's name into the parameter "run"; "objects" tells where the
 * objects are.  Read it before an object is tracked: printing an address passes
 * it to functions, and they are recorded like any other.
 *
 * Of a function that is not known objtrace compares every argument register.  So
 * that a trace has one possible content, most functions here take (more than) all
 * the registers and unused ones are passed as 0, interrupts are off while a register
 * may hold an object (arm64 enters an interrupt with the registers of what it
 * interrupts), and the registers are cleared before the kernel's own functions run
 * again.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#ifdef CONFIG_X86_64
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#define CREATE_TRACE_POINTS
#include "objtrace_target_trace.h"

#include "clear_arg_registers.h"

/* The offsets are part of the interface: the tests name them. */
struct ott_object {
	u64	magic;		/* 0x00: OTT_MAGIC */
	u64	value;		/* 0x08: changes on the way */
	struct ott_object *parent;	/* 0x10: NULL between scenarios */
	u64	unused[4];
	u64	tail;		/* 0x38: -0x8 of the next object: OTT_TAIL */
};

static_assert(offsetof(struct ott_object, value) == 0x8);
static_assert(offsetof(struct ott_object, parent) == 0x10);
static_assert(offsetof(struct ott_object, tail) == 0x38);
static_assert(sizeof(struct ott_object) == 0x40);

/* What members can be, by name. */
enum ott_colour {
	OTT_RED		= 0,
	OTT_GREEN	= 5,
};

struct ott_shape {
	u32	low : 3;
	u32	middle : 5;
	s32	high : 24;
	s16	depth;			/* 0x04 */
	char	letter;			/* 0x06 */
	bool	filled;
	enum ott_colour colour;		/* 0x08 */
	union {
		u32	area;		/* 0x0c */
		struct {
			u16	width;
			u16	height;
		};
	};
	struct {
		s32	x;
		u8	y[2][3];
	} corner[3];			/* 0x10 */
	struct ott_object *object;	/* 0x38 */
	void	*function;		/* 0x40 */
	void	*user;			/* 0x48 */
};

/* No function is for one of these */
struct ott_lonely {
	u64	value;
};

static_assert(offsetof(struct ott_shape, depth) == 0x4);
static_assert(offsetof(struct ott_shape, object) == 0x38);
static_assert(offsetof(struct ott_shape, user) == 0x48);

#define OTT_MAGIC	0x1122334455667788ULL
#define OTT_TAIL	0x7a117a117a117a11ULL
#define OTT_SECRET	0x5ec7e75ec7e75ec7ULL

#define OTT_SMALL_SIZE	0xc0	/* not a power of two: kmalloc() has a cache for it */
#define OTT_CACHED_SIZE	0x148
#define OTT_LARGE_SIZE	0x5000	/* more than kmalloc() has a cache for */
#define OTT_BULK	2
#define OTT_SHEAF	8	/* objects, at least: the kernel may choose more */
#define OTT_FILLERS	512	/* more than any sheaf has */
#define OTT_LEFT	8
#define OTT_RETAKE	1024	/* more than the allocator has at hand before an earlier one */
#define OTT_PART	0x40

#define OTT_MANY	8192	/* objects of the scenarios that need many */
#define OTT_NAMED	16	/* of which so many have a name */

/*
 * Not a kernel object, but its member at OTT_WRAP_OFFSET would be in user
 * memory if the addition wrapped round.  No mask or error code looks like it.
 */
#define OTT_WRAP	0xffffffffffff5a50UL
#define OTT_WRAP_USER	0x7ffe0000UL
#define OTT_WRAP_OFFSET	(OTT_WRAP_USER - OTT_WRAP)	/* 0x7ffea5b0 */

static struct ott_object *ott_few;	/* [0] stands before A */
static struct ott_object *ott_many;	/* [-1] stands before M0 */
static struct ott_shape ott_shape;
static struct ott_lonely ott_lonely;
/* The address of an area is also the end of another, and functions receive that */
static void *ott_area;
static void *ott_page;			/* vmalloc: what follows is not mapped */

/* What is freed while it is tracked, and then allocated anew */
static struct kmem_cache *ott_cache;
static void *ott_small;			/* kmalloc() */
static void *ott_cached;		/* kmem_cache_alloc() */
static void *ott_large;			/* kmalloc(), pages of its own */
static void *ott_bulk[OTT_BULK];	/* kmem_cache_alloc() */
static struct kmem_cache *ott_sheaves;	/* has sheaves; or NULL in kernels without them */
static void *ott_rcu;			/* from that, else kmalloc() */
static void *ott_rcu_before;		/* where it was when kfree_rcu() was called */
static void *ott_nolock;		/* kmalloc_nolock(), if there is that */
static struct ott_deferred *ott_fillers[OTT_FILLERS];

/* What is freed, and whose address is passed on afterwards */
static struct kmem_cache *ott_typesafe_cache;
static void *ott_typesafe;		/* from that */
static void *ott_left[OTT_LEFT];	/* kmem_cache_alloc() */
static unsigned int ott_nr_left;	/* so many of them are freed */
static unsigned int ott_left_offset;	/* and so far into each was what was tracked */
static unsigned long ott_points_to;	/* see ott_point() and ott_place() */

#define OTT_INNER	(ott_small + 0x40)
#define OTT_OTHER	(ott_small + 0x80)
#define OTT_DEEP	(ott_large + 0x3010)

#define OTT_A		(&ott_few[1])
#define OTT_B		(&ott_few[2])
#define OTT_C		(&ott_few[3])
#define OTT_FEW		4
#define OTT_END		(ott_page + PAGE_SIZE - sizeof(u64))

/* Where a probe in the middle of ott_mid() finds its object, and the middle. */
static void *ott_cur;
static unsigned long ott_mid_offset;

/*
 * The traced functions.  Eight arguments: all the registers of arm64, and on
 * x86-64 the six registers and two on the stack.
 *
 * Each call must pass all arguments as the ABI says.  gcc changes only the calls of
 * static functions.  clang also loads no register for an argument that the function
 * does not use, if both are in one file: ott_use() uses it.  __used keeps both
 * compilers from changing the arguments of a static function.
 */
#define OTT_ARGS	void *a1, void *a2, void *a3, void *a4, \
			void *a5, void *a6, void *a7, void *a8
#define OTT_FUNC	noinline __noclone __used
#define ott_barrier()	asm volatile("" : : : "memory")
#define ott_use(arg)	asm volatile("" : : "m" (arg))

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
 * Those that tests set kprobes on.  When the kernel frees a module's init text it keeps
 * the addresses of the WARN()s there, and it sets no kprobe where it knows a WARN(), which
 * can be a function of the module that was loaded next (lib/bug.c, module_find_bug()).
 * In the guests that is jbd2: its are in the first 1040 bytes of a page, so these
 * functions are in the second half of one.  check-kernel.sh compares the two.
 */
#define OTT_PROBED	OTT_FUNC __section(".text.ott_probed")
asm(".pushsection .text.ott_probed, \"ax\"\n"
	".balign 4096\n"
	".skip 2048, 0x90\n"	/* objtool wants instructions: x86-64's nop */
	".popsection");

void ott_add(OTT_ARGS);
void ott_take(OTT_ARGS);
void ott_step1(OTT_ARGS);
void ott_step2(OTT_ARGS);
void ott_mid(OTT_ARGS);
void ott_fire(OTT_ARGS);
void ott_up(OTT_ARGS);
void ott_leap(OTT_ARGS);
void ott_drop(OTT_ARGS);
void ott_noargs(void);
void ott_early(void *object);
void *ott_get(void);
unsigned long ott_here(void);

/* The tests set their probe here. */
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

/* And here the one that ends what was added. */
OTT_PROBED void ott_drop(OTT_ARGS)
{
	OTT_USE_ARGS();
	ott_barrier();
}

OTT_FUNC void ott_noargs(void)
{
	ott_barrier();
}

/* The object in the second argument, changed on the way. */
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

/* A probe at ott_mid_offset is behind the entry: on x86-64 an int3, as in an NMI. */
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

/* The same again for what the object points to. */
OTT_PROBED void ott_up(OTT_ARGS)
{
	struct ott_object *obj = a1;

	OTT_USE_ARGS();
	if (obj->parent)
		ott_up(obj->parent, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

/* Ends with a jump.  Kbuild keeps the other functions from that. */
OTT_JUMPS OTT_FUNC void ott_leap(OTT_ARGS)
{
	OTT_JUMP return ott_take(a1, a2, a3, a4, a5, a6, a7, a8);
}

/*
 * Functions that receive less than there are registers, and are called with an object
 * in each of these all the same: what the compiler never does, and callers leave
 * behind all the time.
 */
struct ott_pair {
	void	*object;
	u32	number;
};

void ott_takes_one(void *a1);
void ott_takes_ints(int a1, unsigned short a2, bool a3, enum ott_colour a4);
void ott_takes_mixed(int a1, void *a2, unsigned long a3, bool a4);
void ott_takes_pair(struct ott_pair pair, void *last);
void ott_takes_any(void *a1, ...);
/* Named as compilers name clones, of whose arguments no BTF tells */
void ott_clone(OTT_ARGS) asm("ott_clone.constprop.0");

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

/* Functions for objects of one type, or of any. */
void ott_for_object(struct ott_object *object);
void ott_for_const(int n, const struct ott_object *object);
void ott_for_any(void *object);
void ott_for_shape(struct ott_shape *shape);
void ott_for_number(unsigned long number);

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

#define add(obj)	ott_add(obj, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
#define take(obj)	ott_take(obj, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
#define drop(obj)	ott_drop(obj, NULL, NULL, NULL, NULL, NULL, NULL, NULL)

/* The scenarios; the trace shows them as callers. */

static noinline void ott_chain(unsigned int n)
{
	OTT_A->value = 0x10;
	add(OTT_A);
	ott_step1(OTT_A, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, OTT_A, NULL, NULL, NULL, NULL, NULL);
	OTT_A->value = 0x40;
	take(OTT_A);
	take(OTT_B);
	ott_barrier();
}

/* Each position in turn; what is on the stack is not seen. */
static noinline void ott_args(unsigned int n)
{
	void *a = OTT_A;

	add(a);
	ott_take(a, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, a, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, a, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, NULL, a, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, NULL, NULL, a, NULL, NULL, NULL);
	ott_take(NULL, NULL, NULL, NULL, NULL, a, NULL, NULL);
	ott_take(NULL, NULL, NULL, NULL, NULL, NULL, a, NULL);
	ott_take(NULL, NULL, NULL, NULL, NULL, NULL, NULL, a);
	ott_barrier();
}

static noinline void ott_two(unsigned int n)
{
	void *a = OTT_A, *b = OTT_B;

	add(a);
	add(b);
	ott_take(a, b, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(b, a, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, a, a, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, b, a, b, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_none(unsigned int n)
{
	add(OTT_A);
	clear_arg_registers();
	ott_noargs();
	ott_take(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

/*
 * A, B and C by turns in all registers, whatever the function makes of them.  A kernel with
 * kCFI would compare its type with that of the pointer.
 */
static noinline __nocfi void call_with_objects(void *function)
{
	void (*f)(OTT_ARGS) = function;

	OPTIMIZER_HIDE_VAR(f);
	f(OTT_A, OTT_B, OTT_C, OTT_A, OTT_B, OTT_C, OTT_A, OTT_B);
	ott_barrier();
}

static noinline void ott_stale(unsigned int n)
{
	add(OTT_A);
	add(OTT_B);
	add(OTT_C);
	call_with_objects(ott_noargs);
	call_with_objects(ott_takes_one);
	call_with_objects(ott_takes_ints);
	call_with_objects(ott_takes_mixed);
	call_with_objects(ott_takes_pair);
	call_with_objects(ott_takes_any);
	call_with_objects(ott_clone);
	ott_barrier();
}

/* B to a function that receives nothing else. */
static noinline void ott_passed(unsigned int n)
{
	clear_arg_registers();
	ott_takes_one(OTT_B);
	ott_barrier();
}

/* A to all of them, whether it is their type or not. */
static noinline void ott_types(unsigned int n)
{
	add(OTT_A);
	ott_for_object(OTT_A);
	ott_for_const(0, OTT_A);
	ott_for_any(OTT_A);
	ott_for_shape((void *)OTT_A);
	ott_for_number((unsigned long)OTT_A);
	WRITE_ONCE(ott_lonely.value, n);
	drop(OTT_A);
	ott_barrier();
}

/* The function that adds, over and over. */
static noinline void ott_again(unsigned int n)
{
	add(OTT_A);
	add(OTT_A);
	add(OTT_B);
	add(OTT_A);
	take(OTT_B);
	ott_barrier();
}

/* No adding at all: what is tracked already? */
static noinline void ott_touch(unsigned int n)
{
	take(OTT_A);
	take(OTT_B);
	ott_barrier();
}

/* Added, ended, and added again. */
static noinline void ott_life(unsigned int n)
{
	add(OTT_A);
	add(OTT_B);
	take(OTT_A);
	drop(OTT_A);
	take(OTT_A);
	drop(OTT_A);
	take(OTT_B);
	add(OTT_A);
	take(OTT_A);
	ott_barrier();
}

/*
 * As often as it goes before any place in the table is free again.  Not A: it is a part
 * of something larger, and takes two.
 */
static noinline void ott_churn(unsigned int n)
{
	while (n--) {
		add(&ott_many[0]);
		drop(&ott_many[0]);
	}
	ott_barrier();
}

/* Pointers into the object, and beside it. */
static noinline void ott_inside(unsigned int n)
{
	void *a = OTT_A;

	add(a);
	take(a);
	take(a + 8);
	take(a + sizeof(struct ott_object) - 1);
	take(a + sizeof(struct ott_object));
	take(a - 1);
	ott_take(a + 0x10, a, a + 0x10, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

/* The function that adds receives two pointers into the object. */
static noinline void ott_twice(unsigned int n)
{
	void *a = OTT_A;

	ott_add(a + 8, a, a + 0x10, NULL, NULL, NULL, NULL, NULL);
	ott_add(a + 8, a, a + 0x10, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

/* What leads to the value goes and comes. */
static noinline void ott_faults(unsigned int n)
{
	OTT_A->parent = NULL;
	OTT_B->value = 0xb0;
	add(OTT_A);
	take(OTT_A);
	OTT_A->parent = OTT_B;
	take(OTT_A);
	take(OTT_A);
	OTT_A->parent = NULL;
	take(OTT_A);
	ott_barrier();
}

/* To wherever the parameter points_to says, maybe to nothing that can be read */
static noinline void ott_point(unsigned int n)
{
	OTT_A->parent = (void *)ott_points_to;
	add(OTT_A);
	take(OTT_A);
	OTT_A->parent = NULL;
	ott_barrier();
}

/* An object wherever the parameter points_to says */
static noinline void ott_place(unsigned int n)
{
	void *object = (void *)ott_points_to;

	add(object);
	take(object);
	ott_barrier();
}

static noinline void ott_leaps(unsigned int n)
{
	add(OTT_A);
	ott_leap(OTT_A, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_ret(unsigned int n)
{
	void *a = ott_get();

	take(a);
	ott_barrier();
}

static noinline void ott_middle(unsigned int n)
{
	ott_cur = OTT_A;
	ott_mid(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_cur = NULL;
	take(OTT_A);
	ott_barrier();
}

/* The object in a register that is the same in the middle as on the entry. */
static noinline void ott_through(unsigned int n)
{
	add(OTT_A);
	ott_mid(NULL, OTT_A, NULL, NULL, NULL, NULL, NULL, NULL);
	take(OTT_A);
	ott_barrier();
}

static noinline void ott_static(unsigned int n)
{
	ott_fire(OTT_A, (void *)(unsigned long)n, NULL, NULL, NULL, NULL, NULL, NULL);
	take(OTT_A);
	ott_barrier();
}

/* The same event without an object. */
static noinline void ott_mark(unsigned int n)
{
	ott_fire(NULL, (void *)(unsigned long)n, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_show(unsigned int n)
{
	ott_shape.low = 5;
	ott_shape.middle = 0x15;
	ott_shape.high = -2;
	ott_shape.depth = -7;
	ott_shape.letter = 'x';
	ott_shape.filled = true;
	ott_shape.colour = n ? n : OTT_GREEN;
	ott_shape.width = 0x102;
	ott_shape.height = 0x304;
	ott_shape.corner[2].x = -30000;
	ott_shape.corner[1].y[1][2] = 0xab;
	ott_shape.object = OTT_B;
	ott_shape.function = ott_take;
	ott_shape.user = (void *)0x1000;
	OTT_B->value = 0xb0;
	OTT_B->parent = OTT_C;
	OTT_C->value = 0xc0;
	OTT_C->parent = NULL;
	add(&ott_shape);
	take(&ott_shape);
	OTT_B->parent = NULL;
	ott_barrier();
}

static noinline void ott_parts(unsigned int n)
{
	add(&ott_shape);
	take(&ott_shape.depth);
	take(&ott_shape.corner[1].y[1][2]);
	take(&ott_shape.object);
	ott_barrier();
}

static noinline void ott_parent(unsigned int n)
{
	OTT_A->parent = OTT_B;
	ott_up(OTT_A, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	OTT_A->parent = NULL;
	ott_barrier();
}

static noinline void ott_end(unsigned int n)
{
	add(OTT_END);
	take(OTT_END);
	ott_barrier();
}

static noinline void ott_one(unsigned int n)
{
	add(&ott_many[n % OTT_MANY]);
	ott_barrier();
}

static noinline void ott_drop_one(unsigned int n)
{
	drop(&ott_many[n % OTT_MANY]);
	ott_barrier();
}

static noinline void ott_both(unsigned int n)
{
	add(&ott_many[n % OTT_MANY]);
	take(&ott_many[n % OTT_MANY]);
	ott_barrier();
}

static noinline void ott_reject(unsigned int n)
{
	add(NULL);
	take(NULL);
	add(ERR_PTR(-1));
	take(ERR_PTR(-1));
	add(ERR_PTR(-MAX_ERRNO));
	take(ERR_PTR(-MAX_ERRNO));
	add((void *)1);
	take((void *)1);
	ott_barrier();
}

static noinline void ott_user(unsigned int n)
{
	add((void *)OTT_WRAP_USER);
	take((void *)OTT_WRAP_USER);
	ott_barrier();
}

static noinline void ott_wrap(unsigned int n)
{
	add((void *)OTT_WRAP);
	take((void *)OTT_WRAP);
	ott_barrier();
}

/*
 * One that the kernel does not export.  Its callers are __nocfi: on x86 with IBT the address
 * is behind the landing pad, where kCFI does not find the type.
 */
static void *find_function(const char *name)
{
	struct kprobe kp = {
		.symbol_name	= name,
		.flags		= KPROBE_FLAG_DISABLED,
	};

	if (register_kprobe(&kp))
		return NULL;
	unregister_kprobe(&kp);
	return kp.addr;
}

/*
 * Freeing: the scenarios run with interrupts on, as a kernel for real time needs it.
 * What they receive is not tracked yet, or is told of.
 */

void ott_free_it(void *memory);
void ott_free_cached(void *memory);
void ott_free_bulk(size_t n, void **memory);
void ott_free_rcu(void *memory);
void ott_free_rcu_cb(void *memory);

OTT_FUNC void ott_free_it(void *memory)
{
	kfree(memory);
	ott_barrier();
}

OTT_FUNC void ott_free_cached(void *memory)
{
	kmem_cache_free(ott_cache, memory);
	ott_barrier();
}

OTT_FUNC void ott_free_bulk(size_t n, void **memory)
{
	kmem_cache_free_bulk(ott_cache, n, memory);
	ott_barrier();
}

/* After a grace period, behind which its memory is used for that. */
struct ott_deferred {
	struct ott_object	object;
	struct rcu_head		rcu;
};

static_assert(sizeof(struct ott_deferred) <= OTT_SMALL_SIZE);

OTT_FUNC void ott_free_rcu(void *memory)
{
	struct ott_deferred *d = memory;

	kfree_rcu(d, rcu);
	ott_barrier();
}

/* What RCU calls where a kernel collects nothing: here at once, and directly. */
static void (*ott_kvfree_rcu_cb)(struct rcu_head *head);

OTT_FUNC __nocfi void ott_free_rcu_cb(void *memory)
{
	struct ott_deferred *d = memory;

	ott_kvfree_rcu_cb(&d->rcu);
	ott_barrier();
}

#ifdef OTT_NOLOCK
void ott_free_nolock(void *memory);

OTT_FUNC void ott_free_nolock(void *memory)
{
	kfree_nolock(memory);
	ott_barrier();
}

/* It may find the allocator busy, and does not wait */
static void *allocate_nolock(void)
{
	void *memory = NULL;
	unsigned int i;

	for (i = 0; i < 100 && !memory; i++)
		memory = kmalloc_nolock(OTT_SMALL_SIZE, 0, NUMA_NO_NODE);
	return memory;
}
#else
static void ott_free_nolock(void *memory) { }
static void *allocate_nolock(void) { return NULL; }
#endif

#ifdef OTT_SHEAVES
static struct kmem_cache *create_sheaves(void)
{
	struct kmem_cache_args args = { .sheaf_capacity = OTT_SHEAF };

	return kmem_cache_create("objtrace_target_sheaves", OTT_SMALL_SIZE, &args,
				 SLAB_NO_MERGE);
}
#else
static struct kmem_cache *create_sheaves(void) { return NULL; }
#endif

static void *allocate_rcu(void)
{
	return ott_sheaves ? kmem_cache_alloc(ott_sheaves, GFP_KERNEL) :
	       kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);
}

/* Added and used, while no interrupt finds it in a register. */
static OTT_FUNC void hand_over(void *obj)
{
	unsigned long flags;

	*(u64 *)obj = OTT_MAGIC;
	local_irq_save(flags);
	add(obj);
	take(obj);
	clear_arg_registers();
	local_irq_restore(flags);
}

static OTT_FUNC void hand_back(void *obj)
{
	unsigned long flags;

	local_irq_save(flags);
	take(obj);
	clear_arg_registers();
	local_irq_restore(flags);
}

/* Constructed, so that the cache is not merged with one that others use. */
static void construct(void *obj)
{
	*(u64 *)obj = OTT_MAGIC;
}

/* What a scenario has freed, except for what it has seen to itself. */
static int allocate_freed(void)
{
	unsigned int i;

	ott_small = ott_small ?: kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);
	ott_cached = ott_cached ?: kmem_cache_alloc(ott_cache, GFP_KERNEL);
	ott_large = ott_large ?: kmalloc(OTT_LARGE_SIZE, GFP_KERNEL);
	ott_rcu = ott_rcu ?: allocate_rcu();
	ott_nolock = ott_nolock ?: allocate_nolock();
	ott_typesafe = ott_typesafe ?: kmem_cache_alloc(ott_typesafe_cache, GFP_KERNEL);
	for (i = 0; i < OTT_BULK; i++)
		ott_bulk[i] = ott_bulk[i] ?: kmem_cache_alloc(ott_cache, GFP_KERNEL);
	for (i = 0; i < OTT_BULK; i++)
		if (!ott_bulk[i])
			return -ENOMEM;
	if (!ott_small || !ott_cached || !ott_large || !ott_rcu || !ott_typesafe)
		return -ENOMEM;
	return 0;
}

/* What was left before is somebody else's now, and may be in here again */
static noinline int ott_take_left(unsigned int n)
{
	unsigned int i;

	while (ott_nr_left)
		ott_left[--ott_nr_left] = NULL;
	for (i = 0; i < OTT_LEFT; i++) {
		ott_left[i] = ott_left[i] ?: kmem_cache_alloc(ott_cache, GFP_KERNEL);
		if (!ott_left[i])
			return -ENOMEM;
	}
	return 0;
}

/*
 * The allocator returns last what was freed first on a CPU: soon the same again.  Others
 * are kept in a row meanwhile.
 */
static void *allocate_same(struct kmem_cache *cache, const void *same, unsigned int max)
{
	void *others = NULL;
	void *obj;

	while ((obj = kmem_cache_alloc(cache, GFP_KERNEL)) && obj != same && max--) {
		*(void **)obj = others;
		others = obj;
	}
	while (others) {
		void *next = *(void **)others;

		kmem_cache_free(cache, others);
		others = next;
	}
	return obj;
}

/* What was left is ours again, each at its address, wherever the allocator has put it */
static noinline int ott_retake_left(unsigned int n)
{
	void *before;

	while (ott_nr_left) {
		before = ott_left[--ott_nr_left];
		ott_left[ott_nr_left] = allocate_same(ott_cache, before, OTT_RETAKE);
		if (ott_left[ott_nr_left] != before)
			return ott_left[ott_nr_left] ? -EAGAIN : -ENOMEM;
	}
	return 0;
}

static noinline int ott_frees(unsigned int n)
{
	hand_over(ott_small);
	ott_free_it(ott_small);
	ott_small = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_cached(unsigned int n)
{
	hand_over(ott_cached);
	ott_free_cached(ott_cached);
	ott_cached = NULL;
	ott_barrier();
	return 0;
}

/* Two objects in it, and none where it begins. */
static noinline int ott_frees_around(unsigned int n)
{
	hand_over(OTT_INNER);
	hand_over(OTT_OTHER);
	ott_free_it(ott_small);
	ott_small = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_large(unsigned int n)
{
	hand_over(OTT_DEEP);
	ott_free_it(ott_large);
	ott_large = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_bulk(unsigned int n)
{
	hand_over(ott_bulk[0]);
	hand_over(ott_bulk[1]);
	ott_free_bulk(OTT_BULK, ott_bulk);
	memset(ott_bulk, 0, sizeof(ott_bulk));
	ott_barrier();
	return 0;
}

/*
 * Another tracer has three functions.  A callback on the first one calls the second one, and
 * a callback on the second one frees.  So ftrace goes through its list for each of them.
 */
void ott_outer(void);
void ott_inner(void);

void ott_outer(void);
void ott_inner(void);

OTT_FUNC void ott_outer(void)
{
	ott_barrier();
}

OTT_FUNC void ott_inner(void)
{
	ott_barrier();
}

static void notrace ott_on_all(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static void notrace ott_on_outer(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ott_inner();
}

static void notrace ott_on_inner(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	kmem_cache_free_bulk(ott_cache, OTT_BULK, ott_bulk);
	memset(ott_bulk, 0, sizeof(ott_bulk));
}

static struct ftrace_ops ott_tracers[] = {
	{ .func = ott_on_all }, { .func = ott_on_outer }, { .func = ott_on_inner },
};

static int trace_function(struct ftrace_ops *ops, const char *name)
{
	return ftrace_set_filter(ops, (char *)name, strlen(name), 0);
}

static int start_tracers(void)
{
	unsigned int i;
	int ret;

	ret = trace_function(&ott_tracers[0], "kmem_cache_free_bulk") ?:
	      trace_function(&ott_tracers[0], "ott_outer") ?:
	      trace_function(&ott_tracers[0], "ott_inner") ?:
	      trace_function(&ott_tracers[1], "ott_outer") ?:
	      trace_function(&ott_tracers[2], "ott_inner");
	for (i = 0; !ret && i < ARRAY_SIZE(ott_tracers); i++)
		ret = register_ftrace_function(&ott_tracers[i]);
	return ret;
}

static void stop_tracers(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ott_tracers); i++)
		unregister_ftrace_function(&ott_tracers[i]);
}

/* Once: older kernels leave the filter in the ftrace_ops that they have freed */
static void free_tracers(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ott_tracers); i++)
		ftrace_free_filter(&ott_tracers[i]);
}

static noinline int ott_frees_in_tracers(unsigned int n)
{
	int ret = start_tracers();

	if (!ret) {
		hand_over(ott_bulk[0]);
		hand_over(ott_bulk[1]);
		ott_outer();
	}
	stop_tracers();
	ott_barrier();
	return ret ?: ott_bulk[0] ? -EIO : 0;
}

/* They make a sheaf full, which is freed then. */
static int allocate_fillers(struct kmem_cache *cache, unsigned int nr)
{
	unsigned int i;

	if (nr > OTT_FILLERS)
		return -EINVAL;
	for (i = 0; i < nr; i++) {
		ott_fillers[i] = cache ? kmem_cache_alloc(cache, GFP_KERNEL) :
				 kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);
		if (!ott_fillers[i])
			break;
	}
	if (i == nr)
		return 0;
	while (i--)
		kfree(ott_fillers[i]);
	return -ENOMEM;
}

/* Until the grace period is over it is still what it was. */
static OTT_FUNC void free_after_grace_period(void *memory, unsigned int nr_fillers)
{
	unsigned int i;

	hand_over(memory);
	rcu_read_lock();
	ott_free_rcu(memory);
	for (i = 0; i < nr_fillers; i++)
		kfree_rcu(ott_fillers[i], rcu);
	hand_back(memory);
	rcu_read_unlock();
}

/* With N others: kmalloc() may have sheaves, too. */
static noinline int ott_frees_rcu(unsigned int n)
{
	int ret = allocate_fillers(NULL, n);

	if (ret)
		return ret;
	free_after_grace_period(ott_small, n);
	ott_small = NULL;
	rcu_barrier();
	return 0;
}

static noinline int ott_frees_rcu_cached(unsigned int n)
{
	int ret = allocate_fillers(ott_sheaves, n);

	if (ret)
		return ret;
	free_after_grace_period(ott_rcu, n);
	ott_rcu_before = ott_rcu;
	ott_rcu = NULL;
	rcu_barrier();
	return 0;
}

/* A sheaf that is not full goes when the cache has to give back what it can. */
static noinline int ott_frees_rcu_shrunk(unsigned int n)
{
	free_after_grace_period(ott_rcu, 0);
	ott_rcu = NULL;
	if (ott_sheaves)
		kmem_cache_shrink(ott_sheaves);
	rcu_barrier();
	return 0;
}

/* On the CPU that has freed it with N others, and maybe has it again already. */
static noinline int ott_reuse_rcu(unsigned int n)
{
	void *now = ott_rcu;

	if (!ott_sheaves)
		return -EOPNOTSUPP;
	if (now != ott_rcu_before) {
		now = allocate_same(ott_sheaves, ott_rcu_before, 16 * n);
		kmem_cache_free(ott_sheaves, ott_rcu);
		ott_rcu = now;
	}
	if (now != ott_rcu_before)
		return now ? -EAGAIN : -ENOMEM;
	hand_back(now);
	hand_over(now);
	ott_barrier();
	return 0;
}

static noinline int ott_frees_rcu_cb(unsigned int n)
{
	ott_kvfree_rcu_cb = find_function("kvfree_rcu_cb");
	if (!ott_kvfree_rcu_cb)
		return -EOPNOTSUPP;
	hand_over(ott_small);
	ott_free_rcu_cb(ott_small);
	ott_small = NULL;
	ott_barrier();
	return 0;
}

static noinline int ott_frees_nolock(unsigned int n)
{
	if (!ott_nolock)
		return -ENOMEM;
	hand_over(ott_nolock);
	ott_free_nolock(ott_nolock);
	ott_nolock = NULL;
	ott_barrier();
	return 0;
}

/* Another one, from this CPU: here it will be had again when it is freed. */
static noinline int ott_renew(unsigned int n)
{
	void *before = ott_cached;

	ott_cached = kmem_cache_alloc(ott_cache, GFP_KERNEL);
	kmem_cache_free(ott_cache, before);
	return ott_cached ? 0 : -ENOMEM;
}

/* At the same address comes another object, before and after it is tracked. */
static noinline int ott_reuse(unsigned int n)
{
	void *before = ott_cached;

	hand_over(ott_cached);
	ott_free_cached(ott_cached);
	ott_cached = allocate_same(ott_cache, before, 16);
	if (ott_cached != before)
		return ott_cached ? -EAGAIN : -ENOMEM;
	hand_back(ott_cached);
	hand_over(ott_cached);
	ott_barrier();
	return 0;
}

/* Where another one may be set up, but nothing else. */
static noinline int ott_frees_typesafe(unsigned int n)
{
	hand_over(ott_typesafe);
	ott_free_it(ott_typesafe);
	hand_back(ott_typesafe);
	ott_typesafe = NULL;
	ott_barrier();
	return 0;
}

/* What was freed is allocated with others, or with what else the allocator chooses. */
static noinline int ott_reuse_bulk(unsigned int n)
{
	void *before[OTT_BULK];

	memcpy(before, ott_bulk, sizeof(before));
	ott_frees_bulk(0);
	if (!kmem_cache_alloc_bulk(ott_cache, GFP_KERNEL, OTT_BULK, ott_bulk))
		return -ENOMEM;
	hand_back(before[0]);
	hand_back(before[1]);
	ott_barrier();
	return 0;
}

/* N are freed, and stay so: nobody else allocates from this cache. */
static OTT_FUNC int leave(unsigned int n, unsigned int offset)
{
	unsigned int i;

	if (n > OTT_LEFT || ott_nr_left)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		hand_over(ott_left[i] + offset);
		ott_free_cached(ott_left[i]);
		clear_arg_registers();
	}
	ott_nr_left = n;
	ott_left_offset = offset;
	return 0;
}

static noinline int ott_leaves(unsigned int n)
{
	return leave(n, 0);
}

static noinline int ott_leaves_part(unsigned int n)
{
	return leave(n, OTT_PART);
}

/* All that are left, N bytes behind where they were tracked. */
static noinline void ott_visits(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < ott_nr_left; i++)
		take(ott_left[i] + ott_left_offset + n);
	ott_barrier();
}

/* They are added again, where nothing is. */
static noinline void ott_haunts(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < ott_nr_left; i++)
		add(ott_left[i] + ott_left_offset);
	ott_barrier();
}

/* Freed, passed on, and maybe allocated by somebody else in between. */
static noinline void ott_passes_freed(unsigned int n)
{
	void *memory = kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);

	if (memory) {
		hand_over(memory);
		ott_free_it(memory);
		hand_back(memory);
	}
	ott_barrier();
}

/* N of them, of which nothing else is known. */
static noinline void ott_frees_new(unsigned int n)
{
	void *memory = kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);

	if (memory) {
		hand_over(memory);
		ott_free_it(memory);
	}
	ott_barrier();
}

static void run_irqs_off(void (*scenario)(unsigned int), unsigned int n)
{
	unsigned long flags;

	local_irq_save(flags);
	scenario(n);
	clear_arg_registers();
	local_irq_restore(flags);
}

static int run_each(void (*scenario)(unsigned int), unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		run_irqs_off(scenario, i);
	return 0;
}

/* With a readable user page where the object, or its member, seems to be. */
static int run_with_user_page(void (*scenario)(unsigned int), unsigned int n)
{
	unsigned long addr;
	int ret;

	addr = vm_mmap(NULL, OTT_WRAP_USER, PAGE_SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, 0);
	if (IS_ERR_VALUE(addr))
		return addr;
	ret = put_user(OTT_SECRET, (u64 __user *)addr);
	if (!ret)
		run_irqs_off(scenario, n);
	vm_munmap(addr, PAGE_SIZE);
	return ret;
}

/* Two CPUs at once. */
struct ott_racer {
	struct task_struct	*task;
	struct completion	done;
	void			(*scenario)(unsigned int n);
	unsigned int		first;
	unsigned int		count;
	bool			frees;
};

static struct ott_racer ott_racers[2];
static atomic_t ott_ready;
static bool ott_looping;

static void wait_for_stop(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
}

static int race_thread(void *data)
{
	struct ott_racer *r = data;
	unsigned int i;

	atomic_inc(&ott_ready);
	/*
	 * Gives way: stop_machine(), which on arm64 arms a kprobe, may hold
	 * the other CPU until this one has come too.
	 */
	while (atomic_read(&ott_ready) < ARRAY_SIZE(ott_racers))
		cond_resched();
	for (i = 0; i < r->count; i++) {
		if (r->frees)
			r->scenario(r->first + i);
		else
			run_irqs_off(r->scenario, r->first + i);
	}
	complete(&r->done);
	wait_for_stop();
	return 0;
}

/* Sleeps now and then: the tests' own processes need the CPUs too. */
static int loop_thread(void *data)
{
	struct ott_racer *r = data;
	unsigned int i = 0;

	while (!kthread_should_stop()) {
		run_irqs_off(ott_both, r->first + i % r->count);
		if (!(++i % 32))
			schedule_timeout_interruptible(1);
	}
	return 0;
}

static void stop_threads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ott_racers); i++) {
		if (ott_racers[i].task)
			kthread_stop(ott_racers[i].task);
		ott_racers[i].task = NULL;
	}
}

static int start_threads(int (*fn)(void *))
{
	unsigned int i, cpu = cpumask_first(cpu_online_mask);
	struct ott_racer *r;

	if (num_online_cpus() < ARRAY_SIZE(ott_racers))
		return -ENODEV;
	atomic_set(&ott_ready, 0);
	for (i = 0; i < ARRAY_SIZE(ott_racers); i++) {
		struct task_struct *task;

		r = &ott_racers[i];
		init_completion(&r->done);
		task = kthread_create(fn, r, "ott/%u", i);
		if (IS_ERR(task)) {
			/* None has run: the other one sees that it should stop. */
			stop_threads();
			return PTR_ERR(task);
		}
		kthread_bind(task, cpu);
		r->task = task;
		cpu = cpumask_next(cpu, cpu_online_mask);
	}
	for (i = 0; i < ARRAY_SIZE(ott_racers); i++)
		wake_up_process(ott_racers[i].task);
	return 0;
}

static int race(void (*scenario)(unsigned int), unsigned int second_first,
		unsigned int count)
{
	unsigned int i;
	int ret;

	if (ott_looping || count > OTT_MANY / 2)
		return -EINVAL;
	ott_racers[0].scenario = ott_racers[1].scenario = scenario;
	ott_racers[0].first = 0;
	ott_racers[1].first = second_first;
	ott_racers[0].count = ott_racers[1].count = count;
	ott_racers[0].frees = ott_racers[1].frees = scenario == ott_frees_new ||
						    scenario == ott_passes_freed;
	ret = start_threads(race_thread);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(ott_racers); i++)
		wait_for_completion(&ott_racers[i].done);
	stop_threads();
	return 0;
}

static int run_race_distinct(void (*scenario)(unsigned int), unsigned int n)
{
	return race(scenario, n, n);
}

static int run_race_same(void (*scenario)(unsigned int), unsigned int n)
{
	return race(scenario, 0, n);
}

static int run_loop(void (*scenario)(unsigned int), unsigned int n)
{
	int ret;

	if (ott_looping)
		return -EBUSY;
	ott_racers[0].first = 0;
	ott_racers[1].first = 4;
	ott_racers[0].count = ott_racers[1].count = 4;
	ret = start_threads(loop_thread);
	ott_looping = !ret;
	return ret;
}

static int run_stop(void (*scenario)(unsigned int), unsigned int n)
{
	stop_threads();
	ott_looping = false;
	return 0;
}

/* As ftrace does itself when it finds what it does not understand. */
static __nocfi int run_kill_ftrace(void (*scenario)(unsigned int), unsigned int n)
{
	void (*ftrace_kill)(void) = find_function("ftrace_kill");

	if (!ftrace_kill)
		return -ENOENT;
	ftrace_kill();
	return 0;
}

#ifdef CONFIG_X86_64
/*
 * A real NMI in the middle of an int3.  A del trigger on the int3 ends B.  objtrace calls
 * irq_work_queue() for that: a callback on a callee sends the NMI.  The handler of the
 * NMI passes A on.
 */
static bool ott_sends_nmi;	/* by the callback of this CPU */
static bool ott_awaits_nmi;	/* by the callback, until the NMI is handled */

static int ott_handle_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(ott_awaits_nmi))
		return NMI_DONE;
	take(OTT_A);
	clear_arg_registers();
	WRITE_ONCE(ott_awaits_nmi, false);
	return NMI_HANDLED;
}

#define OTT_NMI_SPINS	100000000

static void notrace send_nmi(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned int i;

	if (!in_nmi() || !xchg(&ott_sends_nmi, false))
		return;
	WRITE_ONCE(ott_awaits_nmi, true);
	apic->send_IPI(raw_smp_processor_id(), NMI_VECTOR);
	for (i = 0; i < OTT_NMI_SPINS && READ_ONCE(ott_awaits_nmi); i++)
		cpu_relax();
}

static struct ftrace_ops ott_nmi_ops = { .func = send_nmi };

static noinline void ott_interrupted(unsigned int n)
{
	ott_cur = OTT_B;
	ott_mid(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_cur = NULL;
	ott_barrier();
}

/* -EIO if no NMI came: the test has tested nothing then. */
static int run_nmi(void (*scenario)(unsigned int), unsigned int n)
{
	unsigned char name[] = "arch_irq_work_raise";
	int ret = register_nmi_handler(NMI_LOCAL, ott_handle_nmi, 0, "objtrace_target");

	if (ret)
		return ret;
	ret = ftrace_set_filter(&ott_nmi_ops, name, strlen(name), 1) ?:
	      register_ftrace_function(&ott_nmi_ops);
	if (!ret) {
		ott_sends_nmi = true;
		run_irqs_off(scenario, n);
		unregister_ftrace_function(&ott_nmi_ops);
		if (ott_sends_nmi || ott_awaits_nmi)
			ret = -EIO;
		ott_sends_nmi = ott_awaits_nmi = false;
	}
	unregister_nmi_handler(NMI_LOCAL, "objtrace_target");
	return ret;
}
#endif

/*
 * A probe that skips its function.  Of several probes on one entry the last one that was
 * registered is called first.
 */
static struct kprobe ott_skipper;

static int skip(struct kprobe *p, struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	instruction_pointer_set(regs, (unsigned long)ott_noargs);
#else
	instruction_pointer_set(regs, procedure_link_pointer(regs));
#endif
	return 1;
}

static void stop_skipping(void)
{
	if (ott_skipper.addr)
		unregister_kprobe(&ott_skipper);
	memset(&ott_skipper, 0, sizeof(ott_skipper));
}

/* 0: none, 1: ott_add(), 2: ott_drop() */
static int run_skip(void (*scenario)(unsigned int), unsigned int n)
{
	int ret;

	stop_skipping();
	if (!n)
		return 0;
	ott_skipper.addr = (void *)(n == 1 ? ott_add : ott_drop);
	ott_skipper.pre_handler = skip;
	ret = register_kprobe(&ott_skipper);
	if (ret)
		memset(&ott_skipper, 0, sizeof(ott_skipper));
	return ret;
}

/* ftrace dies when a function that unregisters is called: see kill_ftrace_at() */
static void (*ott_ftrace_kill)(void);
static atomic_t ott_calls_left;
static bool ott_returns_at_once;

#if defined(CONFIG_X86_64)
static void return_at_once(struct pt_regs *regs)
{
	regs->ip = *(unsigned long *)regs->sp;
	regs->sp += sizeof(long);
}
#elif defined(CONFIG_ARM64)
static void return_at_once(struct pt_regs *regs)
{
	instruction_pointer_set(regs, procedure_link_pointer(regs));
}
#endif

static __nocfi int kill_at_last_call(struct kprobe *kp, struct pt_regs *regs)
{
	if (atomic_dec_return(&ott_calls_left))
		return 0;
	ott_ftrace_kill();
	if (!ott_returns_at_once)
		return 0;
	return_at_once(regs);
	return 1;
}

/* With a post-handler the kernel does not optimize the probe, and lets it change the ip */
static void after_call(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe ott_kill_probe;

/* Kill ftrace at the Nth call of a function from now on */
static int kill_ftrace_at(const char *function, unsigned int n, bool return_at_once)
{
	int ret;

	if (ott_kill_probe.pre_handler || !n)
		return -EINVAL;
	ott_ftrace_kill = find_function("ftrace_kill");
	if (!ott_ftrace_kill)
		return -ENOENT;
	atomic_set(&ott_calls_left, n);
	ott_returns_at_once = return_at_once;
	ott_kill_probe = (struct kprobe){
		.symbol_name	= function,
		.pre_handler	= kill_at_last_call,
		.post_handler	= after_call,
	};
	ret = register_kprobe(&ott_kill_probe);
	if (ret)
		ott_kill_probe = (struct kprobe){};
	return ret;
}

/* The group stays registered */
static int run_kill_before(void (*scenario)(unsigned int), unsigned int n)
{
	return kill_ftrace_at("unregister_ftrace_function", n, false);
}

/* As ftrace does when it finds an unexpected instruction: no function is patched */
static int run_kill_inside(void (*scenario)(unsigned int), unsigned int n)
{
	return kill_ftrace_at("ftrace_replace_code", n, true);
}

/* All functions of the group are patched */
static int run_kill_late(void (*scenario)(unsigned int), unsigned int n)
{
	return kill_ftrace_at("ftrace_arch_code_modify_post_process", n, false);
}

/*
 * Call write() for the open file N of the task, from an address where no task has memory.
 * No shell command can do so.
 */
static int run_write_fault(void (*scenario)(unsigned int), unsigned int n)
{
	struct file *file = fget(n);
	ssize_t ret = -EINVAL;
	loff_t pos = 0;

	if (!file)
		return -EBADF;
	if (file->f_op->write)
		ret = file->f_op->write(file, (const char __user *)1, 10, &pos);
	fput(file);
	return ret < 0 ? ret : 0;
}

static int run_once(void (*scenario)(unsigned int), unsigned int n)
{
	run_irqs_off(scenario, n);
	return 0;
}

/* In one place, so that memory comes back to who has freed it. */
static int run_free(int (*scenario)(unsigned int), unsigned int n)
{
	int ret;

	migrate_disable();
	ret = scenario(n);
	migrate_enable();
	return ret ?: allocate_freed();
}

static const struct ott_scenario {
	const char	*name;
	int		(*run)(void (*scenario)(unsigned int), unsigned int n);
	void		(*scenario)(unsigned int n);
	int		(*frees)(unsigned int n);
} ott_scenarios[] = {
	{ "chain",		run_once,		ott_chain },
	{ "args",		run_once,		ott_args },
	{ "two",		run_once,		ott_two },
	{ "none",		run_once,		ott_none },
	{ "stale",		run_once,		ott_stale },
	{ "passed",		run_once,		ott_passed },
	{ "types",		run_once,		ott_types },
	{ "again",		run_once,		ott_again },
	{ "touch",		run_once,		ott_touch },
	{ "life",		run_once,		ott_life },
	{ "churn",		run_once,		ott_churn },
	{ "inside",		run_once,		ott_inside },
	{ "twice",		run_once,		ott_twice },
	{ "faults",		run_once,		ott_faults },
	{ "point",		run_once,		ott_point },
	{ "place",		run_once,		ott_place },
	{ "leaps",		run_once,		ott_leaps },
	{ "ret",		run_once,		ott_ret },
	{ "middle",		run_once,		ott_middle },
	{ "through",		run_once,		ott_through },
	{ "parent",		run_once,		ott_parent },
	{ "static",		run_once,		ott_static },
	{ "mark",		run_once,		ott_mark },
	{ "show",		run_once,		ott_show },
	{ "parts",		run_once,		ott_parts },
	{ "end",		run_once,		ott_end },
	{ "reject",		run_once,		ott_reject },
	{ "user",		run_with_user_page,	ott_user },
	{ "wrap",		run_with_user_page,	ott_wrap },
	{ "one",		run_once,		ott_one },
	{ "many",		run_each,		ott_one },
	{ "drop_many",		run_each,		ott_drop_one },
	{ "race_distinct",	run_race_distinct,	ott_one },
	{ "race_same",		run_race_same,		ott_one },
	{ "race_both",		run_race_distinct,	ott_both },
	{ "race_drop",		run_race_same,		ott_drop_one },
	{ "race_free",		run_race_same,		ott_frees_new },
	{ "race_after_free",	run_race_same,		ott_passes_freed },
	{ "free",		.frees = ott_frees },
	{ "free_cached",	.frees = ott_frees_cached },
	{ "free_around",	.frees = ott_frees_around },
	{ "free_large",		.frees = ott_frees_large },
	{ "free_bulk",		.frees = ott_frees_bulk },
	{ "free_in_tracers",	.frees = ott_frees_in_tracers },
	{ "free_rcu",		.frees = ott_frees_rcu },
	{ "free_rcu_cached",	.frees = ott_frees_rcu_cached },
	{ "free_rcu_shrunk",	.frees = ott_frees_rcu_shrunk },
	{ "free_rcu_cb",	.frees = ott_frees_rcu_cb },
	{ "free_nolock",	.frees = ott_frees_nolock },
	{ "reuse_rcu",		.frees = ott_reuse_rcu },
	{ "renew",		.frees = ott_renew },
	{ "reuse",		.frees = ott_reuse },
	{ "reuse_bulk",		.frees = ott_reuse_bulk },
	{ "free_typesafe",	.frees = ott_frees_typesafe },
	{ "leave",		.frees = ott_leaves },
	{ "leave_part",		.frees = ott_leaves_part },
	{ "visit",		run_once,		ott_visits },
	{ "haunt",		run_once,		ott_haunts },
	{ "retake_left",	.frees = ott_retake_left },
	{ "take_left",		.frees = ott_take_left },
	{ "loop",		run_loop,		NULL },
	{ "stop",		run_stop,		NULL },
	{ "kill_ftrace",	run_kill_ftrace,	NULL },
	{ "skip",		run_skip,		NULL },
#ifdef CONFIG_X86_64
	{ "nmi",		run_nmi,		ott_interrupted },
#endif
	{ "kill_before",	run_kill_before,	NULL },
	{ "kill_inside",	run_kill_inside,	NULL },
	{ "kill_late",		run_kill_late,		NULL },
	{ "write_fault",	run_write_fault,	NULL },
};

/* "SCENARIO [NUMBER]" */
static int run_set(const char *val, const struct kernel_param *kp)
{
	const struct ott_scenario *s;
	unsigned int i, n = 0;
	char name[24];

	if (sscanf(val, "%23s %u", name, &n) < 1)
		return -EINVAL;
	/* Parameters of the command line are set before init. */
	if (!ott_page)
		return -ENODEV;
	for (i = 0; i < ARRAY_SIZE(ott_scenarios); i++) {
		s = &ott_scenarios[i];
		if (!strcmp(name, s->name))
			return s->frees ? run_free(s->frees, n) : s->run(s->scenario, n);
	}
	return -EINVAL;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write \"SCENARIO [NUMBER]\" to run it");

/* "NAME NUMBER" per line */
static int objects_get(char *buf, const struct kernel_param *kp)
{
	int i, at = 0;

	at += sysfs_emit_at(buf, at, "A 0x%lx\n", (unsigned long)OTT_A);
	at += sysfs_emit_at(buf, at, "B 0x%lx\n", (unsigned long)OTT_B);
	at += sysfs_emit_at(buf, at, "C 0x%lx\n", (unsigned long)OTT_C);
	at += sysfs_emit_at(buf, at, "END 0x%lx\n", (unsigned long)OTT_END);
	at += sysfs_emit_at(buf, at, "WRAP 0x%lx\n", OTT_WRAP);
	at += sysfs_emit_at(buf, at, "WRAP_OFFSET 0x%lx\n", OTT_WRAP_OFFSET);
	at += sysfs_emit_at(buf, at, "SHAPE 0x%lx\n", (unsigned long)&ott_shape);
	at += sysfs_emit_at(buf, at, "CUR 0x%lx\n", (unsigned long)&ott_cur);
	at += sysfs_emit_at(buf, at, "MID_OFFSET %lu\n", ott_mid_offset);
	at += sysfs_emit_at(buf, at, "SMALL 0x%lx\n", (unsigned long)ott_small);
	at += sysfs_emit_at(buf, at, "INNER 0x%lx\n", (unsigned long)OTT_INNER);
	at += sysfs_emit_at(buf, at, "OTHER 0x%lx\n", (unsigned long)OTT_OTHER);
	at += sysfs_emit_at(buf, at, "CACHED 0x%lx\n", (unsigned long)ott_cached);
	at += sysfs_emit_at(buf, at, "DEEP 0x%lx\n", (unsigned long)OTT_DEEP);
	at += sysfs_emit_at(buf, at, "RCU 0x%lx\n", (unsigned long)ott_rcu);
	at += sysfs_emit_at(buf, at, "NOLOCK 0x%lx\n", (unsigned long)ott_nolock);
	for (i = 0; i < OTT_BULK; i++)
		at += sysfs_emit_at(buf, at, "BULK%d 0x%lx\n", i,
				    (unsigned long)ott_bulk[i]);
	at += sysfs_emit_at(buf, at, "TYPESAFE 0x%lx\n", (unsigned long)ott_typesafe);
	for (i = 0; i < OTT_LEFT; i++)
		at += sysfs_emit_at(buf, at, "LEFT%d 0x%lx\nPART%d 0x%lx\n", i,
				    (unsigned long)ott_left[i], i,
				    (unsigned long)ott_left[i] + OTT_PART);
	for (i = 0; i < OTT_NAMED; i++)
		at += sysfs_emit_at(buf, at, "M%d 0x%lx\n", i, (unsigned long)&ott_many[i]);
	return at;
}

static const struct kernel_param_ops objects_ops = { .get = objects_get };
module_param_cb(objects, &objects_ops, NULL, 0400);
MODULE_PARM_DESC(objects, "where the objects are");

/* Written by the test, through sysfs, while the module's init waits for 0 */
static unsigned int ott_init_waits;
module_param_named(init_waits, ott_init_waits, uint, 0600);
MODULE_PARM_DESC(init_waits, "init does not return, and its functions stay, until this is 0");

module_param_named(points_to, ott_points_to, ulong, 0200);
MODULE_PARM_DESC(points_to, "where the object of the scenario point points to, or that of place is");

/*
 * QEMU may run an int3 that ftrace has taken away again, see scripts/spoilt.sh.  Where
 * the function has a kprobe, the kernel takes the int3 for the kprobe's and goes on in
 * the copy of the instruction.  Of what ftrace patches a kprobe has no copy: the kernel
 * dies at address 0, and nothing that it prints tells why.
 */
#ifdef CONFIG_X86_64
static struct kprobe * __percpu *ott_current_kprobe;
static struct kprobe_ctlblk __percpu *ott_kprobe_ctlblk;

/* Where ftrace called the kprobe nothing is stepped */
static bool steps(const struct kprobe *p)
{
	unsigned long status = this_cpu_ptr(ott_kprobe_ctlblk)->kprobe_status;

	return p && (status == KPROBE_HIT_SS || status == KPROBE_REENTER);
}

static int tell_stale_int3(struct notifier_block *nb, unsigned long val, void *data)
{
	const struct die_args *args = data;
	struct kprobe *p;

	if (val != DIE_OOPS || args->regs->ip)
		return NOTIFY_DONE;
	p = *this_cpu_ptr(ott_current_kprobe);
	if (steps(p) && kprobe_ftrace(p) && *p->addr != INT3_INSN_OPCODE)
		pr_alert("objtrace_target: ran an int3 that is not in %ps\n", p->addr);
	return NOTIFY_DONE;
}

static struct notifier_block tell_nb = { .notifier_call = tell_stale_int3 };

static __nocfi int start_telling(void)
{
	unsigned long (*lookup)(const char *) = find_function("kallsyms_lookup_name");

	if (!lookup)
		return -ENOENT;
	ott_current_kprobe = (struct kprobe * __percpu *)lookup("current_kprobe");
	ott_kprobe_ctlblk = (struct kprobe_ctlblk __percpu *)lookup("kprobe_ctlblk");
	if (!ott_current_kprobe || !ott_kprobe_ctlblk)
		return -ENOENT;
	return register_die_notifier(&tell_nb);
}

static void stop_telling(void)
{
	unregister_die_notifier(&tell_nb);
}
#else
static int start_telling(void) { return 0; }
static void stop_telling(void) { }
#endif

static void free_objects(void)
{
	unsigned int i;

	for (i = 0; ott_cache && i < OTT_BULK; i++)
		if (ott_bulk[i])
			kmem_cache_free(ott_cache, ott_bulk[i]);
	for (i = ott_nr_left; ott_cache && i < OTT_LEFT; i++)
		if (ott_left[i])
			kmem_cache_free(ott_cache, ott_left[i]);
	if (ott_typesafe)
		kmem_cache_free(ott_typesafe_cache, ott_typesafe);
	kmem_cache_destroy(ott_typesafe_cache);
	if (ott_cached)
		kmem_cache_free(ott_cache, ott_cached);
	kmem_cache_destroy(ott_cache);
	/* What RCU still has of the cache's the kernel waits for, where it has sheaves */
	kfree(ott_rcu);
	kmem_cache_destroy(ott_sheaves);
	ott_free_nolock(ott_nolock);
	kfree(ott_large);
	kfree(ott_small);
	vfree(ott_page);
	vfree(ott_area);
	kfree(ott_few);
}

/* Is gone when the module is loaded */
OTT_FUNC void __init ott_early(void *object)
{
	ott_use(object);
	ott_barrier();
}

static int __init ott_init(void)
{
	unsigned int i;
	int ret;

	ott_few = kcalloc(OTT_FEW, sizeof(*ott_few), GFP_KERNEL);
	ott_area = vzalloc(array_size(OTT_MANY + 1, sizeof(*ott_many)));
	ott_page = vzalloc(PAGE_SIZE);
	ott_cache = kmem_cache_create("objtrace_target", OTT_CACHED_SIZE, 0, 0, construct);
	ott_typesafe_cache = kmem_cache_create("objtrace_target_typesafe", OTT_CACHED_SIZE,
					       0, SLAB_TYPESAFE_BY_RCU, construct);
	ott_sheaves = create_sheaves();	/* or has none */
	if (!ott_few || !ott_area || !ott_page || !ott_cache || !ott_typesafe_cache ||
	    allocate_freed() || ott_take_left(0)) {
		free_objects();
		return -ENOMEM;
	}
	ret = start_telling();
	if (ret) {
		free_objects();
		return ret;
	}
	ott_many = ott_area + sizeof(*ott_many);
	for (i = 0; i < OTT_FEW; i++) {
		ott_few[i].magic = OTT_MAGIC;
		ott_few[i].value = i;
		ott_few[i].tail = OTT_TAIL;
	}
	for (i = 0; i < OTT_MANY; i++) {
		ott_many[i].magic = OTT_MAGIC;
		ott_many[i].value = i;
		ott_many[i].tail = OTT_TAIL;
	}
	*(u64 *)OTT_END = OTT_MAGIC;
	run_irqs_off(ott_middle, 0);	/* finds ott_mid_offset */
	ott_early(THIS_MODULE);
	while (READ_ONCE(ott_init_waits))
		msleep(20);
	return 0;
}

static void __exit ott_exit(void)
{
	stop_threads();
	stop_skipping();
	if (ott_kill_probe.pre_handler)
		unregister_kprobe(&ott_kill_probe);
	stop_telling();
	free_tracers();
	free_objects();
}

module_init(ott_init);
module_exit(ott_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("What the objtrace selftests trace");
MODULE_INFO(test, "Y");
