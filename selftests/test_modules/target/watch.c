// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - scenarios that store to the watched member of an object, for test.d/watch
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/linkage.h>
#include <linux/list.h>
#include <linux/objtool.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>
#ifdef CONFIG_X86_64
#include <asm/cpu_entry_area.h>
#include <asm/current.h>
#include <asm/debugreg.h>
#include <asm/desc.h>
#include <asm/nospec-branch.h>
#include <asm/processor.h>
#endif

#include "clear_arg_registers.h"
#include "target.h"

/* At least the largest block of DC ZVA */
u8 ott_block[2048] __aligned(2048);

/* Functions without the object as an argument: objtrace_value has no record of their calls. */
OTT_FUNC void ott_store(void)
{
	WRITE_ONCE(OTT_A->value, 0x21);
	ott_barrier();
}

static OTT_FUNC notrace void ott_store_notrace(void)
{
	WRITE_ONCE(OTT_A->value, 0x22);
	ott_barrier();
}

static __always_inline void ott_store_inlined(u64 value)
{
	WRITE_ONCE(OTT_A->value, value);
	ott_barrier();
}

/* A store with a symbol of its own, so that the test knows the address of the instruction. */
static OTT_FUNC void ott_store_known(void)
{
#ifdef CONFIG_X86_64
	asm volatile("ott_known: mov %%rax, (%%rdi)" : : "a" (0x24UL), "D" (&OTT_A->value) : "memory");
#else
	asm volatile("ott_known: str %0, [%1]" : : "r" (0x24UL), "r" (&OTT_A->value) : "memory");
#endif
	clear_arg_registers();
	ott_barrier();
}

static noinline void ott_stores(unsigned int n)
{
	OTT_A->value = 0x20;
	add(OTT_A);
	ott_store();
	ott_store_notrace();
	ott_store_inlined(0x23);
	ott_store_known();
	ott_store_inlined(0x24);
	/* Neighbours */
	WRITE_ONCE(OTT_A->magic, OTT_MAGIC);
	WRITE_ONCE(OTT_A->parent, NULL);
	WRITE_ONCE(*((u8 *)&OTT_A->value + 1), 0x1);
	take(OTT_A);
	ott_barrier();
}

static OTT_FUNC void ott_xchg(void)
{
	xchg(&OTT_A->value, 0x31);
	ott_barrier();
}

static OTT_FUNC void ott_cmpxchg(u64 old)
{
	cmpxchg(&OTT_A->value, old, 0x32);
	ott_barrier();
}

static OTT_FUNC void ott_set_bit(void)
{
	set_bit(8, (unsigned long *)&OTT_A->value);
	ott_barrier();
}

static OTT_FUNC void ott_list_add(void)
{
	static struct list_head node;
	struct list_head *head = (struct list_head *)&OTT_A->value;

	INIT_LIST_HEAD(head);
	list_add(&node, head);
	list_del(&node);
	OTT_A->value = 0;
	OTT_A->parent = NULL;
	ott_barrier();
}

/* The size is no constant, so that the compiler calls the kernel's function. */
static OTT_FUNC void ott_memcpy(void)
{
	static const u64 from[2] = { OTT_MAGIC, 0x33 };
	size_t size = sizeof(from);

	OPTIMIZER_HIDE_VAR(size);
	memcpy(OTT_A, from, size);
	clear_arg_registers();
	ott_barrier();
}

static noinline void ott_kinds(unsigned int n)
{
	OTT_A->value = 0x30;
	add(OTT_A);
	clear_arg_registers();
	ott_xchg();
	ott_cmpxchg(0x31);
	ott_cmpxchg(0x31);
	ott_set_bit();
	ott_memcpy();
	ott_list_add();
	ott_barrier();
}

static OTT_FUNC void ott_irq_store(struct irq_work *work)
{
	WRITE_ONCE(OTT_A->value, 0x41);
	ott_barrier();
}

static noinline void ott_before_irq(unsigned int n)
{
	OTT_A->value = 0x40;
	add(OTT_A);
	clear_arg_registers();
	queue_irq(ott_irq_store);
	ott_barrier();
}

static OTT_FUNC void ott_store_there(void *unused)
{
	WRITE_ONCE(OTT_A->value, OTT_A->value + 1);
	ott_barrier();
}

/* On the CPU with the number N */
static int run_there(void (*function)(unsigned int n), unsigned int n)
{
	return smp_call_function_single(n, ott_store_there, NULL, 1);
}

/* A probe in the middle of ott_mid() adds A, on x86-64 in NMI context */
static noinline void ott_start_in_nmi(unsigned int n)
{
	OTT_A->value = 0x60;
	ott_cur = OTT_A;
	ott_mid(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_cur = NULL;
	ott_barrier();
}

/* The interrupt that aims the register comes when interrupts are enabled */
static int run_in_nmi(void (*function)(unsigned int n), unsigned int n)
{
	run_irqs_off(function, n);
	ott_store_there(NULL);
	return 0;
}

static noinline void ott_start(unsigned int n)
{
	OTT_A->value = n;
	add(OTT_A);
	clear_arg_registers();
	ott_barrier();
}

static noinline void ott_after_end(unsigned int n)
{
	OTT_A->value = 0x50;
	add(OTT_A);
	ott_store_inlined(0x51);
	drop(OTT_A);
	ott_store_inlined(0x52);
	ott_barrier();
}

static noinline void ott_three(unsigned int n)
{
	OTT_A->value = 0xa0;
	OTT_B->value = 0xb0;
	OTT_C->value = 0xc0;
	add(OTT_A);
	add(OTT_B);
	add(OTT_C);
	WRITE_ONCE(OTT_A->value, 0xa1);
	WRITE_ONCE(OTT_B->value, 0xb1);
	WRITE_ONCE(OTT_C->value, 0xc1);
	drop(OTT_A);
	drop(OTT_B);
	WRITE_ONCE(OTT_A->value, 0xa2);
	WRITE_ONCE(OTT_B->value, 0xb2);
	add(OTT_B);
	WRITE_ONCE(OTT_B->value, 0xb3);
	drop(OTT_C);
	ott_barrier();
}

static noinline void ott_in_turn(unsigned int n)
{
	OTT_A->value = 0x10;
	add(OTT_A);
	ott_step1(OTT_A, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_store_inlined(0x31);
	take(OTT_A);
	ott_barrier();
}

/* Bits of one word */
static noinline void ott_bits(unsigned int n)
{
	ott_shape.low = 1;
	ott_shape.middle = 2;
	ott_shape.colour = OTT_RED;
	add(&ott_shape);
	ott_shape.low = 2;
	ott_barrier();
	ott_shape.middle = 3;
	ott_barrier();
	ott_shape.colour = OTT_GREEN;
	ott_barrier();
}

/* An address with one byte more than a multiple of 8 */
static noinline void ott_odd(unsigned int n)
{
	add((u8 *)OTT_A + 1);
	ott_barrier();
}

#ifdef CONFIG_X86_64
/* A store with a symbol of its own, as in ott_store_known() */
static OTT_FUNC void ott_string(void)
{
	u64 *to = (u64 *)OTT_A, nr = 2;

	asm volatile("ott_rep: rep stosq" : "+D" (to), "+c" (nr) : "a" (0x90UL) : "memory");
	clear_arg_registers();
	ott_barrier();
}

/*
 * Call ott_called() with the end of the 8 bytes at %rdi as the stack, so that each call stores its
 * return address there.  ENDBR64 begins with the prefix of repeated stores, and %rcx and %rdi
 * are as after such a store.  objtool cannot follow this change of the stack.
 */
asm(".pushsection .text\n"
	".globl ott_call, ott_called\n"
	".type ott_call, @function\n"
	"ott_call:\n\t"
	"pushq %rbx\n\t"
	"movq %rsp, %rbx\n\t"
	"leaq 8(%rdi), %rsp\n\t"
	"movq %rsp, %rdi\n\t"
	"movl $1, %ecx\n"
	"ott_direct: call ott_called\n\t"
	"leaq ott_called(%rip), %rax\n\t"
	ANNOTATE_RETPOLINE_SAFE "\n"
	"ott_by_rax: call *%rax\n\t"
	"movq %rax, %r9\n\t"
	ANNOTATE_RETPOLINE_SAFE "\n"
	"ott_by_r9: call *%r9\n\t"
	"movq %rbx, %rsp\n\t"
	"popq %rbx\n\t"
	ASM_RET
	".size ott_call, . - ott_call\n"
	".type ott_called, @function\n"
	"ott_called:\n\t"
	"endbr64\n\t"
	ASM_RET
	".size ott_called, . - ott_called\n"
	".popsection");

asmlinkage void ott_call(u64 *stack);
STACK_FRAME_NON_STANDARD(ott_call);

static noinline void ott_calls(unsigned int n)
{
	OTT_A->value = OTT_MAGIC;
	add(OTT_A);
	ott_call(&OTT_A->value);
	clear_arg_registers();
	WRITE_ONCE(OTT_A->value, OTT_MAGIC);
	ott_barrier();
}

/*
 * With the boot option retbleed=stuff, the code that enters an exception stores to this counter.
 * CONFIG_CALL_DEPTH_TRACKING is the option's older name.
 */
#if !defined(CONFIG_MITIGATION_CALL_DEPTH_TRACKING) && !defined(CONFIG_CALL_DEPTH_TRACKING)
static void *call_depth(unsigned int cpu)
{
	return (void *)CPU_ENTRY_AREA_RO_IDT + sizeof(u64);
}
#elif defined(DECLARE_PER_CPU_CACHE_HOT)
static void *call_depth(unsigned int cpu)
{
	return &per_cpu(__x86_call_depth, cpu);
}
#else
static void *call_depth(unsigned int cpu)
{
	return &per_cpu(pcpu_hot, cpu).call_depth;
}
#endif

static noinline void ott_forbidden(unsigned int n)
{
	add((void *)CPU_ENTRY_AREA_RO_IDT);
	add(get_cpu_gdt_rw(n));
	add(&per_cpu(cpu_tss_rw, n));
	add(&per_cpu(cpu_dr7, n));
	add(call_depth(n));
	ott_barrier();
}

/* Use the debug registers as KVM does, which clears DR7 while a virtual machine has them */
static noinline void ott_lends(unsigned int n)
{
	unsigned long dr7;

	OTT_A->value = 0x70;
	get_debugreg(dr7, 7);
	set_debugreg(0UL, 7);
	add(OTT_A);
	clear_arg_registers();
	WRITE_ONCE(OTT_A->value, 0x71);
	ott_barrier();
	set_debugreg(dr7, 7);
	WRITE_ONCE(OTT_A->value, 0x72);
	ott_barrier();
}

static noinline void ott_repeated(unsigned int n)
{
	OTT_A->value = OTT_MAGIC;
	add(OTT_A);
	clear_arg_registers();
	ott_string();
	WRITE_ONCE(OTT_A->magic, OTT_MAGIC);
	WRITE_ONCE(OTT_A->value, OTT_MAGIC);
	ott_barrier();
}
#endif

#ifdef CONFIG_ARM64
/* An exception makes STXR fail, so the loop ends when no store raises an exception */
static OTT_FUNC void ott_exclusive(void)
{
	u64 value;
	u32 failed;

	asm volatile("1: ldxr %0, %2; add %0, %0, #1; stxr %w1, %0, %2; cbnz %w1, 1b"
		     : "=&r" (value), "=&r" (failed), "+Q" (OTT_A->value));
	ott_barrier();
}

static noinline void ott_exclusives(unsigned int n)
{
	OTT_A->value = 0x70;
	add(OTT_A);
	clear_arg_registers();
	ott_store_inlined(0x71);
	ott_exclusive();
	ott_store_inlined(0x73);
	ott_barrier();
}

/* Clears a block whose size the processor chooses */
static OTT_FUNC void ott_clear_block(void)
{
	asm volatile("dc zva, %0" : : "r" (ott_block) : "memory");
	ott_barrier();
}

static noinline void ott_clear(unsigned int n)
{
	u64 *value = (u64 *)ott_block + 1;

	WRITE_ONCE(*value, 0x80);
	add(ott_block);
	clear_arg_registers();
	ott_clear_block();
	WRITE_ONCE(*value, 0x81);
	/* Two registers, the second of which is in the member */
	asm volatile("stp %1, %2, %0" : "=Q" (*ott_block) : "r" (0x82UL), "r" (0x83UL) : "memory");
	ott_barrier();
}
#endif

/* Stores of the same value by the same instruction, with interrupts */
static noinline void ott_equal_stores(unsigned int n)
{
	static unsigned int left;

	OTT_A->value = 0x21;
	add(OTT_A);
	for (left = n; left; left--) {
		clear_arg_registers();
		ott_store();
		if (!(left % 1024))
			cond_resched();
	}
	ott_barrier();
}

static noinline void ott_increments(unsigned int n)
{
	OTT_A->value = 0;
	add(OTT_A);
	while (n--) {
		WRITE_ONCE(OTT_A->value, OTT_A->value + 1);
		if (!(n % 1024))
			cond_resched();
	}
	ott_barrier();
}

static OTT_FUNC void ott_pass_on(void *times)
{
	unsigned int left;

	for (left = (unsigned long)times; left; left--) {
		take(OTT_A);
		clear_arg_registers();
	}
}

/* CPU 1 passes A meanwhile, with interrupts disabled and for a limited time */
static int run_increments_passed(void (*function)(unsigned int n), unsigned int n)
{
	int ret;

	OTT_A->value = 0;
	add(OTT_A);
	ret = smp_call_function_single(1, ott_pass_on, (void *)(16UL * n), 0);
	if (ret)
		return ret;
	while (n--)
		WRITE_ONCE(OTT_A->value, OTT_A->value + 1);
	ott_barrier();
	/* Wait until CPU 1 is ready */
	return smp_call_function_single(1, ott_pass_on, NULL, 1);
}

/* With interrupts */
static int run_plainly(void (*function)(unsigned int n), unsigned int n)
{
	function(n);
	return 0;
}

static int run_rearm(void (*function)(unsigned int n), unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		run_irqs_off(function, i);
		/* The slots of an address become free after a grace period */
		if (!(i % 64)) {
			synchronize_rcu();
			msleep(50);
		}
	}
	return 0;
}

static const struct ott_scenario watch_scenarios[] = {
	{ "stores", "Add A, and store to its value and to its neighbours by several functions.",
	  run_once, ott_stores },
	{ "kinds", "Add A, and store to its value by atomic operations, a list and memcpy().",
	  run_once, ott_kinds },
	{ "store_irq", "Add A, and store to its value in an interrupt.",
	  run_irq, ott_before_irq },
	{ "start", "Set the value of A to N, and add A.",
	  run_once, ott_start },
	{ "store_there", "Increment the value of A on the CPU N.",
	  run_there },
	{ "start_nmi", "Pass A to ott_mid(), and increment its value.",
	  run_in_nmi, ott_start_in_nmi },
	{ "after_end", "Add A, store to its value, drop it, and store to its value again.",
	  run_once, ott_after_end },
	{ "three", "Add A, B and C, store to each, drop A and B, and store to B again.",
	  run_once, ott_three },
	{ "steps", "Add A, pass it through calls that change it, and change it in between.",
	  run_once, ott_in_turn },
	{ "bits", "Add SHAPE, and store to two bitfields and to an enum.",
	  run_once, ott_bits },
	{ "odd", "Add an address that is no multiple of 2.",
	  run_once, ott_odd },
#ifdef CONFIG_X86_64
	{ "repeated", "Add A, and store to its first words by a string instruction.",
	  run_once, ott_repeated },
	{ "forbidden", "Add data of the CPU N that the kernel uses when it enters an exception.",
	  run_once, ott_forbidden },
	{ "lends", "Add A while DR7 is cleared, and store to its value before and after DR7 is back.",
	  run_once, ott_lends },
	{ "calls", "Add A, and let its value be the stack of three calls.",
	  run_once, ott_calls },
#endif
#ifdef CONFIG_ARM64
	{ "exclusives", "Add A, and store to its value by STXR and by others.",
	  run_once, ott_exclusives },
	{ "clear", "Add BLOCK, clear it by DC ZVA, and store to it.",
	  run_once, ott_clear },
#endif
	{ "equal", "Add A, and store the same value N times.",
	  run_plainly, ott_equal_stores },
	{ "increments", "Add A, and increment its value N times.",
	  run_plainly, ott_increments },
	{ "increments_passed", "Add A, and increment its value N times.  CPU 1 passes A meanwhile.",
	  run_increments_passed },
	{ "rearm", "Add A, store to its value, drop it, and store to its value again, N times.",
	  run_rearm, ott_after_end },
};

OTT_GROUP(ott_watch_scenarios, watch_scenarios);
