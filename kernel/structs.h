/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * List of all structs of the kernel whose layout objtrace depends on.
 *
 *   OBJTRACE_STRUCT(name)		a struct to look up in the running kernel's BTF
 *   OBJTRACE_ENUM(name)		an enum to look up there
 *
 * kernel/layout.c has the members of private structs.  For public structs, the module contains
 * the layouts of the headers that it was built with.  Module init compares these layouts with
 * the running kernel's, because that kernel can differ from the headers: some kernels have no
 * symbol versions, and insmod -f ignores versions.
 *
 *   OBJTRACE_SIZE(struct)		objtrace allocates the struct, or has arrays of the struct
 *   OBJTRACE_MEMBER(struct, member)	objtrace reads, writes or initializes the member
 *   OBJTRACE_ENUMERATOR(name)		the value is compared
 *
 * The list omits types that no option or version of the kernel has changed yet, such as lists,
 * atomics and the format of BTF.  The kernel registers a module's events before module init.
 * So the check of these structs is late, but precedes the first record.
 *
 * This header has no include guard: each user expands the macros that it needs.
 */
#ifndef OBJTRACE_STRUCT
#define OBJTRACE_STRUCT(name)
#endif
#ifndef OBJTRACE_ENUM
#define OBJTRACE_ENUM(name)
#endif
#ifndef OBJTRACE_SIZE
#define OBJTRACE_SIZE(name)
#endif
#ifndef OBJTRACE_MEMBER
#define OBJTRACE_MEMBER(name, member)
#endif
#ifndef OBJTRACE_ENUMERATOR
#define OBJTRACE_ENUMERATOR(name)
#endif

/* Private: the event command and its triggers */
OBJTRACE_STRUCT(event_command)
OBJTRACE_STRUCT(event_trigger_ops)
OBJTRACE_STRUCT(event_trigger_data)
OBJTRACE_ENUM(event_command_flags)

/* Private: events and their probes */
OBJTRACE_STRUCT(ftrace_event_field)
OBJTRACE_STRUCT(trace_probe_event)
OBJTRACE_STRUCT(trace_probe)
OBJTRACE_STRUCT(probe_arg)
OBJTRACE_STRUCT(fetch_insn)

/* Private: the ring buffer and the options of an instance, and stack records */
OBJTRACE_STRUCT(trace_array)
OBJTRACE_STRUCT(array_buffer)
OBJTRACE_STRUCT(stack_entry)
OBJTRACE_ENUM(trace_type)
OBJTRACE_ENUM(trace_iterator_bits)
OBJTRACE_ENUM(trace_iterator_flags)

/* Private: slabs, and the size of their objects */
OBJTRACE_STRUCT(slab)
OBJTRACE_STRUCT(kmem_cache)

/* Private: arrays of objects that wait for the next allocation, or for RCU to free them */
OBJTRACE_STRUCT(slab_sheaf)

/* The page of an object.  A slab starts with the page's flags, too. */
OBJTRACE_STRUCT(page)
OBJTRACE_SIZE(page)
OBJTRACE_MEMBER(page, flags)
OBJTRACE_MEMBER(page, lru)
OBJTRACE_MEMBER(page, page_type)
/* Older kernels have no enum for the slab flags, and no CONFIG_SLAB_OBJ_EXT */
#ifdef CONFIG_SLAB_OBJ_EXT
OBJTRACE_ENUMERATOR(_SLAB_RED_ZONE)
OBJTRACE_ENUMERATOR(_SLAB_TYPESAFE_BY_RCU)
#endif

/* An event in an instance */
OBJTRACE_STRUCT(trace_event_file)
OBJTRACE_MEMBER(trace_event_file, event_call)
OBJTRACE_MEMBER(trace_event_file, tr)
OBJTRACE_MEMBER(trace_event_file, filter)
OBJTRACE_MEMBER(trace_event_file, triggers)
OBJTRACE_MEMBER(trace_event_file, flags)
OBJTRACE_ENUMERATOR(EVENT_FILE_FL_WAS_ENABLED_BIT)
OBJTRACE_ENUMERATOR(EVENT_FILE_FL_FILTERED)
OBJTRACE_ENUMERATOR(EVENT_FILE_FL_SOFT_DISABLED)
OBJTRACE_ENUMERATOR(EVENT_FILE_FL_TRIGGER_MODE)
OBJTRACE_ENUMERATOR(EVENT_FILE_FL_TRIGGER_COND)
OBJTRACE_ENUMERATOR(EVENT_FILE_FL_PID_FILTER)
OBJTRACE_ENUMERATOR(ETT_NONE)
OBJTRACE_ENUMERATOR(ETT_STACKTRACE)

/* objtrace's events, and events with triggers */
OBJTRACE_STRUCT(trace_event_call)
OBJTRACE_SIZE(trace_event_call)
OBJTRACE_MEMBER(trace_event_call, class)
OBJTRACE_MEMBER(trace_event_call, name)
OBJTRACE_MEMBER(trace_event_call, tp)
OBJTRACE_MEMBER(trace_event_call, event)
OBJTRACE_MEMBER(trace_event_call, print_fmt)
OBJTRACE_MEMBER(trace_event_call, module)
OBJTRACE_MEMBER(trace_event_call, flags)
OBJTRACE_ENUMERATOR(TRACE_EVENT_FL_TRACEPOINT)
OBJTRACE_ENUMERATOR(TRACE_EVENT_FL_DYNAMIC)
OBJTRACE_ENUMERATOR(TRACE_EVENT_FL_KPROBE)
OBJTRACE_ENUMERATOR(TRACE_EVENT_FL_UPROBE)
#ifdef CONFIG_FPROBE_EVENTS
OBJTRACE_ENUMERATOR(TRACE_EVENT_FL_FPROBE)
#endif

OBJTRACE_STRUCT(trace_event)
OBJTRACE_MEMBER(trace_event, type)
OBJTRACE_MEMBER(trace_event, funcs)

OBJTRACE_STRUCT(trace_event_functions)
OBJTRACE_SIZE(trace_event_functions)
OBJTRACE_MEMBER(trace_event_functions, trace)

OBJTRACE_STRUCT(trace_event_class)
OBJTRACE_SIZE(trace_event_class)
OBJTRACE_MEMBER(trace_event_class, system)
OBJTRACE_MEMBER(trace_event_class, probe)
OBJTRACE_MEMBER(trace_event_class, reg)
OBJTRACE_MEMBER(trace_event_class, fields_array)
OBJTRACE_MEMBER(trace_event_class, fields)
OBJTRACE_MEMBER(trace_event_class, raw_init)

OBJTRACE_STRUCT(trace_event_fields)
OBJTRACE_SIZE(trace_event_fields)
OBJTRACE_MEMBER(trace_event_fields, type)
OBJTRACE_MEMBER(trace_event_fields, name)
OBJTRACE_MEMBER(trace_event_fields, size)
OBJTRACE_MEMBER(trace_event_fields, align)
OBJTRACE_MEMBER(trace_event_fields, filter_type)
OBJTRACE_MEMBER(trace_event_fields, len)

OBJTRACE_STRUCT(tracepoint)
OBJTRACE_SIZE(tracepoint)
OBJTRACE_MEMBER(tracepoint, name)
OBJTRACE_MEMBER(tracepoint, key)
OBJTRACE_MEMBER(tracepoint, static_call_key)
OBJTRACE_MEMBER(tracepoint, static_call_tramp)
OBJTRACE_MEMBER(tracepoint, iterator)
OBJTRACE_MEMBER(tracepoint, funcs)

#ifdef CONFIG_PERF_EVENTS
OBJTRACE_MEMBER(trace_event_call, perf_events)
OBJTRACE_MEMBER(trace_event_call, prog_array)
OBJTRACE_MEMBER(trace_event_class, perf_probe)
#endif
#ifdef CONFIG_BPF_EVENTS
OBJTRACE_STRUCT(bpf_raw_event_map)
OBJTRACE_SIZE(bpf_raw_event_map)
OBJTRACE_MEMBER(bpf_raw_event_map, tp)
OBJTRACE_MEMBER(bpf_raw_event_map, bpf_func)
OBJTRACE_MEMBER(bpf_raw_event_map, num_args)
OBJTRACE_MEMBER(bpf_raw_event_map, writable_size)
#endif

/* Records, while they are written and printed */
OBJTRACE_STRUCT(trace_entry)
OBJTRACE_SIZE(trace_entry)
OBJTRACE_MEMBER(trace_entry, type)
OBJTRACE_MEMBER(trace_entry, flags)
OBJTRACE_MEMBER(trace_entry, preempt_count)
OBJTRACE_MEMBER(trace_entry, pid)
OBJTRACE_ENUMERATOR(TRACE_FLAG_IRQS_OFF)

OBJTRACE_STRUCT(trace_seq)
OBJTRACE_SIZE(trace_seq)
OBJTRACE_MEMBER(trace_seq, buffer)
OBJTRACE_MEMBER(trace_seq, seq)
OBJTRACE_MEMBER(trace_seq, full)

OBJTRACE_STRUCT(trace_iterator)
OBJTRACE_MEMBER(trace_iterator, tmp_seq)
OBJTRACE_MEMBER(trace_iterator, iter_flags)
OBJTRACE_ENUMERATOR(TRACE_FILE_TIME_IN_NS)
OBJTRACE_MEMBER(trace_iterator, seq)
OBJTRACE_MEMBER(trace_iterator, ent)

OBJTRACE_STRUCT(trace_print_flags)
OBJTRACE_SIZE(trace_print_flags)
OBJTRACE_MEMBER(trace_print_flags, mask)
OBJTRACE_MEMBER(trace_print_flags, name)

/* objtrace's files */
OBJTRACE_STRUCT(file_operations)
OBJTRACE_SIZE(file_operations)
OBJTRACE_MEMBER(file_operations, owner)
OBJTRACE_MEMBER(file_operations, llseek)
OBJTRACE_MEMBER(file_operations, read)
OBJTRACE_MEMBER(file_operations, open)
OBJTRACE_MEMBER(file_operations, release)

OBJTRACE_STRUCT(seq_operations)
OBJTRACE_SIZE(seq_operations)
OBJTRACE_MEMBER(seq_operations, start)
OBJTRACE_MEMBER(seq_operations, stop)
OBJTRACE_MEMBER(seq_operations, next)
OBJTRACE_MEMBER(seq_operations, show)

OBJTRACE_STRUCT(seq_file)
OBJTRACE_MEMBER(seq_file, private)
OBJTRACE_STRUCT(file)
OBJTRACE_MEMBER(file, f_op)
OBJTRACE_STRUCT(inode)
OBJTRACE_MEMBER(inode, i_private)
#ifdef CONFIG_SECURITY
OBJTRACE_ENUMERATOR(LOCKDOWN_TRACEFS)
#endif

/* Function entries and their arguments */
OBJTRACE_STRUCT(ftrace_ops)
OBJTRACE_SIZE(ftrace_ops)
OBJTRACE_MEMBER(ftrace_ops, func)
OBJTRACE_MEMBER(ftrace_ops, next)
OBJTRACE_MEMBER(ftrace_ops, flags)
OBJTRACE_MEMBER(ftrace_ops, trampoline)
#if defined(CONFIG_ARM64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)
OBJTRACE_MEMBER(ftrace_ops, direct_call)
#endif
OBJTRACE_ENUMERATOR(FTRACE_OPS_FL_IPMODIFY)

/* The struct has one of two names.  linux/ftrace.h defines arch_ftrace_regs for the newer name. */
OBJTRACE_STRUCT(__arch_ftrace_regs)
OBJTRACE_STRUCT(ftrace_regs)
#if defined(arch_ftrace_regs)
OBJTRACE_MEMBER(__arch_ftrace_regs, regs)
#elif defined(__KERNEL__)
OBJTRACE_MEMBER(ftrace_regs, regs)
#endif
#if defined(CONFIG_ARM64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#if defined(arch_ftrace_regs)
OBJTRACE_MEMBER(__arch_ftrace_regs, lr)
#elif defined(__KERNEL__)
OBJTRACE_MEMBER(ftrace_regs, lr)
#endif
#endif

OBJTRACE_STRUCT(pt_regs)
#ifdef CONFIG_X86_64
OBJTRACE_MEMBER(pt_regs, di)
OBJTRACE_MEMBER(pt_regs, si)
OBJTRACE_MEMBER(pt_regs, dx)
OBJTRACE_MEMBER(pt_regs, cx)
OBJTRACE_MEMBER(pt_regs, r8)
OBJTRACE_MEMBER(pt_regs, r9)
OBJTRACE_MEMBER(pt_regs, sp)
OBJTRACE_MEMBER(pt_regs, ip)
OBJTRACE_MEMBER(pt_regs, cx)
OBJTRACE_MEMBER(pt_regs, flags)
#endif
#ifdef CONFIG_ARM64
OBJTRACE_MEMBER(pt_regs, regs)

OBJTRACE_STRUCT(thread_info)
OBJTRACE_MEMBER(thread_info, preempt_count)
#endif

/* The running task: PID, preemption, page faults, and the stack protector's canary */
OBJTRACE_STRUCT(task_struct)
OBJTRACE_MEMBER(task_struct, pid)
OBJTRACE_MEMBER(task_struct, pagefault_disabled)
#ifdef CONFIG_ARM64
OBJTRACE_MEMBER(task_struct, thread_info)
#endif
#ifdef CONFIG_STACKPROTECTOR_PER_TASK
OBJTRACE_MEMBER(task_struct, stack_canary)
#endif

/* Registers that a stack trace starts from, and the unwinder, see kernel/stack.c */
OBJTRACE_SIZE(pt_regs)
#ifdef CONFIG_ARM64
OBJTRACE_MEMBER(pt_regs, pc)
OBJTRACE_MEMBER(pt_regs, pstate)
OBJTRACE_MEMBER(pt_regs, sp)
#endif
#ifdef CONFIG_X86_64
OBJTRACE_MEMBER(pt_regs, ip)
OBJTRACE_MEMBER(pt_regs, bp)
OBJTRACE_MEMBER(pt_regs, cs)
OBJTRACE_MEMBER(pt_regs, ss)
#endif
#ifdef CONFIG_UNWINDER_ORC
OBJTRACE_STRUCT(unwind_state)
OBJTRACE_SIZE(unwind_state)
OBJTRACE_MEMBER(unwind_state, stack_info)
OBJTRACE_MEMBER(unwind_state, sp)
OBJTRACE_MEMBER(unwind_state, bp)
#endif

/* Saved return addresses, see kernel/caller.h */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
OBJTRACE_STRUCT(ftrace_ret_stack)
OBJTRACE_MEMBER(ftrace_ret_stack, ret)
#endif
#if defined(CONFIG_KRETPROBE_ON_RETHOOK)
OBJTRACE_MEMBER(task_struct, rethooks)
OBJTRACE_STRUCT(rethook_node)
OBJTRACE_MEMBER(rethook_node, llist)
OBJTRACE_MEMBER(rethook_node, ret_addr)
#elif defined(CONFIG_KRETPROBES)
OBJTRACE_MEMBER(task_struct, kretprobe_instances)
OBJTRACE_STRUCT(kretprobe_instance)
OBJTRACE_MEMBER(kretprobe_instance, llist)
OBJTRACE_MEMBER(kretprobe_instance, ret_addr)
#endif

/* Followed calls, see kernel/return.c */
#ifdef CONFIG_KRETPROBES
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
OBJTRACE_MEMBER(rethook_node, rethook)
OBJTRACE_STRUCT(rethook)
OBJTRACE_MEMBER(rethook, handler)
OBJTRACE_STRUCT(kretprobe_instance)
OBJTRACE_SIZE(kretprobe_instance)
OBJTRACE_MEMBER(kretprobe_instance, node)
#else
OBJTRACE_SIZE(kretprobe_instance)
OBJTRACE_MEMBER(kretprobe_instance, rph)
#endif
OBJTRACE_STRUCT(kretprobe)
OBJTRACE_SIZE(kretprobe)
OBJTRACE_MEMBER(kretprobe, kp)
OBJTRACE_MEMBER(kretprobe, handler)
OBJTRACE_MEMBER(kretprobe, entry_handler)
OBJTRACE_MEMBER(kretprobe, maxactive)
OBJTRACE_MEMBER(kretprobe, data_size)
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
OBJTRACE_MEMBER(kretprobe, rh)
#else
OBJTRACE_MEMBER(kretprobe, rph)
#endif
#endif

/* Structs that the module allocates for services of the kernel */
OBJTRACE_STRUCT(module)
OBJTRACE_SIZE(module)
OBJTRACE_MEMBER(module, exit)
OBJTRACE_MEMBER(module, taints)

/* Other modules, and their symbols */
OBJTRACE_MEMBER(module, state)
OBJTRACE_ENUMERATOR(MODULE_STATE_LIVE)
OBJTRACE_ENUMERATOR(MODULE_STATE_GOING)
OBJTRACE_MEMBER(module, list)
OBJTRACE_MEMBER(module, core_kallsyms)
OBJTRACE_STRUCT(mod_kallsyms)
OBJTRACE_MEMBER(mod_kallsyms, symtab)
OBJTRACE_MEMBER(mod_kallsyms, num_symtab)
OBJTRACE_MEMBER(mod_kallsyms, strtab)

OBJTRACE_STRUCT(notifier_block)
OBJTRACE_SIZE(notifier_block)
OBJTRACE_MEMBER(notifier_block, notifier_call)
OBJTRACE_MEMBER(notifier_block, priority)

OBJTRACE_STRUCT(kernel_param)
OBJTRACE_SIZE(kernel_param)
OBJTRACE_MEMBER(kernel_param, ops)
OBJTRACE_MEMBER(kernel_param, arg)

OBJTRACE_STRUCT(static_call_key)
OBJTRACE_SIZE(static_call_key)
OBJTRACE_MEMBER(static_call_key, func)

OBJTRACE_STRUCT(kprobe)
OBJTRACE_SIZE(kprobe)
OBJTRACE_MEMBER(kprobe, addr)
OBJTRACE_MEMBER(kprobe, symbol_name)
OBJTRACE_MEMBER(kprobe, flags)

OBJTRACE_STRUCT(irq_work)
OBJTRACE_SIZE(irq_work)
OBJTRACE_MEMBER(irq_work, node)
OBJTRACE_MEMBER(irq_work, func)

#ifdef CONFIG_HAVE_HW_BREAKPOINT
/* Debug registers: perf's event, and the address and length in the register */
OBJTRACE_STRUCT(perf_event)
OBJTRACE_MEMBER(perf_event, state)
OBJTRACE_MEMBER(perf_event, hw)
OBJTRACE_MEMBER(perf_event, ctx)
OBJTRACE_MEMBER(perf_event, oncpu)
OBJTRACE_MEMBER(perf_event, overflow_handler_context)

OBJTRACE_STRUCT(hw_perf_event)
OBJTRACE_MEMBER(hw_perf_event, info)

OBJTRACE_STRUCT(arch_hw_breakpoint)
OBJTRACE_MEMBER(arch_hw_breakpoint, address)
#ifdef CONFIG_X86_64
OBJTRACE_MEMBER(arch_hw_breakpoint, len)
#endif
#ifdef CONFIG_ARM64
OBJTRACE_MEMBER(arch_hw_breakpoint, ctrl)
#endif

OBJTRACE_STRUCT(perf_event_context)
OBJTRACE_MEMBER(perf_event_context, lock)

OBJTRACE_STRUCT(perf_event_attr)
OBJTRACE_SIZE(perf_event_attr)
OBJTRACE_MEMBER(perf_event_attr, bp_addr)
OBJTRACE_MEMBER(perf_event_attr, bp_len)
OBJTRACE_MEMBER(perf_event_attr, bp_type)
#endif

#if defined(CONFIG_ARM64) && defined(CONFIG_HAVE_HW_BREAKPOINT)
/* The BPF program of perf's event */
OBJTRACE_MEMBER(perf_event, overflow_handler)
OBJTRACE_MEMBER(perf_event, prog)

OBJTRACE_STRUCT(bpf_prog)
OBJTRACE_SIZE(bpf_prog)
OBJTRACE_MEMBER(bpf_prog, type)
OBJTRACE_MEMBER(bpf_prog, stats)
OBJTRACE_MEMBER(bpf_prog, bpf_func)

/* The number of interrupts of a CPU */
OBJTRACE_STRUCT(kernel_stat)
OBJTRACE_MEMBER(kernel_stat, irqs_sum)

OBJTRACE_STRUCT(bpf_perf_event_data_kern)
OBJTRACE_MEMBER(bpf_perf_event_data_kern, regs)
OBJTRACE_MEMBER(bpf_perf_event_data_kern, event)
#endif

/* Requests to other CPUs */
OBJTRACE_STRUCT(__call_single_data)
OBJTRACE_SIZE(__call_single_data)
OBJTRACE_MEMBER(__call_single_data, node)
OBJTRACE_MEMBER(__call_single_data, func)
OBJTRACE_MEMBER(__call_single_data, info)

OBJTRACE_STRUCT(work_struct)
OBJTRACE_SIZE(work_struct)
OBJTRACE_MEMBER(work_struct, data)
OBJTRACE_MEMBER(work_struct, entry)
OBJTRACE_MEMBER(work_struct, func)
/* Equal to NR_CPUS of the build: the inline function schedule_work() passes the value */
OBJTRACE_ENUMERATOR(WORK_CPU_UNBOUND)
/* Each new hotplug state before these states changes their values */
OBJTRACE_ENUMERATOR(CPUHP_BP_PREPARE_DYN)
OBJTRACE_ENUMERATOR(CPUHP_AP_ONLINE_DYN)

OBJTRACE_STRUCT(mutex)
OBJTRACE_SIZE(mutex)

#undef OBJTRACE_STRUCT
#undef OBJTRACE_ENUM
#undef OBJTRACE_SIZE
#undef OBJTRACE_MEMBER
#undef OBJTRACE_ENUMERATOR
