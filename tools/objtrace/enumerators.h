/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of enumerators that are in the records of a file.
 */
#ifndef _TOOLS_OBJTRACE_ENUMERATORS_H
#define _TOOLS_OBJTRACE_ENUMERATORS_H

#include <stddef.h>

#define ENUMERATOR_BUCKETS	256

/**
 * struct enum_type - a type with enumerators
 * @btf: number of the BTF that has the type
 * @id: number of the type in this BTF
 */
struct enum_type {
	unsigned int	btf;
	unsigned int	id;
};

struct enumerator;

/**
 * struct enumerators - the names; all zero when empty
 * @buckets: table of names, by their values
 */
struct enumerators {
	struct enumerator	*buckets[ENUMERATOR_BUCKETS];
};

void enumerators_learn(struct enumerators *enumerators, struct enum_type type,
		       unsigned long long value, const char *name);
const char *enumerators_find(const struct enumerators *enumerators, struct enum_type type,
			     unsigned long long value);
void enumerators_free(struct enumerators *enumerators);

#endif /* _TOOLS_OBJTRACE_ENUMERATORS_H */
