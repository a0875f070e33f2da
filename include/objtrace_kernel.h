/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel-private layer: all that objtrace does with the kernel beyond its
 * exported interfaces.
 *
 *   objtrace_ksyms.c	unexported symbols, found once at load, called directly
 *   objtrace_btf.c	what the running kernel's BTF says of types and functions
 *   objtrace_built.c	what the headers said of the public structs
 *   objtrace_layout.c	where the members of the private structs are, by that BTF
 *   objtrace_kernel.c	the private structs in use: the event command, its triggers
 *   objtrace_caller.c	callers that functions do not return to directly
 */
#ifndef _OBJTRACE_KERNEL_H
#define _OBJTRACE_KERNEL_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kfence.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "objtrace_ksyms.h"

struct event_command;
struct event_trigger_data;
struct ftrace_ops;
struct ring_buffer_event;
struct seq_file;
struct trace_array;
struct trace_buffer;
struct trace_event_call;
struct trace_event_file;

/**
 * struct objtrace_command - what the event command does, free of private layouts
 * @name: of the command
 * @parse: a command was written to a trigger file; event_mutex held.  @param is
 *	   what follows the name, or NULL.  Returns 0 or a negative errno.
 * @trigger: the event fired; any context
 * @free: the trigger is to go, already off its event's list; event_mutex held
 * @print: one line for the trigger file; event_mutex held
 */
struct objtrace_command {
	const char *name;
	int (*parse)(struct event_command *cmd_ops, struct trace_event_file *file,
		     char *glob, char *cmd, char *param);
	void (*trigger)(struct event_trigger_data *data,
			struct trace_buffer *buffer, void *rec,
			struct ring_buffer_event *event);
	void (*free)(struct event_trigger_data *data);
	int (*print)(struct seq_file *m, struct event_trigger_data *data);
};

int objtrace_kernel_init(const struct objtrace_command *command);
void objtrace_kernel_exit(void);
int objtrace_kernel_link(void);
void objtrace_kernel_unlink(void);

struct event_trigger_data *objtrace_kernel_data_alloc(void *private_data);
void objtrace_kernel_data_free(struct event_trigger_data *data);
void *objtrace_kernel_data_private(struct event_trigger_data *data);
const char *objtrace_kernel_data_filter(struct event_trigger_data *data);
struct event_trigger_data *
objtrace_kernel_data_next(struct trace_event_file *file,
			  struct event_trigger_data *data);
int objtrace_kernel_data_add(struct event_trigger_data *data,
			     struct trace_event_file *file);
void objtrace_kernel_data_del(struct event_trigger_data *data,
			      struct trace_event_file *file);

struct objtrace_field;

bool objtrace_kernel_find_field(struct trace_event_call *call, const char *name,
				struct objtrace_field *field);
unsigned int objtrace_kernel_arg_registers(struct trace_event_call *call,
					   const char *name);
const void *objtrace_kernel_last_probe(struct trace_event_call *call);
bool objtrace_kernel_probe_is_first(const struct ftrace_ops *ops, unsigned long ip);
struct trace_buffer **objtrace_kernel_buffer_at(struct trace_array *tr);
struct trace_buffer *objtrace_kernel_buffer(struct trace_array *tr);
u64 objtrace_kernel_clock(struct trace_array *tr);
const char *objtrace_kernel_instance(const struct trace_array *tr);

/**
 * objtrace_kernel_rcu_waits() - check whether grace periods wait for this CPU
 *
 * A CPU that goes offline calls functions after RCU has stopped waiting for the CPU.  A CPU
 * that comes up calls functions before RCU waits for the CPU.  A kernel without
 * rcu_cpu_online() does not tell these times from the rest of the time before and after
 * the CPU is online.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: false if an object that RCU protects can be freed while this CPU uses the object
 */
static __always_inline bool objtrace_kernel_rcu_waits(void)
{
	unsigned int cpu = raw_smp_processor_id();

	return likely(cpu_online(cpu)) || ksym(rcu_cpu_online)(cpu);
}

/**
 * struct objtrace_slab_object - memory that a slab cache gives out as one object
 * @start: its first byte, as objtrace_kernel_memory_start() has it
 * @cache: whose it is; only compared
 * @ctor: the function that sets objects up, once, when their slab is new; or 0
 * @is_typesafe: the cache is SLAB_TYPESAFE_BY_RCU: who has a pointer may use the object
 *		 after it was freed
 */
struct objtrace_slab_object {
	unsigned long	start;
	unsigned long	cache;
	unsigned long	ctor;
	bool		is_typesafe;
};

unsigned long objtrace_kernel_memory_start(unsigned long addr);

/**
 * objtrace_kernel_start_of() - what objtrace_kernel_memory_start() finds of an object in
 *				some memory
 * @memory: the memory, as who allocates or frees it has it
 *
 * Asked of all memory that is allocated or freed: looks at nothing but the address.
 *
 * Context: any, NMI included.
 * Return: what stands for the memory in the table
 */
static __always_inline unsigned long objtrace_kernel_start_of(unsigned long memory)
{
	return is_kfence_address((void *)memory) ? memory & PAGE_MASK : memory;
}

bool objtrace_kernel_slab_object(unsigned long addr, struct objtrace_slab_object *found);
bool objtrace_kernel_has_rcu_sheaves(void);
void **objtrace_kernel_sheaf(unsigned long head, unsigned int *nr);

#endif /* _OBJTRACE_KERNEL_H */
