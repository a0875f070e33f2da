/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions about the types of the running kernel and of its modules.
 */
#ifndef _TOOLS_OBJTRACE_KBTF_H
#define _TOOLS_OBJTRACE_KBTF_H

#include <stdbool.h>
#include <stddef.h>

#include <bpf/btf.h>

#include "tools/objtrace/nameindex.h"

struct suggestion;

#define KBTF_MAX_MODULES	512

/**
 * struct kbtf - the BTF of the running kernel
 * @kernel: the BTF of vmlinux
 * @index: the names of @kernel, and then of @modules
 * @modules: the BTF of the modules; it is read when a name is not found in @kernel
 * @names: the names of the modules
 * @nr_modules: number of modules in both arrays
 * @are_modules_read: the modules were read
 */
struct kbtf {
	struct btf	*kernel;
	struct nameindex index;
	struct btf	*modules[KBTF_MAX_MODULES];
	char		*names[KBTF_MAX_MODULES];
	int		nr_modules;
	bool		are_modules_read;
};

/**
 * struct kbtf_type - a type
 * @btf: the BTF that has the type; NULL if there is no type
 * @id: the number of the type in @btf
 * @module: the module that has the type, or NULL
 */
struct kbtf_type {
	struct btf	*btf;
	int		id;
	const char	*module;
};

int kbtf_open(struct kbtf *k);
void kbtf_close(struct kbtf *k);
void kbtf_each(struct kbtf *k, unsigned int kind,
	       void (*visit)(const struct kbtf_type *type, const char *name, void *data),
	       void *data);
const char *kbtf_name(const struct kbtf_type *type);
struct kbtf_type kbtf_resolve(const struct kbtf_type *type);

struct kbtf_type kbtf_prototype(const struct kbtf_type *function);
bool kbtf_function(struct kbtf *k, const char *name, struct kbtf_type *proto);
void kbtf_similar_functions(struct kbtf *k, struct suggestion *s);
void kbtf_similar_structs(struct kbtf *k, struct suggestion *s);
int kbtf_nr_params(const struct kbtf_type *proto);
const char *kbtf_param_name(const struct kbtf_type *proto, int index);
struct kbtf_type kbtf_param_type(const struct kbtf_type *proto, int index);
struct kbtf_type kbtf_return_type(const struct kbtf_type *proto);
bool kbtf_is_in_register(const struct kbtf_type *proto, int index);
const char *kbtf_pointee(const struct kbtf_type *type);

bool kbtf_struct(struct kbtf *k, const char *name, struct kbtf_type *type);
bool kbtf_composite(struct kbtf *k, const char *name, struct kbtf_type *type);
bool kbtf_points_to(const struct kbtf_type *type, const struct kbtf_type *wanted);
bool kbtf_begins_with(const struct kbtf_type *type, const char *tag);
bool kbtf_tracepoint(struct kbtf *k, const char *event, struct kbtf_type *proto);

/**
 * struct kbtf_path - the end of a path to a member, or the mistake in it
 * @type: the type of the member
 * @offset: its offset in bytes from the last pointer of the path
 * @place: the offset of the mistake from the start of the path, in bytes
 * @suggestion: a path that is meant instead, or an empty text
 */
struct kbtf_path {
	struct kbtf_type	type;
	unsigned int		offset;
	size_t			place;
	char			suggestion[128];
};

bool kbtf_member(const struct kbtf_type *type, const char *path, struct kbtf_path *end);
const char *kbtf_enumerator(struct btf *btf, int id, long long value);

#endif /* _TOOLS_OBJTRACE_KBTF_H */
