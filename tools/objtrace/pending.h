/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that were read and not printed yet, in the order of time.
 */
#ifndef _TOOLS_OBJTRACE_PENDING_H
#define _TOOLS_OBJTRACE_PENDING_H

#include <stdbool.h>
#include <stddef.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/followed.h"

/**
 * enum pending_kind - the kinds of records that are printed
 * @PENDING_RECORD: a record of objtrace
 * @PENDING_STACK: the stack trace of a record
 * @PENDING_EVENT: an event of the kernel
 */
enum pending_kind {
	PENDING_RECORD,
	PENDING_STACK,
	PENDING_EVENT,
};

/**
 * struct pending - a record that is not printed yet
 * @kept: the record, if it is one of objtrace's; first, because the end of @kept is that of the entry
 * @kind: the kind
 * @ts: time of the record, or of the record that a stack trace belongs to
 * @nr: number of the record, or of the record that a stack trace belongs to; from 1
 * @event: the event of @raw; NULL for a record of objtrace
 * @raw: the record of another event
 * @data: the bytes of @raw
 */
struct pending {
	struct kept_record	kept;
	enum pending_kind	kind;
	u64			ts;
	unsigned long		nr;
	struct tep_event	*event;
	struct tep_record	raw;
	char			data[];
};

/**
 * struct pending_owner - the last record in the buffer of a CPU
 * @ts: its time; later records of the CPU get this time at least
 * @nr: its number, or 0 if no stack trace can follow
 */
struct pending_owner {
	u64		ts;
	unsigned long	nr;
};

/**
 * struct pending_queue - records in the order of time; zeroes at first
 * @entries: the records that are not taken yet
 * @nr: number of @entries
 * @max: number of entries that fit into @entries
 * @nr_added: number of all records, without stack traces
 * @nr_taken: number of the record that was taken last
 * @owners: the last record of each CPU
 * @nr_owners: number of @owners
 */
struct pending_queue {
	struct pending		**entries;
	size_t			nr, max;
	unsigned long		nr_added;
	unsigned long		nr_taken;
	struct pending_owner	*owners;
	unsigned int		nr_owners;
};

struct pending *pending_new(enum pending_kind kind, struct tep_event *event,
			    const struct tep_record *raw);
int pending_add(struct pending_queue *queue, struct pending *p, unsigned int cpu, bool has_gap);
void pending_skip(struct pending_queue *queue, unsigned int cpu);
void pending_take(struct pending_queue *queue, u64 limit,
		  void (*take)(struct pending *p, void *data), void *data);
void pending_free(struct pending_queue *queue);

#endif /* _TOOLS_OBJTRACE_PENDING_H */
