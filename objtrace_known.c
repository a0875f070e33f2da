// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is known of functions, for the kernel and each module: a table for each, made
 * of its BTF and its symbols, see objtrace_funcs.h.
 *
 * Nothing is made before the first trigger that adds needs it.  From then on modules
 * are followed as they come and go.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/overflow.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "objtrace_compat.h"
#include "objtrace_funcs.h"
#include "objtrace_known.h"
#include "objtrace_ksyms.h"

/**
 * struct part - the functions of the kernel, or of one module
 * @module: the module, only compared; NULL for the kernel
 * @funcs: its functions; at least one
 */
struct part {
	const struct module	*module;
	struct objtrace_funcs	*funcs;
};

/**
 * struct known - all functions that are known
 * @rcu: readers may still have it when another one takes its place
 * @nr: number of parts
 * @part: by rising address; none reaches into another
 *
 * Constant once readers can see it.
 */
struct known {
	struct rcu_head	rcu;
	unsigned int	nr;
	struct part	part[];
};

/* Replaced under known_mutex, read under RCU; NULL before the first trigger */
static struct known __rcu *known;

/* Taken inside of event_mutex, and by the module notifier */
static DEFINE_MUTEX(known_mutex);

/*
 * How many types the kernel's own BTF has: those of a module come behind them.  Written
 * once, under known_mutex, before anything is known; read under it.
 */
static unsigned int nr_kernel_types;

static unsigned int count_types(const struct btf *btf)
{
	u32 id = 1;

	while (btf_type_by_id(btf, id))
		id++;
	return id;
}

static bool has_part(const struct known *k, const struct module *module)
{
	unsigned int i;

	for (i = 0; i < k->nr; i++)
		if (k->part[i].module == module)
			return true;
	return false;
}

/* A copy with one part more; NULL if there is no memory for it */
static struct known *with_part(const struct known *k, const struct part *part)
{
	unsigned int nr = k ? k->nr : 0, at = 0, i;
	struct known *next;

	next = kmalloc(struct_size(next, part, nr + 1), GFP_KERNEL);
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

/* Consumes @names: a copy of @k with what was collected there; NULL if it has none */
static struct known *with_names(const struct known *k, const struct module *module,
				struct objtrace_names *names)
{
	struct part part = { .module = module, .funcs = objtrace_names_build(names) };
	struct known *next = NULL;

	objtrace_names_exit(names);
	if (part.funcs && part.funcs->nr)
		next = with_part(k, &part);
	if (!next)
		kvfree(part.funcs);
	return next;
}

/* Data may have the name of a function.  Functions that are gone count as others do. */
static bool is_in_text(unsigned long addr)
{
	return (addr >= ksym_addr(_stext) && addr < ksym_addr(_etext)) ||
	       (addr >= ksym_addr(_sinittext) && addr < ksym_addr(_einittext));
}

static int note_symbol(void *names, const char *name, unsigned long addr)
{
	if (is_in_text(addr))
		objtrace_names_symbol(names, name, addr);
	return 0;
}

static int note_older_symbol(void *names, const char *name, struct module *module,
			     unsigned long addr)
{
	return module ? 0 : note_symbol(names, name, addr);
}

static struct known *kernel_alone(void)
{
	const struct btf *btf = ksym(bpf_get_btf_vmlinux)();
	struct objtrace_names names;

	nr_kernel_types = count_types(btf);
	if (objtrace_names_init(&names, btf, 1, OBJTRACE_ABI))
		return NULL;
	objtrace_ksyms_walk(note_symbol, note_older_symbol, &names);
	return with_names(NULL, NULL, &names);
}

/* Of its symbols those that stay when it has been initialized */
static void note_symbols(struct objtrace_names *names, const struct module *module)
{
	const struct mod_kallsyms *kallsyms = &module->core_kallsyms;
	const Elf_Sym *sym = kallsyms->symtab;
	unsigned int i;

	for (i = 0; i < kallsyms->num_symtab; i++)
		if (ELF_ST_TYPE(sym[i].st_info) == STT_FUNC)
			objtrace_names_symbol(names, kallsyms->strtab + sym[i].st_name,
					      sym[i].st_value);
}

/*
 * A copy of @k with the functions of a module.  NULL if it has them already, or if
 * there are none: without BTF, or memory, they stay unknown.
 */
static struct known *with_module(const struct known *k, const struct module *module)
{
	struct objtrace_names names;
	struct known *next = NULL;
	struct btf *btf;

	if (has_part(k, module))
		return NULL;
	btf = ksym(btf_get_module_btf)(module);
	if (IS_ERR_OR_NULL(btf))
		return NULL;
	if (!objtrace_names_init(&names, btf, nr_kernel_types, OBJTRACE_ABI)) {
		note_symbols(&names, module);
		next = with_names(k, module, &names);
	}
	ksym(btf_put)(btf);
	return next;
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
 * long as known_mutex is held: before it can go, module_changed() has to be told.
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
		next = with_module(k, module);
		if (!next)
			continue;
		kfree(k);
		k = next;
	}
	return k;
}

static struct known *current_known(void)
{
	return rcu_dereference_protected(known, lockdep_is_held(&known_mutex));
}

static void replace_known(struct known *next)
{
	struct known *old = current_known();

	rcu_assign_pointer(known, next);
	kfree_rcu(old, rcu);
}

/* Another one may get the addresses */
static void drop_module(const struct module *module)
{
	struct known *k = current_known(), *next;
	struct objtrace_funcs *funcs = NULL;
	unsigned int i;

	if (!has_part(k, module))
		return;
	next = kmalloc(struct_size(next, part, k->nr), GFP_KERNEL | __GFP_NOFAIL);
	next->nr = 0;
	for (i = 0; i < k->nr; i++) {
		if (k->part[i].module == module)
			funcs = k->part[i].funcs;
		else
			next->part[next->nr++] = k->part[i];
	}
	replace_known(next);
	/* Callbacks that have found them finish */
	synchronize_rcu();
	kvfree(funcs);
}

static int module_changed(struct notifier_block *nb, unsigned long state, void *module)
{
	struct known *next;

	mutex_lock(&known_mutex);
	if (current_known()) {
		if (state == MODULE_STATE_GOING) {
			drop_module(module);
		} else {
			next = with_module(current_known(), module);
			if (next)
				replace_known(next);
		}
	}
	mutex_unlock(&known_mutex);
	return NOTIFY_DONE;
}

/* Behind the kernel's own, which makes a module's BTF available */
static struct notifier_block module_notifier = {
	.notifier_call	= module_changed,
};

/**
 * objtrace_known_prepare() - know the functions of the kernel and its modules
 *
 * Takes a while, the first time.
 *
 * Context: task, may be under event_mutex.
 * Return: 0 or -ENOMEM
 */
int objtrace_known_prepare(void)
{
	struct known *k;
	int ret = 0;

	mutex_lock(&known_mutex);
	if (!current_known()) {
		k = kernel_alone();
		if (k)
			rcu_assign_pointer(known, with_modules(k));
		else
			ret = -ENOMEM;
	}
	mutex_unlock(&known_mutex);
	return ret;
}

/**
 * objtrace_known_find() - the function that is being entered
 * @ip: its ftrace location
 *
 * Context: any, NMI included; preemption disabled and RCU watching as long as what is
 * returned is used.
 * Return: the function, or NULL if nothing is known of it
 */
const struct objtrace_func *objtrace_known_find(unsigned long ip)
{
	const struct known *k = rcu_dereference_sched(known);
	unsigned int low = 0, high, middle;

	if (!k)
		return NULL;
	/* @low becomes the number of parts that begin at or before @ip */
	high = k->nr;
	while (low < high) {
		middle = (low + high) / 2;
		if (k->part[middle].funcs->start <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? objtrace_funcs_find(k->part[low - 1].funcs, ip) : NULL;
}

/**
 * objtrace_known_init() - follow modules
 *
 * Context: task, module init.
 * Return: 0 or a negative errno
 */
int objtrace_known_init(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * objtrace_known_exit() - forget all functions
 *
 * Context: task, module exit, when no function calls us any more.
 */
void objtrace_known_exit(void)
{
	struct known *k;
	unsigned int i;

	unregister_module_notifier(&module_notifier);
	k = rcu_dereference_protected(known, true);
	for (i = 0; k && i < k->nr; i++)
		kvfree(k->part[i].funcs);
	kfree(k);
}
