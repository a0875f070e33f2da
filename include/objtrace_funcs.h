/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions by address, and which of their arguments can hold an object.
 *
 * A BTF knows functions by name and prototype, the symbols of the kernel or of a
 * module by name and address.  A table is built from both in two steps: collect the
 * names of a BTF, then tell each symbol.  A function is in the table if exactly one
 * prototype and one address have its name; all others are unknown, and nothing is
 * guessed about them: clones that the compiler has made (foo.isra.0), static
 * functions of the same name, what has no BTF.
 *
 * What made the BTF, pahole, looks for functions by name, too, and before its version
 * 1.25 takes the first of several with one name, maybe one that is a clone in the end
 * or was inlined everywhere.  So a clone counts as a second address of its name.  Of
 * those that were inlined nothing is left to see.
 *
 * Pure functions of their arguments, the same source in the kernel and in the unit
 * tests.
 */
#ifndef _OBJTRACE_FUNCS_H
#define _OBJTRACE_FUNCS_H

#include <linux/types.h>

#include "objtrace_args.h"

struct btf;

/*
 * How far behind a function's first byte ftrace is called: behind the landing pad, and
 * on arm64 one instruction further.  No function is that short.
 */
#define OBJTRACE_ENTRY_REACH	8

/**
 * struct objtrace_func - a function whose arguments are known
 * @offset: from the start of its table to its first byte
 * @objects: see struct objtrace_args
 * @variable: as there
 * @is_ambiguous: only while its table is built: see struct objtrace_name
 */
struct objtrace_func {
	u32	offset;
	u8	objects;
	u8	variable;
	bool	is_ambiguous;
};

/**
 * struct objtrace_funcs - functions by address
 * @start: first byte of the first one
 * @nr: how many
 * @func: by rising offset
 *
 * Constant once it is built.
 */
struct objtrace_funcs {
	unsigned long		start;
	unsigned int		nr;
	struct objtrace_func	func[];
};

/**
 * struct objtrace_name - a function that a BTF has
 * @name: offset of its name in the BTF
 * @objects: see struct objtrace_args
 * @variable: as there
 * @is_ambiguous: several prototypes or addresses have this name, or its prototype
 *		  cannot be understood
 * @addr: its first byte, or 0 if no symbol has had its name yet
 */
struct objtrace_name {
	u32		name;
	u8		objects;
	u8		variable;
	bool		is_ambiguous;
	unsigned long	addr;
};

/**
 * struct objtrace_names - a table of functions while it is built
 * @btf: whose functions they are
 * @nr: how many names
 * @name: in the order of the BTF
 * @bucket_mask: number of buckets minus 1
 * @bucket: hash table with open addressing: index into @name plus 1, or 0
 * @nr_found: how many have got an address
 * @found: indices into @name in the order in which they got one
 */
struct objtrace_names {
	const struct btf	*btf;
	unsigned int		nr;
	struct objtrace_name	*name;
	u32			bucket_mask;
	u32			*bucket;
	unsigned int		nr_found;
	u32			*found;
};

int objtrace_names_init(struct objtrace_names *names, const struct btf *btf,
			u32 first_id, enum objtrace_abi abi);
void objtrace_names_symbol(struct objtrace_names *names, const char *symbol,
			   unsigned long addr);
struct objtrace_funcs *objtrace_names_build(const struct objtrace_names *names);
void objtrace_names_exit(struct objtrace_names *names);

const struct objtrace_func *objtrace_funcs_find(const struct objtrace_funcs *funcs,
						unsigned long ip);

#endif /* _OBJTRACE_FUNCS_H */
