/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing records into the instance of a trigger, see objtrace_event.h for what
 * is in them.
 */
#ifndef _OBJTRACE_RECORD_H
#define _OBJTRACE_RECORD_H

#include <linux/types.h>

struct trace_array;
struct trace_event_call;
struct trace_event_file;

/* The event whose class is called with event_mutex held, see objtrace_kernel.c */
#define OBJTRACE_MUTEX_EVENT	"objtrace_add"

/**
 * struct objtrace_files - our events in one instance
 * @add: objtrace_add
 * @value: objtrace_value
 * @del: objtrace_del
 */
struct objtrace_files {
	struct trace_event_file	*add;
	struct trace_event_file	*value;
	struct trace_event_file	*del;
};

/**
 * struct objtrace_sample - an object and the value of its member at one moment
 * @object: the object
 * @id: which object at this address, counted over all
 * @value: the value, zero-extended; 0 if @fault
 * @fault: the value could not be read
 */
struct objtrace_sample {
	unsigned long	object;
	u64		id;
	unsigned long	value;
	bool		fault;
};

int objtrace_record_files(struct trace_array *tr, struct objtrace_files *files);
void objtrace_record_announce(const struct objtrace_files *files);
bool objtrace_record_owns(const struct trace_event_call *call);

void objtrace_record_add(const struct objtrace_files *files,
			 const struct objtrace_sample *sample, const char *event);
void objtrace_record_value(const struct objtrace_files *files,
			   const struct objtrace_sample *sample,
			   unsigned long ip, unsigned long parent_ip,
			   unsigned int arg);
void objtrace_record_del(const struct objtrace_files *files, unsigned long object,
			 u64 id, unsigned long hits, unsigned int reason);

#endif /* _OBJTRACE_RECORD_H */
