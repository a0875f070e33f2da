/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inline functions for differences in the public interfaces of kernels and architectures.
 * Conditions test features, never versions.  Only this header and the folder kernel/ have such
 * conditions.  The folder kernel/ has the conditions for private interfaces.
 */
#ifndef _OBJTRACE_COMPAT_H
#define _OBJTRACE_COMPAT_H

#include <linux/ftrace.h>
#include <linux/kasan-enabled.h>
#include <linux/kconfig.h>
#include <linux/module.h>
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
/* With tags, an object has several pointers, and a pointer is no address of the kernel */
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
/* On arm64, kernel/adrp.c can find trigger_commands without a symbol */
#if defined(CONFIG_X86_64) && !defined(CONFIG_KALLSYMS_ALL)
#error "objtrace needs CONFIG_KALLSYMS_ALL, which has the kernel's data symbols"
#endif
/* kernel/stack.c follows unwinding tables or frame pointers */
#if defined(CONFIG_X86_64) && !defined(CONFIG_UNWINDER_ORC) && !defined(CONFIG_FRAME_POINTER)
#error "objtrace needs CONFIG_UNWINDER_FRAME_POINTER or CONFIG_UNWINDER_ORC"
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

/* Distance from a probe on a function's entry to the ftrace location: they are the same */
#define OBJTRACE_ENTRY_SPAN	0

/* Largest offset of the ftrace location in a function: the size of a landing pad */
#define OBJTRACE_LOCATION_SPAN	4

/* A function with a single ftrace_ops calls only this ops: the kernel creates the trampoline */
#define OBJTRACE_OPS_ARE_ALONE	1

/* All kernels can use trampolines */
#define OBJTRACE_HAS_TRAMPOLINES	1

/* The kernel has the upper half of the addresses */
#define OBJTRACE_KERNEL_START	(1UL << 63)

#elif defined(CONFIG_ARM64)

/* Integer and pointer arguments in registers: AAPCS64, 6.4 */
#define OBJTRACE_NR_ARGS	8
#define OBJTRACE_ARG_REGISTERS	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"

#define OBJTRACE_ABI		OBJTRACE_ABI_ARM64

/*
 * A probe on a function's entry is on the first instruction.  The ftrace location is the next
 * instruction, or the second next with a landing pad.  A longer distance could reach the end of
 * the previous function.
 */
#define OBJTRACE_ENTRY_SPAN	(IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) ? 8 : 4)
#define OBJTRACE_LOCATION_SPAN	8

/*
 * With CALL_OPS, a function names its ftrace_ops.  Without CALL_OPS, each traced function walks
 * over the list of all ftrace_ops.
 */
#define OBJTRACE_OPS_ARE_ALONE	IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS)

/*
 * A trampoline needs the return address in x9, which functions with mcount() do not set.  When
 * another ftrace_ops traces a function, ftrace replaces the call of the trampoline.  Kernels
 * with kCFI cannot replace that call, and ftrace would disable itself for ever.
 */
#define OBJTRACE_HAS_TRAMPOLINES	(IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) || \
					 IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))

/*
 * Bit 55 selects the page tables, and the CPU ignores the top byte of user addresses.  So the
 * top bit can be set in a user address: 0xff00000000001000 is a user address.
 */
#define OBJTRACE_KERNEL_START	PAGE_OFFSET

#else
#error "objtrace knows the arguments of functions on x86-64 and arm64 only"
#endif

/* The members of struct ftrace_regs, which newer kernels hide */
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
/* ftrace saves x0 to x8 for each traced function, and passes a pt_regs */
#define objtrace_regs_arg(fregs, n)	\
	regs_get_kernel_argument(ftrace_get_regs(fregs), n)
#else
#error "objtrace needs CONFIG_DYNAMIC_FTRACE_WITH_ARGS or CONFIG_DYNAMIC_FTRACE_WITH_REGS"
#endif

/*
 * A function that clears the argument registers when it returns (gcc 11, clang 15).  Otherwise
 * the next function that is entered could seem to receive an object.
 */
#if !__has_attribute(zero_call_used_regs) && !defined(__CHECKER__)
#error "objtrace needs gcc 11 or clang 15, or newer"
#endif
#define __clears_arg_registers	__attribute__((zero_call_used_regs("all-gpr-arg")))

/*
 * A variable that the compiler leaves alone until it is written.  Kernels can clear all variables of
 * functions, see CONFIG_INIT_STACK_ALL_ZERO.
 */
#ifndef __uninitialized
#if __has_attribute(uninitialized)
#define __uninitialized		__attribute__((uninitialized))
#else
#define __uninitialized
#endif
#endif

/**
 * objtrace_pointers_are_tagged() - check for hardware tags in the kernel's pointers
 *
 * A CPU with MTE compares the tag in the upper bits of a pointer with the tag of the memory.
 *
 * Context: Any, NMI included.
 * Return: true if pointers have tags
 */
static inline bool objtrace_pointers_are_tagged(void)
{
	return kasan_hw_tags_enabled();
}

/**
 * objtrace_is_entry_of() - check that an ftrace location is the entry of a function
 * @ip: the ftrace location
 * @addr: address of the function, or 0
 *
 * Context: Any, NMI included.
 * Return: true if @ip is the entry of the function at @addr
 */
static __always_inline bool objtrace_is_entry_of(unsigned long ip, unsigned long addr)
{
	return addr && ip - addr <= OBJTRACE_LOCATION_SPAN;
}

/**
 * objtrace_arg() - read an argument register at a function's entry
 * @fregs: registers that ftrace passed to the callback
 * @n: number of the argument, from 0 to OBJTRACE_NR_ARGS - 1; a constant
 *
 * Context: ftrace callback, NMI included.
 * Return: the register, even if the function has no such argument
 */
static __always_inline unsigned long objtrace_arg(struct ftrace_regs *fregs,
						  unsigned int n)
{
	return objtrace_regs_arg(fregs, n);
}

/**
 * objtrace_return_address() - read the current return address at a function's entry
 * @fregs: registers that ftrace passed to the callback
 *
 * An earlier callback for the same entry may have replaced the address.  Then it differs from
 * the parent_ip that ftrace passed.
 *
 * Context: ftrace callback, NMI included.
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
 * objtrace_probe_return_address() - read the return address in a kprobe near a function's entry
 * @regs: registers at the kprobe, before the function calls a function or changes its stack
 *	  pointer
 *
 * Context: handler of the kprobe, NMI included.
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

/* A direct call lets functions call a trampoline that a branch cannot reach */
#define OBJTRACE_HAS_DIRECT_CALL (IS_ENABLED(CONFIG_ARM64) && \
				  IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS))

/**
 * objtrace_branch_reaches() - check that a function can branch to objtrace's trampolines
 * @ip: ftrace location of the function
 * @trampoline: one trampoline; the distance between two trampolines is below 64 KiB
 *
 * On x86-64, a relative call reaches the kernel and all modules.  functions/tramp.h describes
 * arm64.
 *
 * Context: Any, NMI included.
 * Return: true if the branch reaches all trampolines
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
 * objtrace_set_trampoline() - let functions call one of objtrace's trampolines
 * @ops: the functions' ftrace_ops, not registered
 * @trampoline: address of the trampoline
 *
 * ftrace uses an ops' own trampoline if the ops has one when it is registered.
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
 * objtrace_find_arg_register() - find the number of an argument register
 * @name: name of the register in probe events, without the %; ":TYPE" may follow
 *
 * Context: Any, NMI included.
 * Return: the number, from 0; -1 if the register passes no argument
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
 * objtrace_is_fprobe() - check for an event of an fprobe or of a tracepoint probe
 * @flags: flags of the event's struct trace_event_call
 *
 * Context: Any, NMI included.
 * Return: true for such an event; false in kernels without such events
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
 * objtrace_module_refcount() - count the references to a module
 * @module: the module
 *
 * Context: Any, NMI included.
 * Return: the number, and module init counts as one; 0 in kernels that cannot unload modules, which
 * count no references
 */
static inline int objtrace_module_refcount(struct module *module)
{
#ifdef CONFIG_MODULE_UNLOAD
	return module_refcount(module);
#else
	return 0;
#endif
}

/**
 * objtrace_has_directory() - check whether an event has its directory in an instance
 * @file: the event
 *
 * The member with the directory is dir or ei, depending on the kernel.
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
 * objtrace_is_kernel_range() - check that a range of addresses belongs to the kernel
 * @addr: start of the range
 * @size: size in bytes, at least 1
 *
 * copy_from_kernel_nofault() has no such check: it reads user memory on arm64 CPUs without PAN.
 * objtrace_memory_read() has its own check.
 *
 * Context: Any, NMI included.
 * Return: true if no byte can be user memory
 */
static __always_inline bool objtrace_is_kernel_range(unsigned long addr,
						     unsigned int size)
{
	return addr >= OBJTRACE_KERNEL_START && addr + size - 1 >= addr;
}

/**
 * objtrace_context() - number the interrupt context of the caller
 *
 * On x86-64 the handler of an int3 counts as an NMI.  A real NMI can interrupt that handler, and
 * preempt_count() counts two NMIs then.  The two have the same number in kernels with a single
 * bit for NMIs.
 *
 * Before irq_enter() and after irq_exit(), an interrupt has the number of the interrupted code.
 * An exception, such as a page fault, always has that number.
 *
 * Context: Any, NMI included.
 * Return: 0 in a task, 1 in a softirq, 2 in a hard interrupt, 4 and more in NMIs; below 32
 */
static __always_inline unsigned int objtrace_context(void)
{
	return interrupt_context_level() + ((preempt_count() & NMI_MASK) >> NMI_SHIFT);
}

#endif /* _OBJTRACE_COMPAT_H */
