// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trampolines, as this machine executes them: each looks exactly if one of its registers passes
 * all levels of the filter, with the right arguments, and changes no register.
 */
#include <string.h>

#include <asm/ftrace.h>
#include <linux/kernel.h>

#include "functions/tramp.h"
#include "objects/bloom.h"
#include "tap.h"
#include "tramp_call.h"

#define BASE		0xffff888000000000UL
#define MEMORY		(4UL << 30)
#define NR_CALLS	20000

/* One of so many arguments is a tracked object */
#define RARE		64

/**
 * struct tramp - a trampoline
 * @name: its name
 * @call: its code
 * @is_small: true if it begins with the small first level
 * @nr: number of registers that it checks
 */
struct tramp {
	const char	*name;
	void		(*call)(void);
	bool		is_small;
	unsigned int	nr;
};

#define TRAMP(size, suffix, nr) \
	{ #size #suffix, objtrace_tramp_##size##suffix, !strcmp(#size, "small"), nr }

/**
 * struct look - a call of objtrace_fops_look()
 * @nr: number of calls
 * @ip: ftrace location, of the last call
 * @parent: return address of the traced function
 * @regs: the registers
 */
struct look {
	unsigned int	nr;
	unsigned long	ip;
	unsigned long	parent;
	unsigned long	regs[TRAMP_NR_REGS];
};

static struct look seen;

static u64 random_state = 1;

static u64 random_u64(void)
{
	u64 x = random_state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* Stands for the function of objtrace_fops.c.  Changes all registers that a callee may change */
void objtrace_fops_look(unsigned long ip, unsigned long parent, const unsigned long *args);
void objtrace_fops_look(unsigned long ip, unsigned long parent, const unsigned long *args)
{
	seen.nr++;
	seen.ip = ip;
	seen.parent = parent;
	memcpy(seen.regs, args, sizeof(seen.regs));
#ifdef __x86_64__
	asm volatile("mov $-1, %%rax; mov %%rax, %%rdi; mov %%rax, %%rsi; mov %%rax, %%rdx;"
		     "mov %%rax, %%rcx; mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10;"
		     "mov %%rax, %%r11" : : : "rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10",
		     "r11", "memory");
#else
	asm volatile("mov x0, #-1; mov x1, x0; mov x2, x0; mov x3, x0; mov x4, x0; mov x5, x0;"
		     "mov x6, x0; mov x7, x0; mov x8, x0; mov x9, x0; mov x10, x0; mov x11, x0;"
		     "mov x12, x0; mov x13, x0; mov x14, x0; mov x15, x0" : : : "x0", "x1", "x2",
		     "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
		     "x15", "memory");
#endif
}

static bool passes(const struct tramp *tramp, unsigned long arg)
{
	if (tramp->is_small &&
	    !objtrace_bloom_small[objtrace_bloom_first(arg, OBJTRACE_BLOOM_SMALL_BITS)])
		return false;
	return objtrace_bloom_has(arg);
}

static unsigned long random_object(void)
{
	return BASE + random_u64() % (MEMORY / 64) * 64;
}

/* The last register is no argument: an object in it must not matter */
static void fill_regs(struct tramp_call *call, const unsigned long *objects, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < TRAMP_NR_REGS; i++)
		call->regs[i] = random_u64() % RARE ? random_object() : objects[random_u64() % nr];
}

static bool is_right(const struct tramp *tramp, struct tramp_call *call)
{
	struct tramp_call before = *call;
	bool looks = false;
	unsigned int i;

	for (i = 0; i < tramp->nr; i++)
		looks |= passes(tramp, call->regs[i]);
	memset(&seen, 0, sizeof(seen));
	if (tramp_call(call) || memcmp(call->regs, before.regs, sizeof(call->regs)) ||
	    seen.nr != looks)
		return false;
	return !looks || (seen.ip == call->ret - MCOUNT_INSN_SIZE && seen.parent == call->parent &&
			  !memcmp(seen.regs, before.regs, sizeof(seen.regs)));
}

/* Many objects, so that the first level alone lets other pointers pass */
static void test_tramp(const struct tramp *tramp, const unsigned long *objects, unsigned int nr)
{
	unsigned int i, looks = 0, wrong = 0;
	struct tramp_call call;

	for (i = 0; i < NR_CALLS; i++) {
		call.tramp = tramp->call;
		fill_regs(&call, objects, nr);
		wrong += !is_right(tramp, &call);
		looks += seen.nr;
	}
	ok(!wrong && looks > NR_CALLS / RARE / 2 && looks < NR_CALLS / 2,
	   "%s with %u objects: %u of %u calls look, %u are wrong", tramp->name, nr, looks,
	   NR_CALLS, wrong);
}

static void test_all(unsigned int nr)
{
	static const struct tramp tramps[] = {
		TRAMP(small, 1, 1), TRAMP(small, 2, 2), TRAMP(small, 3, 3),
		TRAMP(small, , TRAMP_NR_ARGS),
		TRAMP(large, 1, 1), TRAMP(large, 2, 2), TRAMP(large, 3, 3),
		TRAMP(large, , TRAMP_NR_ARGS),
	};
	static unsigned long objects[65536];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		objects[i] = random_object();
		objtrace_bloom_add(objects[i], 1);
	}
	for (i = 0; i < ARRAY_SIZE(tramps); i++)
		test_tramp(&tramps[i], objects, nr);
	for (i = 0; i < nr; i++)
		objtrace_bloom_del(objects[i], 1);
}

int main(void)
{
	test_all(1);
	test_all(64);
	test_all(65536);
	return tap_done();
}
