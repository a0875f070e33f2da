/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structs, enums and prototypes in the BTF of the running kernel.
 */
#ifndef _OBJTRACE_BTF_H
#define _OBJTRACE_BTF_H

#include <linux/types.h>

struct objtrace_btf_built;

/* The size of the member differs between kernels, and only its offset is used */
#define OBJTRACE_ANY_SIZE	(~0U)

/**
 * struct objtrace_btf_member - a member of a private struct, with its expected type or size
 * @name: name of the member
 * @proto: expected type, as kernel/btf.c prints types; or NULL
 * @size: expected size in bytes if @proto is NULL; 0 for a flexible array, or
 *	  OBJTRACE_ANY_SIZE
 * @offset: receives the offset in bytes
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
