/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our trace events, which objtrace_event.h defines.
 */
#ifndef _OBJTRACE_EVENTS_H
#define _OBJTRACE_EVENTS_H

#include <linux/types.h>

struct trace_array;
struct trace_buffer;
struct trace_event_call;
struct trace_event_file;

/**
 * enum objtrace_event - our events
 * @OBJTRACE_EVENT_ADD: objtrace_add
 * @OBJTRACE_EVENT_VALUE: objtrace_value
 * @OBJTRACE_EVENT_CHANGE: objtrace_change
 * @OBJTRACE_EVENT_RETURN: objtrace_return
 * @OBJTRACE_EVENT_DEL: objtrace_del
 * @OBJTRACE_EVENT_AFTER_FREE: objtrace_after_free
 * @OBJTRACE_EVENT_WATCH: objtrace_watch
 * @OBJTRACE_EVENT_WRITE: objtrace_write
 * @OBJTRACE_NR_EVENTS: number of events
 */
enum objtrace_event {
	OBJTRACE_EVENT_ADD,
	OBJTRACE_EVENT_VALUE,
	OBJTRACE_EVENT_CHANGE,
	OBJTRACE_EVENT_RETURN,
	OBJTRACE_EVENT_DEL,
	OBJTRACE_EVENT_AFTER_FREE,
	OBJTRACE_EVENT_WATCH,
	OBJTRACE_EVENT_WRITE,
	OBJTRACE_NR_EVENTS,
};

/**
 * struct objtrace_files - our events in one instance
 * @event: files of the events, by enum objtrace_event
 * @buffer: pointer to the instance's ring buffer, see objtrace_kernel_buffer_at()
 * @flags: pointer to the instance's options, see objtrace_kernel_flags_at()
 * @stack_flags: pointer to flags; a flag of objtrace_kernel_adds_stacks() there means that records
 *		 need a stack.  The same as @flags, or a constant if each record needs a stack
 * @stack: maximum of entries in the stack record after each record; 0 for no stack record
 */
struct objtrace_files {
	struct trace_event_file	*event[OBJTRACE_NR_EVENTS];
	struct trace_buffer	**buffer;
	const u64		*flags;
	const u64		*stack_flags;
	unsigned int		stack;
};

int objtrace_events_check(void);
void objtrace_events_init(void);
void objtrace_events_drain(void);
int objtrace_events_find(struct trace_array *tr, unsigned int stack,
			 struct objtrace_files *files);
void objtrace_events_announce(const struct objtrace_files *files);
bool objtrace_events_own(const struct trace_event_call *call);

#endif /* _OBJTRACE_EVENTS_H */
