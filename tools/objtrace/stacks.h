/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks of records: the kernel writes a stack as a record of its own, after the record that it
 * belongs to.
 */
#ifndef _TOOLS_OBJTRACE_STACKS_H
#define _TOOLS_OBJTRACE_STACKS_H

#include "tools/objtrace/counts.h"

struct record;
struct tep_handle;
struct tep_record;
struct expecting;

/**
 * struct stacks - the stacks of a file; all zero for a file without stacks
 * @entries: the entries.  ip is the address of an entry, parent_ip is the number of the entry of its
 *	     caller, or 0.  Entries are counted from 1, and stacks with the same callers share them.
 * @tep: the formats of the file
 * @event_id: number of the event, or -1
 * @size_at: bytes before the field with the number of entries
 * @entries_at: bytes before the first entry
 * @expecting: for each CPU, the record that the next stack belongs to
 * @nr_expecting: size of @expecting
 */
struct stacks {
	struct counts		entries;
	struct tep_handle	*tep;
	int			event_id;
	int			size_at;
	int			entries_at;
	struct expecting	*expecting;
	unsigned int		nr_expecting;
};

void stacks_init(struct stacks *stacks, struct tep_handle *tep);
int stacks_expect(struct stacks *stacks, const void *buffer, unsigned int cpu,
		  struct record *record);
int stacks_take(struct stacks *stacks, const void *buffer, const struct tep_record *raw);
const struct count *stack_entry(const struct stacks *stacks, unsigned int number);
void stacks_free(struct stacks *stacks);

#endif /* _TOOLS_OBJTRACE_STACKS_H */
