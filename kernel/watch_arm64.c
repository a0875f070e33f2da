// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watchpoints of arm64, see kernel/watch.h.
 *
 * arm64 reports a store by an exception before the instruction.  The kernel then disables the
 * watchpoints, executes this instruction alone, and enables the watchpoints again.  It does so only
 * for an event with perf's default handler.  With another handler, the instruction would raise the
 * exception for ever.  So the event has the default handler, and the exception reaches objtrace
 * in another way:
 *   - Some kernels have the member orig_overflow_handler of struct perf_event, and look there for
 *     the default handler.  overflow_handler is free for objtrace.
 *   - Newer kernels run the BPF program of an event before its handler.  objtrace has a BPF program
 *     that is a C function.
 *
 * An interrupt can come between the exception and the instruction.  The kernel enables the
 * watchpoints at the first instruction of the interrupt's code, and the same store raises a second
 * exception after the interrupt.  is_second_report() recognizes it.
 *
 * The CPU reports no store while debug exceptions are masked: in the entry code of exceptions, and
 * in the handler.
 */
#include <linux/bpf.h>
#include <linux/cpufeature.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/hash.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/kernel_stat.h>
#include <linux/perf_event.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "kernel/layout.h"
#include "kernel/memory.h"
#include "kernel/store_insn.h"
#include "kernel/watch.h"

/* A register watches any bytes of one word, by a bit for each byte */
#define WORD_SIZE	8

/* Low bits of a report.  The other bits identify the store. */
#define TIME_BITS	16

static DEFINE_PER_CPU(struct bpf_prog_stats, watch_stats);

/* The BPF program of all events.  @bpf_func is written with the same value for each event. */
static struct bpf_prog watch_prog = {
	.type	= BPF_PROG_TYPE_PERF_EVENT,
	.stats	= &watch_stats,
};

/**
 * objtrace_watchpoint_max() - look up the number of debug registers
 *
 * A CPU without LSE atomics changes memory with a loop of LDXR and STXR.  STXR fails after an
 * exception, so a watchpoint there would repeat the loop for ever, or end at the first change.  A
 * kernel without CONFIG_ARM64_LSE_ATOMICS has such loops on all CPUs: see @must_rest of struct
 * objtrace_stored.
 *
 * Context: Any, NMI included.
 * Return: the registers of each CPU that can report stores; 0 if objtrace cannot use any
 */
unsigned int objtrace_watchpoint_max(void)
{
	return cpu_have_named_feature(ATOMICS) ? get_num_wrps() : 0;
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
	return addr % WORD_SIZE + size <= WORD_SIZE;
}

/**
 * objtrace_watchpoint_allows() - check that the kernel survives a watchpoint
 * @addr: address of the first byte
 * @size: number of bytes
 *
 * Debug exceptions are masked in all code that enters an exception.
 *
 * Context: Any, NMI included.
 * Return: true
 */
bool objtrace_watchpoint_allows(unsigned long addr, unsigned int size)
{
	return true;
}

/**
 * objtrace_watchpoint_handles() - check whether a function receives the address of a store
 * @function: name of a function of the kernel
 *
 * These functions handle debug exceptions, and receive the register FAR_EL1.  A watchpoint writes
 * the address of the store to it, and other debug exceptions leave it there.  The functions receive
 * the address of a watched member because of objtrace, and tell nothing about the kernel.  Newer
 * kernels have only do_watchpoint().
 *
 * Context: Any, NMI included.
 * Return: true if the function must not be traced
 */
bool objtrace_watchpoint_handles(const char *function)
{
	static const char * const handlers[] = {
		"do_watchpoint", "do_debug_exception", "watchpoint_handler",
		"breakpoint_handler", "single_step_handler", "brk_handler",
	};

	return match_string(handlers, ARRAY_SIZE(handlers), function) >= 0;
}

/**
 * objtrace_watchpoint_is_lent() - check whether this CPU's registers belong to a virtual machine
 *
 * Few functions of KVM run meanwhile, with debug exceptions masked.
 *
 * Context: Any except NMI; interrupts disabled.
 * Return: false
 */
bool objtrace_watchpoint_is_lent(void)
{
	return false;
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
	struct arch_hw_breakpoint *info = counter_arch_bp(event);

	info->address = addr - addr % WORD_SIZE;
	info->ctrl.len = (BIT(size) - 1) << addr % WORD_SIZE;
}

/**
 * objtrace_watchpoint_ip() - find the code of a store
 * @event: the event of perf that reports the store
 * @regs: registers of the CPU at the store
 *
 * Context: the handler of @event: an exception.
 * Return: address of the store's instruction
 */
unsigned long objtrace_watchpoint_ip(const struct perf_event *event, const struct pt_regs *regs)
{
	return regs->pc;
}

/* The CPU and its number of interrupts, in a few bits */
static u64 time_of_report(void)
{
	u64 time = __this_cpu_read(kstat.irqs_sum) + raw_smp_processor_id() * GOLDEN_RATIO_32;

	return time & (BIT(TIME_BITS) - 1);
}

/*
 * A task that was interrupted before its store has the same registers after the interrupt, and
 * the memory still has the same bytes.  Without an interrupt, it is another store.
 */
static bool is_second_report(struct objtrace_watchpoint *wp, const struct pt_regs *regs, u64 id,
			     u64 old)
{
	u64 *report = &wp->reports[hash_ptr(current, OBJTRACE_WATCHPOINT_REPORT_BITS)];
	u64 sum = (u64)current ^ old, now, last;
	unsigned int i;

	sum = (sum ^ id) * GOLDEN_RATIO_64;
	for (i = 0; i < ARRAY_SIZE(regs->regs); i++)
		sum = (sum ^ regs->regs[i]) * GOLDEN_RATIO_64;
	sum = (sum ^ regs->sp) * GOLDEN_RATIO_64;
	sum = (sum ^ regs->pc) * GOLDEN_RATIO_64;
	now = (sum & ~(BIT(TIME_BITS) - 1)) | time_of_report();
	last = xchg(report, now);
	return last != now && last >> TIME_BITS == now >> TIME_BITS;
}

/* Read all bytes of a store, which can be more than the watched bytes */
static enum objtrace_fault read_bytes(const struct objtrace_store_insn *store, u8 *memory)
{
	enum objtrace_fault fault;
	unsigned int i;
	u64 value;

	for (i = 0; i < store->nr; i++) {
		fault = objtrace_memory_read(store->addr + i * store->size, store->size, &value);
		if (fault)
			return fault;
		memcpy(memory + i * store->size, &value, store->size);
	}
	return OBJTRACE_NO_FAULT;
}

/* Carry out a store on a copy of the watched bytes.  Returns false if it stores to other bytes */
static bool foresee(const struct objtrace_store_insn *store, unsigned long addr,
		    unsigned int size, struct objtrace_stored *stored)
{
	unsigned int length = store->size * store->nr;
	u8 memory[OBJTRACE_STORE_BYTES];
	u8 *new = (u8 *)&stored->new;
	bool meets = false;
	unsigned int i;

	stored->fault = read_bytes(store, memory);
	if (stored->fault)
		return true;
	objtrace_store_apply(store, memory);
	stored->new = stored->old;
	for (i = 0; i < size; i++) {
		if (addr + i - store->addr >= length)
			continue;
		new[i] = memory[addr + i - store->addr];
		meets = true;
	}
	return meets;
}

/**
 * objtrace_watchpoint_stored() - read the watched bytes at a store, and foresee their new value
 * @wp: the watchpoint
 * @regs: registers of the CPU at the store
 * @id: number of the watched object
 * @addr: address of the first watched byte
 * @size: number of bytes: 1, 2, 4 or 8
 * @stored: receives the bytes
 *
 * Context: the handler of the watchpoint: an exception.
 */
void objtrace_watchpoint_stored(struct objtrace_watchpoint *wp, const struct pt_regs *regs,
				u64 id, unsigned long addr, unsigned int size,
				struct objtrace_stored *stored)
{
	struct objtrace_store_insn store;

	*stored = (struct objtrace_stored){};
	stored->fault = objtrace_memory_read(addr, size, &stored->old);
	if (stored->fault)
		return;
	stored->has_old = true;
	if (is_second_report(wp, regs, id, stored->old)) {
		stored->is_ignored = true;
		return;
	}
	/* The CPU has just read this instruction */
	objtrace_store_decode(READ_ONCE(*(u32 *)regs->pc), regs->regs, regs->sp, &store);
	if (store.op < OBJTRACE_STORE_EXCLUSIVE)
		stored->is_ignored = !foresee(&store, addr, size, stored);
	else
		stored->fault = OBJTRACE_FAULT_UNKNOWN;
	stored->must_rest = store.op == OBJTRACE_STORE_EXCLUSIVE;
}

/**
 * objtrace_watchpoint_create() - allocate a debug register of a CPU
 * @wp: the watchpoint
 * @attr: the attributes of the event
 * @cpu: the CPU
 *
 * No store raises an exception yet: the event watches the idle word of @wp.
 *
 * Context: task; may sleep.
 * Return: the event, or an ERR_PTR() of perf
 */
struct perf_event *objtrace_watchpoint_create(struct objtrace_watchpoint *wp,
					      struct perf_event_attr *attr, unsigned int cpu)
{
	struct perf_event *event = perf_event_create_kernel_counter(attr, cpu, NULL, NULL, NULL);
	unsigned int orig = objtrace_layout.perf_event.orig_overflow_handler;

	if (IS_ERR(event))
		return event;
	event->overflow_handler_context = wp;
	if (orig) {
		objtrace_private(event, perf_overflow_handler_t, orig) = event->overflow_handler;
		event->overflow_handler = wp->handlers->perf;
	} else {
		watch_prog.bpf_func = wp->handlers->bpf;
		event->prog = &watch_prog;
	}
	return event;
}

/**
 * objtrace_watchpoint_release() - free a debug register
 * @event: the event, which watches the idle word again
 *
 * Context: task; may sleep.
 */
void objtrace_watchpoint_release(struct perf_event *event)
{
	/* perf would free the program */
	event->prog = NULL;
	perf_event_release_kernel(event);
}
