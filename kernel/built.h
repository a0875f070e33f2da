/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Public structs as in the kernel's headers that the module was built with.
 */
#ifndef _OBJTRACE_BUILT_H
#define _OBJTRACE_BUILT_H

/**
 * struct objtrace_btf_built - a struct, member or enumerator in the headers of the build
 * @of: name of the struct; NULL for an enumerator
 * @name: name of the member, or NULL for the struct itself; or name of the enumerator
 * @value: offset of the member in bytes; or value of the enumerator
 * @size: size of the member or the struct in bytes
 */
struct objtrace_btf_built {
	const char	*of;
	const char	*name;
	int		value;
	unsigned int	size;
};

/* The last element is empty */
extern const struct objtrace_btf_built objtrace_built[];

#endif /* _OBJTRACE_BUILT_H */
