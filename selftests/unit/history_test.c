// SPDX-License-Identifier: GPL-2.0-only
/*
 * The changes of an object's value: each kind of record after each other kind.
 */
#include <string.h>

#include "tools/objtrace/history.h"
#include "tap.h"

/* Functions, callers and instructions */
enum { F = 0x100, G = 0x200, C = 0x900, D = 0xa00, INSN = 0x111 };

#define ADD(v)		{ .kind = RECORD_ADD, .value = v }
#define ENTRY(f, c, v)	{ .kind = RECORD_VALUE, .ip = f, .parent_ip = c, .value = v }
#define RETURN(f, c, o, v)							\
	{ .kind = RECORD_RETURN, .ip = f, .parent_ip = c, .old = o, .value = v }
#define WRITE(o, v)	{ .kind = RECORD_WRITE, .ip = INSN, .old = o, .value = v }
#define CHANGED(h, f, c, o, v, g, d)						\
	{ .kind = RECORD_CHANGE, .how = h, .ip = f, .parent_ip = c, .old = o, .value = v, \
	  .seen_ip = g, .seen_parent_ip = d }
#define UNKNOWN(v)	CHANGED(AFTER_UNKNOWN, 0, 0, 0, v, G, D)
#define END		{ .kind = RECORD_DEL }

/* The change of the last record of a sequence */
static const struct {
	const char	*name;
	struct record	records[3];
	const char	*wanted;	/* "is-new culprit ip parent seen old" */
} cases[] = {
	{ "an add", { ADD(1) }, "1 0 0 0 0 ?" },
	{ "an entry with the same value", { ADD(1), ENTRY(F, C, 1) }, "0 0 0 0 0 ?" },
	{ "an entry with a new value after the add", { ADD(1), ENTRY(F, C, 2) }, "1 2 0 0 100 1" },
	{ "an entry with a new value", { ADD(1), ENTRY(F, C, 1), ENTRY(G, D, 2) },
	  "1 3 100 900 200 1" },
	{ "the first record", { ENTRY(F, C, 1) }, "1 1 0 0 100 ?" },
	{ "an entry after the end", { ADD(1), END, ENTRY(F, C, 1) }, "0 0 0 0 0 ?" },
	{ "the end", { ADD(1), END }, "0 0 0 0 0 ?" },
	{ "a return with a new value", { ENTRY(F, C, 1), RETURN(F, C, 1, 2) }, "1 6 100 900 0 1" },
	{ "a return with the same value", { ENTRY(F, C, 1), RETURN(F, C, 1, 1) }, "0 0 0 0 0 ?" },
	{ "the return of the caller of a function that changed the value",
	  { ENTRY(F, C, 1), RETURN(G, F, 1, 2), RETURN(F, C, 1, 2) }, "0 0 0 0 0 ?" },
	{ "the return of a caller that changed the value again",
	  { ENTRY(F, C, 1), RETURN(G, F, 1, 2), RETURN(F, C, 1, 3) }, "1 6 100 900 0 2" },
	{ "a return without an entry", { RETURN(F, C, 1, 2) }, "1 6 100 900 0 1" },
	{ "an entry after a return", { ADD(1), RETURN(F, C, 1, 2), ENTRY(G, D, 3) },
	  "1 4 100 900 200 2" },
	{ "an entry after a store", { ADD(1), WRITE(1, 2), ENTRY(G, D, 3) }, "1 5 111 0 200 2" },
	{ "an entry that sees a store", { ADD(1), WRITE(1, 2), ENTRY(G, D, 2) }, "0 0 0 0 0 ?" },
	{ "a store", { ADD(1), WRITE(1, 2) }, "1 8 111 0 0 1" },
	{ "a store of the same value", { ADD(1), WRITE(1, 1) }, "1 8 111 0 0 1" },
	{ "a change after a call", { ADD(1), CHANGED(AFTER_CALL, F, C, 1, 2, G, D) },
	  "1 3 100 900 200 1" },
	{ "a change after the add", { ADD(1), CHANGED(AFTER_ADD, 0, 0, 1, 2, G, D) },
	  "1 2 0 0 200 1" },
	{ "an unknown old value", { ADD(1), UNKNOWN(2) }, "1 1 0 0 200 ?" },
	{ "an unknown old value and the last value again", { ADD(1), UNKNOWN(1) },
	  "0 0 0 0 200 ?" },
	{ "an unknown old value and the value of the last change",
	  { CHANGED(AFTER_CALL, F, C, 1, 2, G, D), UNKNOWN(2) }, "0 0 0 0 200 ?" },
	{ "an unknown old value as the first record", { UNKNOWN(1) }, "1 1 0 0 200 ?" },
	{ "a change after an unknown old value",
	  { ADD(1), UNKNOWN(2), CHANGED(AFTER_CALL, F, C, 1, 2, G, D) }, "1 3 100 900 200 1" },
	{ "a change after a store", { ADD(1), CHANGED(AFTER_STORE, INSN, 0, 1, 2, G, D) },
	  "1 5 111 0 200 1" },
	{ "a change after a return", { ADD(1), CHANGED(AFTER_RETURN, F, C, 1, 2, G, D) },
	  "1 4 100 900 200 1" },
	{ "a change in a call", { ADD(1), CHANGED(WITHIN, F, C, 1, 2, 0, 0) }, "1 6 100 900 0 1" },
	{ "a change of an unknown kind", { ADD(1), CHANGED(77, F, C, 1, 2, G, D) },
	  "1 1 0 0 200 ?" },
	{ "an entry after a change", { CHANGED(AFTER_CALL, F, C, 1, 2, G, D), ENTRY(F, C, 3) },
	  "1 3 200 a00 100 2" },
	{ "an entry after a change in a call",
	  { CHANGED(WITHIN, F, C, 1, 2, 0, 0), ENTRY(G, D, 3) }, "1 4 100 900 200 2" },
	{ "a call that may have changed the value",
	  { { .kind = RECORD_RETURN, .ip = F, .parent_ip = C, .old = 1, .value = 2, .unsure = 1 } },
	  "1 7 100 900 0 1" },
	{ "a value after a fault",
	  { { .kind = RECORD_ADD, .fault = FAULT_UNMAPPED }, ENTRY(F, C, 0) }, "1 2 0 0 100 fault" },
	{ "two faults of different values",
	  { { .kind = RECORD_ADD, .fault = FAULT_UNMAPPED, .value = 1 },
	    { .kind = RECORD_VALUE, .ip = F, .fault = FAULT_UNMAPPED, .value = 2 } },
	  "0 0 0 0 0 ?" },
	{ "an entry after a store of an unknown value",
	  { ADD(1), { .kind = RECORD_WRITE, .ip = INSN, .old = 1, .fault = FAULT_UNKNOWN },
	    ENTRY(G, D, 3) }, "1 5 111 0 200 ?" },
	{ "two stores of unknown values",
	  { ADD(1), { .kind = RECORD_WRITE, .ip = INSN, .old = 1, .fault = FAULT_UNKNOWN },
	    { .kind = RECORD_WRITE, .ip = INSN, .old = 1, .fault = FAULT_UNKNOWN } },
	  "1 8 111 0 0 1" },
	{ "device memory after a fault",
	  { { .kind = RECORD_ADD, .fault = FAULT_UNMAPPED },
	    { .kind = RECORD_VALUE, .ip = F, .fault = FAULT_IO } }, "1 2 0 0 100 fault" },
};

static unsigned int length(const struct record records[3])
{
	static const struct record none;
	unsigned int nr = 3;

	while (nr > 1 && !memcmp(&records[nr - 1], &none, sizeof(none)))
		nr--;
	return nr;
}

/* A record without the old value, and the records after it */
static const struct {
	const char	*name;
	struct record	records[3];
	bool		is_shown;
} repeated[] = {
	{ "the change follows", { UNKNOWN(2), CHANGED(AFTER_CALL, F, C, 1, 2, G, D) }, false },
	{ "the change follows after another such record",
	  { UNKNOWN(2), UNKNOWN(2), CHANGED(WITHIN, F, C, 1, 2, 0, 0) }, false },
	{ "the change follows after a record without a value",
	  { UNKNOWN(2), { .kind = RECORD_WATCH }, CHANGED(AFTER_CALL, F, C, 1, 2, G, D) }, false },
	{ "another change follows", { UNKNOWN(2), CHANGED(AFTER_CALL, F, C, 1, 3, G, D) }, true },
	{ "another change follows after another such record",
	  { UNKNOWN(2), UNKNOWN(3), CHANGED(AFTER_CALL, F, C, 1, 2, G, D) }, true },
	{ "only another such record follows", { UNKNOWN(2), UNKNOWN(2) }, true },
	{ "only the end follows", { UNKNOWN(2), END }, true },
	{ "a call follows", { UNKNOWN(2), ENTRY(F, C, 2) }, true },
};

static void check_repeated(const char *name, const struct record records[3], bool is_shown)
{
	const struct record add = ADD(1);
	struct record copies[3];
	struct history history = {};
	struct change change;
	unsigned int i, nr = length(records);
	bool is_new;

	memcpy(copies, records, sizeof(copies));
	for (i = 1; i < nr; i++)
		copies[i - 1].next = &copies[i];
	history_next(&history, &add, &change);
	is_new = history_next(&history, &copies[0], &change);
	ok(is_new == is_shown && is_change(&change) == is_shown,
	   "a record without the old value is %s if %s", is_shown ? "shown" : "left out", name);
}

static void check(const char *name, const struct record records[3], const char *wanted)
{
	struct history history = {};
	char seen[100], old[20] = "?";
	struct change change;
	bool is_new = false;
	unsigned int i;

	for (i = 0; i < length(records); i++)
		is_new = history_next(&history, &records[i], &change);
	if (change.knows_old)
		snprintf(old, sizeof(old), change.old_fault ? "fault" : "%llx", change.old);
	snprintf(seen, sizeof(seen), "%d %d %llx %llx %llx %s", is_new, change.culprit, change.ip,
		 change.parent_ip, change.seen_ip, old);
	ok(!strcmp(seen, wanted), "%s: %s", name, seen);
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(cases[i].name, cases[i].records, cases[i].wanted);
	for (i = 0; i < sizeof(repeated) / sizeof(*repeated); i++)
		check_repeated(repeated[i].name, repeated[i].records, repeated[i].is_shown);
	return tap_done();
}
