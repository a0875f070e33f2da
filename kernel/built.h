/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The public structs, as the kernel's headers had them when the module was built.
 */
#ifndef _OBJTRACE_BUILT_H
#define _OBJTRACE_BUILT_H

/**
 * struct objtrace_btf_built - what the module was built for
 * @of: a struct; or NULL for an enumerator
 * @name: its member, or NULL for the struct itself; or the enumerator
 * @value: the member's offset in bytes; or the enumerator's value
 * @size: bytes of the member or the struct
 */
struct objtrace_btf_built {
	const char	*of;
	const char	*name;
	int		value;
	unsigned int	size;
};

/* Ends with an empty one */
extern const struct objtrace_btf_built objtrace_built[];

#endif /* _OBJTRACE_BUILT_H */
