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
 */
#ifndef _OBJTRACE_KERNEL_H
#define _OBJTRACE_KERNEL_H

#include <linux/types.h>

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
bool objtrace_kernel_event_mutex_held(struct trace_event_file *file, bool enable);

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
bool objtrace_kernel_probe_is_first(const struct ftrace_ops *ops);
struct trace_buffer *objtrace_kernel_buffer(struct trace_array *tr);
u64 objtrace_kernel_clock(struct trace_array *tr);
const char *objtrace_kernel_instance(const struct trace_array *tr);

unsigned long objtrace_kernel_memory_start(unsigned long addr);

bool objtrace_kernel_has_rcu_sheaves(void);
void **objtrace_kernel_sheaf(unsigned long head, unsigned int *nr);

#endif /* _OBJTRACE_KERNEL_H */
