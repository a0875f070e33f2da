/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's structs of objtrace's event command and of its triggers.
 */
#ifndef _OBJTRACE_COMMAND_H
#define _OBJTRACE_COMMAND_H

struct event_command;
struct event_trigger_data;
struct ring_buffer_event;
struct seq_file;
struct trace_buffer;
struct trace_event_file;

/**
 * struct objtrace_command - functions of the event command, without private structs
 * @name: name of the command
 * @parse: parse a line that was written to a trigger file.  @param is the text after the
 *	   name, or NULL.  event_mutex is held.  Returns 0 or a negative errno.
 * @trigger: handle a fired event.  Context: any, NMI included.
 * @free: free a trigger that the kernel has removed from its event; event_mutex is held
 * @print: print a trigger for the trigger file; event_mutex is held
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
bool objtrace_kernel_take_stacktrace(struct trace_event_file *file);
int objtrace_kernel_data_add(struct event_trigger_data *data,
			     struct trace_event_file *file);
void objtrace_kernel_data_del(struct event_trigger_data *data,
			      struct trace_event_file *file);

#endif /* _OBJTRACE_COMMAND_H */
