/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every symbol of the kernel that objtrace needs and that is not exported: one
 * list, one line each, resolved and checked before anything is registered.
 *
 *   OBJTRACE_FUNC(return type, name, (argument types))	      why
 *	called as ksym(name)(...).  The types are spelled as kernel/btf.c prints
 *	them from the kernel's BTF, because they are compared with it as text: a
 *	kernel whose function has another prototype is refused.
 *   OBJTRACE_FUNC2(return type, name, (argument types), (older argument types))
 *	the same; kernels with the older prototype are right too.  They ignore
 *	the arguments that they do not have, as both calling conventions allow; what
 *	else differs is for objtrace_btf_is_older() to find out.
 *   OBJTRACE_MAYBE(return type, name, (argument types))      why
 *	called as ksym(name)(...), which returns 0 in kernels that lack the function.
 *	A kernel with another prototype is refused.
 *   OBJTRACE_ADDR(name)				      why
 *	only its address is used.
 *   OBJTRACE_ENTRY(return type, name, (argument types))      why
 *	its entry is traced for its arguments.  Not every kernel has it: it is there
 *	if the kernel's BTF describes it, see objtrace_btf_describes().  With another
 *	prototype the kernel is refused.
 *   OBJTRACE_ENTRY2(return type, older return type, name, (argument types))
 *	the same; older kernels return something else.
 *
 * Without an include guard: each user expands the list in its own way, assembly included.
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
#ifndef OBJTRACE_MAYBE
#define OBJTRACE_MAYBE(ret, name, args) OBJTRACE_ENTRY(ret, name, args)
#endif

/* Finds all the others; itself found with a disabled kprobe */
OBJTRACE_FUNC(unsigned long, kallsyms_lookup_name, (const char *))

/* Layouts and prototypes of this kernel; btf_type_by_id() is exported */
OBJTRACE_FUNC(struct btf *, bpf_get_btf_vmlinux, (void))
OBJTRACE_FUNC(const char *, btf_name_by_offset, (const struct btf *, u32))

/* Structs of modules by name, and the reference to a module's BTF that it takes */
OBJTRACE_FUNC(s32, bpf_find_btf_id, (const char *, u32, struct btf **))
OBJTRACE_FUNC(void, btf_put, (struct btf *))

/* Which functions there are, and what the BTF of modules says of theirs */
OBJTRACE_FUNC2(int, kallsyms_on_each_symbol,
	       (int (*)(void *, const char *, unsigned long), void *),
	       (int (*)(void *, const char *, struct module *, unsigned long), void *))
OBJTRACE_ADDR(_stext)
OBJTRACE_ADDR(_etext)
OBJTRACE_ADDR(_sinittext)
OBJTRACE_ADDR(_einittext)
OBJTRACE_FUNC(struct btf *, btf_get_module_btf, (const struct module *))
OBJTRACE_FUNC(struct module *, __module_address, (unsigned long))

/* The event's field that holds the pointer */
OBJTRACE_FUNC(struct ftrace_event_field *, trace_find_event_field,
	      (struct trace_event_call *, char *))

/* Our events in the trigger's instance; the exported way takes event_mutex */
OBJTRACE_FUNC(struct trace_event_file *, find_event_file,
	      (struct trace_array *, const char *, const char *))

/* Full-size buffers for the records, as enabling an event gets them */
OBJTRACE_FUNC2(int, tracing_update_buffers, (struct trace_array *), (void))

/* Write the records ourselves: see the comment in records/record.c */
OBJTRACE_FUNC(unsigned int, tracing_gen_ctx_irq_test, (unsigned int))
OBJTRACE_FUNC(void, trace_buffer_unlock_commit_regs,
	      (struct trace_array *, struct trace_buffer *, struct ring_buffer_event *,
	       unsigned int, struct pt_regs *))
OBJTRACE_FUNC(bool, tracer_tracing_is_on, (struct trace_array *))

/* Give a record that its buffer refuses the time of that buffer */
OBJTRACE_FUNC(void, ring_buffer_set_clock, (struct trace_buffer *, u64 (*)(void)))

/* Whether grace periods wait for a CPU that is not online (since Linux 6.7) */
OBJTRACE_MAYBE(bool, rcu_cpu_online, (int))

/* Files in tracefs, and how a time in one of them is to be shown */
OBJTRACE_FUNC(struct dentry *, tracefs_create_dir, (const char *, struct dentry *))
OBJTRACE_FUNC(struct dentry *, tracefs_create_file,
	      (const char *, umode_t, struct dentry *, void *,
	       const struct file_operations *))
OBJTRACE_FUNC(void, tracefs_remove, (struct dentry *))
OBJTRACE_FUNC(bool, trace_clock_in_ns, (struct trace_array *))

/* Parse and free what follows 'if' */
OBJTRACE_FUNC(int, set_trigger_filter,
	      (char *, struct event_trigger_data *, struct trace_event_file *))

/* Make the event fire for its triggers, with or without its record */
OBJTRACE_FUNC(int, trace_event_trigger_enable_disable,
	      (struct trace_event_file *, int))
OBJTRACE_FUNC(void, update_cond_flag, (struct trace_event_file *))

/* Tell the user what is wrong, in the instance that was written to */
OBJTRACE_FUNC(void, tracing_log_err,
	      (struct trace_array *, const char *, const char *, const char **,
	       u8, u16))

/* Whether unregistering the ftrace_ops can still work */
OBJTRACE_FUNC(int, ftrace_is_dead, (void))

/* Lock and unlock event_mutex, which protects trigger_commands: see kernel/command.c */
OBJTRACE_FUNC(void *, trigger_start, (struct seq_file *, loff_t *))
OBJTRACE_FUNC(void, trigger_stop, (struct seq_file *, void *))

/* Refers to trigger_commands where kallsyms has no data symbols */
OBJTRACE_ADDR(trigger_process_regex)

#ifdef CONFIG_KPROBES_ON_FTRACE
/* Tells whether a probe on a function's entry fires before our callback */
OBJTRACE_ADDR(kprobe_ftrace_handler)
#endif

/* What functions return to instead of their callers, and where one of these is then */
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

/* The entry of the function that a probe is on the entry of */
OBJTRACE_FUNC(unsigned long, ftrace_location, (unsigned long))
OBJTRACE_FUNC(unsigned long, ftrace_location_range, (unsigned long, unsigned long))

/* Where arm64 calls what follows the tracepoints of frees */
OBJTRACE_ADDR(__traceiter_kfree)
OBJTRACE_ADDR(__traceiter_kmem_cache_free)

/* Free memory and have no tracepoint (mm/slub.c): many objects at a time, */
OBJTRACE_ENTRY(void, kmem_cache_free_bulk, (struct kmem_cache *, size_t, void **))

/* what kmalloc_nolock() had returned (since Linux 6.18), */
OBJTRACE_ENTRY(void, kfree_nolock, (const void *))

/*
 * a sheaf of what kfree_rcu() was given (since Linux 6.18), when RCU calls back: the
 * second one if the sheaf was not full yet, but its cache was emptied.  Its objects
 * can be allocated again as soon as they have returned,
 */
OBJTRACE_ENTRY(void, rcu_free_sheaf, (struct callback_head *))
OBJTRACE_ENTRY(void, rcu_free_sheaf_nobarn, (struct callback_head *))

/*
 * and one object that kfree_rcu() was given, when RCU calls back (since Linux 6.15, and
 * only without CONFIG_KVFREE_RCU_BATCHED)
 */
OBJTRACE_ENTRY(void, kvfree_rcu_cb, (struct callback_head *))

/* Allocate many at a time, without a tracepoint (the second one since Linux 6.10) */
OBJTRACE_ENTRY(int, kmem_cache_alloc_bulk, (struct kmem_cache *, gfp_t, size_t, void **))
OBJTRACE_ENTRY2(bool, int, kmem_cache_alloc_bulk_noprof,
		(struct kmem_cache *, gfp_t, size_t, void **))

#undef OBJTRACE_MAYBE
#undef OBJTRACE_ENTRY2
#undef OBJTRACE_ENTRY
#undef OBJTRACE_FUNC2
