/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ledger of a counter: the changes of its value, the functions that made them, and the takes
 * without a give.
 */
#ifndef _TOOLS_OBJTRACE_LEDGER_H
#define _TOOLS_OBJTRACE_LEDGER_H

#include "tools/objtrace/counts.h"
#include "tools/objtrace/objects.h"

struct trace_symbols;

/* The counters of a function and its caller: numbers of changes, and the sum of the changes */
enum { TAKES, GIVES, SUM };

/**
 * struct step - a change of the counter
 * @record: the record that shows the change
 * @nr: number of the record: the records of an object are counted from 0
 * @row: number of the row in the ledger
 * @by: the change: positive for a take, negative for a give
 * @open: the part of @by without an opposite; it has the sign of @by, or is 0
 * @next_open: for ledger.c
 */
struct step {
	const struct record	*record;
	unsigned long		nr;
	unsigned int		row;
	long long		by;
	long long		open;
	struct step		*next_open;
};

/**
 * struct ledger - the ledger of an object
 * @rows: the functions, by the starts of the function and of its caller
 * @steps: the changes with a known value, in the order of time
 * @nr_steps: number of @steps
 * @is_open: @begin and @end are valid
 * @begin: the first value
 * @end: the last value
 * @faults: number of changes whose old or new value is unknown
 */
struct ledger {
	struct counts	rows;
	struct step	*steps;
	unsigned long	nr_steps;
	bool		is_open;
	long long	begin;
	long long	end;
	u64		faults;
};

int ledger_make(struct ledger *ledger, const struct object *object,
		struct trace_symbols *symbols);
bool ledger_is_of_counter(const struct ledger *ledger, const struct object *object);
void ledger_free(struct ledger *ledger);

#endif /* _TOOLS_OBJTRACE_LEDGER_H */
