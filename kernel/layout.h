/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the members of the kernel's private structs are, in the running kernel.
 *
 * No headers package has these structs and they change inside stable series, so
 * none is laid out by a C struct: members are read and written by name, at the
 * offsets that the running kernel's BTF gives.  Two families are known:
 *
 *   split    struct event_command has get_trigger_ops; what a trigger does is in
 *	      struct event_trigger_ops, which each trigger points to (->ops)
 *   merged   these operations are members of struct event_command itself
 *
 * Which one a kernel has says nothing but its BTF: 6.12.111 is split, 6.12.112
 * and 6.19 are merged, 6.18.15 is split.
 */
#ifndef _OBJTRACE_LAYOUT_H
#define _OBJTRACE_LAYOUT_H

#include <linux/types.h>

/*
 * Pointers to the functions that a command has.  With __stringify() each is compared with
 * the kernel's BTF, and with typeof() the compiler compares it with our function.  A kernel
 * with kCFI compares them when it calls the function.
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
 * @command: of struct event_command
 * @ops: of struct event_trigger_ops, or of struct event_command if not @split
 * @data: of struct event_trigger_data; its @data.ops is there only if @split
 * @field: of struct ftrace_event_field; its member size is @field.length
 * @probe_event: of struct trace_probe_event
 * @probe: of struct trace_probe
 * @probe_arg: of struct probe_arg
 * @fetch_insn: of struct fetch_insn
 * @instance: of struct trace_array
 * @array_buffer: of struct array_buffer
 * @slab: of struct slab
 * @cache: of struct kmem_cache, only if @slub; its member size is @cache.stride, and
 *	   @cache.sheaf_capacity is there only if @sheaves; @cache.ctor sets an object up
 *	   when its slab is new
 * @sheaf: of struct slab_sheaf, only if @sheaves; its member size is @sheaf.nr, its
 *	   rcu_head @sheaf.head
 * @split: the family
 * @slub: whether slabs are those of SLUB, and not of the older allocator
 * @sheaves: whether SLUB has sheaves
 * @needs_rec: the value of EVENT_CMD_FL_NEEDS_REC
 *
 * Each struct's @size is that of the whole, the others are offsets of the members
 * of that name.  Constant after init.
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
		unsigned int size, name, array_buffer;
	} instance;
	struct {
		unsigned int size, buffer;
	} array_buffer;
	struct {
		unsigned int size, slab_cache;
	} slab;
	struct {
		unsigned int size, flags, stride, red_left_pad, ctor, sheaf_capacity;
	} cache;
	struct {
		unsigned int size, head, cache, nr, objects;
	} sheaf;
	bool	split;
	bool	slub;
	bool	sheaves;
	int	needs_rec;
};

extern struct objtrace_layout objtrace_layout;

/* A member of the private struct at @base; its offset is in objtrace_layout */
#define objtrace_private(base, type, offset)	(*(type *)((void *)(base) + (offset)))

int objtrace_layout_init(void);

#endif /* _OBJTRACE_LAYOUT_H */
