/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels and architectures in the public interfaces that
 * objtrace uses, as inline functions.  Selected by feature, never by version.
 * Such conditions are here alone, and in the folder kernel/ for what is private: command.c,
 * event.c and slab.c, where the layout of structs is asked for at load, ksyms.c with its
 * header, which call functions, btf.c, which compares prototypes, caller.c, and memory.c
 * with its header, which read memory.
 */
#ifndef _OBJTRACE_COMPAT_H
#define _OBJTRACE_COMPAT_H

#include <linux/ftrace.h>
#include <linux/kasan-enabled.h>
#include <linux/kconfig.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#ifndef CONFIG_64BIT
#error "objtrace needs a 64-bit kernel (CONFIG_64BIT)"
#endif
#ifdef CONFIG_CPU_BIG_ENDIAN
#error "objtrace needs a little-endian kernel (CONFIG_CPU_LITTLE_ENDIAN)"
#endif
/* Here pointers of one object differ, and none is an address of the kernel */
#ifdef CONFIG_KASAN_SW_TAGS
#error "objtrace needs a kernel without CONFIG_KASAN_SW_TAGS"
#endif
#ifndef CONFIG_DYNAMIC_FTRACE
#error "objtrace needs CONFIG_FUNCTION_TRACER and CONFIG_DYNAMIC_FTRACE"
#endif
#ifndef CONFIG_EVENT_TRACING
#error "objtrace needs CONFIG_EVENT_TRACING"
#endif
#ifndef CONFIG_KPROBE_EVENTS
#error "objtrace needs CONFIG_KPROBE_EVENTS"
#endif
#ifndef CONFIG_KALLSYMS
#error "objtrace needs CONFIG_KALLSYMS"
#endif
/* arm64 has the address of trigger_commands in the code that uses the list, too */
#if defined(CONFIG_X86_64) && !defined(CONFIG_KALLSYMS_ALL)
#error "objtrace needs CONFIG_KALLSYMS_ALL, which has the kernel's data symbols"
#endif
#ifndef CONFIG_BPF_SYSCALL
#error "objtrace needs CONFIG_BPF_SYSCALL, which reads the kernel's BTF"
#endif
#ifndef CONFIG_DEBUG_INFO_BTF
#error "objtrace needs CONFIG_DEBUG_INFO_BTF"
#endif

#if defined(CONFIG_X86_64)

/* Integer and pointer arguments in registers: System V AMD64 ABI, 3.2.3 */
#define OBJTRACE_NR_ARGS	6
#define OBJTRACE_ARG_REGISTERS	"di", "si", "dx", "cx", "r8", "r9"

#define OBJTRACE_ABI		OBJTRACE_ABI_X86_64

/* A probe on a function's entry sits on its ftrace location itself */
#define OBJTRACE_ENTRY_SPAN	0

/* How far behind a function's first byte that can be: behind the landing pad */
#define OBJTRACE_LOCATION_SPAN	4

/* The kernel makes a trampoline for each ftrace_ops that has none: it is called alone */
#define OBJTRACE_OPS_ARE_ALONE	1

/* All kernels can use trampolines */
#define OBJTRACE_HAS_TRAMPOLINES	1

/* The kernel has the upper half, user space the lower one */
#define OBJTRACE_KERNEL_START	(1UL << 63)

#elif defined(CONFIG_ARM64)

/* Integer and pointer arguments in registers: AAPCS64, 6.4 */
#define OBJTRACE_NR_ARGS	8
#define OBJTRACE_ARG_REGISTERS	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"

#define OBJTRACE_ABI		OBJTRACE_ABI_ARM64

/*
 * A probe on a function's entry sits on its first instruction, which runs before
 * the ftrace location: one instruction behind it, two with a landing pad.  No more: right
 * before a function ends another one.
 */
#define OBJTRACE_ENTRY_SPAN	(IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) ? 8 : 4)
#define OBJTRACE_LOCATION_SPAN	8

/*
 * Where a function cannot name the ftrace_ops that it calls, and that has no trampoline,
 * all of them are gone through for each function that one of them traces.
 */
#define OBJTRACE_OPS_ARE_ALONE	IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS)

/*
 * Functions keep their return address in x9 for what they call, if that is not mcount().
 * When another ftrace_ops joins, ftrace replaces the call of the trampoline.  Kernels with
 * kCFI have no code for that: ftrace would disable itself for ever.
 */
#define OBJTRACE_HAS_TRAMPOLINES	(IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) || \
					 IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))

/*
 * Bit 55 selects the page tables and the top byte is ignored for user addresses,
 * so the top bit does not tell: 0xff00000000001000 is a user address.
 */
#define OBJTRACE_KERNEL_START	PAGE_OFFSET

#else
#error "objtrace knows the arguments of functions on x86-64 and arm64 only"
#endif

/* What is in a struct ftrace_regs, which newer kernels hide */
#if defined(arch_ftrace_regs)
#define objtrace_fregs(fregs)	arch_ftrace_regs(fregs)
#else
#define objtrace_fregs(fregs)	(fregs)
#endif

#if defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#if defined(CONFIG_ARM64) || defined(ftrace_regs_get_argument)
#define objtrace_regs_arg(fregs, n)	ftrace_regs_get_argument(fregs, n)
#else
/* Before ftrace_regs_get_argument(): the arguments are in an incomplete pt_regs */
#define objtrace_regs_arg(fregs, n)	regs_get_kernel_argument(&(fregs)->regs, n)
#endif
#elif defined(CONFIG_ARM64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
/* Every traced function saves x0 to x8 and passes a pt_regs */
#define objtrace_regs_arg(fregs, n)	\
	regs_get_kernel_argument(ftrace_get_regs(fregs), n)
#else
#error "objtrace needs CONFIG_DYNAMIC_FTRACE_WITH_ARGS or CONFIG_DYNAMIC_FTRACE_WITH_REGS"
#endif

/*
 * A function that returns with nothing in the registers that pass arguments: what
 * is called next could be taken for having received it (gcc 11, clang 15).
 */
#if !__has_attribute(zero_call_used_regs) && !defined(__CHECKER__)
#error "objtrace needs gcc 11 or clang 15, or newer"
#endif
#define __clears_arg_registers	__attribute__((zero_call_used_regs("all-gpr-arg")))

/**
 * objtrace_pointers_are_tagged() - whether pointers of the kernel have tags in their upper
 *				    bits, which a CPU with MTE compares with the memory's
 *
 * Context: any.
 * Return: true if they have
 */
static inline bool objtrace_pointers_are_tagged(void)
{
	return kasan_hw_tags_enabled();
}

/**
 * objtrace_arg() - a register argument of the function that is being entered
 * @fregs: what ftrace gave to the callback
 * @n: which, counted from 0, below OBJTRACE_NR_ARGS; a constant
 *
 * Context: ftrace callback, any.
 * Return: what the register holds, whether the function has such an argument or not
 */
static __always_inline unsigned long objtrace_arg(struct ftrace_regs *fregs,
						  unsigned int n)
{
	return objtrace_regs_arg(fregs, n);
}

/**
 * objtrace_return_address() - where the function that is being entered returns to
 * @fregs: what ftrace gave to the callback
 *
 * That is now: it may not be what the callback was told, since another one that was called
 * for this entry before it may have changed it.
 *
 * Context: ftrace callback, any.
 * Return: the address
 */
static __always_inline unsigned long objtrace_return_address(struct ftrace_regs *fregs)
{
#if defined(CONFIG_X86_64)
	return *(unsigned long *)objtrace_fregs(fregs)->regs.sp;
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
	return objtrace_fregs(fregs)->lr;
#else
	return ftrace_get_regs(fregs)->regs[30];
#endif
}

/**
 * objtrace_probe_return_address() - the return address of a function that has begun
 * @regs: the registers in a kprobe of the function, which has not called anything and has
 *	  not changed its stack pointer
 *
 * Context: handler of the kprobe, any.
 * Return: the address
 */
static __always_inline unsigned long objtrace_probe_return_address(struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	return regs_get_kernel_stack_nth(regs, 0);
#else
	return procedure_link_pointer(regs);
#endif
}

/* Functions too far away for a branch can be made to call a trampoline all the same */
#define OBJTRACE_HAS_DIRECT_CALL (IS_ENABLED(CONFIG_ARM64) && \
				  IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS))

/**
 * objtrace_branch_reaches() - whether a function is near enough to branch to a trampoline
 * @ip: its ftrace location
 * @trampoline: one of ours; the others are within 64 KiB
 *
 * On x86-64 what is called relative to the caller can be anywhere in the kernel and in
 * modules.  Of arm64 see functions/tramp.h.
 *
 * Context: any.
 * Return: true if it is
 */
static inline bool objtrace_branch_reaches(unsigned long ip, unsigned long trampoline)
{
#ifdef CONFIG_ARM64
	const unsigned long reach = SZ_128M - SZ_64K;

	return ip - trampoline + reach < 2 * reach;
#else
	return true;
#endif
}

/**
 * objtrace_set_trampoline() - have functions call a trampoline of ours
 * @ops: of these functions, not registered
 * @trampoline: the trampoline
 *
 * ftrace leaves a trampoline alone that is there before the ops is registered.  Only
 * those that it makes have a size, for who asks whose they are.
 *
 * Context: task.
 */
static inline void objtrace_set_trampoline(struct ftrace_ops *ops, unsigned long trampoline)
{
	ops->trampoline = trampoline;
#if defined(CONFIG_ARM64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)
	ops->direct_call = trampoline;
#endif
}

/**
 * objtrace_find_arg_register() - which argument a register passes
 * @name: as probe events spell it, without the %; a type may follow behind a ':'
 *
 * Context: any.
 * Return: its number, counted from 0; -1 if it passes none
 */
static inline int objtrace_find_arg_register(const char *name)
{
	static const char * const names[OBJTRACE_NR_ARGS] = { OBJTRACE_ARG_REGISTERS };
	size_t len = strcspn(name, ":");
	int i;

	for (i = 0; i < OBJTRACE_NR_ARGS; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return i;
	return -1;
}

/**
 * objtrace_is_fprobe() - whether an event is that of an fprobe, or of a tracepoint's
 * @flags: of its struct trace_event_call
 *
 * Context: any.
 * Return: true if it is; kernels without such events have no flag for them either
 */
static inline bool objtrace_is_fprobe(unsigned int flags)
{
#ifdef CONFIG_FPROBE_EVENTS
	return flags & TRACE_EVENT_FL_FPROBE;
#else
	return false;
#endif
}

/**
 * objtrace_has_directory() - check whether an event has its directory in an instance
 * @file: the event
 *
 * Two members have the directory, each in some kernels: dir and ei.
 *
 * Context: task.
 * Return: true if the directory was created
 */
static inline bool objtrace_has_directory(const struct trace_event_file *file)
{
	static_assert(offsetof(struct trace_event_file, tr) ==
		      offsetofend(struct trace_event_file, filter) + sizeof(void *));
	return *((void **)&file->tr - 1);
}

/**
 * objtrace_is_kernel_range() - whether an address range belongs to the kernel
 * @addr: first byte
 * @size: bytes, at least 1
 *
 * copy_from_kernel_nofault() does not ask: it reads user memory on arm64 processors
 * without PAN.  objtrace_memory_read() asks by itself.
 *
 * Context: any.
 * Return: true if no byte of it can be user memory
 */
static __always_inline bool objtrace_is_kernel_range(unsigned long addr,
						     unsigned int size)
{
	return addr >= OBJTRACE_KERNEL_START && addr + size - 1 >= addr;
}

/**
 * objtrace_context() - the interrupt context of the caller, each level of NMIs for itself
 *
 * On x86-64 the handler of an int3 counts as an NMI.  A real NMI can interrupt that handler:
 * preempt_count() then counts two NMIs.  A kernel that keeps only one bit for NMIs does not
 * tell the two.
 *
 * An interrupt is at the level of the interrupted code before irq_enter() and after
 * irq_exit().  An exception, such as a page fault, stays at that level.
 *
 * Context: any.
 * Return: 0 in a task, 1 in a softirq, 2 in a hard interrupt, 4 and more in NMIs; below 32
 */
static __always_inline unsigned int objtrace_context(void)
{
	return interrupt_context_level() + ((preempt_count() & NMI_MASK) >> NMI_SHIFT);
}

#endif /* _OBJTRACE_COMPAT_H */
