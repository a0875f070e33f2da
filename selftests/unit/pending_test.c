// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order of the records that `objtrace follow' prints: records of several CPUs, stack traces
 * between records of another CPU, and readings that end between a record and its stack trace.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/pending.h"
#include "tap.h"

static struct pending_queue queue;
static char taken[200];

/* The name of a record is its only byte */
static void add(enum pending_kind kind, char name, int cpu, u64 ts)
{
	struct tep_record raw = { .ts = ts, .size = 1, .data = &name };
	struct pending *p = pending_new(kind, NULL, &raw);

	p->kept.record.pid = name;
	pending_add(&queue, p, cpu, false);
}

static void record(char name, int cpu, u64 ts)
{
	add(PENDING_RECORD, name, cpu, ts);
}

static void stack(char name, int cpu, u64 ts)
{
	add(PENDING_STACK, name, cpu, ts);
}

static void append(struct pending *p, void *data)
{
	char name = p->kind == PENDING_RECORD ? p->kept.record.pid : p->data[0];

	strncat(taken, &name, 1);
	free(p);
}

static void take(u64 limit)
{
	pending_take(&queue, limit, append, NULL);
}

static void expect(const char *wanted, const char *name)
{
	ok(!strcmp(taken, wanted), "%s: %s", name, taken);
	pending_free(&queue);
	memset(&queue, 0, sizeof(queue));
	taken[0] = '\0';
}

int main(void)
{
	record('A', 0, 10), record('B', 0, 30), record('C', 1, 20);
	take(~0ULL);
	expect("ACB", "records of two CPUs are in the order of time");

	record('A', 0, 10), record('B', 1, 10), record('C', 0, 10);
	take(~0ULL);
	expect("ABC", "records with equal times are in the order of reading");

	record('A', 0, 10), stack('a', 0, 15), record('B', 1, 12), stack('b', 1, 16);
	take(~0ULL);
	expect("AaBb", "a stack trace follows its record, and no record of another CPU");

	record('A', 0, 10), record('B', 1, 10), stack('a', 0, 11), stack('b', 1, 11);
	take(~0ULL);
	expect("AaBb", "stack traces of records with equal times follow their records");

	record('A', 0, 10), record('B', 0, 11), stack('b', 0, 12), stack('a', 0, 13);
	take(~0ULL);
	expect("ABb", "a record has no stack trace if an interrupt writes between both");

	record('A', 0, 20), record('B', 1, 15), record('C', 0, 10);
	take(~0ULL);
	expect("BAC", "records of a CPU stay in order if the kernel lost time between them");

	stack('a', 0, 10), record('B', 0, 11);
	take(~0ULL);
	expect("B", "a stack trace without a record is dropped");

	record('A', 0, 10);
	pending_skip(&queue, 0);
	stack('b', 0, 12);
	take(~0ULL);
	expect("A", "the stack trace of a record that is skipped is dropped");

	record('A', 0, 10);
	pending_add(&queue, pending_new(PENDING_STACK, NULL, &(struct tep_record){ .ts = 11, .data = "" }), 0,
		    true);
	take(~0ULL);
	expect("A", "a stack trace behind lost records is dropped");

	record('A', 0, 10), add(PENDING_EVENT, 'E', 0, 11), stack('a', 0, 12);
	take(~0ULL);
	expect("AaE", "an event of the kernel does not separate a record from its stack trace");

	record('A', 0, 10), record('B', 1, 20);
	take(15);
	stack('a', 0, 21);
	take(~0ULL);
	expect("AaB", "a record and its stack trace are taken by two readings");

	record('A', 0, 10), record('B', 1, 12);
	take(15);
	stack('a', 0, 16), stack('b', 1, 17);
	take(~0ULL);
	expect("ABb", "a stack trace that comes too late is dropped");

	return tap_done();
}
