// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of enumerators: each type and value has its own name, and numbers are no names.
 */
#include <string.h>

#include "tools/objtrace/enumerators.h"
#include "tap.h"

#define NR	1000

static const struct enum_type state = { 0, 7 }, other = { 0, 8 }, of_module = { 1, 7 };
static struct enumerators names;

static void is(struct enum_type type, unsigned long long value, const char *wanted,
	       const char *what)
{
	const char *seen = enumerators_find(&names, type, value);

	ok(seen ? wanted && !strcmp(seen, wanted) : !wanted, "%s: %s", what, seen ?: "no name");
}

static void learn_many(void)
{
	unsigned long long value;
	unsigned int found = 0;
	char name[20];

	for (value = 0; value < NR; value++) {
		snprintf(name, sizeof(name), "E%llu", value);
		enumerators_learn(&names, other, value << 32 | value, name);
	}
	for (value = 0; value < NR; value++) {
		const char *seen = enumerators_find(&names, other, value << 32 | value);

		snprintf(name, sizeof(name), "E%llu", value);
		found += seen && !strcmp(seen, name);
	}
	ok(found == NR, "%u of %u names are found", found, NR);
}

int main(void)
{
	is(state, 1, NULL, "a name that no record had");
	enumerators_learn(&names, state, 1, "OPEN");
	enumerators_learn(&names, state, -1ULL, "BROKEN");
	enumerators_learn(&names, of_module, 1, "ON");
	is(state, 1, "OPEN", "a value");
	is(state, -1ULL, "BROKEN", "a negative value");
	is(of_module, 1, "ON", "the same number in the BTF of a module");
	is(other, 1, NULL, "the same value of another type");
	is(state, 257, NULL, "another value of the type");
	enumerators_learn(&names, state, 1, "CLOSED");
	is(state, 1, "OPEN", "a second name of a value");
	enumerators_learn(&names, state, 2, "2");
	is(state, 2, NULL, "a number as a name");
	enumerators_learn(&names, state, -3ULL, "-3");
	is(state, -3ULL, NULL, "a negative number as a name");
	enumerators_learn(&names, state, 4, "");
	is(state, 4, NULL, "an empty name");
	learn_many();
	enumerators_free(&names);
	is(state, 1, NULL, "a name after all names are freed");
	return tap_done();
}
