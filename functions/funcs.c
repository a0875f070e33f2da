// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of functions by ftrace location, see functions/funcs.h.
 */
#include <linux/btf.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "functions/funcs.h"
#include "kernel/member.h"
#include "types/args.h"

/* Least number of buckets for each name: nearly all names are in their first bucket then */
#define BUCKETS_PER_NAME	2

/* Initial size of entry[] for a module without BTF */
#define MIN_ENTRIES		64

/* 32-bit FNV-1a (Fowler/Noll/Vo): names often differ in their last letters only */
#define FNV_BASIS		2166136261U
#define FNV_PRIME		16777619U

static u32 hash_of(const char *name, size_t len)
{
	u32 hash = FNV_BASIS;

	while (len--)
		hash = (hash ^ (u8)*name++) * FNV_PRIME;
	return hash ^ hash >> 16;
}

static bool is_called(const char *found, const char *name, size_t len)
{
	return !strncmp(found, name, len) && !found[len];
}

/* Find the bucket of a name, or the free bucket for a new name */
static u32 *bucket_of(const struct objtrace_names *names, const char *name, size_t len)
{
	u32 i = hash_of(name, len) & names->bucket_mask;
	const struct objtrace_name *n;

	for (; names->bucket[i]; i = (i + 1) & names->bucket_mask) {
		n = &names->name[names->bucket[i] - 1];
		if (is_called(name_in(names->btf, n->name), name, len))
			break;
	}
	return &names->bucket[i];
}

static void note_function(struct objtrace_names *names, const struct btf_type *t,
			  enum objtrace_abi abi)
{
	const char *name = name_in(names->btf, t->name_off);
	u32 *bucket = bucket_of(names, name, strlen(name));
	struct objtrace_args args = {};
	bool known = objtrace_args_of(names->btf, t->type, abi, &args);
	struct objtrace_name *n;

	if (*bucket) {
		n = &names->name[*bucket - 1];
		n->is_ambiguous |= !known || n->objects != args.objects ||
				   n->variable != args.variable;
		if (n->proto != t->type)
			n->proto = 0;
		return;
	}
	n = &names->name[names->nr++];
	*bucket = names->nr;
	n->name = t->name_off;
	n->objects = args.objects;
	n->variable = args.variable;
	n->is_ambiguous = !known;
	n->proto = t->type;
}

static unsigned int count_functions(const struct btf *btf, u32 first_id)
{
	const struct btf_type *t;
	unsigned int nr = 0;
	u32 id;

	for (id = first_id; btf && (t = btf_type_by_id(btf, id)); id++) {
		nr += kind_of(t) == BTF_KIND_FUNC;
		objtrace_funcs_resched(id);
	}
	return nr;
}

static int alloc_names(struct objtrace_names *names, unsigned int nr)
{
	u32 buckets = roundup_pow_of_two(nr * BUCKETS_PER_NAME + 1);

	names->bucket_mask = buckets - 1;
	names->bucket = kvcalloc(buckets, sizeof(*names->bucket), GFP_KERNEL);
	names->name = kvcalloc(nr + 1, sizeof(*names->name), GFP_KERNEL);
	/* The BTF lacks some functions of the kernel, and has some functions that are inlined */
	names->max_entries = nr + nr / 8 + MIN_ENTRIES;
	names->entry = kvcalloc(names->max_entries, sizeof(*names->entry), GFP_KERNEL);
	if (names->bucket && names->name && names->entry)
		return 0;
	objtrace_names_exit(names);
	return -ENOMEM;
}

/**
 * objtrace_names_init() - collect the functions of a BTF
 * @names: receives the functions; the caller passes it to objtrace_names_exit()
 * @btf: the BTF, with a reference until objtrace_names_exit(); or NULL
 * @first_id: first type of a split BTF after the types of its base; 1 for a base
 * @abi: the calling convention
 *
 * Context: task; may sleep.
 * Return: 0 or -ENOMEM
 */
int objtrace_names_init(struct objtrace_names *names, const struct btf *btf,
			u32 first_id, enum objtrace_abi abi)
{
	const struct btf_type *t;
	u32 id;

	*names = (struct objtrace_names){ .btf = btf, .all = objtrace_args_all(abi) };
	if (alloc_names(names, count_functions(btf, first_id)))
		return -ENOMEM;
	for (id = first_id; btf && (t = btf_type_by_id(btf, id)); id++) {
		if (kind_of(t) == BTF_KIND_FUNC)
			note_function(names, t, abi);
		objtrace_funcs_resched(id);
	}
	return 0;
}

/*
 * Return the length of the function's name in a symbol, without the suffix that compilers add for
 * a clone.  A ".cold" part is no function entry.
 */
static size_t source_name_len(const char *symbol)
{
	static const char * const clone[] = { ".isra.", ".constprop.", ".part." };
	const char *dot = strchr(symbol, '.');
	unsigned int i;

	for (i = 0; dot && i < ARRAY_SIZE(clone); i++)
		if (!strncmp(dot, clone[i], strlen(clone[i])))
			return dot - symbol;
	return strlen(symbol);
}

static void add_entry(struct objtrace_names *names, unsigned long ip, unsigned long addr,
		      u32 name)
{
	struct objtrace_entry *entry = names->entry;

	if (entry && names->nr_entries == names->max_entries) {
		entry = kvcalloc(2 * names->max_entries, sizeof(*entry), GFP_KERNEL);
		if (entry)
			memcpy(entry, names->entry, names->nr_entries * sizeof(*entry));
		kvfree(names->entry);
		names->entry = entry;
		names->max_entries *= 2;
	}
	if (entry)
		entry[names->nr_entries++] = (struct objtrace_entry){ ip, addr, name };
}

/**
 * objtrace_names_symbol() - add the symbol of a function
 * @names: the collected functions
 * @symbol: name of the symbol
 * @addr: address of the symbol
 * @ip: ftrace location of the function; 0 if the function cannot be traced
 *
 * The build of the table is faster if the addresses of the symbols rise.
 *
 * Context: task.
 */
void objtrace_names_symbol(struct objtrace_names *names, const char *symbol,
			   unsigned long addr, unsigned long ip)
{
	size_t len = source_name_len(symbol);
	u32 name = *bucket_of(names, symbol, len);
	struct objtrace_name *n = name ? &names->name[name - 1] : NULL;

	if (!addr)
		return;
	if (n && (symbol[len] || (n->addr && n->addr != addr)))
		n->is_ambiguous = true;
	else if (n)
		n->addr = addr;
	if (ip)
		add_entry(names, ip, addr, symbol[len] ? 0 : name);
}

static int compare_entries(const void *a, const void *b)
{
	const struct objtrace_entry *e = a, *f = b;

	if (e->ip != f->ip)
		return e->ip < f->ip ? -1 : 1;
	return e->addr < f->addr ? -1 : e->addr > f->addr;
}

static void sort_entries(const struct objtrace_names *names)
{
	struct objtrace_entry *entry = names->entry;
	unsigned int i;

	for (i = 1; i < names->nr_entries; i++)
		if (compare_entries(&entry[i - 1], &entry[i]) > 0)
			break;
	if (i < names->nr_entries)
		sort(entry, names->nr_entries, sizeof(*entry), compare_entries, NULL);
}

/*
 * Combine the prototypes of a function that has several names.  @first to @last are the symbols
 * with the function's ftrace location.  The symbols with the highest address are the names of the
 * function.  A lower symbol belongs to a few bytes of code before the function: the search for the
 * location of that code reaches into the function.  The prototypes of the names must have the same
 * pointers.
 */
static struct objtrace_func func_of(const struct objtrace_names *names,
				    const struct objtrace_entry *first,
				    const struct objtrace_entry *last)
{
	const struct objtrace_name *known = NULL, *n;
	const struct objtrace_entry *e;
	u32 proto = 0;

	for (e = last; e >= first && e->addr == last->addr; e--) {
		if (!e->name)
			continue;
		n = &names->name[e->name - 1];
		if (n->is_ambiguous || (known && (known->objects != n->objects ||
						  known->variable != n->variable)))
			return (struct objtrace_func){ .objects = names->all };
		proto = !known || proto == n->proto ? n->proto : 0;
		known = n;
	}
	if (!known)
		return (struct objtrace_func){ .objects = names->all };
	return (struct objtrace_func){
		.objects = known->objects, .sure = known->objects & ~known->variable,
		.proto = proto,
	};
}

/* Number of blocks from the first to the last symbol */
static size_t nr_blocks(const struct objtrace_names *names)
{
	const struct objtrace_entry *entry = names->entry;

	if (!names->nr_entries)
		return 0;
	return ((entry[names->nr_entries - 1].ip - entry[0].ip) >> OBJTRACE_BLOCK_BITS) + 1;
}

static void find_first_of_blocks(struct objtrace_funcs *funcs, u32 *first)
{
	unsigned long block = 0;
	unsigned int i;

	for (i = 0; i < funcs->nr; i++) {
		for (; block <= funcs->func[i].offset >> OBJTRACE_BLOCK_BITS; block++)
			first[block] = i;
		objtrace_funcs_resched(i);
	}
	funcs->first = first;
	funcs->span = funcs->nr ? funcs->func[funcs->nr - 1].offset + 1UL : 0;
}

/**
 * objtrace_names_build() - build a table of the functions that can be traced
 * @names: the collected functions, with all symbols
 *
 * The functions must lie within 4 GB.
 *
 * Context: task; may sleep.
 * Return: the table, which the caller frees with kvfree(); NULL if memory is short
 */
struct objtrace_funcs *objtrace_names_build(const struct objtrace_names *names)
{
	const struct objtrace_entry *entry = names->entry;
	struct objtrace_funcs *funcs;
	unsigned int first, last;
	size_t bytes;
	struct objtrace_func f;

	if (!entry)
		return NULL;
	sort_entries(names);
	bytes = struct_size(funcs, func, names->nr_entries) + nr_blocks(names) * sizeof(u32);
	funcs = kvzalloc(bytes, GFP_KERNEL);
	if (!funcs)
		return NULL;
	funcs->bytes = bytes;
	funcs->start = entry[0].ip;
	funcs->btf = names->btf;
	for (first = 0; first < names->nr_entries; first = last + 1) {
		last = first;
		while (last + 1 < names->nr_entries && entry[last + 1].ip == entry[first].ip)
			last++;
		f = func_of(names, &entry[first], &entry[last]);
		f.offset = entry[first].ip - funcs->start;
		objtrace_funcs_resched(funcs->nr);
		funcs->func[funcs->nr++] = f;
	}
	find_first_of_blocks(funcs, (u32 *)&funcs->func[names->nr_entries]);
	return funcs;
}

/**
 * objtrace_names_exit() - free the memory of objtrace_names_init()
 * @names: the collected functions
 *
 * Context: task.
 */
void objtrace_names_exit(struct objtrace_names *names)
{
	kvfree(names->entry);
	kvfree(names->name);
	kvfree(names->bucket);
	*names = (struct objtrace_names){};
}

/**
 * objtrace_funcs_take() - check that a function has a parameter for pointers to a struct
 * @funcs: the table with the function
 * @func: the function
 * @tag: name of the struct
 * @only_struct: true if a parameter void * does not count
 *
 * Context: Any, NMI included.
 * Return: true if the known prototype has such a parameter
 */
bool objtrace_funcs_take(const struct objtrace_funcs *funcs,
			 const struct objtrace_func *func, const char *tag, bool only_struct)
{
	unsigned int found;

	if (!func->proto)
		return false;
	found = objtrace_args_take(funcs->btf, func->proto, tag);
	return found & OBJTRACE_TAKES_STRUCT || (found && !only_struct);
}
