/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of values: enumerators and characters.
 */
#ifndef _OBJTRACE_NAMES_H
#define _OBJTRACE_NAMES_H

#include <linux/types.h>

/* Longest name, with its NUL.  A longer enumerator is cut. */
#define OBJTRACE_NAME_LEN	64

/**
 * struct objtrace_names - the names of both values of a record
 * @old: name of the old value; empty if there is none, or if the value is a plain number
 * @value: name of the value
 */
struct objtrace_names {
	char	old[OBJTRACE_NAME_LEN];
	char	value[OBJTRACE_NAME_LEN];
};

void objtrace_name(u8 format, u32 btf, u32 enum_id, u64 value, char *name);

#endif /* _OBJTRACE_NAMES_H */
