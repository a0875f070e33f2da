// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look up structs by name, see types/types.h.
 */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command/parse.h"
#include "kernel/ksyms.h"
#include "kernel/member.h"
#include "objtrace_fetch.h"
#include "types/enums.h"
#include "types/path.h"
#include "types/types.h"

/**
 * struct module_btf - a BTF of a module, kept for triggers and older records
 * @btf: the BTF; the struct holds a reference
 * @number: number of the BTF in records
 * @users: number of triggers that use the BTF
 * @rcu: frees the struct after a grace period
 */
struct module_btf {
	struct btf	*btf;
	u32		number;
	unsigned int	users;
	struct rcu_head	rcu;
};

/* Written under event_mutex, read under RCU */
static struct module_btf __rcu *module_btfs[OBJTRACE_MAX_MODULE_BTFS];
static u32 last_number;

static struct module_btf *module_btf_at(unsigned int slot)
{
	return rcu_dereference_protected(module_btfs[slot], true);
}

static void give_up_btf(unsigned int slot)
{
	struct module_btf *old = module_btf_at(slot);

	RCU_INIT_POINTER(module_btfs[slot], NULL);
	if (!old)
		return;
	/* The kernel frees the BTF after a grace period, too */
	ksym(btf_put)(old->btf);
	kfree_rcu(old, rcu);
}

/* Return a free slot, or the slot of the unused BTF with the lowest number; negative if none */
static int find_free_slot(void)
{
	struct module_btf *m, *oldest = NULL;
	int slot, found = -1;

	for (slot = 0; slot < OBJTRACE_MAX_MODULE_BTFS; slot++) {
		m = module_btf_at(slot);
		if (!m)
			return slot;
		if (m->users || (oldest && oldest->number < m->number))
			continue;
		oldest = m;
		found = slot;
	}
	return found;
}

static struct module_btf *find_kept_btf(const struct btf *btf)
{
	struct module_btf *m;
	unsigned int slot;

	for (slot = 0; slot < OBJTRACE_MAX_MODULE_BTFS; slot++) {
		m = module_btf_at(slot);
		if (m && m->btf == btf)
			return m;
	}
	return NULL;
}

static int keep_new_btf(struct btf *btf, const struct objtrace_spec *spec,
			struct objtrace_fetch *fetch, struct objtrace_error *error)
{
	struct module_btf *m;
	int slot = find_free_slot();

	if (slot < 0)
		return objtrace_error_set(error, OBJTRACE_ERR_MODULE_STRUCTS,
					  spec->struct_pos);
	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
	give_up_btf(slot);
	m->btf = btf;
	m->number = fetch->btf = ++last_number;
	m->users = 1;
	rcu_assign_pointer(module_btfs[slot], m);
	return 0;
}

/* Consumes the reference to @btf */
static int keep_btf(struct btf *btf, const struct objtrace_spec *spec,
		    struct objtrace_fetch *fetch, struct objtrace_error *error)
{
	struct module_btf *m = find_kept_btf(btf);
	int ret = 0;

	if (m) {
		m->users++;
		fetch->btf = m->number;
	} else {
		ret = keep_new_btf(btf, spec, fetch, error);
	}
	if (m || ret)
		ksym(btf_put)(btf);
	return ret;
}

/**
 * struct search - lookup of a struct in the kernel's BTF
 * @spec: the command with the name of the struct
 * @fetch: filled in from the last struct that has the command's member
 * @error: error of the last struct that lacks the member
 * @nr_found: number of structs with this name
 * @nr_resolved: number of these structs that have the member
 * @nr_incomplete: number of declarations of the name without a definition
 */
struct search {
	const struct objtrace_spec	*spec;
	struct objtrace_fetch		*fetch;
	struct objtrace_error		*error;
	unsigned int			nr_found;
	unsigned int			nr_resolved;
	unsigned int			nr_incomplete;
};

static void try_struct(struct search *search, const struct btf *btf, u32 id)
{
	struct objtrace_fetch fetch;

	search->nr_found++;
	if (objtrace_path_resolve(btf, id, search->spec, &fetch, search->error))
		return;
	search->nr_resolved++;
	*search->fetch = fetch;
}

/* The kernel has several structs with the same tag: dma_chan, console */
static void search_kernel(struct search *search, const struct btf *btf)
{
	const char *name = search->spec->struct_name;
	const struct btf_type *t;
	const char *found;
	u32 id;

	for (id = 1; (t = btf_type_by_id(btf, id)); id++) {
		if (!t->name_off || (!has_members(t) && kind_of(t) != BTF_KIND_FWD))
			continue;
		found = name_in(btf, t->name_off);
		if (found[0] != name[0] || strcmp(found, name))
			continue;
		if (has_members(t))
			try_struct(search, btf, id);
		else
			search->nr_incomplete++;
	}
}

static int search_modules(struct search *search)
{
	const struct objtrace_spec *spec = search->spec;
	struct btf *btf;
	int id, ret;

	id = ksym(bpf_find_btf_id)(spec->struct_name, BTF_KIND_STRUCT, &btf);
	if (id < 0)
		id = ksym(bpf_find_btf_id)(spec->struct_name, BTF_KIND_UNION, &btf);
	if (id < 0)
		return objtrace_error_set(search->error, search->nr_incomplete ?
					  OBJTRACE_ERR_INCOMPLETE_STRUCT :
					  OBJTRACE_ERR_UNKNOWN_STRUCT, spec->struct_pos);
	ret = objtrace_path_resolve(btf, id, spec, search->fetch, search->error);
	if (!ret)
		ret = objtrace_enum_resolve(btf, spec, search->fetch, search->error);
	if (!ret)
		return keep_btf(btf, spec, search->fetch, search->error);
	ksym(btf_put)(btf);
	return ret;
}

/**
 * objtrace_types_resolve() - look up the struct of a command and resolve the command's path
 * @spec: the command, with a struct
 * @fetch: filled in; the caller must pass its BTF to objtrace_types_put()
 * @error: filled in on failure
 *
 * A struct of the kernel has precedence over a struct of a module.  If the kernel has several
 * structs of this name, exactly one of them must have the member.  Modules are searched in the
 * order of loading, for a struct first and then for a union.  The enum of the command is in the
 * kernel, or in the module of the struct.
 *
 * Context: task, event_mutex held.  Walks over all types of the kernel.
 * Return: 0, or the negative errno of @error
 */
int objtrace_types_resolve(const struct objtrace_spec *spec, struct objtrace_fetch *fetch,
			   struct objtrace_error *error)
{
	struct search search = { .spec = spec, .fetch = fetch, .error = error };

	search_kernel(&search, ksym(bpf_get_btf_vmlinux)());
	if (!search.nr_found)
		return search_modules(&search);
	if (search.nr_resolved > 1)
		return objtrace_error_set(error, OBJTRACE_ERR_AMBIGUOUS_STRUCT,
					  spec->struct_pos);
	if (!search.nr_resolved)
		return objtrace_error_errno(error->id);
	return objtrace_types_enum(spec, fetch, error);
}

/**
 * objtrace_types_enum() - look up the enum of a command in the kernel
 * @spec: the command
 * @fetch: its format and its enum are set, if the command has the option "enum="
 * @error: filled in on failure
 *
 * Context: task.  Walks over all types of the kernel, if the command has the option.
 * Return: 0, or the negative errno of @error
 */
int objtrace_types_enum(const struct objtrace_spec *spec, struct objtrace_fetch *fetch,
			struct objtrace_error *error)
{
	return objtrace_enum_resolve(ksym(bpf_get_btf_vmlinux)(), spec, fetch, error);
}

/**
 * objtrace_types_put() - drop a trigger's use of a BTF from objtrace_types_resolve()
 * @number: number of the BTF
 *
 * Context: task, event_mutex held.
 */
void objtrace_types_put(u32 number)
{
	struct module_btf *m;
	unsigned int slot;

	for (slot = 0; slot < OBJTRACE_MAX_MODULE_BTFS; slot++) {
		m = module_btf_at(slot);
		if (m && m->number == number)
			m->users--;
	}
}

/* Called under RCU.  Returns NULL if the BTF is not kept any more. */
static const struct btf *btf_by_number(u32 number)
{
	struct module_btf *m;
	unsigned int slot;

	if (!number)
		return ksym(bpf_get_btf_vmlinux)();
	for (slot = 0; slot < OBJTRACE_MAX_MODULE_BTFS; slot++) {
		m = rcu_dereference(module_btfs[slot]);
		if (m && m->number == number)
			return m->btf;
	}
	return NULL;
}

/**
 * objtrace_types_member() - find the name of the member at an offset, by the number of a BTF
 * @number: number of the BTF
 * @id: the struct
 * @offset: bytes from the start of the struct
 * @buf: set to the name, see objtrace_path_name()
 * @size: size of @buf in bytes, at least 1
 *
 * Context: any, NMI included; walks over the members.
 * Return: length of the name; 0 if there is no name, or the BTF is not kept any more
 */
int objtrace_types_member(u32 number, u32 id, unsigned int offset, char *buf,
			  size_t size)
{
	const struct btf *btf;
	int len = 0;

	buf[0] = '\0';
	rcu_read_lock();
	btf = btf_by_number(number);
	if (btf)
		len = objtrace_path_name(btf, id, offset, buf, size);
	rcu_read_unlock();
	return len;
}

/**
 * objtrace_types_enumerator() - find the name of an enum's value, by the number of a BTF
 * @number: number of the BTF
 * @id: the enum
 * @value: the value
 * @buf: set to the name
 * @size: size of @buf in bytes, at least 1
 *
 * Context: any, NMI included; walks over the enumerators.
 * Return: length of the name; 0 if there is no name, or the BTF is not kept any more
 */
int objtrace_types_enumerator(u32 number, u32 id, u64 value, char *buf, size_t size)
{
	const char *name = NULL;
	const struct btf *btf;
	int len;

	rcu_read_lock();
	btf = btf_by_number(number);
	if (btf)
		name = objtrace_enum_name(btf, id, value);
	len = scnprintf(buf, size, "%s", name ?: "");
	rcu_read_unlock();
	return len;
}

/**
 * objtrace_types_exit() - drop the references to the BTF of all modules
 *
 * Context: task, module exit, when nothing prints names any more.
 */
void objtrace_types_exit(void)
{
	unsigned int slot;

	for (slot = 0; slot < OBJTRACE_MAX_MODULE_BTFS; slot++)
		give_up_btf(slot);
}
