/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * List of all unexported symbols of the kernel that objtrace uses.  Module init looks them up
 * and checks their prototypes first of all.  objtrace refuses a kernel with another prototype.
 *
 *   OBJTRACE_FUNC(return type, name, (argument types))
 *	A function that objtrace calls as ksym(name)(...).  The types are compared as text with
 *	the kernel's BTF, so they are spelled as kernel/btf.c prints types.
 *   OBJTRACE_FUNC2(return type, name, (argument types), (older argument types))
 *	A function with an older prototype, which has fewer arguments.  objtrace passes all
 *	arguments, and both calling conventions let the older function ignore the rest.
 *	objtrace_btf_is_older() tells the prototypes apart.
 *   OBJTRACE_MAYBE(return type, name, (argument types))
 *	A function that a kernel may lack.  ksym(name)(...) returns 0 then.
 *   OBJTRACE_ADDR(name)
 *	A symbol of which only the address is used.
 *   OBJTRACE_MAYBE_ADDR(name)
 *	Such a symbol that a kernel may lack.  Its address is 0 then.
 *   OBJTRACE_ENTRY(return type, name, (argument types))
 *	A function whose entry is traced for its arguments.  A kernel may lack the function:
 *	see objtrace_btf_describes().
 *   OBJTRACE_ENTRY2(return type, older return type, name, (argument types))
 *	Such a function with another return type in older kernels.
 *
 * This header has no include guard: each user expands the list in its own way, assembly
 * included.
 */
#ifndef OBJTRACE_FUNC2
#define OBJTRACE_FUNC2(ret, name, args, older) OBJTRACE_FUNC(ret, name, args)
#endif
#ifndef OBJTRACE_ENTRY
#define OBJTRACE_ENTRY(ret, name, args)
#endif
#ifndef OBJTRACE_ENTRY2
#define OBJTRACE_ENTRY2(ret, older, name, args) OBJTRACE_ENTRY(ret, name, args)
#endif
#ifndef OBJTRACE_MAYBE_ADDR
#define OBJTRACE_MAYBE_ADDR(name)
#endif
#ifndef OBJTRACE_MAYBE
#define OBJTRACE_MAYBE(ret, name, args) OBJTRACE_ENTRY(ret, name, args)
#endif

/* Looks up the other symbols; a disabled kprobe finds this symbol */
OBJTRACE_FUNC(unsigned long, kallsyms_lookup_name, (const char *))

/* Read the BTF of this kernel; the list lacks btf_type_by_id(), which is exported */
OBJTRACE_FUNC(struct btf *, bpf_get_btf_vmlinux, (void))
OBJTRACE_FUNC(const char *, btf_name_by_offset, (const struct btf *, u32))

/* Look up a module's struct by name, which takes a reference to the module's BTF */
OBJTRACE_FUNC(s32, bpf_find_btf_id, (const char *, u32, struct btf **))
OBJTRACE_FUNC(void, btf_put, (struct btf *))

/* List all functions, and find their prototypes in the BTF of modules */
OBJTRACE_FUNC2(int, kallsyms_on_each_symbol,
	       (int (*)(void *, const char *, unsigned long), void *),
	       (int (*)(void *, const char *, struct module *, unsigned long), void *))
OBJTRACE_ADDR(_stext)
OBJTRACE_ADDR(_etext)
OBJTRACE_ADDR(_sinittext)
OBJTRACE_ADDR(_einittext)
OBJTRACE_FUNC(struct btf *, btf_get_module_btf, (const struct module *))
OBJTRACE_FUNC(struct module *, __module_address, (unsigned long))

/* Find the event's field that holds the pointer */
OBJTRACE_FUNC(struct ftrace_event_field *, trace_find_event_field,
	      (struct trace_event_call *, char *))

/* Find objtrace's events in the trigger's instance; the exported function takes event_mutex */
OBJTRACE_FUNC(struct trace_event_file *, find_event_file,
	      (struct trace_array *, const char *, const char *))

/* Expand the instance's ring buffer to its full size, as enabling an event does */
OBJTRACE_FUNC2(int, tracing_update_buffers, (struct trace_array *), (void))

/* Write a record: see the comment in records/record.c */
OBJTRACE_FUNC(unsigned int, tracing_gen_ctx_irq_test, (unsigned int))
OBJTRACE_FUNC(void, trace_buffer_unlock_commit_regs,
	      (struct trace_array *, struct trace_buffer *, struct ring_buffer_event *,
	       unsigned int, struct pt_regs *))
OBJTRACE_FUNC(void, trace_buffer_unlock_commit_nostack,
	      (struct trace_buffer *, struct ring_buffer_event *))
OBJTRACE_FUNC(bool, tracer_tracing_is_on, (struct trace_array *))

/* Take a stack trace that starts at a function above objtrace */
OBJTRACE_FUNC(unsigned int, stack_trace_save_regs,
	      (struct pt_regs *, unsigned long *, unsigned int, unsigned int))

/* Set the clock of the ring buffer for refused records */
OBJTRACE_FUNC(void, ring_buffer_set_clock, (struct trace_buffer *, u64 (*)(void)))

/* Check that grace periods wait for a CPU that is not online (since Linux 6.7) */
OBJTRACE_MAYBE(bool, rcu_cpu_online, (int))

/* Create files in tracefs, and check the unit of an instance's clock */
OBJTRACE_FUNC(struct dentry *, tracefs_create_dir, (const char *, struct dentry *))
OBJTRACE_FUNC(struct dentry *, tracefs_create_file,
	      (const char *, umode_t, struct dentry *, void *,
	       const struct file_operations *))
OBJTRACE_FUNC(void, tracefs_remove, (struct dentry *))
OBJTRACE_FUNC(bool, trace_clock_in_ns, (struct trace_array *))

/* Parse and free a trigger's filter */
OBJTRACE_FUNC(int, set_trigger_filter,
	      (char *, struct event_trigger_data *, struct trace_event_file *))

/* Enable an event for its triggers, with or without its record */
OBJTRACE_FUNC(int, trace_event_trigger_enable_disable,
	      (struct trace_event_file *, int))
OBJTRACE_FUNC(void, update_cond_flag, (struct trace_event_file *))

/* Write to the error_log of an instance */
OBJTRACE_FUNC(void, tracing_log_err,
	      (struct trace_array *, const char *, const char *, const char **,
	       u8, u16))

/* Check that ftrace has not disabled itself */
OBJTRACE_FUNC(int, ftrace_is_dead, (void))

/* Lock and unlock event_mutex.  Tasks that walk trigger_commands hold it: see kernel/command.c */
OBJTRACE_FUNC(void *, trigger_start, (struct seq_file *, loff_t *))
OBJTRACE_FUNC(void, trigger_stop, (struct seq_file *, void *))

/* Its code has the address of trigger_commands, for kernels whose kallsyms lacks data symbols */
OBJTRACE_ADDR(trigger_process_regex)

#ifdef CONFIG_HAVE_HW_BREAKPOINT
/* Move a debug register to other bytes: see kernel/watch.c */
OBJTRACE_FUNC(int, arch_install_hw_breakpoint, (struct perf_event *))
OBJTRACE_FUNC(void, arch_uninstall_hw_breakpoint, (struct perf_event *))
#endif

#ifdef CONFIG_X86_64
/* Per-CPU data that must not be watched: see objtrace_watchpoint_allows() */
OBJTRACE_ADDR(cpu_tlbstate)

/* The probe whose handler runs on a CPU: see kernel/return.c */
OBJTRACE_ADDR(current_kprobe)
#endif

#ifdef CONFIG_KPROBES_ON_FTRACE
/* Identifies the kprobes' ftrace_ops: see objtrace_kernel_probe_is_first() */
OBJTRACE_ADDR(kprobe_ftrace_handler)
#endif

/* Replacements of return addresses, and the saved addresses: see kernel/caller.h */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
OBJTRACE_ADDR(return_to_handler)
OBJTRACE_FUNC(struct ftrace_ret_stack *, ftrace_graph_get_ret_stack,
	      (struct task_struct *, int))
#endif
#if defined(CONFIG_KRETPROBE_ON_RETHOOK)
OBJTRACE_ADDR(arch_rethook_trampoline)
#elif defined(CONFIG_KRETPROBES)
OBJTRACE_ADDR(__kretprobe_trampoline)
#endif

/* Replaces the return address of a function: see kernel/return.c */
OBJTRACE_FUNC(int, pre_handler_kretprobe, (struct kprobe *, struct pt_regs *))

#ifdef CONFIG_X86_64
/* Enters with one task, and returns with another one: see kernel/return.c */
OBJTRACE_ADDR(__switch_to)
#endif

/*
 * Functions that the kernel can call to handle the return of a function with a return probe: see
 * kernel/return.c.  Some kernels have them inline, or lack them.
 */
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
/* Traced on x86-64 before Linux 6.1.30 and 6.4 */
OBJTRACE_MAYBE_ADDR(arch_rethook_trampoline_callback)
OBJTRACE_MAYBE_ADDR(arch_rethook_fixup_return)
#else
OBJTRACE_MAYBE_ADDR(__kretprobe_trampoline_handler)
OBJTRACE_MAYBE_ADDR(__kretprobe_find_ret_addr)
OBJTRACE_MAYBE_ADDR(arch_kretprobe_fixup_return)
OBJTRACE_MAYBE_ADDR(recycle_rp_inst)
#endif
OBJTRACE_MAYBE_ADDR(objpool_push)

/* Find the ftrace location of a probed function */
OBJTRACE_FUNC(unsigned long, ftrace_location, (unsigned long))
OBJTRACE_FUNC(unsigned long, ftrace_location_range, (unsigned long, unsigned long))

/*
 * Call the probes of the tracepoints of frees, with the freed object as an argument: always on
 * arm64, and on x86-64 if a tracepoint has several probes
 */
OBJTRACE_ADDR(__traceiter_kfree)
OBJTRACE_ADDR(__traceiter_kmem_cache_free)

/*
 * The functions below free memory and have no tracepoint (mm/slub.c).
 *
 * Frees many objects.
 */
OBJTRACE_ENTRY(void, kmem_cache_free_bulk, (struct kmem_cache *, size_t, void **))

/* Frees memory of kmalloc_nolock() (since Linux 6.18) */
OBJTRACE_ENTRY(void, kfree_nolock, (const void *))

/*
 * RCU callbacks that free a sheaf of objects of kfree_rcu() (since Linux 6.18).  The second
 * callback frees a sheaf that was not full when its cache was flushed.  The objects can be
 * allocated again when the callback returns.
 */
OBJTRACE_ENTRY(void, rcu_free_sheaf, (struct callback_head *))
OBJTRACE_ENTRY(void, rcu_free_sheaf_nobarn, (struct callback_head *))

/*
 * RCU callback that frees one object of kfree_rcu() (since Linux 6.15, and only without
 * CONFIG_KVFREE_RCU_BATCHED)
 */
OBJTRACE_ENTRY(void, kvfree_rcu_cb, (struct callback_head *))

/* Allocate many objects without a tracepoint (the second function since Linux 6.10) */
OBJTRACE_ENTRY(int, kmem_cache_alloc_bulk, (struct kmem_cache *, gfp_t, size_t, void **))
OBJTRACE_ENTRY2(bool, int, kmem_cache_alloc_bulk_noprof,
		(struct kmem_cache *, gfp_t, size_t, void **))

#undef OBJTRACE_MAYBE_ADDR
#undef OBJTRACE_MAYBE
#undef OBJTRACE_ENTRY2
#undef OBJTRACE_ENTRY
#undef OBJTRACE_FUNC2
