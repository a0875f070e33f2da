/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replacement of the kernel's headers for the parts of objtrace that user space builds, too.  The
 * names have the same meaning, and use libc and the compiler's atomics.  The other headers of
 * include/linux include this header.  errno.h and limits.h are those of libc.
 */
#ifndef _UNIT_KERNEL_H
#define _UNIT_KERNEL_H

#include <asm/types.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef u16 umode_t;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define U8_MAX			UINT8_MAX
#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define sizeof_field(type, member)	sizeof(((type *)NULL)->member)
#define BITS_PER_BYTE		8
#define BITS_PER_LONG		(8 * (int)sizeof(long))
#define BIT(n)			(1UL << (n))
#define BUILD_BUG_ON(bad)	_Static_assert(!(bad), #bad)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define ____cacheline_aligned_in_smp	__aligned(64)
#define __aligned(n)		__attribute__((aligned(n)))
#define __ro_after_init

#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b)	((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define struct_size(p, member, n) \
	(sizeof(*(p)) + (n) * sizeof((p)->member[0]))

/* linux/err.h */
#define ERR_PTR(err)		((void *)(long)(err))
#define ERR_CAST(p)		((void *)(p))
#define PTR_ERR(p)		((long)(p))
#define IS_ERR(p)		((unsigned long)(p) >= -4095UL)
#define IS_ERR_OR_NULL(p)	(!(p) || IS_ERR(p))

/* linux/list.h */
struct list_head {
	struct list_head *next, *prev;
};

#define container_of(p, type, member)	((type *)((char *)(p) - offsetof(type, member)))
#define list_entry(p, type, member)	container_of(p, type, member)
#define list_next_entry(p, member)	list_entry((p)->member.next, __typeof__(*(p)), member)

#define list_for_each_entry(p, head, member)				\
	for ((p) = list_entry((head)->next, __typeof__(*(p)), member);	\
	     &(p)->member != (head); (p) = list_next_entry(p, member))

#define list_for_each_entry_safe(p, n, head, member)			\
	for ((p) = list_entry((head)->next, __typeof__(*(p)), member),	\
	     (n) = list_next_entry(p, member); &(p)->member != (head);	\
	     (p) = (n), (n) = list_next_entry(n, member))

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

static inline void list_del(struct list_head *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
}

/* linux/bitops.h */
#define __ffs(n)		((unsigned int)__builtin_ctzl(n))

/* linux/printk.h: each program defines the output */
__attribute__((format(printf, 1, 2)))
int _printk(const char *fmt, ...);

#define pr_err(fmt, ...)	_printk(pr_fmt(fmt), ##__VA_ARGS__)

/* linux/kstrtox.h: the whole text except for a newline at its end, without blanks.  The errno is
 * the kernel's: for a number that is too large, the text after it does not matter.
 */
static inline int kstrtoull(const char *s, unsigned int base, unsigned long long *res)
{
	unsigned long long value;
	char *end;

	if (*s == '+')
		s++;
	if (*s < '0' || *s > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(s, &end, base);
	if (errno == ERANGE)
		return -ERANGE;
	end += *end == '\n';
	if (*end)
		return -EINVAL;
	*res = value;
	return 0;
}

static inline int kstrtol(const char *s, unsigned int base, long *res)
{
	bool negative = *s == '-';
	unsigned long long value;
	int ret;

	if (negative && s[1] == '+')
		return -EINVAL;
	ret = kstrtoull(s + negative, base, &value);
	if (ret)
		return ret;
	if (value > (unsigned long long)LONG_MAX + negative)
		return -ERANGE;
	*res = negative ? -value : value;
	return 0;
}

/* Return the number of written characters, unlike snprintf() */
#define __printf(f, a)		__attribute__((format(printf, f, a)))

static inline __printf(3, 0)
int vscnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	int len = vsnprintf(buf, size, fmt, args);

	return size && (size_t)len >= size ? (int)size - 1 : len;
}

static inline __printf(3, 4)
int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vscnprintf(buf, size, fmt, args);
	va_end(args);
	return len;
}

/*
 * With UNIT_YIELD, a thread may stop at each access with an effect on other threads.  So a test on
 * few CPUs finds rare races.  With UNIT_EXPLORE, each access is a decision of explore.c.
 */
#ifdef UNIT_YIELD
#include <sched.h>
#include <time.h>

/*
 * On a busy host, sched_yield() returns after milliseconds, when the other programs had their turn.
 * These programs stop the threads often enough then.
 */
#define SLOW_NS		1000000
#define MAX_SLOW	200

static inline s64 yield_for_ns(void)
{
	struct timespec before, after;

	clock_gettime(CLOCK_MONOTONIC, &before);
	sched_yield();
	clock_gettime(CLOCK_MONOTONIC, &after);
	return (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec;
}

static inline void may_yield(void)
{
	static unsigned int nr_slow;
	static __thread u64 random;

	if (!random)
		random = (u64)(uintptr_t)&random;
	random = random * 6364136223846793005ULL + 1442695040888963407ULL;
	if (random >> 61 || __atomic_load_n(&nr_slow, __ATOMIC_RELAXED) > MAX_SLOW)
		return;
	if (yield_for_ns() > SLOW_NS)
		__atomic_fetch_add(&nr_slow, 1, __ATOMIC_RELAXED);
}
#else
static inline void may_yield(void)
{
}
#endif

#ifdef UNIT_EXPLORE
#include "explore.h"

#define before_access(p, writes)	explore_access(p, writes)
#define before_change(p)		explore_access(p, true)
#else
#define before_access(p, writes)	((void)0)
#define before_change(p)		may_yield()
#endif

/* linux/compiler.h, asm/barrier.h: at least as strong as the kernel's barriers */
#define noinline		__attribute__((__noinline__))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define READ_ONCE(x)							\
	(before_access(&(x), false), __atomic_load_n(&(x), __ATOMIC_RELAXED))
#define WRITE_ONCE(x, v)						\
	(before_access(&(x), true), __atomic_store_n(&(x), v, __ATOMIC_RELAXED))
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "=r" (v) : "0" (v))
#define smp_load_acquire(p)						\
	(before_access(p, false), may_yield(), __atomic_load_n(p, __ATOMIC_ACQUIRE))
#define smp_store_release(p, v)						\
	(before_change(p), __atomic_store_n(p, v, __ATOMIC_RELEASE))
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)

#define cmpxchg(p, old, new) ({						\
	__typeof__(*(p)) _old = (old);					\
	before_change(p);						\
	__atomic_compare_exchange_n(p, &_old, new, false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	_old;								\
})

/* linux/atomic.h */
typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;
typedef struct { u64 counter; } atomic64_t;

#define atomic_fetch_op(v, n)						\
	(before_access(v, true), __atomic_fetch_add(&(v)->counter, n, __ATOMIC_SEQ_CST))

#define atomic_read(v)		READ_ONCE((v)->counter)
#define atomic_set(v, i)	WRITE_ONCE((v)->counter, i)
#define atomic_set_release(v, i)	smp_store_release(&(v)->counter, i)
#define atomic_inc(v)		atomic_fetch_op(v, 1)
#define atomic_dec(v)		atomic_fetch_op(v, -1)
#define atomic_sub(n, v)	atomic_fetch_op(v, -(n))
#define atomic_cmpxchg(v, old, new)	cmpxchg(&(v)->counter, old, new)
#define atomic_try_cmpxchg(v, old, new)					\
	(before_access(v, true),					\
	 __atomic_compare_exchange_n(&(v)->counter, old, new, false,	\
				     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
#define atomic64_set(v, i)	WRITE_ONCE((v)->counter, i)
#define atomic64_inc_return(v)	(atomic_fetch_op(v, 1) + 1)
#define atomic_long_read(v)	READ_ONCE((v)->counter)
#define atomic_long_set(v, i)	WRITE_ONCE((v)->counter, i)
#define atomic_long_inc(v)	atomic_fetch_op(v, 1)

static inline bool atomic_inc_unless_negative(atomic_t *v)
{
	int old = atomic_read(v);

	may_yield();
	do {
		if (old < 0)
			return false;
	} while (!atomic_try_cmpxchg(v, &old, old + 1));
	return true;
}

static inline long atomic_long_dec_if_positive(atomic_long_t *v)
{
	long old = atomic_long_read(v);

	may_yield();
	do {
		if (old <= 0)
			return old - 1;
	} while (!atomic_try_cmpxchg(v, &old, old - 1));
	return old - 1;
}

#define xchg(p, new)							\
	(before_change(p), __atomic_exchange_n(p, new, __ATOMIC_SEQ_CST))

/*
 * linux/percpu.h, linux/cpumask.h: an actor of the explorer is a CPU.  Threads share a few CPUs, as
 * the tasks of the kernel and their interrupts do.
 */
#define UNIT_NR_CPUS		4
#define DEFINE_PER_CPU(type, name)	type name[UNIT_NR_CPUS]
#define per_cpu_ptr(p, cpu)	(&(*(p))[cpu])
#define raw_cpu_ptr(p)		per_cpu_ptr(p, unit_cpu())
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < UNIT_NR_CPUS; (cpu)++)

static inline unsigned int unit_cpu(void)
{
#ifdef UNIT_EXPLORE
	return explore_cpu();
#else
	/* The memory of a thread has an address of its own */
	return ((uintptr_t)&errno >> 12) % UNIT_NR_CPUS;
#endif
}

/* linux/math.h */
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))

/* linux/log2.h, linux/hash.h */
static inline unsigned int ilog2(unsigned long n)
{
	return 63 - __builtin_clzl(n);
}

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n <= 1 ? 1 : 1UL << (ilog2(n - 1) + 1);
}

static inline unsigned int order_base_2(unsigned long n)
{
	return ilog2(roundup_pow_of_two(n));
}

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

static inline unsigned long rounddown_pow_of_two(unsigned long n)
{
	return 1UL << ilog2(n);
}

#define GOLDEN_RATIO_64		0x61C8864680B583EBULL

static inline u32 hash_64(u64 value, unsigned int bits)
{
	return value * GOLDEN_RATIO_64 >> (64 - bits);
}

/* linux/sched.h */
#define cond_resched()		do { } while (0)

/* linux/rcupdate.h, for one thread */
struct rcu_head {
	int unused;
};

#define __rcu
#define rcu_read_lock()		do { } while (0)
#define rcu_read_unlock()	do { } while (0)
#define rcu_dereference(p)	READ_ONCE(p)
#define rcu_dereference_protected(p, held)	(p)
#define rcu_assign_pointer(p, v)	((p) = (v))
#define RCU_INIT_POINTER(p, v)	((p) = (v))
#define kfree_rcu(p, head)	free(p)

/* linux/slab.h */
#define kzalloc(size, gfp)	calloc(1, size)
#define kfree(p)		free(p)

/* linux/mm.h */
#define GFP_KERNEL		0
#define kvcalloc(n, size, gfp)	aligned_zalloc((n) * (size))
#define kvzalloc(size, gfp)	aligned_zalloc(size)
#define kvfree(p)		free(p)

/* linux/sort.h */
#define sort(base, nr, size, cmp, swap)	qsort(base, nr, size, cmp)

static inline void *aligned_zalloc(size_t size)
{
	void *p = aligned_alloc(64, (size + 63) & ~63UL);

	return p ? memset(p, 0, size) : NULL;
}

#endif /* _UNIT_KERNEL_H */
