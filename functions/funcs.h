/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of functions by ftrace location, with the argument registers that can receive an object.
 *
 * A BTF has functions by name and prototype.  The symbols of the kernel or of a module have
 * functions by name and address.  A table is built from both: first from the names of a BTF, then
 * from each symbol.  The table has all functions that can be traced.
 *
 * A function is known if its name has exactly one prototype and one address.  All other functions
 * are unknown, and every argument register counts: compilers' clones (foo.isra.0), static
 * functions with the same name, and functions without BTF.
 *
 * pahole, which creates the BTF, looks up functions by name, too.  Before version 1.25, it takes
 * the first of several functions with one name.  That function can be a clone in the kernel, or
 * be inlined everywhere.  So a clone counts as a second address of its name.  An inlined function
 * has no symbol, and cannot be detected.
 *
 * The results depend on the arguments alone.  The unit tests build the same source.
 */
#ifndef _OBJTRACE_FUNCS_H
#define _OBJTRACE_FUNCS_H

#include <linux/types.h>

#include "types/args.h"

struct btf;

/**
 * struct objtrace_func - a function that can be traced
 * @offset: offset of the ftrace location from the start of the table
 * @objects: bits of the argument registers that can receive an object, see struct
 *	     objtrace_args; all registers if the function is unknown
 * @sure: bits of @objects whose parameter is known; another register may have an old pointer
 * @proto: type of the prototype in the BTF; 0 if it is unknown
 * @left_out: bit N if list N of enum objtrace_filter excludes the function.  Under the mutex of
 *	      functions/groups.c
 * @is_left_out: true if an entry of the function is no hit.  Written with WRITE_ONCE() under that
 *		 mutex, read with READ_ONCE() in any context, NMI included.  A stale value is
 *		 safe: no other member depends on it
 * @selected: bits of the typed selections that have the function, see struct objtrace_selection.
 *	      Written and read as @is_left_out.  A bit is written before the trigger fires, and
 *	      before the function is traced
 *
 * The other members are constant.
 */
struct objtrace_func {
	u32	offset;
	u32	proto;
	u8	objects;
	u8	sure;
	u8	left_out;
	bool	is_left_out;
	u32	selected;
};

/* log2 of the size of a block of text: a block has one or two functions, and at most 128 */
#define OBJTRACE_BLOCK_BITS	9

/**
 * struct objtrace_funcs - table of functions by ftrace location
 * @start: ftrace location of the first function
 * @span: distance from @start to the last function, plus 1; 0 without a function
 * @first: element N is the index in @func of the first function that lies N blocks of
 *	   1 << OBJTRACE_BLOCK_BITS bytes or more after @start
 * @btf: BTF of the prototypes, with a reference as long as the table exists; or NULL
 * @bytes: size of the table in bytes
 * @nr: number of functions
 * @func: the functions, sorted by offset
 *
 * The members are constant after the build of the table.  In @func, three members change: see
 * struct objtrace_func.
 */
struct objtrace_funcs {
	unsigned long		start;
	unsigned long		span;
	const u32		*first;
	const struct btf	*btf;
	size_t			bytes;
	unsigned int		nr;
	struct objtrace_func	func[];
};

/**
 * struct objtrace_name - a function of a BTF, while a table is built
 * @name: offset of the function's name in the BTF
 * @objects: argument registers with pointers, see struct objtrace_args
 * @variable: argument registers that may be unused, see struct objtrace_args
 * @is_ambiguous: true if the name has several addresses, several prototypes with different
 *		  registers, or a prototype of unknown form
 * @proto: type of the prototype; 0 if there are several prototypes
 * @addr: address of the function; 0 before the symbol was added
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
 * struct objtrace_entry - symbol of a function that can be traced
 * @ip: ftrace location of the function
 * @addr: address of the function
 * @name: index into objtrace_names.name plus 1; 0 if the BTF has no such name
 */
struct objtrace_entry {
	unsigned long	ip;
	unsigned long	addr;
	u32		name;
};

/**
 * struct objtrace_names - functions of a BTF and their symbols, while a table is built
 * @btf: the BTF, or NULL
 * @all: bits of all argument registers
 * @nr: number of names
 * @name: the names, in the order of the BTF
 * @bucket_mask: number of buckets minus 1
 * @bucket: hash table with open addressing: index into @name plus 1, or 0
 * @nr_entries: number of symbols in @entry
 * @max_entries: size of @entry in elements
 * @entry: symbols of functions that can be traced, in the order of their addition; NULL if
 *	   memory was short
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

bool objtrace_funcs_take(const struct objtrace_funcs *funcs,
			 const struct objtrace_func *func, const char *tag,
			 bool only_struct);

/**
 * objtrace_funcs_find() - find a function by its ftrace location
 * @funcs: the table
 * @ip: the ftrace location
 *
 * Looks at the functions of one block.  Writes nothing: CPUs that find functions at the same time
 * do not disturb each other.
 *
 * Context: Any, NMI included.
 * Return: the function, or NULL if the table does not have it
 */
static __always_inline
const struct objtrace_func *objtrace_funcs_find(const struct objtrace_funcs *funcs,
						unsigned long ip)
{
	unsigned long offset = ip - funcs->start;
	const struct objtrace_func *f;

	if (offset >= funcs->span)
		return NULL;
	f = &funcs->func[funcs->first[offset >> OBJTRACE_BLOCK_BITS]];
	/* The last function ends the loop: its offset is at least @offset */
	while (f->offset < offset)
		f++;
	return f->offset == offset ? f : NULL;
}

/*
 * A call of cond_resched() for each function would cost as much as the work.  The slowest work is a
 * microsecond for each function.
 */
#define OBJTRACE_FUNCS_RESCHED	64

/**
 * objtrace_funcs_resched() - let other tasks run in a loop over functions, types or symbols
 * @n: index of the function, type or symbol
 *
 * Context: task.
 */
static inline void objtrace_funcs_resched(size_t n)
{
	if (!(n % OBJTRACE_FUNCS_RESCHED))
		cond_resched();
}

#endif /* _OBJTRACE_FUNCS_H */
