/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objtrace: how the parts fit together.  Data flows one way:
 *
 *  a command is written to events/SYSTEM/EVENT/trigger
 *	objtrace_trigger.c   text to struct objtrace_trigger   (objtrace_parse.c)
 *	  |
 *	  v  the event fires: the pointer in its field becomes a tracked object
 *	objtrace_table.c     who looks for which pointer
 *	  |
 *	  v  a traced function is entered with that pointer as an argument
 *	objtrace_fops.c      match, fetch the member's value
 *	  |
 *	  v
 *	objtrace_record.c    write a record into the trigger's instance
 *	  |
 *	  v
 *	cat trace
 *
 * Beside it stands the kernel-private layer (objtrace_kernel.h), through which
 * all of them reach what the kernel does not export, and objtrace_main.c, which
 * starts them bottom up and stops them top down.
 */
#ifndef _OBJTRACE_H
#define _OBJTRACE_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/types.h>

#include "objtrace_parse.h"
#include "objtrace_record.h"
#include "objtrace_table.h"

struct ftrace_ops;
struct module;
struct trace_array;

/**
 * struct objtrace_trigger - one objtrace trigger on one event
 * @spec: the command
 * @files: our events in its instance
 * @owner: module of that event, held as long as the trigger exists; or NULL
 * @object_offset: where in the event's record the pointer is, in bytes
 * @ip_offset: where in it the address of the probe is, if it is one that takes the
 *	       object from an argument register of a function; or -1
 * @budget: objects that may still be added, if there is a limit; changed by adders
 * @full: objects not added because the table was full; changed by adders
 * @full_work: says so once, from a context that can
 * @event: the event that carries it, as SYSTEM:EVENT
 *
 * All but @budget, @full and @full_work is constant while the trigger is on its
 * event.  Readers of the table may use it for an RCU grace period after its
 * objects were retired.
 */
struct objtrace_trigger {
	struct objtrace_spec	spec;
	struct objtrace_files	files;
	struct module		*owner;
	unsigned int		object_offset;
	int			ip_offset;
	atomic_long_t		budget;
	atomic_long_t		full;
	struct irq_work		full_work;
	char			event[];
};

/* objtrace_trigger.c */
int objtrace_trigger_init(void);
void objtrace_trigger_exit(void);

/* objtrace_fops.c */
int objtrace_fops_arm(void);
void objtrace_fops_disarm(void);
bool objtrace_fops_is_stuck(void);
void objtrace_fops_exit(void);
bool objtrace_fops_enter(unsigned int *context);
void objtrace_fops_leave(unsigned int context);
bool objtrace_fops_runs_after_probe(void);
void objtrace_fops_fetch(const struct objtrace_trigger *trigger,
			 struct objtrace_sample *sample);

/* objtrace_errlog.c */
int objtrace_errlog(struct trace_array *tr, const char *glob, const char *param,
		    const struct objtrace_error *error);

#endif /* _OBJTRACE_H */
