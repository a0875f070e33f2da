// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions by address, see objtrace_funcs.h.
 */
#include <linux/btf.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "objtrace_funcs.h"
#include "objtrace_member.h"

/* So many buckets for each name at least: then nearly all names are in the first */
#define BUCKETS_PER_NAME	2

/* 32-bit FNV-1a, Fowler/Noll/Vo: names differ in few letters, often the last ones */
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

/* The bucket of a name, or the free one where it belongs */
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
		return;
	}
	n = &names->name[names->nr++];
	*bucket = names->nr;
	n->name = t->name_off;
	n->objects = args.objects;
	n->variable = args.variable;
	n->is_ambiguous = !known;
}

static unsigned int count_functions(const struct btf *btf, u32 first_id)
{
	const struct btf_type *t;
	unsigned int nr = 0;
	u32 id;

	for (id = first_id; (t = btf_type_by_id(btf, id)); id++)
		nr += kind_of(t) == BTF_KIND_FUNC;
	return nr;
}

static int alloc_names(struct objtrace_names *names, unsigned int nr)
{
	u32 buckets = roundup_pow_of_two(nr * BUCKETS_PER_NAME + 1);

	names->bucket_mask = buckets - 1;
	names->bucket = kvcalloc(buckets, sizeof(*names->bucket), GFP_KERNEL);
	names->name = kvcalloc(nr + 1, sizeof(*names->name), GFP_KERNEL);
	names->found = kvcalloc(nr + 1, sizeof(*names->found), GFP_KERNEL);
	if (names->bucket && names->name && names->found)
		return 0;
	objtrace_names_exit(names);
	return -ENOMEM;
}

/**
 * objtrace_names_init() - collect the functions of a BTF
 * @names: filled in; to be given to objtrace_names_exit()
 * @btf: the BTF, which has to stay until then
 * @first_id: its first type that is not another BTF's, on which it is based; or 1
 * @abi: how they are called
 *
 * Context: task.
 * Return: 0 or -ENOMEM
 */
int objtrace_names_init(struct objtrace_names *names, const struct btf *btf,
			u32 first_id, enum objtrace_abi abi)
{
	const struct btf_type *t;
	u32 id;

	*names = (struct objtrace_names){ .btf = btf };
	if (alloc_names(names, count_functions(btf, first_id)))
		return -ENOMEM;
	for (id = first_id; (t = btf_type_by_id(btf, id)); id++)
		if (kind_of(t) == BTF_KIND_FUNC)
			note_function(names, t, abi);
	return 0;
}

/*
 * How much of a symbol is the name of the function in the source: behind it is what
 * compilers add to that of a clone.  (A ".cold" part is not called.)
 */
static size_t name_len(const char *symbol)
{
	static const char * const clone[] = { ".isra.", ".constprop.", ".part." };
	const char *dot = strchr(symbol, '.');
	unsigned int i;

	for (i = 0; dot && i < ARRAY_SIZE(clone); i++)
		if (!strncmp(dot, clone[i], strlen(clone[i])))
			return dot - symbol;
	return strlen(symbol);
}

/**
 * objtrace_names_symbol() - there is a symbol
 * @names: may have a function of its name
 * @symbol: that of a function
 * @addr: its address
 *
 * A table is built faster from symbols with rising addresses.
 *
 * Context: task.
 */
void objtrace_names_symbol(struct objtrace_names *names, const char *symbol,
			   unsigned long addr)
{
	size_t len = name_len(symbol);
	u32 *bucket = bucket_of(names, symbol, len);
	struct objtrace_name *n;

	if (!*bucket || !addr)
		return;
	n = &names->name[*bucket - 1];
	if (symbol[len] || (n->addr && n->addr != addr))
		n->is_ambiguous = true;
	if (symbol[len] || n->addr)
		return;
	n->addr = addr;
	names->found[names->nr_found++] = *bucket - 1;
}

static int compare_offsets(const void *a, const void *b)
{
	const struct objtrace_func *f = a, *g = b;

	return f->offset < g->offset ? -1 : f->offset > g->offset;
}

static void sort_by_offset(struct objtrace_funcs *funcs)
{
	unsigned int i;

	for (i = 1; i < funcs->nr; i++)
		if (funcs->func[i - 1].offset > funcs->func[i].offset)
			break;
	if (i < funcs->nr)
		sort(funcs->func, funcs->nr, sizeof(funcs->func[0]), compare_offsets,
		     NULL);
}

static bool say_the_same(const struct objtrace_func *a, const struct objtrace_func *b)
{
	return a->objects == b->objects && a->variable == b->variable && !b->is_ambiguous;
}

/* Of several names for one function, all must say the same of it */
static void merge_aliases(struct objtrace_funcs *funcs)
{
	struct objtrace_func *f = funcs->func;
	unsigned int i, next, nr = 0;
	bool same;

	for (i = 0; i < funcs->nr; i = next) {
		same = !f[i].is_ambiguous;
		for (next = i + 1; next < funcs->nr && f[next].offset == f[i].offset; next++)
			same &= say_the_same(&f[i], &f[next]);
		if (same)
			f[nr++] = f[i];
	}
	funcs->nr = nr;
}

static const struct objtrace_name *
found_name(const struct objtrace_names *names, unsigned int i)
{
	return &names->name[names->found[i]];
}

/**
 * objtrace_names_build() - build a table of the functions that are known
 * @names: all symbols were told to it
 *
 * The functions must lie within 4 GB.
 *
 * Context: task.
 * Return: the table, to be freed with kvfree(); NULL if there is no memory for it
 */
struct objtrace_funcs *objtrace_names_build(const struct objtrace_names *names)
{
	const struct objtrace_name *n;
	struct objtrace_funcs *funcs;
	unsigned int i;

	funcs = kvzalloc(struct_size(funcs, func, names->nr_found), GFP_KERNEL);
	if (!funcs)
		return NULL;
	funcs->start = ULONG_MAX;
	for (i = 0; i < names->nr_found; i++)
		funcs->start = min(funcs->start, found_name(names, i)->addr);
	for (i = 0; i < names->nr_found; i++) {
		n = found_name(names, i);
		funcs->func[funcs->nr++] = (struct objtrace_func){
			.offset = n->addr - funcs->start, .objects = n->objects,
			.variable = n->variable, .is_ambiguous = n->is_ambiguous,
		};
	}
	sort_by_offset(funcs);
	merge_aliases(funcs);
	return funcs;
}

/**
 * objtrace_names_exit() - free what objtrace_names_init() has allocated
 * @names: as it was left there
 *
 * Context: task.
 */
void objtrace_names_exit(struct objtrace_names *names)
{
	kvfree(names->found);
	kvfree(names->name);
	kvfree(names->bucket);
	*names = (struct objtrace_names){};
}

/**
 * objtrace_funcs_find() - the function that is being entered
 * @funcs: the table
 * @ip: its ftrace location
 *
 * Context: any, NMI included.
 * Return: the function, or NULL if it is not known
 */
const struct objtrace_func *objtrace_funcs_find(const struct objtrace_funcs *funcs,
						unsigned long ip)
{
	unsigned long offset = ip - funcs->start;
	unsigned int low = 0, high = funcs->nr, middle;
	const struct objtrace_func *f;

	/* @low becomes the number of functions that begin at or before @ip */
	while (low < high) {
		middle = (low + high) / 2;
		if (funcs->func[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	f = &funcs->func[low - 1];
	return offset - f->offset <= OBJTRACE_ENTRY_REACH ? f : NULL;
}
