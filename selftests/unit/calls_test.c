// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of calls: nested calls, recursion, several tasks, and calls without a return.
 */
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/calls.h"
#include "tools/objtrace/symbols.h"
#include "tap.h"

/* Functions of 0x100 bytes; AT is an address in one */
#define FUNCTION(nr)	(0xffffffff81000000ULL + (nr) * 0x100ULL)
enum { F, G, H, OUTSIDE, NR_FUNCTIONS };
#define AT(nr)		(FUNCTION(nr) + 0x42)

#define TASK(t, c, k, f, from)							\
	{ .kind = k, .pid = t, .cpu = c, .ip = FUNCTION(f), .parent_ip = AT(from) }
#define ENTRY(f, from)	TASK(1, 0, RECORD_VALUE, f, from)
#define RETURN(f, from)	TASK(1, 0, RECORD_RETURN, f, from)

#define MAX_RECORDS	8

/* The tree is, for each record, "DEPTH" and "=N" for the return of record N */
static const struct {
	const char	*name;
	struct record	records[MAX_RECORDS];
	unsigned int	nr;
	const char	*tree;
} cases[] = {
	{ "a call in a call",
	  { ENTRY(F, OUTSIDE), ENTRY(G, F), RETURN(G, F), RETURN(F, OUTSIDE) }, 4,
	  "0 1 1=1 0=0" },
	{ "two calls, one after the other",
	  { ENTRY(F, OUTSIDE), RETURN(F, OUTSIDE), ENTRY(F, OUTSIDE), RETURN(F, OUTSIDE) }, 4,
	  "0 0=0 0 0=2" },
	{ "recursion",
	  { ENTRY(F, OUTSIDE), ENTRY(F, F), RETURN(F, F), RETURN(F, OUTSIDE) }, 4,
	  "0 1 1=1 0=0" },
	{ "recursion without the inner return",
	  { ENTRY(F, OUTSIDE), ENTRY(F, F), RETURN(F, OUTSIDE) }, 3, "0 1 0=0" },
	{ "callers without returns",
	  { ENTRY(F, OUTSIDE), ENTRY(G, F), ENTRY(H, G), ENTRY(G, F) }, 4, "0 1 2 1" },
	{ "a call without a return that is no caller",
	  { ENTRY(F, OUTSIDE), ENTRY(G, OUTSIDE) }, 2, "0 0" },
	{ "a call through a function without a record",
	  { ENTRY(F, OUTSIDE), ENTRY(G, OUTSIDE), RETURN(G, OUTSIDE), RETURN(F, OUTSIDE) }, 4,
	  "0 1 1=1 0=0" },
	{ "a return without an entry", { RETURN(F, OUTSIDE), ENTRY(G, OUTSIDE) }, 2, "0 0" },
	{ "two tasks in turn",
	  { TASK(1, 0, RECORD_VALUE, F, OUTSIDE), TASK(2, 0, RECORD_VALUE, F, OUTSIDE),
	    TASK(1, 0, RECORD_VALUE, G, F), TASK(2, 0, RECORD_RETURN, F, OUTSIDE),
	    TASK(1, 0, RECORD_RETURN, F, OUTSIDE) }, 5, "0 0 1 0=1 0=0" },
	{ "the idle tasks of two CPUs",
	  { TASK(0, 0, RECORD_VALUE, F, OUTSIDE), TASK(0, 1, RECORD_VALUE, F, OUTSIDE),
	    TASK(0, 0, RECORD_RETURN, F, OUTSIDE), TASK(0, 1, RECORD_RETURN, F, OUTSIDE) }, 4,
	  "0 0 0=0 0=1" },
	{ "a note in a call",
	  { ENTRY(F, OUTSIDE), TASK(1, 0, RECORD_WRITE, F, F), RETURN(F, OUTSIDE) }, 3,
	  "0 1 0=0" },
	{ "the return of another argument",
	  { ENTRY(F, OUTSIDE), { .kind = RECORD_RETURN, .pid = 1, .ip = FUNCTION(F),
				 .parent_ip = AT(OUTSIDE), .arg = 2 } }, 2, "0 1" },
};

static void print_tree(const struct call *calls, unsigned int nr, FILE *out)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		fprintf(out, "%s%u", i ? " " : "", calls[i].depth);
		if (calls[i].of_entry)
			fprintf(out, "=%zu", calls[i].of_entry - calls);
	}
	fclose(out);
}

static void check(unsigned int nr, struct trace_symbols *symbols)
{
	struct object object = { .nr_records = cases[nr].nr };
	struct record records[MAX_RECORDS];
	struct call *calls;
	char tree[100];
	unsigned int i;

	memcpy(records, cases[nr].records, sizeof(records));
	for (i = 0; i + 1 < cases[nr].nr; i++)
		records[i].next = &records[i + 1];
	object.first = records;
	calls = calls_find(&object, symbols);
	print_tree(calls, cases[nr].nr, fmemopen(tree, sizeof(tree), "w"));
	ok(!strcmp(tree, cases[nr].tree), "%s: %s", cases[nr].name, tree);
	free(calls);
}

int main(void)
{
	struct tep_handle *tep = tep_alloc();
	struct trace_symbols *symbols;
	char name[2] = "f";
	unsigned int i;

	for (i = 0; i <= NR_FUNCTIONS; i++, name[0]++)
		tep_register_function(tep, name, FUNCTION(i), NULL);
	symbols = symbols_new(tep);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(i, symbols);
	symbols_free(symbols);
	tep_free(tep);
	return tap_done();
}
