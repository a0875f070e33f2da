/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Offsets of members of the kernel's private structs, in the running kernel.
 *
 * No headers package has these structs, and stable releases change them.  So the offsets come
 * from the running kernel's BTF.  struct event_command has two layouts:
 *
 *   split    struct event_command has the member get_trigger_ops.  Each trigger points to a
 *	      struct event_trigger_ops (->ops), which has the trigger's operations.
 *   merged   struct event_command has the operations as its own members.
 *
 * The version of a kernel does not tell its layout: 6.12.111 and 6.18.15 are split, 6.12.112
 * and 6.19 are merged.
 */
#ifndef _OBJTRACE_LAYOUT_H
#define _OBJTRACE_LAYOUT_H

#include <linux/types.h>

/*
 * Types of the functions of an event command.  __stringify() of a type is compared with the
 * kernel's BTF.  typeof() lets the compiler check objtrace's function.  A kernel with kCFI
 * compares the type when it calls the function.
 */
#define OBJTRACE_PARSE_PROTO \
	int (*)(struct event_command *, struct trace_event_file *, char *, char *, char *)
#define OBJTRACE_TRIGGER_PROTO \
	void (*)(struct event_trigger_data *, struct trace_buffer *, void *, \
		 struct ring_buffer_event *)
#define OBJTRACE_FREE_PROTO \
	void (*)(struct event_trigger_data *)
#define OBJTRACE_PRINT_PROTO \
	int (*)(struct seq_file *, struct event_trigger_data *)

/**
 * struct objtrace_layout - offsets and sizes in the running kernel, in bytes
 * @command: struct event_command
 * @ops: struct event_trigger_ops if @split, else struct event_command
 * @data: struct event_trigger_data; @data.ops is valid only if @split
 * @field: struct ftrace_event_field; @field.length is its member size
 * @probe_event: struct trace_probe_event
 * @probe: struct trace_probe
 * @probe_arg: struct probe_arg
 * @fetch_insn: struct fetch_insn
 * @instance: struct trace_array
 * @array_buffer: struct array_buffer
 * @stack_entry: struct stack_entry; @stack_entry.nr is its member size
 * @slab: struct slab
 * @cache: struct kmem_cache, only if @slub; @cache.stride is its member size;
 *	   @cache.sheaf_capacity is valid only if @sheaves; @cache.ctor initializes the objects
 *	   of a new slab
 * @sheaf: struct slab_sheaf, only if @sheaves; @sheaf.nr is its member size, and @sheaf.head
 *	   is its rcu_head
 * @perf_event: struct perf_event, only if it has orig_overflow_handler, else 0
 * @split: true for the split layout, false for the merged layout
 * @slub: true if the allocator is SLUB, false if it is SLAB
 * @sheaves: true if SLUB has sheaves
 * @needs_rec: value of EVENT_CMD_FL_NEEDS_REC
 * @stack_type: value of TRACE_STACK, the type of stack records
 * @stacktrace_option: bit of options/stacktrace in @instance.trace_flags
 * @stack_options: @stacktrace_option, and the bit of options/userstacktrace
 *
 * The member size of each struct is the size of the kernel's struct.  Each other member is the
 * offset of the kernel's member with the same name.
 *
 * Written by objtrace_layout_init() during module init, and constant after init.
 */
struct objtrace_layout {
	struct {
		unsigned int size, list, name, trigger_type, flags, parse;
	} command;
	struct {
		unsigned int size, trigger, free, print;
	} ops;
	struct {
		unsigned int size, count, ops, cmd_ops, filter_str, private_data,
			     list, named_list;
	} data;
	struct {
		unsigned int size, type, offset, length;
	} field;
	struct {
		unsigned int size, call, probes;
	} probe_event;
	struct {
		unsigned int size, list, nr_args, args;
	} probe;
	struct {
		unsigned int size, code, name, comm;
	} probe_arg;
	struct {
		unsigned int size, param;
	} fetch_insn;
	struct {
		unsigned int size, name, array_buffer, trace_flags;
	} instance;
	struct {
		unsigned int size, buffer;
	} array_buffer;
	struct {
		unsigned int size, nr, caller;
	} stack_entry;
	struct {
		unsigned int size, slab_cache;
	} slab;
	struct {
		unsigned int size, flags, stride, red_left_pad, ctor, sheaf_capacity;
	} cache;
	struct {
		unsigned int size, head, cache, nr, objects;
	} sheaf;
	struct {
		unsigned int size, orig_overflow_handler;
	} perf_event;
	bool	split;
	bool	slub;
	bool	sheaves;
	int	needs_rec;
	int	stack_type;
	u64	stacktrace_option;
	u64	stack_options;
};

extern struct objtrace_layout objtrace_layout;

/* Access a member of the private struct at @base, with an offset of objtrace_layout */
#define objtrace_private(base, type, offset)	(*(type *)((void *)(base) + (offset)))

int objtrace_layout_init(void);

#endif /* _OBJTRACE_LAYOUT_H */
