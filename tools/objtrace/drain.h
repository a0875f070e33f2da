/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the ring buffer of an instance until it is empty.
 */
#ifndef _TOOLS_OBJTRACE_DRAIN_H
#define _TOOLS_OBJTRACE_DRAIN_H

#include <traceevent/event-parse.h>

struct tracefs_instance;

/**
 * struct drain_sink - the receiver of the records
 * @keep: is called for each record, the oldest of all CPUs first; a result other than 0 ends the
 *	  reading, and the records that were not read yet are lost
 * @data: for @keep
 */
struct drain_sink {
	int	(*keep)(struct tep_event *event, struct tep_record *raw, int cpu, void *data);
	void	*data;
};

int drain(struct tep_handle *tep, struct tracefs_instance *instance,
	  const struct drain_sink *sink, unsigned long long *nr_pauses);

#endif /* _TOOLS_OBJTRACE_DRAIN_H */
