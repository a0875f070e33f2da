// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffers of the CPUs are read in turn, so a record can be read after younger records of
 * another CPU.  A stack trace is a record of its own, behind its record in the buffer of the CPU.
 * Other CPUs write between both, so a stack trace is sorted by the time of its record.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/pending.h"

/**
 * pending_new() - copy a record
 * @kind: the kind
 * @event: the event of a record that is not one of objtrace's
 * @raw: the record
 *
 * Return: the record, whose member kept only has the time; or NULL without memory.
 */
struct pending *pending_new(enum pending_kind kind, struct tep_event *event,
			    const struct tep_record *raw)
{
	size_t size = kind == PENDING_RECORD ? 0 : raw->size;
	struct pending *p = malloc(sizeof(*p) + size);

	if (!p)
		return NULL;
	p->kind = kind;
	p->ts = p->kept.record.ts = raw->ts;
	p->event = event;
	p->raw = (struct tep_record){ .ts = raw->ts, .size = size, .data = p->data };
	if (size)
		memcpy(p->data, raw->data, size);
	return p;
}

/* The entry of a CPU in @owners, or NULL without memory */
static struct pending_owner *owner_on(struct pending_queue *queue, unsigned int cpu)
{
	unsigned int nr = cpu + 1;
	struct pending_owner *more;

	if (cpu >= queue->nr_owners) {
		more = realloc(queue->owners, nr * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + queue->nr_owners, 0, (nr - queue->nr_owners) * sizeof(*more));
		queue->owners = more;
		queue->nr_owners = nr;
	}
	return &queue->owners[cpu];
}

static int append(struct pending_queue *queue, struct pending *p)
{
	struct pending **bigger;
	size_t max = queue->max;

	if (queue->nr == max) {
		max = max * 2 + 1024;
		bigger = realloc(queue->entries, max * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		queue->entries = bigger;
		queue->max = max;
	}
	queue->entries[queue->nr++] = p;
	return 0;
}

/* An interrupt can write records between a record and its stack.  Then the record has no stack. */
static bool find_record(struct pending *stack, struct pending_owner *owner, bool has_gap)
{
	bool is_found = owner->nr && !has_gap;

	stack->ts = owner->ts;
	stack->nr = owner->nr;
	owner->nr = 0;
	return is_found;
}

static int add(struct pending_queue *queue, struct pending *p, unsigned int cpu, bool has_gap)
{
	struct pending_owner *owner;

	if (p->kind == PENDING_EVENT) {
		p->nr = ++queue->nr_added;
		return append(queue, p);
	}
	owner = owner_on(queue, cpu);
	if (!owner)
		return -ENOMEM;
	if (p->kind == PENDING_STACK) {
		if (find_record(p, owner, has_gap))
			return append(queue, p);
		free(p);
		return 0;
	}
	/*
	 * The kernel loses the time of a discarded event.  A record that is read after others of its page
	 * can then have an older time than theirs.
	 */
	if (p->ts < owner->ts)
		p->ts = p->kept.record.ts = owner->ts;
	p->nr = ++queue->nr_added;
	*owner = (struct pending_owner){ .ts = p->ts, .nr = p->nr };
	return append(queue, p);
}

/**
 * pending_add() - add a record
 * @queue: the records
 * @p: the record, which the queue owns from now on; NULL fails
 * @cpu: the CPU that wrote the record
 * @has_gap: the buffer lost records before this one
 *
 * A stack trace is dropped if its record is unknown.  Events of the kernel come from another buffer
 * than the other records, and have no stack traces.
 *
 * Return: 0, or -ENOMEM.
 */
int pending_add(struct pending_queue *queue, struct pending *p, unsigned int cpu, bool has_gap)
{
	int ret = p ? add(queue, p, cpu, has_gap) : -ENOMEM;

	if (ret)
		free(p);
	return ret;
}

/**
 * pending_skip() - note that a record is not added, so that its stack trace is dropped
 * @queue: the records
 * @cpu: the CPU that wrote the record
 */
void pending_skip(struct pending_queue *queue, unsigned int cpu)
{
	if (cpu < queue->nr_owners)
		queue->owners[cpu].nr = 0;
}

static int compare(const void *a, const void *b)
{
	const struct pending *one = *(struct pending **)a, *two = *(struct pending **)b;

	if (one->ts != two->ts)
		return one->ts < two->ts ? -1 : 1;
	if (one->nr != two->nr)
		return one->nr < two->nr ? -1 : 1;
	return one->kind == PENDING_STACK ? 1 : -1;
}

/**
 * pending_take() - take the oldest records from the queue
 * @queue: the records
 * @limit: take the records that are older than this time
 * @take: is called for each record in the order of time, and owns the record
 * @data: for @take
 *
 * A stack trace follows its record at once.  If the record was taken before, and another one after
 * it, the stack trace is dropped.
 */
void pending_take(struct pending_queue *queue, u64 limit,
		  void (*take)(struct pending *p, void *data), void *data)
{
	struct pending **p = queue->entries;
	size_t i;

	if (queue->nr)
		qsort(p, queue->nr, sizeof(*p), compare);
	for (i = 0; i < queue->nr && p[i]->ts < limit; i++) {
		if (p[i]->kind == PENDING_STACK && p[i]->nr != queue->nr_taken) {
			free(p[i]);
			continue;
		}
		queue->nr_taken = p[i]->nr;
		take(p[i], data);
	}
	queue->nr -= i;
	if (i)
		memmove(p, p + i, queue->nr * sizeof(*p));
}

/**
 * pending_free() - free the records that were not taken
 * @queue: the records
 */
void pending_free(struct pending_queue *queue)
{
	while (queue->nr)
		free(queue->entries[--queue->nr]);
	free(queue->entries);
	free(queue->owners);
}
