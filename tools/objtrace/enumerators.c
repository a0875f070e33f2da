// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of enumerators.  Only objtrace_add and objtrace_change have the names of their values.  The
 * other records of a file have the same values, so the names are kept for them.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/enumerators.h"

struct enumerator {
	struct enumerator	*next;
	struct enum_type	type;
	unsigned long long	value;
	char			name[];
};

static unsigned int bucket_of_value(struct enum_type type, unsigned long long value)
{
	return (value ^ type.id ^ value >> 8) % ENUMERATOR_BUCKETS;
}

/**
 * enumerators_find() - name a value of an enum
 * @enumerators: the names
 * @type: the enum
 * @value: the value, sign-extended to 64 bits
 *
 * Return: the name, or NULL if no record had it.
 */
const char *enumerators_find(const struct enumerators *enumerators, struct enum_type type,
			     unsigned long long value)
{
	const struct enumerator *e = enumerators->buckets[bucket_of_value(type, value)];

	for (; e; e = e->next)
		if (e->value == value && e->type.id == type.id && e->type.btf == type.btf)
			return e->name;
	return NULL;
}

/**
 * enumerators_learn() - keep the name that a record has
 * @enumerators: the names
 * @type: the enum
 * @value: the value, sign-extended to 64 bits
 * @name: its name; a value without an enumerator has a decimal number, which is not kept
 *
 * Without memory, the name is not kept.
 */
void enumerators_learn(struct enumerators *enumerators, struct enum_type type,
		       unsigned long long value, const char *name)
{
	struct enumerator **bucket = &enumerators->buckets[bucket_of_value(type, value)];
	struct enumerator *e;
	size_t size;

	if (!*name || *name == '-' || isdigit((unsigned char)*name) ||
	    enumerators_find(enumerators, type, value))
		return;
	size = strlen(name) + 1;
	e = malloc(sizeof(*e) + size);
	if (!e)
		return;
	e->type = type;
	e->value = value;
	memcpy(e->name, name, size);
	e->next = *bucket;
	*bucket = e;
}

/**
 * enumerators_free() - free all names
 * @enumerators: the names; they are empty afterwards
 */
void enumerators_free(struct enumerators *enumerators)
{
	struct enumerator *e, *next;
	unsigned int i;

	for (i = 0; i < ENUMERATOR_BUCKETS; i++) {
		for (e = enumerators->buckets[i]; e; e = next) {
			next = e->next;
			free(e);
		}
		enumerators->buckets[i] = NULL;
	}
}
