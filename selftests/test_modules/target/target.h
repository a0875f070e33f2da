/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - the objects, the traced functions and the scenarios of objtrace_target
 */
#ifndef _OTT_TARGET_H
#define _OTT_TARGET_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/types.h>

/* The tests know these offsets. */
struct ott_object {
	u64	magic;		/* 0x00: OTT_MAGIC */
	u64	value;		/* 0x08: scenarios change it */
	struct ott_object *parent;	/* 0x10: NULL between scenarios */
	u64	unused[4];
	u64	tail;		/* 0x38: OTT_TAIL; at -0x8 of the next object */
};

static_assert(offsetof(struct ott_object, value) == 0x8);
static_assert(offsetof(struct ott_object, parent) == 0x10);
static_assert(offsetof(struct ott_object, tail) == 0x38);
static_assert(sizeof(struct ott_object) == 0x40);

enum ott_colour {
	OTT_RED		= 0,
	OTT_GREEN	= 5,
};

/* For integers of ott_shape. */
enum ott_width {
	OTT_NARROW	= 1,
	OTT_WIDE	= 0x102,
	OTT_UNIT	= 0x304,
};

/* A struct with each kind of member. */
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

static_assert(offsetof(struct ott_shape, depth) == 0x4);
static_assert(offsetof(struct ott_shape, object) == 0x38);
static_assert(offsetof(struct ott_shape, user) == 0x48);

/* No function has a parameter for this struct. */
struct ott_lonely {
	u64	value;
};

#define OTT_MAGIC	0x1122334455667788ULL
#define OTT_TAIL	0x7a117a117a117a11ULL
#define OTT_SECRET	0x5ec7e75ec7e75ec7ULL

#define OTT_SMALL_SIZE	0xc0	/* the cache kmalloc-192: no power of two */
#define OTT_CACHED_SIZE	0x148
#define OTT_LARGE_SIZE	0x5000	/* too large for a cache of kmalloc() */
#define OTT_BULK	2
#define OTT_SHEAF	8	/* objects in a sheaf; the kernel may round up */
#define OTT_LEFT	8
#define OTT_PART	0x40	/* where an object begins inside freed memory */

#define OTT_MANY	8192	/* objects of the scenarios in many.c */
#define OTT_NAMED	16	/* of them have names: M0, M1, ... */

/*
 * Not a kernel object.  With OTT_WRAP_OFFSET, the address of the member wraps around into user
 * memory.  The value differs from all masks and error codes.
 */
#define OTT_WRAP	0xffffffffffff5a50UL
#define OTT_WRAP_USER	0x7ffe0000UL
#define OTT_WRAP_OFFSET	(OTT_WRAP_USER - OTT_WRAP)	/* 0x7ffea5b0 */

/* Objects, see objects.c */
extern struct ott_object *ott_few;	/* [0] is the object before A */
extern struct ott_object *ott_many;	/* [-1] is the object before M0 */
extern struct ott_shape ott_shape;
extern u8 ott_block[];			/* for stores to a whole block of the cache */
extern void *ott_page;			/* the page after it is not mapped */
extern unsigned long ott_points_to;	/* of the scenarios point and place */
extern void *ott_cur;			/* of a probe in the middle of ott_mid() */
extern unsigned long ott_mid_offset;	/* of this probe */

#define OTT_A		(&ott_few[1])
#define OTT_B		(&ott_few[2])
#define OTT_C		(&ott_few[3])
#define OTT_FEW		4
#define OTT_END		(ott_page + PAGE_SIZE - sizeof(u64))

/* Memory that scenarios free.  allocate_freed() allocates it again. */
extern struct kmem_cache *ott_cache;
extern struct kmem_cache *ott_typesafe_cache;
extern struct kmem_cache *ott_sheaves;	/* NULL if the kernel has no sheaves */
extern void *ott_small;			/* from kmalloc() */
extern void *ott_cached;		/* from ott_cache */
extern void *ott_large;			/* from kmalloc(), in pages of its own */
extern void *ott_bulk[OTT_BULK];	/* from ott_cache */
extern void *ott_rcu;			/* from ott_sheaves, or else from kmalloc() */
extern void *ott_nolock;		/* from kmalloc_nolock(), or NULL */
extern void *ott_typesafe;		/* from ott_typesafe_cache */
extern void *ott_left[OTT_LEFT];	/* from ott_cache */
extern unsigned int ott_nr_left;	/* elements of ott_left that are freed */

#define OTT_INNER	(ott_small + 0x40)
#define OTT_OTHER	(ott_small + 0x80)
#define OTT_DEEP	(ott_large + 0x3010)

/* An object of kfree_rcu(). */
struct ott_deferred {
	struct ott_object	object;
	struct rcu_head		rcu;
};

static_assert(sizeof(struct ott_deferred) <= OTT_SMALL_SIZE);

int allocate_objects(void);
int allocate_freed(void);
void free_objects(void);
void hand_over(void *obj);
void hand_back(void *obj);
void *allocate_same(struct kmem_cache *cache, const void *same, unsigned int max);
void *find_function(const char *name);

/*
 * The traced functions have eight arguments: all argument registers of arm64, and on x86-64
 * the six registers and two on the stack.
 *
 * Each call must load all arguments as the ABI says.  gcc changes only the calls of static
 * functions.  clang loads no register for an argument that the function does not use, if the
 * call is in the same file: ott_use() uses the argument.  __used keeps both compilers from
 * changing the arguments of a static function.
 */
#define OTT_ARGS	void *a1, void *a2, void *a3, void *a4, \
			void *a5, void *a6, void *a7, void *a8
#define OTT_FUNC	noinline __noclone __used
#define ott_barrier()	asm volatile("" : : : "memory")
#define ott_use(arg)	asm volatile("" : : "m" (arg))

/* Functions that receive less than all argument registers. */
struct ott_pair {
	void	*object;
	u32	number;
};

void ott_add(OTT_ARGS);
void ott_take(OTT_ARGS);
void ott_step1(OTT_ARGS);
void ott_step2(OTT_ARGS);
void ott_mid(OTT_ARGS);
void ott_fire(OTT_ARGS);
void ott_up(OTT_ARGS);
void ott_leap(OTT_ARGS);
void ott_drop(OTT_ARGS);
long ott_own(OTT_ARGS);
long ott_jumps_to_own(OTT_ARGS);
void ott_noargs(void);
void *ott_get(void);
void ott_store(void);
unsigned long ott_here(void);
void ott_takes_one(void *a1);
void ott_takes_ints(int a1, unsigned short a2, bool a3, enum ott_colour a4);
void ott_takes_mixed(int a1, void *a2, unsigned long a3, bool a4);
void ott_takes_pair(struct ott_pair pair, void *last);
void ott_takes_any(void *a1, ...);
/* Compilers give such names to clones, and BTF does not describe clones. */
void ott_clone(OTT_ARGS) asm("ott_clone.constprop.0");
void ott_for_object(struct ott_object *object);
void ott_for_const(int n, const struct ott_object *object);
void ott_for_any(void *object);
void ott_for_shape(struct ott_shape *shape);
void ott_for_number(unsigned long number);

#define add(obj)	ott_add(obj, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
#define take(obj)	ott_take(obj, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
#define drop(obj)	ott_drop(obj, NULL, NULL, NULL, NULL, NULL, NULL, NULL)

void ott_free_it(void *memory);
void ott_free_cached(void *memory);
void ott_free_bulk(size_t n, void **memory);
void ott_free_rcu(void *memory);
void ott_free_rcu_cb(void *memory);
void ott_outer(void);
void ott_inner(void);
void ott_early(void *object);

#ifdef OTT_NOLOCK
void ott_free_nolock(void *memory);
#else
static inline void ott_free_nolock(void *memory) { }
#endif

/*
 * A test writes NAME, or NAME and a number, into the parameter run.  If the test fails, its log
 * shows the sentence.  The trace shows the function as the caller of the traced functions.
 */
struct ott_scenario {
	const char	*name;
	const char	*sentence;
	/* One of the run_*() functions below, which may call the function with the number */
	int		(*run)(void (*function)(unsigned int n), unsigned int n);
	void		(*function)(unsigned int n);
	/*
	 * Called instead of run() by scenarios that free objects, on one CPU.  The CPU cannot go
	 * offline meanwhile, so frees() must not wait for CPU hotplug.
	 */
	int		(*frees)(unsigned int n);
	/*
	 * Called before and after frees(), on any CPU, or NULL.  Each may wait for CPU hotplug.
	 * If prepare() fails, frees() is not called, and finish() is.
	 */
	int		(*prepare)(void);
	void		(*finish)(void);
};

struct ott_group {
	const struct ott_scenario	*scenarios;
	unsigned int			nr;
};

#define OTT_GROUP(name, table) \
	const struct ott_group name = { .scenarios = (table), .nr = ARRAY_SIZE(table) }

extern const struct ott_group ott_record_scenarios;
extern const struct ott_group ott_nmi_scenarios;
extern const struct ott_group ott_trigger_scenarios;
extern const struct ott_group ott_many_scenarios;
extern const struct ott_group ott_free_scenarios;
extern const struct ott_group ott_rcu_scenarios;
extern const struct ott_group ott_after_free_scenarios;
extern const struct ott_group ott_kill_scenarios;
extern const struct ott_group ott_watch_scenarios;
extern const struct ott_group ott_returns_scenarios;

void run_irqs_off(void (*function)(unsigned int n), unsigned int n);
int run_once(void (*function)(unsigned int n), unsigned int n);

/* A scenario of run_irq() calls queue_irq().  The interrupt comes when interrupts are enabled. */
struct irq_work;
void queue_irq(void (*handler)(struct irq_work *work));
int run_irq(void (*function)(unsigned int n), unsigned int n);
int run_race_freeing(void (*function)(unsigned int n), unsigned int n);
void ott_middle(unsigned int n);
int ott_take_left(unsigned int n);

/* End what scenarios started. */
void stop_threads(void);
void stop_sleeping(void);
void stop_skipping(void);
void stop_killing(void);
void free_tracers(void);

#ifdef CONFIG_X86_64
void free_nmi_filter(void);
#else
static inline void free_nmi_filter(void) { }
#endif

int start_telling(void);
void stop_telling(void);

#endif /* _OTT_TARGET_H */
