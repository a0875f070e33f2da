// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger of a counter: which take has no give.
 */
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/ledger.h"
#include "tools/objtrace/symbols.h"
#include "tap.h"

/* Functions of 0x100 bytes */
#define FUNCTION(nr)	(0xffffffff81000000ULL + (nr) * 0x100ULL)
enum { F, G, H, NR_FUNCTIONS };

/* The function f, called by from, changes the value in the task t */
#define STEP(t, f, from, was, is)							\
	{ .kind = RECORD_CHANGE, .how = WITHIN, .pid = t, .ip = FUNCTION(f),		\
	  .parent_ip = FUNCTION(from) + 8, .old = was, .value = is }
#define CPU_STEP(c, was, is)								\
	{ .kind = RECORD_CHANGE, .how = WITHIN, .cpu = c, .ip = FUNCTION(F),		\
	  .parent_ip = FUNCTION(G) + 8, .old = was, .value = is }
#define ADD(is)		{ .kind = RECORD_ADD, .value = is }

#define MAX_RECORDS	8

/* The result is the open part of each step */
static const struct {
	const char	*name;
	struct record	records[MAX_RECORDS];
	unsigned int	nr;
	const char	*open;
} cases[] = {
	{ "a take and its give", { ADD(1), STEP(1, F, H, 1, 2), STEP(1, G, H, 2, 1) }, 3, "0 0" },
	{ "a take without a give", { ADD(1), STEP(1, F, H, 1, 2) }, 2, "1" },
	{ "the give of the first value", { ADD(1), STEP(1, F, H, 1, 0) }, 2, "0" },
	{ "a give of a reference that was taken earlier",
	  { ADD(0), STEP(1, F, H, 0, -1) }, 2, "-1" },
	{ "the caller tells which take a give belongs to",
	  { ADD(1), STEP(1, F, H, 1, 2), STEP(1, F, G, 2, 3), STEP(1, G, H, 3, 2) }, 4, "0 1 0" },
	{ "the last take of a task is the first that it gives",
	  { ADD(1), STEP(1, F, G, 1, 2), STEP(1, F, H, 2, 3), STEP(1, G, F, 3, 2) }, 4, "1 0 0" },
	{ "a task gives its own take, not that of another task",
	  { ADD(1), STEP(1, F, H, 1, 2), STEP(2, F, H, 2, 3), STEP(1, F, H, 3, 2) }, 4, "0 1 0" },
	{ "a task without a take gives the first value",
	  { ADD(1), STEP(1, F, H, 1, 2), STEP(2, F, H, 2, 1) }, 3, "1 0" },
	{ "a task without a take gives the oldest take",
	  { ADD(0), STEP(1, F, H, 0, 1), STEP(3, F, H, 1, 2), STEP(2, F, H, 2, 1) }, 4, "0 1 0" },
	{ "a give of several takes",
	  { ADD(0), STEP(1, F, H, 0, 1), STEP(1, F, H, 1, 3), STEP(1, F, H, 3, 1) }, 4, "1 0 0" },
	{ "the idle tasks of two CPUs are two tasks",
	  { ADD(1), CPU_STEP(0, 1, 2), CPU_STEP(1, 2, 3), CPU_STEP(0, 3, 2) }, 4, "0 1 0" },
	{ "a give before its take",
	  { ADD(0), STEP(1, F, H, 0, -1), STEP(1, F, H, -1, 0) }, 3, "-1 1" },
};

static struct trace_symbols *symbols;

static void make(struct ledger *ledger, struct record *records, unsigned int nr)
{
	struct object object = { .first = records };
	unsigned int i;

	for (i = 0; i + 1 < nr; i++)
		records[i].next = &records[i + 1];
	ledger_make(ledger, &object, symbols);
}

static void check(unsigned int nr)
{
	struct record records[MAX_RECORDS];
	struct ledger ledger;
	char open[100] = "";
	unsigned long i;

	memcpy(records, cases[nr].records, sizeof(records));
	make(&ledger, records, cases[nr].nr);
	for (i = 0; i < ledger.nr_steps; i++)
		sprintf(open + strlen(open), "%s%lld", i ? " " : "", ledger.steps[i].open);
	ok(!strcmp(open, cases[nr].open), "%s: %s", cases[nr].name, open);
	ledger_free(&ledger);
}

static void sum_rows(void)
{
	struct record records[] = {
		ADD(5), STEP(1, F, H, 5, 6), STEP(1, F, H, 6, 5), STEP(1, F, H, 5, 7),
		STEP(1, G, H, 7, 7),
	};
	struct ledger ledger;
	const long long *n;

	make(&ledger, records, 5);
	n = ledger.rows.counts[0].n;
	ok(ledger.rows.nr == 1 && n[TAKES] == 2 && n[GIVES] == 1 && n[SUM] == 2,
	   "a row has the takes, the gives and the sum of a function");
	ok(ledger.is_open && ledger.begin == 5 && ledger.end == 7, "the first and the last value");
	ok(ledger.nr_steps == 3 && ledger.steps[2].nr == 3 && ledger.steps[2].by == 2,
	   "each step has the number of its record");
	ledger_free(&ledger);
}

static bool is_counter(const char *member, u64 first, u64 second, u64 third)
{
	struct record records[] = { ADD(first), STEP(1, F, H, first, second),
				    STEP(1, F, H, second, third) };
	struct object object = { .member = member };
	struct ledger ledger;
	bool found;

	make(&ledger, records, 3);
	found = ledger_is_of_counter(&ledger, &object);
	ledger_free(&ledger);
	return found;
}

static void guess_counters(void)
{
	ok(is_counter("f_count.counter", 1, 5, 9), "a member with the name of a counter");
	ok(is_counter("value", 1, 2, 1), "a value that goes up and down by 1");
	ok(!is_counter("value", 1, 2, 3), "a value that only goes up is no counter");
	ok(!is_counter("value", 1, 3, 1), "a value that changes by 2 is no counter");
	ok(!is_counter("f_count.counter", 1, 1, 1), "a value that never changes is no counter");
}

/* More open takes than a give is compared with */
static void keep_many(void)
{
	const unsigned int nr = 20001;
	struct record *records = calloc(nr, sizeof(*records));
	struct ledger ledger;
	long long open = 0;
	unsigned int i;

	for (i = 1; i < nr; i++)
		records[i] = (struct record)STEP(i <= nr / 2 ? 1 : 2, F, H,
						 i <= nr / 2 ? i - 1 : nr - i,
						 i <= nr / 2 ? i : nr - i - 1);
	make(&ledger, records, nr);
	for (i = 0; i < ledger.nr_steps; i++)
		open += ledger.steps[i].open != 0;
	ok(ledger.nr_steps == nr - 1 && !open, "%lu steps of two tasks are balanced",
	   ledger.nr_steps);
	ledger_free(&ledger);
	free(records);
}

int main(void)
{
	struct tep_handle *tep = tep_alloc();
	char name[2] = "f";
	unsigned int i;

	for (i = 0; i <= NR_FUNCTIONS; i++, name[0]++)
		tep_register_function(tep, name, FUNCTION(i), NULL);
	symbols = symbols_new(tep);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(i);
	sum_rows();
	guess_counters();
	keep_many();
	symbols_free(symbols);
	tep_free(tep);
	return tap_done();
}
