// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watchpoints of x86-64, see kernel/watch.h.
 *
 * x86-64 reports a store by a trap after the instruction.  The exception disables all debug
 * registers until it returns, so the handler's own stores are not reported.
 */
#include <linux/cpumask.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include <asm/cpu_entry_area.h>
#include <asm/current.h>
#include <asm/debugreg.h>
#include <asm/desc.h>
#include <asm/nospec-branch.h>
#include <asm/processor.h>

#include "kernel/ksyms.h"
#include "kernel/memory.h"
#include "kernel/watch.h"

/* At least the size of struct tlb_state, which the headers hide from modules */
#define TLB_STATE_SIZE	256

/* The bits of DR7 that enable registers */
#define DR_ENABLES	0xff

/**
 * objtrace_watchpoint_max() - look up the number of debug registers
 *
 * Context: Any, NMI included.
 * Return: the registers of each CPU that can report stores; 0 if objtrace cannot use any
 */
unsigned int objtrace_watchpoint_max(void)
{
	return HBP_NUM;
}

/**
 * objtrace_watchpoint_covers() - check that one register reports stores to exactly these bytes
 * @addr: address of the first byte, or its offset in an aligned object
 * @size: number of bytes: 1, 2, 4 or 8
 *
 * Context: Any, NMI included.
 * Return: true if a register can watch all of these bytes, and no other byte
 */
bool objtrace_watchpoint_covers(unsigned long addr, unsigned int size)
{
	return !(addr & (size - 1));
}

/*
 * With the boot option retbleed=stuff, the code that enters an exception stores to this counter.
 * CONFIG_CALL_DEPTH_TRACKING is the option's older name.
 */
#if !defined(CONFIG_MITIGATION_CALL_DEPTH_TRACKING) && !defined(CONFIG_CALL_DEPTH_TRACKING)
static const u64 *call_depth(unsigned int cpu)
{
	return NULL;
}
#elif defined(DECLARE_PER_CPU_CACHE_HOT)
static const u64 *call_depth(unsigned int cpu)
{
	return &per_cpu(__x86_call_depth, cpu);
}
#else
static const u64 *call_depth(unsigned int cpu)
{
	return &per_cpu(pcpu_hot, cpu).call_depth;
}
#endif

static bool meets(unsigned long addr, unsigned int size, const void *start, size_t length)
{
	return addr < (unsigned long)start + length && addr + size > (unsigned long)start;
}

/**
 * objtrace_watchpoint_allows() - check that the kernel survives a watchpoint
 * @addr: address of the first byte
 * @size: number of bytes
 *
 * The code that enters an exception accesses a few data of its CPU.  A watchpoint there would
 * raise an exception in this code, again and again.  The kernel refuses such watchpoints of perf,
 * in within_cpu_entry() of arch/x86/kernel/hw_breakpoint.c, except for call_depth().
 *
 * Context: Any, NMI included.
 * Return: false for these data
 */
bool objtrace_watchpoint_allows(unsigned long addr, unsigned int size)
{
	const char __percpu *tlb = (const char __percpu *)ksym_addr(cpu_tlbstate);
	unsigned int cpu;

	if (meets(addr, size, (void *)CPU_ENTRY_AREA_BASE, CPU_ENTRY_AREA_MAP_SIZE))
		return false;
	for_each_possible_cpu(cpu)
		if (meets(addr, size, get_cpu_gdt_rw(cpu), GDT_SIZE) ||
		    meets(addr, size, &per_cpu(cpu_tss_rw, cpu), sizeof(struct tss_struct)) ||
		    meets(addr, size, per_cpu_ptr(tlb, cpu), TLB_STATE_SIZE) ||
		    meets(addr, size, call_depth(cpu), sizeof(u64)) ||
		    meets(addr, size, &per_cpu(cpu_dr7, cpu), sizeof(cpu_dr7)))
			return false;
	return true;
}

/**
 * objtrace_watchpoint_handles() - check whether a function receives the address of a store
 * @function: name of a function of the kernel
 *
 * The processor does not report the address.
 *
 * Context: Any, NMI included.
 * Return: false
 */
bool objtrace_watchpoint_handles(const char *function)
{
	return false;
}

/**
 * objtrace_watchpoint_is_lent() - check whether this CPU's registers belong to a virtual machine
 *
 * KVM clears DR7 and loads the registers of the virtual machine, with interrupts disabled (see
 * vcpu_enter_guest() in arch/x86/kvm/x86.c).  KVM reads the machine's registers back later.
 *
 * Context: Any except NMI; interrupts disabled.
 * Return: true if a register must not be written
 */
bool objtrace_watchpoint_is_lent(void)
{
	unsigned long enabled;

	get_debugreg(enabled, 7);
	return (enabled ^ this_cpu_read(cpu_dr7)) & DR_ENABLES;
}

/**
 * objtrace_watchpoint_set() - store the target, which the kernel writes to a register of the CPU
 * @event: the event, which is in no register
 * @addr: address of the first byte
 * @size: number of bytes: 1, 2, 4 or 8
 *
 * Context: Any except NMI; interrupts disabled.
 */
void objtrace_watchpoint_set(struct perf_event *event, unsigned long addr, unsigned int size)
{
	static const u8 lengths[] = {
		[1] = X86_BREAKPOINT_LEN_1, [2] = X86_BREAKPOINT_LEN_2,
		[4] = X86_BREAKPOINT_LEN_4, [8] = X86_BREAKPOINT_LEN_8,
	};
	struct arch_hw_breakpoint *info = counter_arch_bp(event);

	info->address = addr;
	info->len = lengths[size];
}

/* Check for a string instruction with a repeat prefix that stores: MOVS or STOS */
static bool is_repeated_store(const u8 *code)
{
	if (*code != 0xf3 && *code != 0xf2)
		return false;
	code++;
	if (*code == 0x66)	/* operands of 2 bytes */
		code++;
	if ((*code & 0xf0) == 0x40)	/* REX: operands of 8 bytes */
		code++;
	return (*code & 0xfe) == 0xa4 || (*code & 0xfe) == 0xaa;
}

/* Look up a register by its number in instructions */
static unsigned long register_value(const struct pt_regs *regs, unsigned int nr)
{
	static const u8 offsets[] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx),
		offsetof(struct pt_regs, dx), offsetof(struct pt_regs, bx),
		offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
		offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
		offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
	};

	return regs_get_register((struct pt_regs *)regs, offsets[nr]);
}

/*
 * A CALL stores its return address, and the instruction pointer is at the called function then.
 * Check that the watched bytes are on top of the stack, and that the bytes before the return
 * address are a CALL of that function: direct (E8), or through a register (FF /2).
 *
 * Return: the return address; 0 if the store is no such CALL
 */
static u64 find_call(const struct pt_regs *regs, unsigned long addr)
{
	u8 code[8];
	s32 distance;
	u64 back;

	if (addr - regs->sp >= sizeof(back) ||
	    objtrace_memory_read(regs->sp, sizeof(back), &back) ||
	    !objtrace_memory_copy(code, back - sizeof(code), sizeof(code)))
		return 0;
	memcpy(&distance, &code[4], sizeof(distance));
	if (code[3] == 0xe8 && back + distance == regs->ip)
		return back;
	if (code[6] != 0xff || (code[7] & 0xf8) != 0xd0)
		return 0;
	if (register_value(regs, code[7] & 7) == regs->ip ||
	    (code[5] == 0x41 && register_value(regs, 8 + (code[7] & 7)) == regs->ip))
		return back;
	return 0;
}

/**
 * objtrace_watchpoint_ip() - find the code of a store
 * @event: the event of perf that reports the store
 * @regs: registers of the CPU at the store
 *
 * A string instruction traps after each repetition, and the instruction pointer has its own address
 * then.  After a CALL, the instruction pointer is at the called function.  In all other cases, the
 * instruction pointer is behind the instruction.  The last byte identifies the instruction, because
 * instructions cannot be decoded backwards.
 *
 * Context: the handler of @event: an exception, which counts as an NMI.
 * Return: address of the store's instruction, or of its last byte
 */
unsigned long objtrace_watchpoint_ip(const struct perf_event *event, const struct pt_regs *regs)
{
	unsigned long addr = event->hw.info.address;

	if (regs->cx && !(regs->flags & X86_EFLAGS_DF) &&
	    addr < regs->di && regs->di - addr <= 2 * sizeof(long) &&
	    is_repeated_store((const u8 *)regs->ip))
		return regs->ip;
	return (find_call(regs, addr) ?: regs->ip) - 1;
}

/**
 * objtrace_watchpoint_stored() - read the watched bytes at a store
 * @wp: the watchpoint
 * @regs: registers of the CPU at the store
 * @id: number of the watched object
 * @addr: address of the first watched byte
 * @size: number of bytes: 1, 2, 4 or 8
 * @stored: receives the bytes
 *
 * Context: the handler of the watchpoint: an exception, which counts as an NMI.
 */
void objtrace_watchpoint_stored(struct objtrace_watchpoint *wp, const struct pt_regs *regs,
				u64 id, unsigned long addr, unsigned int size,
				struct objtrace_stored *stored)
{
	*stored = (struct objtrace_stored){};
	stored->fault = objtrace_memory_read(addr, size, &stored->new);
}

/**
 * objtrace_watchpoint_create() - allocate a debug register of a CPU
 * @wp: the watchpoint
 * @attr: the attributes of the event
 * @cpu: the CPU
 *
 * Context: task; may sleep.
 * Return: the event, or an ERR_PTR() of perf
 */
struct perf_event *objtrace_watchpoint_create(struct objtrace_watchpoint *wp,
					      struct perf_event_attr *attr, unsigned int cpu)
{
	return perf_event_create_kernel_counter(attr, cpu, NULL, wp->handlers->perf, wp);
}

/**
 * objtrace_watchpoint_release() - free a debug register
 * @event: the event
 *
 * Context: task; may sleep.
 */
void objtrace_watchpoint_release(struct perf_event *event)
{
	perf_event_release_kernel(event);
}
