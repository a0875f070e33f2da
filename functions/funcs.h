/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions by where ftrace is called in them, and in which of their arguments they can
 * receive an object.
 *
 * A BTF knows functions by name and prototype, the symbols of the kernel or of a
 * module by name and address.  A table is built from both in two steps: collect the
 * names of a BTF, then tell each symbol.  All functions that can be traced are in the
 * table.  One is known if exactly one prototype and one address have its name; all
 * others are unknown, and nothing is guessed about them: clones that the compiler has
 * made (foo.isra.0), static functions of the same name, what has no BTF.
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

#include "types/args.h"

struct btf;

/**
 * struct objtrace_func - a function that can be traced
 * @offset: from the start of its table to its ftrace location
 * @objects: registers in which it can receive an object: see struct objtrace_args; all
 *	     if it is not known
 * @sure: those of them in which it is known to receive something; in the others there
 *	  may be what somebody else has left
 * @proto: type of its prototype in the BTF; 0 if it is not known
 * @left_out: bit N if list N of enum objtrace_filter leaves it out: it is not to be traced.
 *	      Under the mutex of functions/groups.c
 * @is_left_out: an entry of it is no hit.  Written under that mutex, with WRITE_ONCE();
 *		 read with READ_ONCE() in any context, NMI included.  It may be a moment
 *		 old: nothing else goes by it
 *
 * All else is constant.
 */
struct objtrace_func {
	u32	offset;
	u32	proto;
	u8	objects;
	u8	sure;
	u8	left_out;
	bool	is_left_out;
};

/**
 * struct objtrace_funcs - functions by ftrace location
 * @start: the first one's
 * @btf: what their prototypes are in, or NULL; stays as long as the table
 * @bytes: memory that the table takes
 * @nr: how many
 * @func: by rising offset
 *
 * Constant once it is built, but for which functions are left out.
 */
struct objtrace_funcs {
	unsigned long		start;
	const struct btf	*btf;
	size_t			bytes;
	unsigned int		nr;
	struct objtrace_func	func[];
};

/**
 * struct objtrace_name - a function that a BTF has
 * @name: offset of its name in the BTF
 * @objects: see struct objtrace_args
 * @variable: as there
 * @is_ambiguous: several prototypes or addresses have this name, or its prototype
 *		  cannot be understood.  Prototypes that pass the same do not count
 * @proto: type of its prototype; 0 if there are several
 * @addr: its first byte, or 0 if no symbol has had its name yet
 */
struct objtrace_name {
	u32		name;
	u8		objects;
	u8		variable;
	bool		is_ambiguous;
	u32		proto;
	unsigned long	addr;
};

/**
 * struct objtrace_entry - a symbol of a function that can be traced
 * @ip: its ftrace location
 * @addr: its first byte
 * @name: index of its name plus 1, or 0 if the BTF does not have it
 */
struct objtrace_entry {
	unsigned long	ip;
	unsigned long	addr;
	u32		name;
};

/**
 * struct objtrace_names - a table of functions while it is built
 * @btf: whose functions they are, or NULL
 * @all: all registers that pass arguments
 * @nr: how many names
 * @name: in the order of the BTF
 * @bucket_mask: number of buckets minus 1
 * @bucket: hash table with open addressing: index into @name plus 1, or 0
 * @nr_entries: how many symbols can be traced
 * @max_entries: so many have room in @entry
 * @entry: in the order in which they were told; NULL if there was no memory for all
 */
struct objtrace_names {
	const struct btf	*btf;
	u8			all;
	unsigned int		nr;
	struct objtrace_name	*name;
	u32			bucket_mask;
	u32			*bucket;
	unsigned int		nr_entries;
	unsigned int		max_entries;
	struct objtrace_entry	*entry;
};

int objtrace_names_init(struct objtrace_names *names, const struct btf *btf,
			u32 first_id, enum objtrace_abi abi);
void objtrace_names_symbol(struct objtrace_names *names, const char *symbol,
			   unsigned long addr, unsigned long ip);
struct objtrace_funcs *objtrace_names_build(const struct objtrace_names *names);
void objtrace_names_exit(struct objtrace_names *names);

const struct objtrace_func *objtrace_funcs_find(const struct objtrace_funcs *funcs,
						unsigned long ip);
bool objtrace_funcs_take(const struct objtrace_funcs *funcs,
			 const struct objtrace_func *func, const char *tag,
			 bool only_struct);

/* A call of cond_resched() for each function would cost as much as the work */
#define OBJTRACE_FUNCS_RESCHED	64

/**
 * objtrace_funcs_resched() - let other tasks run in a loop over functions
 * @n: index of the function
 *
 * Context: task.
 */
static inline void objtrace_funcs_resched(size_t n)
{
	if (!(n % OBJTRACE_FUNCS_RESCHED))
		cond_resched();
}

#endif /* _OBJTRACE_FUNCS_H */
