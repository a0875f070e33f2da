// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that can be traced, and what is known of them, for the kernel and each
 * module: a table for each, made of its BTF and its symbols, see functions/funcs.h.
 *
 * Nothing is known before the first trigger that adds, or a list of functions, needs it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/ktime.h>
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
#include "objtrace_compat.h"

/**
 * struct part - the functions of the kernel, or some of a module
 * @module: the module, only compared; NULL for the kernel
 * @is_init: those that are gone when it has been initialized
 * @funcs: the functions; at least one
 */
struct part {
	const struct module	*module;
	bool			is_init;
	struct objtrace_funcs	*funcs;
};

/* Functions that were found last: few receive objects, compared with how many there are */
#define RECENT_BITS	8

/**
 * struct known - all functions
 * @rcu: readers may still have it when another one takes its place
 * @recent: by the hash of a location, where a function with that hash was found last:
 *	    index of the part << 32 | of the function in it.  Written by any reader in any
 *	    context, with WRITE_ONCE(), only with what it has found in this very struct; read
 *	    with READ_ONCE().  So each is one of its functions, at first the first one,
 *	    and whether it is the right one is seen by its location.
 * @nr: number of parts, at least 1: that of the kernel stays
 * @part: by rising address; none reaches into another
 *
 * All but @recent is constant once readers can see it.
 */
struct known {
	struct rcu_head	rcu;
	u64		recent[1 << RECENT_BITS];
	unsigned int	nr;
	struct part	part[];
};

/*
 * Written by who holds the mutex of functions/groups.c, as all functions here ask for
 * that change it; read under RCU.  NULL before the first trigger.
 */
static struct known __rcu *known;

/*
 * How many types the kernel's own BTF has: those of a module come behind them.  Written
 * once, before anything is known; as @known.
 */
static unsigned int nr_kernel_types;

/* Time that was spent on it, in ns.  Under the mutex */
static u64 time_spent;

static unsigned int count_types(const struct btf *btf)
{
	u32 id = 1;

	while (btf_type_by_id(btf, id))
		id++;
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

/* A copy with one part more; NULL if there is no memory for it */
static struct known *with_part(const struct known *k, const struct part *part)
{
	unsigned int nr = k ? k->nr : 0, at = 0, i;
	struct known *next;

	next = kvzalloc(struct_size(next, part, nr + 1), GFP_KERNEL);
	if (!next)
		return NULL;
	while (at < nr && k->part[at].funcs->start < part->funcs->start)
		at++;
	for (i = 0; i < nr; i++)
		next->part[i < at ? i : i + 1] = k->part[i];
	next->part[at] = *part;
	next->nr = nr + 1;
	return next;
}

/* What of a module's functions is not that of the kernel: their BTF is held for them */
static void free_funcs(struct objtrace_funcs *funcs, const struct module *module,
		       const struct btf *btf)
{
	if (module)
		ksym(btf_put)((struct btf *)btf);
	kvfree(funcs);
}

/*
 * Consumes @names, and a module's BTF: a copy of @k with what was collected there; NULL if
 * there is nothing, or no memory
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
	if (part.funcs && part.funcs->nr)
		next = with_part(k, &part);
	if (!next)
		free_funcs(part.funcs, module, btf);
	return next;
}

/* Where ftrace is called in a function; 0 if it cannot be traced */
static unsigned long location_of(unsigned long addr)
{
	return ksym(ftrace_location_range)(addr, addr + OBJTRACE_LOCATION_SPAN);
}

/* Data may have the name of a function.  Functions that are gone count as others do. */
static bool is_in_text(unsigned long addr)
{
	return (addr >= ksym_addr(_stext) && addr < ksym_addr(_etext)) ||
	       (addr >= ksym_addr(_sinittext) && addr < ksym_addr(_einittext));
}

/* The padding in front of functions has names, too: a third of all on x86-64 */
static bool is_padding(const char *name)
{
	return strstarts(name, "__pfx_");
}

static int note_symbol(void *names, const char *name, unsigned long addr)
{
	if (is_in_text(addr) && !is_padding(name))
		objtrace_names_symbol(names, name, addr, location_of(addr));
	return 0;
}

static int note_older_symbol(void *names, const char *name, struct module *module,
			     unsigned long addr)
{
	return module ? 0 : note_symbol(names, name, addr);
}

/* Older kernels tell the symbol's module, too: NULL for a symbol of the kernel itself */
static void note_kernel_symbols(struct objtrace_names *names)
{
	int (*fn)(void *names, const char *name, unsigned long addr) = note_symbol;

	/* A kernel that has the older prototype calls the function by the older type */
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
		return NULL;
	note_kernel_symbols(&names);
	return with_names(NULL, &names, NULL, false);
}

/*
 * As long as it is being loaded a module has all its symbols, then those of what stays.
 * Symbols of others that it refers to are not told apart by their type.
 */
static void note_symbols(struct objtrace_names *names, const struct module *module,
			 const struct mod_kallsyms *kallsyms, bool is_init)
{
	const Elf_Sym *sym = kallsyms->symtab;
	unsigned long addr;
	unsigned int i;

	for (i = 0; i < kallsyms->num_symtab; i++) {
		addr = sym[i].st_value;
		if (ELF_ST_TYPE(sym[i].st_info) != STT_FUNC || !within_module(addr, module))
			continue;
		objtrace_names_symbol(names, kallsyms->strtab + sym[i].st_name, addr,
				      within_module_init(addr, module) == is_init ?
				      location_of(addr) : 0);
	}
}

/*
 * A copy of @k with functions of a module; NULL if it has them already, or there are
 * none, or no memory.  Without BTF they are unknown.
 */
static struct known *with_module(const struct known *k, const struct module *module,
				 bool is_init)
{
	const struct mod_kallsyms *kallsyms = &module->core_kallsyms;
	struct objtrace_names names;
	struct btf *btf;

	if (find_part(k, module, is_init))
		return NULL;
	/* Nobody else changes it before it has been initialized */
	if (is_init)
		kallsyms = rcu_dereference_protected(module->kallsyms, true);
	btf = ksym(btf_get_module_btf)(module);
	if (IS_ERR(btf))
		btf = NULL;
	if (objtrace_names_init(&names, btf, nr_kernel_types, OBJTRACE_ABI)) {
		ksym(btf_put)(btf);
		return NULL;
	}
	note_symbols(&names, module, kallsyms, is_init);
	return with_names(k, &names, module, is_init);
}

/* The module of a node in the kernel's list; NULL for its head, which is in none */
static struct module *module_of(struct list_head *node)
{
	struct module *module = list_entry(node, struct module, list);

	return ksym(__module_address)((unsigned long)module) ? module : NULL;
}

/*
 * The next module behind @from that is ready; NULL when the list, which is a ring, comes
 * back to this module.  What is being loaded is told of later.  What is ready stays as
 * long as the mutex is held: before it can go, objtrace_known_drop() is called.
 */
static struct module *next_module(struct module *from)
{
	struct list_head * const own = &THIS_MODULE->list;
	struct list_head *node = &from->list;
	struct module *module = NULL;

	rcu_read_lock();
	/* Older kernels want to see that for __module_address() */
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

static struct known *with_modules(struct known *k)
{
	struct module *module = THIS_MODULE;
	struct known *next;

	while ((module = next_module(module))) {
		next = with_module(k, module, false);
		if (!next)
			continue;
		kvfree(k);
		k = next;
	}
	return k;
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
 * objtrace_known_prepare() - know the functions of the kernel and its modules
 *
 * Takes a while, the first time.
 *
 * Context: task, may be under event_mutex; under the mutex.
 * Return: 0 or -ENOMEM
 */
int objtrace_known_prepare(void)
{
	u64 start = ktime_get_ns();
	struct known *k;

	if (current_known())
		return 0;
	k = kernel_alone();
	if (!k)
		return -ENOMEM;
	rcu_assign_pointer(known, with_modules(k));
	time_spent += ktime_get_ns() - start;
	return 0;
}

/**
 * objtrace_known_add() - there is a module
 * @module: the module
 * @is_init: the functions that are gone when it has been initialized, or the others
 *
 * Context: task, under the mutex.
 * Return: the functions that are known from now on; NULL if they were before, or if there
 * are none, or no memory
 */
struct objtrace_funcs *objtrace_known_add(const struct module *module, bool is_init)
{
	const struct known *k = current_known();
	u64 start = ktime_get_ns();
	struct known *next;

	next = k ? with_module(k, module, is_init) : NULL;
	time_spent += ktime_get_ns() - start;
	if (!next)
		return NULL;
	replace_known(next);
	return find_part(next, module, is_init)->funcs;
}

/**
 * objtrace_known_drop() - functions of a module will be gone
 * @module: the module
 * @is_init: as objtrace_known_add()
 *
 * Another one may get their addresses.
 *
 * Context: task, under the mutex.
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
	for (i = 0; i < k->nr; i++)
		if (&k->part[i] != part)
			next->part[next->nr++] = k->part[i];
	replace_known(next);
	/* Callbacks that have found them finish */
	synchronize_rcu();
	free_funcs(funcs, module, funcs->btf);
}

/**
 * objtrace_known_part() - the functions of the kernel, or some of a module
 * @n: which, counted from 0
 *
 * Context: task, under the mutex.
 * Return: functions, or NULL behind the last ones
 */
struct objtrace_funcs *objtrace_known_part(unsigned int n)
{
	const struct known *k = current_known();

	return k && n < k->nr ? k->part[n].funcs : NULL;
}

/**
 * objtrace_known_cost() - what it takes to know functions
 * @cost: filled in
 *
 * Context: task, under the mutex.
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
 * objtrace_known_module() - functions of a module
 * @module: the module
 * @is_init: as objtrace_known_add()
 *
 * Context: task, under the mutex.
 * Return: the functions, or NULL if none are known
 */
const struct objtrace_funcs *objtrace_known_module(const struct module *module, bool is_init)
{
	const struct known *k = current_known();
	const struct part *part = k ? find_part(k, module, is_init) : NULL;

	return part ? part->funcs : NULL;
}

/* The part that has a location, if any has */
static const struct part *part_at(const struct known *k, unsigned long ip)
{
	unsigned int low = 0, high = k->nr, middle;

	/* @low becomes the number of parts that begin at or before @ip */
	while (low < high) {
		middle = (low + high) / 2;
		if (k->part[middle].funcs->start <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &k->part[low - 1] : NULL;
}

/* Among all, and remember it */
static noinline const struct objtrace_func *search_all_parts(struct known *k, unsigned long ip,
							     const struct objtrace_funcs **funcs)
{
	const struct part *part = part_at(k, ip);
	const struct objtrace_func *func;

	if (!part)
		return NULL;
	func = objtrace_funcs_find(part->funcs, ip);
	if (!func)
		return NULL;
	*funcs = part->funcs;
	WRITE_ONCE(k->recent[hash_long(ip, RECENT_BITS)],
		   (u64)(part - k->part) << 32 | (func - part->funcs->func));
	return func;
}

/**
 * objtrace_known_find() - the function that is being entered
 * @ip: its ftrace location
 * @funcs: set to the table that has it; means nothing if NULL is returned
 *
 * Context: any, NMI included; preemption disabled and RCU watching as long as what is
 * returned is used.
 * Return: the function, or NULL if it cannot be traced
 */
const struct objtrace_func *objtrace_known_find(unsigned long ip,
						const struct objtrace_funcs **funcs)
{
	struct known *k = rcu_dereference_sched(known);
	const struct objtrace_func *func;
	u64 recent;

	if (!k)
		return NULL;
	recent = READ_ONCE(k->recent[hash_long(ip, RECENT_BITS)]);
	*funcs = k->part[recent >> 32].funcs;
	func = &(*funcs)->func[(u32)recent];
	return likely((*funcs)->start + func->offset == ip) ? func : search_all_parts(k, ip, funcs);
}

/**
 * objtrace_known_exit() - forget all functions
 *
 * Context: task, module exit, when no function calls us any more.
 */
void objtrace_known_exit(void)
{
	struct known *k = current_known();
	unsigned int i;

	for (i = 0; k && i < k->nr; i++)
		free_funcs(k->part[i].funcs, k->part[i].module, k->part[i].funcs->btf);
	kvfree(k);
}
