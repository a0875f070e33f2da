/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Look up structs by name in the BTF of the kernel and of its modules, and the names of members
 * and enumerators for records that are printed later.
 *
 * A record may outlive its trigger, and the module that defines the struct.  So a record only has
 * the number of a BTF.  Number 0 is the kernel's BTF, which always exists.  The BTF of a module is
 * kept while a trigger uses it, even if the module is unloaded.  After that it is kept until its
 * slot is needed.  Its number is never used again, and older records then show no names.
 */
#ifndef _OBJTRACE_TYPES_H
#define _OBJTRACE_TYPES_H

#include <linux/types.h>

struct objtrace_error;
struct objtrace_fetch;
struct objtrace_spec;

/* Most modules whose BTF is kept at a time */
#define OBJTRACE_MAX_MODULE_BTFS	16

int objtrace_types_resolve(const struct objtrace_spec *spec, struct objtrace_fetch *fetch,
			   struct objtrace_error *error);
int objtrace_types_enum(const struct objtrace_spec *spec, struct objtrace_fetch *fetch,
			struct objtrace_error *error);
void objtrace_types_put(u32 number);
int objtrace_types_member(u32 number, u32 id, unsigned int offset, char *buf,
			  size_t size);
int objtrace_types_enumerator(u32 number, u32 id, u64 value, char *buf, size_t size);
void objtrace_types_exit(void);

#endif /* _OBJTRACE_TYPES_H */
