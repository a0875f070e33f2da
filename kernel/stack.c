// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stack traces without objtrace's own functions, see kernel/stack.h.
 *
 * The kernel's code for stack records skips a fixed number of functions.  The number of
 * objtrace's functions on the stack is not fixed: it differs between the callbacks, the
 * trampolines, the triggers and the tracepoints of frees.  __trace_stack() has no limit of
 * entries.  But the kernel skips no function if it gets registers.  So objtrace unwinds its own
 * functions first.  Then the registers of the first function above belong to the stack trace.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#ifdef CONFIG_UNWINDER_ORC
#include <asm/unwind.h>
#endif

#include "kernel/ksyms.h"
#include "kernel/layout.h"
#include "kernel/stack.h"
#include "objtrace_compat.h"

/* More functions than objtrace and ftrace have between a traced function and a record */
#define MAX_FRAMES	48

/* Entries that objtrace_kernel_write_stack() keeps on its own stack */
#define FEW_ENTRIES	64

static const struct objtrace_layout * const at = &objtrace_layout;

/**
 * struct frame - a function that has called another function
 * @ip: return address in the function
 * @sp: stack pointer after the return
 * @fp: frame pointer of the function, or its register rbp
 */
struct frame {
	unsigned long	ip;
	unsigned long	sp;
	unsigned long	fp;
};

#ifdef CONFIG_UNWINDER_ORC
/**
 * struct walk - the next function to unwind
 * @state: state of the kernel's unwinder
 */
struct walk {
	struct unwind_state	state;
};

/* The first frame is the caller of this function's caller */
static __always_inline void start_walk(struct walk *walk)
{
	unwind_start(&walk->state, current, NULL, NULL);
}

static bool next_frame(struct walk *walk, struct frame *frame)
{
	struct unwind_state *state = &walk->state;
	unsigned long ip = unwind_done(state) ? 0 : unwind_get_return_address(state);

	if (!ip)
		return false;
	*frame = (struct frame){ .ip = ip, .sp = state->sp, .fp = state->bp };
	unwind_next_frame(state);
	return true;
}
#else
/**
 * struct walk - the next function to unwind
 * @record: its frame record: a frame pointer, and a return address after it
 */
struct walk {
	const unsigned long	*record;
};

static __always_inline void start_walk(struct walk *walk)
{
	walk->record = __builtin_frame_address(0);
}

/*
 * With pointer authentication, the upper bits of a saved return address are a signature.  Code of
 * the kernel and of modules is in the last 2^VA_BITS_MIN bytes, so these bits of its address are
 * ones.
 */
static unsigned long without_signature(unsigned long ip)
{
#ifdef CONFIG_ARM64
	return ip ? ip | GENMASK(63, VA_BITS_MIN) : 0;
#else
	return ip;
#endif
}

/* A frame pointer of 0, or an odd one, ends the functions of an exception or of the task */
static bool next_frame(struct walk *walk, struct frame *frame)
{
	const unsigned long *record = walk->record;

	if (!objtrace_is_kernel_range((unsigned long)record, 2 * sizeof(*record)) ||
	    !IS_ALIGNED((unsigned long)record, sizeof(*record)))
		return false;
	*frame = (struct frame){
		.ip = without_signature(record[1]),
		.sp = (unsigned long)(record + 2), .fp = record[0],
	};
	walk->record = (const unsigned long *)frame->fp;
	return frame->ip;
}
#endif

static void set_regs(struct pt_regs *regs, const struct frame *frame)
{
	memset(regs, 0, sizeof(*regs));
#ifdef CONFIG_ARM64
	regs->pc = frame->ip;
	regs->sp = frame->sp;
	regs->regs[29] = frame->fp;
	regs->pstate = PSR_MODE_EL1h;
#else
	regs->ip = frame->ip;
	regs->sp = frame->sp;
	regs->bp = frame->fp;
	regs->cs = __KERNEL_CS;
	regs->ss = __KERNEL_DS;
#endif
}

static bool is_own(unsigned long ip)
{
	return ksym(__module_address)(ip) == THIS_MODULE;
}

/**
 * objtrace_kernel_stack_start() - find the function where a stack trace starts
 * @regs: set to the registers of this function; only those that an unwinder needs
 * @ip: ftrace location of the traced function; 0 if no traced function has called objtrace
 *
 * The stack trace starts at the traced function, or at the first function that is not in
 * objtrace.  Between a traced function and objtrace, there can be functions of ftrace.
 *
 * Context: Any, NMI included; RCU is watching, preemption disabled.
 */
noinline void objtrace_kernel_stack_start(struct pt_regs *regs, unsigned long ip)
{
	struct frame frame = {}, first = {};
	unsigned int i;
	struct walk walk;

	start_walk(&walk);
	for (i = 0; i < MAX_FRAMES && next_frame(&walk, &frame); i++) {
		if (!first.ip && !is_own(frame.ip))
			first = frame;
		if (ip ? frame.ip - ip <= MCOUNT_INSN_SIZE : first.ip) {
			set_regs(regs, &frame);
			return;
		}
	}
	set_regs(regs, &first);
}

/**
 * objtrace_kernel_perf_start() - find the function where the call chain of a perf sample starts
 * @regs: set to the registers of the first function that is not in objtrace
 *
 * On x86-64, perf does not use the registers of a sample that software takes, except for sp.  The
 * call chain has the return addresses above sp.  Let the chain have the first function's address,
 * too: with frame pointers, perf starts at a saved frame pointer, which is below the address.
 *
 * Context: Any, NMI included; RCU is watching, preemption disabled.
 */
void objtrace_kernel_perf_start(struct pt_regs *regs)
{
	objtrace_kernel_stack_start(regs, 0);
#ifdef CONFIG_X86_64
	regs->sp -= IS_ENABLED(CONFIG_UNWINDER_ORC) ? sizeof(long) : 2 * sizeof(long);
#endif
}

/* struct stack_entry is private.  The number of entries precedes the entries. */
static unsigned long *stack_entries(void *entry)
{
	return &objtrace_private(entry, unsigned long, at->stack_entry.caller);
}

/**
 * objtrace_kernel_write_stack() - write a stack record of the kernel's type
 * @buffer: the ring buffer
 * @context: flags and preemption count of the record
 * @regs: start of the stack trace, from objtrace_kernel_stack_start()
 * @max: maximum of entries, at most OBJTRACE_WHOLE_STACK
 *
 * A stack that exceeds the array is unwound a second time, directly into the record: the
 * number of entries must be known before the record is reserved.
 *
 * Context: Any, NMI included; RCU is watching, preemption disabled.
 */
void objtrace_kernel_write_stack(struct trace_buffer *buffer, unsigned int context,
				 struct pt_regs *regs, unsigned int max)
{
	unsigned long few[FEW_ENTRIES];
	struct ring_buffer_event *event;
	unsigned int nr = 0, got;
	void *entry;

	do {
		got = ksym(stack_trace_save_regs)(regs, few,
						  min_t(unsigned int, max - nr, FEW_ENTRIES),
						  nr);
		nr += got;
	} while (got == FEW_ENTRIES && nr < max);
	event = ring_buffer_lock_reserve(buffer,
					 at->stack_entry.caller + nr * sizeof(unsigned long));
	if (!event)
		return;
	entry = ring_buffer_event_data(event);
	tracing_generic_entry_update(entry, at->stack_type, context);
	if (nr <= FEW_ENTRIES)
		memcpy(stack_entries(entry), few, nr * sizeof(*few));
	else
		nr = ksym(stack_trace_save_regs)(regs, stack_entries(entry), nr, 0);
	objtrace_private(entry, int, at->stack_entry.nr) = nr;
	ksym(trace_buffer_unlock_commit_nostack)(buffer, event);
}
