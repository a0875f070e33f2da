// SPDX-License-Identifier: GPL-2.0-only
/*
 * libbpf parses the BTF.  The BTF of a module continues the BTF of the kernel: its types are
 * numbered from the end of the kernel's.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/places.h"
#include "tools/objtrace/suggest.h"

#define BTF_DIR		"/sys/kernel/btf"
#define MAX_NESTED	4

#ifdef __x86_64__
#define NR_ARG_REGISTERS	6
#else
#define NR_ARG_REGISTERS	8
#endif

/**
 * kbtf_open() - read the BTF of the kernel
 * @k: the result
 *
 * Return: 0, or a negative error.
 */
int kbtf_open(struct kbtf *k)
{
	char path[PLACES_SIZE];

	memset(k, 0, sizeof(*k));
	libbpf_set_print(NULL);
	k->kernel = *places_root() ? btf__parse(places_path(path, BTF_DIR "/vmlinux"), NULL) :
				     btf__load_vmlinux_btf();
	if (!k->kernel)
		return -errno;
	return nameindex_add(&k->index, k->kernel, 1) ? 0 : -ENOMEM;
}

/**
 * kbtf_close() - free the BTF
 * @k: what kbtf_open() read, also after its failure
 */
void kbtf_close(struct kbtf *k)
{
	nameindex_free(&k->index);
	while (k->nr_modules--) {
		btf__free(k->modules[k->nr_modules]);
		free(k->names[k->nr_modules]);
	}
	btf__free(k->kernel);
}

static void read_module(struct kbtf *k, const char *name)
{
	char path[PLACES_SIZE];
	struct btf *btf;

	if (name[0] == '.' || !strcmp(name, "vmlinux") || k->nr_modules == KBTF_MAX_MODULES)
		return;
	btf = btf__parse_split(places_path(path, BTF_DIR "/%s", name), k->kernel);
	/* A module that is loaded or unloaded now is no error */
	if (!btf)
		return;
	k->modules[k->nr_modules] = btf;
	k->names[k->nr_modules++] = strdup(name);
	nameindex_add(&k->index, btf, btf__type_cnt(k->kernel));
}

static void read_modules(struct kbtf *k)
{
	char path[PLACES_SIZE];
	struct dirent *entry;
	DIR *dir;

	if (k->are_modules_read)
		return;
	k->are_modules_read = true;
	dir = opendir(places_path(path, BTF_DIR));
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		read_module(k, entry->d_name);
	closedir(dir);
}

static const char *module_of(const struct kbtf *k, const struct btf *btf)
{
	int i;

	for (i = 0; i < k->nr_modules; i++)
		if (k->modules[i] == btf)
			return k->names[i];
	return NULL;
}

static bool find_name(struct kbtf *k, const char *name, unsigned int kind, struct kbtf_type *type)
{
	const struct nameindex_type *found = nameindex_find(&k->index, name, kind);

	if (!found && !k->are_modules_read) {
		read_modules(k);
		found = nameindex_find(&k->index, name, kind);
	}
	if (found)
		*type = (struct kbtf_type){ found->btf, found->id, module_of(k, found->btf) };
	return found;
}

static void each_own(struct btf *btf, const char *module, int first_id, unsigned int kind,
		     void (*visit)(const struct kbtf_type *type, const char *name, void *data),
		     void *data)
{
	struct kbtf_type type = { .btf = btf, .id = first_id, .module = module };
	const struct btf_type *t;

	for (; type.id < (int)btf__type_cnt(btf); type.id++) {
		t = btf__type_by_id(btf, type.id);
		if (btf_kind(t) == kind)
			visit(&type, btf__name_by_offset(btf, t->name_off), data);
	}
}

/**
 * kbtf_each() - visit all types of a kind, of the kernel and of its modules
 * @k: the BTF
 * @kind: BTF_KIND_...
 * @visit: called for each type, with its name, which stays in memory as long as @k
 * @data: for @visit
 */
void kbtf_each(struct kbtf *k, unsigned int kind,
	       void (*visit)(const struct kbtf_type *type, const char *name, void *data),
	       void *data)
{
	int i;

	each_own(k->kernel, NULL, 1, kind, visit, data);
	read_modules(k);
	for (i = 0; i < k->nr_modules; i++)
		each_own(k->modules[i], k->names[i], btf__type_cnt(k->kernel), kind, visit, data);
}

static struct kbtf_type with_id(const struct kbtf_type *type, int id)
{
	return (struct kbtf_type){ type->btf, id, type->module };
}

static const struct btf_type *type_of(const struct kbtf_type *type)
{
	return btf__type_by_id(type->btf, type->id);
}

/**
 * kbtf_name() - the name of a type
 * @type: the type
 *
 * Return: the name, or an empty text.
 */
const char *kbtf_name(const struct kbtf_type *type)
{
	return btf__name_by_offset(type->btf, type_of(type)->name_off);
}

/**
 * kbtf_resolve() - follow typedefs and qualifiers
 * @type: the type
 *
 * Return: the type behind them.
 */
struct kbtf_type kbtf_resolve(const struct kbtf_type *type)
{
	struct kbtf_type t = *type;

	while (btf_is_mod(type_of(&t)) || btf_is_typedef(type_of(&t)) ||
	       btf_is_type_tag(type_of(&t)))
		t.id = type_of(&t)->type;
	return t;
}

/* The type that a pointer points to.  @target is set on success only */
static bool target_of(const struct kbtf_type *pointer, struct kbtf_type *target)
{
	struct kbtf_type t = kbtf_resolve(pointer);

	if (!btf_is_ptr(type_of(&t)))
		return false;
	t.id = type_of(&t)->type;
	*target = kbtf_resolve(&t);
	return true;
}

/**
 * kbtf_prototype() - the type of a function
 * @function: the function
 *
 * Return: its return type and parameters.
 */
struct kbtf_type kbtf_prototype(const struct kbtf_type *function)
{
	return with_id(function, type_of(function)->type);
}

/**
 * kbtf_function() - find a function
 * @k: the BTF
 * @name: the name of the function
 * @proto: the type of the function, set on success only
 *
 * Return: whether the BTF has the function.
 */
bool kbtf_function(struct kbtf *k, const char *name, struct kbtf_type *proto)
{
	struct kbtf_type function;

	if (!find_name(k, name, BTF_KIND_FUNC, &function))
		return false;
	*proto = kbtf_prototype(&function);
	return true;
}

static void consider(const struct kbtf_type *type, const char *name, void *data)
{
	suggest_consider(data, name);
}

/**
 * kbtf_similar_functions() - search the functions for the name that was meant
 * @k: the BTF
 * @s: the search
 */
void kbtf_similar_functions(struct kbtf *k, struct suggestion *s)
{
	kbtf_each(k, BTF_KIND_FUNC, consider, s);
}

/**
 * kbtf_similar_structs() - search the structs and unions for the name that was meant
 * @k: the BTF
 * @s: the search
 */
void kbtf_similar_structs(struct kbtf *k, struct suggestion *s)
{
	kbtf_each(k, BTF_KIND_STRUCT, consider, s);
	kbtf_each(k, BTF_KIND_UNION, consider, s);
}

/**
 * kbtf_nr_params() - the number of parameters
 * @proto: the type of a function
 *
 * Return: the number.
 */
int kbtf_nr_params(const struct kbtf_type *proto)
{
	return btf_vlen(type_of(proto));
}

/**
 * kbtf_param_name() - the name of a parameter
 * @proto: the type of a function
 * @index: the number of the parameter, counted from 0
 *
 * Return: the name, or an empty text.
 */
const char *kbtf_param_name(const struct kbtf_type *proto, int index)
{
	return btf__name_by_offset(proto->btf, btf_params(type_of(proto))[index].name_off);
}

/**
 * kbtf_param_type() - the type of a parameter
 * @proto: the type of a function
 * @index: the number of the parameter, counted from 0
 *
 * Return: the type.
 */
struct kbtf_type kbtf_param_type(const struct kbtf_type *proto, int index)
{
	return with_id(proto, btf_params(type_of(proto))[index].type);
}

/**
 * kbtf_return_type() - the type of the value that a function returns
 * @proto: the type of the function
 *
 * Return: the type.
 */
struct kbtf_type kbtf_return_type(const struct kbtf_type *proto)
{
	return with_id(proto, type_of(proto)->type);
}

/* Such a parameter takes several registers or none */
static bool is_by_value(const struct kbtf_type *type)
{
	struct kbtf_type t = kbtf_resolve(type);

	return btf_is_composite(type_of(&t)) || btf__resolve_size(t.btf, t.id) > (int)sizeof(long);
}

/**
 * kbtf_is_in_register() - is it known which register has a parameter?
 * @proto: the type of a function
 * @index: the number of the parameter, counted from 0
 *
 * Return: false if the parameter can be on the stack.
 */
bool kbtf_is_in_register(const struct kbtf_type *proto, int index)
{
	struct kbtf_type type;
	int i;

	for (i = 0; i < index; i++) {
		type = kbtf_param_type(proto, i);
		if (is_by_value(&type))
			return false;
	}
	return index < NR_ARG_REGISTERS;
}

/**
 * kbtf_pointee() - the struct or union that a pointer points to
 * @type: the type of the pointer
 *
 * Return: the name; an empty text for a pointer to anything else; NULL for no pointer.
 */
const char *kbtf_pointee(const struct kbtf_type *type)
{
	struct kbtf_type t;

	if (!target_of(type, &t))
		return NULL;
	if (btf_is_composite(type_of(&t)) || btf_is_fwd(type_of(&t)))
		return kbtf_name(&t);
	return "";
}

/**
 * kbtf_struct() - find a struct or union
 * @k: the BTF
 * @name: its tag
 * @type: the result, set on success only
 *
 * Return: whether the BTF has the struct.
 */
bool kbtf_struct(struct kbtf *k, const char *name, struct kbtf_type *type)
{
	return find_name(k, name, BTF_KIND_STRUCT, type) ||
	       find_name(k, name, BTF_KIND_UNION, type);
}

/**
 * kbtf_composite() - find a struct or union by its tag, or by a typedef
 * @k: the BTF
 * @name: the name
 * @type: the struct or union itself, set on success only
 *
 * Return: whether the BTF has the struct.
 */
bool kbtf_composite(struct kbtf *k, const char *name, struct kbtf_type *type)
{
	struct kbtf_type named;

	if (kbtf_struct(k, name, type))
		return true;
	if (!find_name(k, name, BTF_KIND_TYPEDEF, &named))
		return false;
	named = kbtf_resolve(&named);
	if (!btf_is_composite(type_of(&named)))
		return false;
	*type = named;
	return true;
}

/**
 * kbtf_points_to() - is the type a pointer to this struct or union?
 * @type: the type
 * @wanted: the struct or union
 *
 * Two structs with the same tag count as one: a module or a source file can have its own copy.
 *
 * Return: true or false.
 */
bool kbtf_points_to(const struct kbtf_type *type, const struct kbtf_type *wanted)
{
	const struct btf_type *w = type_of(wanted);
	struct kbtf_type t;

	if (!target_of(type, &t))
		return false;
	if (t.id == wanted->id && type_of(&t) == w)
		return true;
	if (!btf_is_composite(type_of(&t)) && !btf_is_fwd(type_of(&t)))
		return false;
	return w->name_off && !strcmp(kbtf_name(&t), kbtf_name(wanted));
}

/**
 * kbtf_begins_with() - does a struct begin with another one, as tcp_sock begins with sock?
 * @type: the struct
 * @tag: the tag of the other struct
 *
 * Return: true or false; true also if @type is this struct.
 */
bool kbtf_begins_with(const struct kbtf_type *type, const char *tag)
{
	struct kbtf_type t = kbtf_resolve(type);

	while (btf_is_composite(type_of(&t))) {
		if (!strcmp(kbtf_name(&t), tag))
			return true;
		if (!btf_vlen(type_of(&t)))
			return false;
		t = with_id(&t, btf_members(type_of(&t))->type);
		t = kbtf_resolve(&t);
	}
	return false;
}

/**
 * kbtf_tracepoint() - find the arguments of a tracepoint
 * @k: the BTF
 * @event: the name of the event
 * @proto: the type of the function that calls its probes; the first parameter is no argument
 *
 * The typedef btf_trace_EVENT has the types of the arguments, too, but not their names.
 *
 * Return: whether the BTF has the tracepoint.
 */
bool kbtf_tracepoint(struct kbtf *k, const char *event, struct kbtf_type *proto)
{
	char name[160];

	snprintf(name, sizeof(name), "__traceiter_%s", event);
	return kbtf_function(k, name, proto);
}

/* A step of a path: the member and its offset */
struct step {
	const char	*name;
	size_t		len;
};

static bool find_member(const struct kbtf_type *type, const struct step *step,
			struct kbtf_path *end)
{
	const struct btf_type *t = type_of(type);
	const struct btf_member *m = btf_members(t);
	struct kbtf_type inner;
	const char *name;
	unsigned int start = end->offset;
	int i;

	for (i = 0; i < btf_vlen(t); i++) {
		name = btf__name_by_offset(type->btf, m[i].name_off);
		inner = with_id(type, m[i].type);
		end->offset = start + btf_member_bit_offset(t, i) / 8;
		if (strlen(name) == step->len && !memcmp(name, step->name, step->len)) {
			end->type = inner;
			return true;
		}
		inner = kbtf_resolve(&inner);
		if (!*name && btf_is_composite(type_of(&inner)) && find_member(&inner, step, end))
			return true;
	}
	end->offset = start;
	return false;
}

/* Search for names in the macros of C: sk_state means __sk_common.skc_state */
static bool suggest_nested(const struct kbtf_type *type, const struct step *step, char *path,
			   size_t len, int depth, struct kbtf_path *end)
{
	const struct btf_type *t = type_of(type);
	const struct btf_member *m = btf_members(t);
	const char *name, *tail = memchr(step->name, '_', step->len), *tail2;
	size_t tail_len = tail ? step->name + step->len - tail : 0;
	struct kbtf_type inner;
	int i, n;

	for (i = 0; i < btf_vlen(t) && depth < MAX_NESTED; i++) {
		name = btf__name_by_offset(type->btf, m[i].name_off);
		inner = with_id(type, m[i].type);
		inner = kbtf_resolve(&inner);
		n = snprintf(path + len, sizeof(end->suggestion) - len, "%s%s",
			     len && *name ? "." : "", name);
		if (n < 0 || len + n >= sizeof(end->suggestion))
			continue;
		tail2 = strchr(name, '_');
		if (depth && *name && ((strlen(name) == step->len && !memcmp(name, step->name, step->len)) ||
			      (tail && tail2 && tail2 != name && strlen(tail2) == tail_len && !memcmp(tail, tail2, tail_len))))
			return true;
		if (btf_is_composite(type_of(&inner)) &&
		    suggest_nested(&inner, step, path, len + n, depth + 1, end))
			return true;
	}
	path[len] = '\0';
	return false;
}

static void consider_members(const struct kbtf_type *type, struct suggestion *s)
{
	const struct btf_type *t = type_of(type);
	const struct btf_member *m = btf_members(t);
	struct kbtf_type inner;
	const char *name;
	int i;

	for (i = 0; i < btf_vlen(t); i++) {
		name = btf__name_by_offset(type->btf, m[i].name_off);
		inner = with_id(type, m[i].type);
		inner = kbtf_resolve(&inner);
		if (*name)
			suggest_consider(s, name);
		else if (btf_is_composite(type_of(&inner)))
			consider_members(&inner, s);
	}
}

static void suggest_member(const struct kbtf_type *type, const struct step *step,
			   size_t before, const char *path, struct kbtf_path *end)
{
	char nested[sizeof(end->suggestion)] = "";
	struct suggestion s;

	if (!suggest_nested(type, step, nested, 0, 0, end)) {
		suggest_init(&s, step->name, step->len);
		consider_members(type, &s);
		snprintf(nested, sizeof(nested), "%s", s.best ?: "");
	}
	end->suggestion[0] = '\0';
	if (*nested)
		snprintf(end->suggestion, sizeof(end->suggestion), "%.*s%.100s", (int)before,
			 path, nested);
}

static bool enter_array(struct kbtf_path *end)
{
	struct kbtf_type t = kbtf_resolve(&end->type);

	if (!btf_is_array(type_of(&t)))
		return false;
	end->type = with_id(&t, btf_array(type_of(&t))->type);
	return true;
}

static bool enter_struct(struct kbtf_path *end, bool through_pointer)
{
	struct kbtf_type t = kbtf_resolve(&end->type);

	if (through_pointer) {
		if (!target_of(&end->type, &t))
			return false;
		end->offset = 0;
	}
	end->type = t;
	return btf_is_composite(type_of(&t));
}

/**
 * kbtf_member() - look up a member
 * @type: the struct
 * @path: the path to the member, such as "a.b->c.2"
 * @end: the member if there is one, else the mistake
 *
 * Return: whether the path leads to a member.
 */
bool kbtf_member(const struct kbtf_type *type, const char *path, struct kbtf_path *end)
{
	const char *pos = path;
	bool is_arrow = false;
	struct step step;

	*end = (struct kbtf_path){ .type = *type };
	while (1) {
		end->place = pos - path;
		if (isdigit((unsigned char)*pos)) {
			if (!enter_array(end))
				return false;
		} else if (!enter_struct(end, is_arrow)) {
			return false;
		}
		step = (struct step){ pos, 0 };
		while (isalnum((unsigned char)pos[step.len]) || pos[step.len] == '_')
			step.len++;
		if (!step.len)
			return false;
		if (!isdigit((unsigned char)*pos) && !find_member(&end->type, &step, end)) {
			suggest_member(&end->type, &step, pos - path, path, end);
			return false;
		}
		pos += step.len;
		end->place = pos - path;
		if (!*pos)
			return true;
		is_arrow = pos[0] == '-' && pos[1] == '>';
		if (*pos != '.' && !is_arrow)
			return false;
		pos += is_arrow ? 2 : 1;
	}
}

/**
 * kbtf_enumerator() - the name of a value of an enum
 * @btf: the BTF that has the enum
 * @id: the number of the enum in @btf
 * @value: the value
 *
 * Return: the name, or NULL.
 */
const char *kbtf_enumerator(struct btf *btf, int id, long long value)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	int i;

	if (!t)
		return NULL;
	for (i = 0; i < btf_vlen(t); i++) {
		if (btf_is_enum(t) && btf_enum(t)[i].val == (int)value)
			return btf__name_by_offset(btf, btf_enum(t)[i].name_off);
		if (btf_is_enum64(t) && (long long)btf_enum64_value(&btf_enum64(t)[i]) == value)
			return btf__name_by_offset(btf, btf_enum64(t)[i].name_off);
	}
	return NULL;
}
