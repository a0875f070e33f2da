// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks as a tree: millions of records have few different stacks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/records.h"
#include "tools/objtrace/stacks.h"

/* The option stack= allows 64 entries, and the kernel's own stack traces have more */
#define MAX_ENTRIES	1024
/* Old kernels end a stack with this entry */
#define NO_ENTRY	(~0ULL)

struct expecting {
	const void	*buffer;
	struct record	*record;
};

static int place_of(struct tep_event *event, const char *name)
{
	struct tep_format_field *field = event ? tep_find_field(event, name) : NULL;

	return field && field->offset >= 0 && field->offset < 65536 ? field->offset : -1;
}

/**
 * stacks_init() - prepare to read stacks
 * @stacks: the result
 * @tep: the formats of the file; they must outlive @stacks
 */
void stacks_init(struct stacks *stacks, struct tep_handle *tep)
{
	struct tep_event *event = tep_find_event_by_name(tep, "ftrace", "kernel_stack");

	memset(stacks, 0, sizeof(*stacks));
	stacks->tep = tep;
	stacks->size_at = place_of(event, "size");
	stacks->entries_at = place_of(event, "caller");
	stacks->event_id = -1;
	if (stacks->size_at >= 0 && stacks->entries_at >= 0 &&
	    (tep_get_long_size(tep) == 4 || tep_get_long_size(tep) == 8))
		stacks->event_id = event->id;
}

/**
 * stacks_free() - free all stacks
 * @stacks: the stacks
 */
void stacks_free(struct stacks *stacks)
{
	counts_free(&stacks->entries);
	free(stacks->expecting);
	memset(stacks, 0, sizeof(*stacks));
}

/**
 * stacks_expect() - note the last record of a CPU
 * @stacks: the stacks
 * @buffer: the buffer of the record
 * @cpu: the CPU
 * @record: the record that a stack can follow, or NULL
 *
 * Return: 0, or -ENOMEM.
 */
int stacks_expect(struct stacks *stacks, const void *buffer, unsigned int cpu,
		  struct record *record)
{
	unsigned int nr = cpu + 1;
	struct expecting *more;

	if (cpu >= stacks->nr_expecting) {
		more = realloc(stacks->expecting, nr * sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + stacks->nr_expecting, 0,
		       (nr - stacks->nr_expecting) * sizeof(*more));
		stacks->expecting = more;
		stacks->nr_expecting = nr;
	}
	stacks->expecting[cpu] = (struct expecting){ buffer, record };
	return 0;
}

/* The outermost caller comes last, and is the root of the tree */
static int add_entries(struct stacks *stacks, const struct tep_record *raw, int nr,
		       unsigned int *number)
{
	int size = tep_get_long_size(stacks->tep);
	struct count *entry;
	u64 ip;

	*number = 0;
	while (nr-- > 0) {
		ip = tep_read_number(stacks->tep,
				     (char *)raw->data + stacks->entries_at + nr * size, size);
		if (ip == NO_ENTRY || !ip)
			continue;
		entry = counts_get(&stacks->entries, ip, *number);
		if (!entry)
			return -ENOMEM;
		*number = entry - stacks->entries.counts + 1;
	}
	return 0;
}

static bool is_stack(const struct stacks *stacks, const struct tep_record *raw)
{
	struct tep_record *shared = (struct tep_record *)raw;	/* libtraceevent only reads it */

	return stacks->event_id >= 0 && raw->size >= stacks->size_at + 4 &&
	       raw->size >= stacks->entries_at &&
	       tep_data_type(stacks->tep, shared) == stacks->event_id;
}

/**
 * stacks_take() - read a stack, and add it to its record
 * @stacks: the stacks
 * @buffer: the buffer of @raw
 * @raw: a record of any event
 *
 * A stack belongs to the record before it if no other record of the CPU is between both.
 *
 * Return: 0, or -ENOMEM.
 */
int stacks_take(struct stacks *stacks, const void *buffer, const struct tep_record *raw)
{
	struct expecting expecting;
	int nr, room;

	if ((unsigned int)raw->cpu >= stacks->nr_expecting)
		return 0;
	expecting = stacks->expecting[raw->cpu];
	stacks->expecting[raw->cpu].record = NULL;
	if (!expecting.record || expecting.buffer != buffer || raw->missed_events ||
	    !is_stack(stacks, raw))
		return 0;
	room = (raw->size - stacks->entries_at) / tep_get_long_size(stacks->tep);
	nr = tep_read_number(stacks->tep, (char *)raw->data + stacks->size_at, 4);
	if (nr > room)
		nr = room;
	return add_entries(stacks, raw, nr < MAX_ENTRIES ? nr : MAX_ENTRIES,
			   &expecting.record->stack);
}

/**
 * stack_entry() - the entry with a number
 * @stacks: the stacks
 * @number: the number, as in struct record
 *
 * Return: the entry, whose parent_ip is the number of its caller; NULL for the number 0.
 */
const struct count *stack_entry(const struct stacks *stacks, unsigned int number)
{
	return number ? &stacks->entries.counts[number - 1] : NULL;
}
