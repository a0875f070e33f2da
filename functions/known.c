// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of functions of the kernel and of each module, from BTF and symbols: see
 * functions/funcs.h.
 *
 * The tables are built for the first add trigger, or for the first pattern in set_filter or
 * set_notrace.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "functions/funcs.h"
#include "functions/known.h"
#include "kernel/btf.h"
#include "kernel/ksyms.h"
#include "kernel/watch.h"
#include "objtrace_compat.h"

/**
 * struct part - the functions of the kernel, or of a module's core or init text
 * @end: address after the ftrace location of the last function
 * @module: the module, only compared; NULL for the kernel
 * @is_init: true for functions in init text, which the kernel frees after module init
 * @funcs: table of at least one function
 */
struct part {
	unsigned long		end;
	const struct module	*module;
	bool			is_init;
	struct objtrace_funcs	*funcs;
};

/* log2 of the number of blocks: most kernels have fewer modules */
#define NR_BLOCKS_BITS	10

/**
 * struct known - the functions of all parts
 * @rcu: frees the struct a grace period after another struct has replaced it
 * @kernel: functions of the kernel, which is the part that most functions belong to
 * @start: ftrace location of the first function of all modules
 * @span: distance from @start to the end of the last module's part; 0 without modules
 * @shift: log2 of the size of a block of addresses.  The blocks cover the span
 * @first: element N is the index of the first part that ends after the start of block N
 * @nr: number of parts, at least 1: the kernel's part is never removed
 * @part: the parts, sorted by address, without overlaps
 *
 * The members are constant after the struct is published.
 */
struct known {
	struct rcu_head		rcu;
	struct objtrace_funcs	*kernel;
	unsigned long		start;
	unsigned long		span;
	unsigned int		shift;
	u16			first[1 << NR_BLOCKS_BITS];
	unsigned int		nr;
	struct part		part[];
};

/*
 * Written under the mutex of functions/groups.c, read under RCU.  NULL before the tables are
 * built.
 */
static struct known __rcu *known;

/*
 * Number of types in the kernel's BTF.  The types of a module follow.  Written once, before the
 * tables are built, under the mutex of functions/groups.c.
 */
static unsigned int nr_kernel_types;

/* Time that all scans have taken, in ns.  Under the mutex of functions/groups.c */
static u64 time_spent;

static unsigned int count_types(const struct btf *btf)
{
	u32 id = 1;

	while (btf_type_by_id(btf, id))
		objtrace_funcs_resched(id++);
	return id;
}

static const struct part *find_part(const struct known *k, const struct module *module,
				    bool is_init)
{
	unsigned int i;

	for (i = 0; i < k->nr; i++)
		if (k->part[i].module == module && k->part[i].is_init == is_init)
			return &k->part[i];
	return NULL;
}

/* Prepare the search for the part of a module's function */
static void index_parts(struct known *k)
{
	unsigned long start = ULONG_MAX, end = 0;
	unsigned long block;
	unsigned int i;

	for (i = 0; i < k->nr; i++) {
		if (k->part[i].funcs == k->kernel)
			continue;
		start = min(start, k->part[i].funcs->start);
		end = max(end, k->part[i].end);
	}
	if (!end)
		return;
	k->start = start;
	k->span = end - start;
	k->shift = max(order_base_2(k->span), NR_BLOCKS_BITS) - NR_BLOCKS_BITS;
	for (i = 0, block = 0; block <= (k->span - 1) >> k->shift; block++) {
		while (k->part[i].end <= start + (block << k->shift))
			i++;
		k->first[block] = i;
	}
}

/* Copy the struct with one more part; ERR_PTR(-ENOMEM) if memory is short */
static struct known *with_part(const struct known *k, const struct part *part)
{
	unsigned int nr = k ? k->nr : 0, at = 0, i;
	struct known *next;

	next = kvzalloc(struct_size(next, part, nr + 1), GFP_KERNEL);
	if (!next)
		return ERR_PTR(-ENOMEM);
	while (at < nr && k->part[at].funcs->start < part->funcs->start)
		at++;
	for (i = 0; i < nr; i++)
		next->part[i < at ? i : i + 1] = k->part[i];
	next->part[at] = *part;
	next->nr = nr + 1;
	next->kernel = k ? k->kernel : part->funcs;
	index_parts(next);
	return next;
}

/* Free a table, and put the reference to a module's BTF */
static void free_funcs(struct objtrace_funcs *funcs, const struct module *module,
		       const struct btf *btf)
{
	if (module)
		ksym(btf_put)((struct btf *)btf);
	kvfree(funcs);
}

/*
 * Copy @k with the functions of @names.  NULL if there are no functions, ERR_PTR(-ENOMEM) if memory
 * is short.  Frees @names, and takes over the reference to a module's BTF.
 */
static struct known *with_names(const struct known *k, struct objtrace_names *names,
				const struct module *module, bool is_init)
{
	struct part part = {
		.module = module, .is_init = is_init, .funcs = objtrace_names_build(names),
	};
	const struct btf *btf = names->btf;
	struct known *next = NULL;

	objtrace_names_exit(names);
	if (!part.funcs) {
		next = ERR_PTR(-ENOMEM);
	} else if (part.funcs->nr) {
		part.end = part.funcs->start + part.funcs->span;
		next = with_part(k, &part);
	}
	if (IS_ERR_OR_NULL(next))
		free_funcs(part.funcs, module, btf);
	return next;
}

/* The ftrace location of a function; 0 if the function cannot be traced */
static unsigned long location_of(unsigned long addr)
{
	return ksym(ftrace_location_range)(addr, addr + OBJTRACE_LOCATION_SPAN);
}

/* Data can have the name of a function.  Freed init functions count, too. */
static bool is_in_text(unsigned long addr)
{
	return (addr >= ksym_addr(_stext) && addr < ksym_addr(_etext)) ||
	       (addr >= ksym_addr(_sinittext) && addr < ksym_addr(_einittext));
}

/* The padding in front of functions has symbols: a third of all symbols on x86-64 */
static bool is_padding(const char *name)
{
	return strstarts(name, "__pfx_");
}

static int note_symbol(void *names, const char *name, unsigned long addr)
{
	if (is_in_text(addr) && !is_padding(name) && !objtrace_watchpoint_handles(name))
		objtrace_names_symbol(names, name, addr, location_of(addr));
	return 0;
}

static int note_older_symbol(void *names, const char *name, struct module *module,
			     unsigned long addr)
{
	return module ? 0 : note_symbol(names, name, addr);
}

/* Older kernels pass the symbol's module, too: NULL for a symbol of the kernel */
static void note_kernel_symbols(struct objtrace_names *names)
{
	int (*fn)(void *names, const char *name, unsigned long addr) = note_symbol;

	/* A kernel with the older prototype calls note_older_symbol(), and kCFI checks its type */
	static_assert(__same_type(objtrace_kallsyms_on_each_symbol_older_fn,
				  int (typeof(&note_older_symbol), void *)));
	if (objtrace_btf_is_older("kallsyms_on_each_symbol"))
		fn = (void *)note_older_symbol;
	ksym(kallsyms_on_each_symbol)(fn, names);
}

static struct known *kernel_alone(void)
{
	const struct btf *btf = ksym(bpf_get_btf_vmlinux)();
	struct objtrace_names names;

	nr_kernel_types = count_types(btf);
	if (objtrace_names_init(&names, btf, 1, OBJTRACE_ABI))
		return ERR_PTR(-ENOMEM);
	note_kernel_symbols(&names);
	return with_names(NULL, &names, NULL, false);
}

/*
 * A module has all its symbols while it is being loaded, and later only the symbols of its core
 * text.  Undefined symbols are in the list, too, with addresses outside of the module.
 */
static void note_symbols(struct objtrace_names *names, const struct module *module,
			 const struct mod_kallsyms *kallsyms, bool is_init)
{
	const Elf_Sym *sym = kallsyms->symtab;
	unsigned long addr;
	unsigned int i;

	for (i = 0; i < kallsyms->num_symtab; i++) {
		objtrace_funcs_resched(i);
		addr = sym[i].st_value;
		if (ELF_ST_TYPE(sym[i].st_info) != STT_FUNC || !within_module(addr, module))
			continue;
		objtrace_names_symbol(names, kallsyms->strtab + sym[i].st_name, addr,
				      within_module_init(addr, module) == is_init ?
				      location_of(addr) : 0);
	}
}

/*
 * Copy @k with functions of a module.  NULL if @k has these functions already, or if there are no
 * functions; ERR_PTR(-ENOMEM) if memory is short.  Functions without BTF are unknown.
 */
static struct known *with_module(const struct known *k, const struct module *module,
				 bool is_init)
{
	const struct mod_kallsyms *kallsyms = &module->core_kallsyms;
	struct objtrace_names names;
	struct btf *btf;

	if (find_part(k, module, is_init))
		return NULL;
	/* Only this task, which loads the module, changes module->kallsyms before init ends */
	if (is_init)
		kallsyms = rcu_dereference_protected(module->kallsyms, true);
	btf = ksym(btf_get_module_btf)(module);
	if (IS_ERR(btf))
		btf = NULL;
	if (objtrace_names_init(&names, btf, nr_kernel_types, OBJTRACE_ABI)) {
		ksym(btf_put)(btf);
		return ERR_PTR(-ENOMEM);
	}
	note_symbols(&names, module, kallsyms, is_init);
	return with_names(k, &names, module, is_init);
}

/* The module of a node in the kernel's list; NULL for the head of the list */
static struct module *module_of(struct list_head *node)
{
	struct module *module = list_entry(node, struct module, list);

	return ksym(__module_address)((unsigned long)module) ? module : NULL;
}

/**
 * objtrace_known_next_module() - iterate over the live modules
 * @from: the module before, or NULL to begin
 *
 * The notifier adds a module that is being loaded.  A live module stays while the mutex is held,
 * because its notifier takes the mutex first.
 *
 * Context: task, under the mutex of functions/groups.c.
 * Return: the next live module after @from in the circular list; NULL when the list returns to this
 * module
 */
struct module *objtrace_known_next_module(struct module *from)
{
	struct list_head * const own = &THIS_MODULE->list;
	struct list_head *node = from ? &from->list : own;
	struct module *module = NULL;

	rcu_read_lock();
	/* __module_address() of older kernels checks that preemption is disabled */
	preempt_disable();
	while ((node = rcu_dereference(list_next_rcu(node))) != own) {
		module = module_of(node);
		if (module && READ_ONCE(module->state) == MODULE_STATE_LIVE)
			break;
	}
	preempt_enable();
	rcu_read_unlock();
	return node != own ? module : NULL;
}

static struct known *current_known(void)
{
	return rcu_dereference_protected(known, true);
}

static void replace_known(struct known *next)
{
	struct known *old = current_known();

	rcu_assign_pointer(known, next);
	kvfree_rcu(old, rcu);
}

/**
 * objtrace_known_prepare() - build the table of the kernel
 *
 * Only the first call that succeeds builds the table.
 *
 * Context: task, may sleep, under the mutex of functions/groups.c; maybe under event_mutex.
 * Return: 0 or -ENOMEM
 */
int objtrace_known_prepare(void)
{
	u64 start = ktime_get_ns();
	struct known *k;

	if (current_known())
		return 0;
	k = kernel_alone();
	if (IS_ERR_OR_NULL(k))
		return -ENOMEM;
	rcu_assign_pointer(known, k);
	time_spent += ktime_get_ns() - start;
	return 0;
}

/**
 * objtrace_known_add() - add the functions of a module
 * @module: the module
 * @is_init: true for functions in init text, false for functions in core text
 *
 * Context: task, may sleep, under the mutex of functions/groups.c; maybe under event_mutex.
 * Return: the new table; NULL if there is a table already, if the module has no functions, or if
 * the kernel has no table yet; ERR_PTR(-ENOMEM)
 */
struct objtrace_funcs *objtrace_known_add(const struct module *module, bool is_init)
{
	const struct known *k = current_known();
	u64 start = ktime_get_ns();
	struct known *next;

	next = k ? with_module(k, module, is_init) : NULL;
	time_spent += ktime_get_ns() - start;
	if (IS_ERR_OR_NULL(next))
		return ERR_CAST(next);
	replace_known(next);
	return find_part(next, module, is_init)->funcs;
}

/**
 * objtrace_known_drop() - remove the functions of a module before the kernel frees the functions
 * @module: the module
 * @is_init: true for functions in init text, false for functions in core text
 *
 * Functions of another module may get the same addresses.
 *
 * Context: task, under the mutex of functions/groups.c.
 */
void objtrace_known_drop(const struct module *module, bool is_init)
{
	struct known *k = current_known(), *next;
	const struct part *part = k ? find_part(k, module, is_init) : NULL;
	struct objtrace_funcs *funcs;
	unsigned int i;

	if (!part)
		return;
	funcs = part->funcs;
	next = kvzalloc(struct_size(next, part, k->nr), GFP_KERNEL | __GFP_NOFAIL);
	next->kernel = k->kernel;
	for (i = 0; i < k->nr; i++)
		if (&k->part[i] != part)
			next->part[next->nr++] = k->part[i];
	index_parts(next);
	replace_known(next);
	/* Callbacks that use the table finish */
	synchronize_rcu();
	free_funcs(funcs, module, funcs->btf);
}

/**
 * objtrace_known_part() - iterate over the tables of the kernel and the modules
 * @n: number of the table, from 0
 *
 * Context: task, under the mutex of functions/groups.c.
 * Return: the table, or NULL after the last table
 */
struct objtrace_funcs *objtrace_known_part(unsigned int n)
{
	const struct known *k = current_known();

	return k && n < k->nr ? k->part[n].funcs : NULL;
}

/**
 * objtrace_known_cost() - compute the cost of all tables
 * @cost: receives the cost
 *
 * Context: task, under the mutex of functions/groups.c.
 */
void objtrace_known_cost(struct objtrace_known_cost *cost)
{
	const struct known *k = current_known();
	unsigned int i;

	*cost = (struct objtrace_known_cost){ .us = time_spent / NSEC_PER_USEC };
	for (i = 0; k && i < k->nr; i++) {
		cost->bytes += k->part[i].funcs->bytes;
		cost->nr += k->part[i].funcs->nr;
	}
}

/**
 * objtrace_known_module() - look up the table of a module
 * @module: the module
 * @is_init: true for functions in init text, false for functions in core text
 *
 * Context: task, under the mutex of functions/groups.c.
 * Return: the table, or NULL if there is no such table
 */
const struct objtrace_funcs *objtrace_known_module(const struct module *module, bool is_init)
{
	const struct known *k = current_known();
	const struct part *part = k ? find_part(k, module, is_init) : NULL;

	return part ? part->funcs : NULL;
}

/*
 * The only table of a module that may have a function.  If @ip is in no part, this is the table of
 * the next part.
 */
static const struct objtrace_funcs *module_table(const struct known *k, unsigned long ip)
{
	unsigned long offset = ip - k->start;
	const struct part *part;

	if (offset >= k->span)
		return NULL;
	part = &k->part[k->first[offset >> k->shift]];
	/* The last part ends the loop */
	while (part->end <= ip)
		part++;
	return part->funcs;
}

/**
 * objtrace_known_find() - find a function by its ftrace location
 * @ip: the ftrace location
 *
 * Context: Any, NMI included; preemption disabled and RCU watching while the result is used.
 * Return: the function, or NULL if no table has the function
 */
const struct objtrace_func *objtrace_known_find(unsigned long ip)
{
	const struct known *k = rcu_dereference_sched(known);
	const struct objtrace_funcs *funcs;
	const struct objtrace_func *func;

	if (!k)
		return NULL;
	func = objtrace_funcs_find(k->kernel, ip);
	if (likely(func))
		return func;
	funcs = module_table(k, ip);
	return funcs ? objtrace_funcs_find(funcs, ip) : NULL;
}

/**
 * objtrace_known_table() - find the table of a function that objtrace_known_find() has found
 * @ip: ftrace location of the function
 *
 * Context: as objtrace_known_find().
 * Return: the table; NULL if the function of a module is removed at the same time
 */
const struct objtrace_funcs *objtrace_known_table(unsigned long ip)
{
	const struct known *k = rcu_dereference_sched(known);
	const struct objtrace_funcs *funcs = k->kernel;

	if (objtrace_funcs_find(funcs, ip))
		return funcs;
	funcs = module_table(k, ip);
	return funcs && objtrace_funcs_find(funcs, ip) ? funcs : NULL;
}

/**
 * objtrace_known_exit() - free all tables
 *
 * Context: task, module exit, when no function calls this module any more.
 */
void objtrace_known_exit(void)
{
	struct known *k = current_known();
	unsigned int i;

	for (i = 0; k && i < k->nr; i++)
		free_funcs(k->part[i].funcs, k->part[i].module, k->part[i].funcs->btf);
	kvfree(k);
}
