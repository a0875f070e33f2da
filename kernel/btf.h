/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the running kernel's BTF says of its structs and enums.
 */
#ifndef _OBJTRACE_BTF_H
#define _OBJTRACE_BTF_H

#include <linux/types.h>

struct objtrace_btf_built;

/**
 * struct objtrace_btf_member - a member of a private struct, and what is known of it
 * @name: its name
 * @proto: its type as objtrace_btf prints it, for pointers to functions; or NULL
 * @size: bytes it must have, where @proto is NULL
 * @offset: where to store its offset in bytes
 */
struct objtrace_btf_member {
	const char	*name;
	const char	*proto;
	unsigned int	size;
	unsigned int	*offset;
};

int objtrace_btf_init(void);
bool objtrace_btf_describes(const char *name);
bool objtrace_btf_is_older(const char *name);
bool objtrace_btf_has(const char *of, const char *name);
int objtrace_btf_struct(const char *struct_name, unsigned int *size,
			const struct objtrace_btf_member *members,
			unsigned int nr_members);
int objtrace_btf_compare(const struct objtrace_btf_built *built);
int objtrace_btf_enumerator(const char *enum_name, const char *name, int *value);

#endif /* _OBJTRACE_BTF_H */
