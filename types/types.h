/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structs by name, in the BTF of the kernel and of its modules, and the names of
 * members and enumerators for what is printed later.
 *
 * A record may outlive the trigger that it comes from, and the module whose struct it
 * is about.  So what is kept is the number of a BTF.  That of the kernel is 0 and is
 * always there.  That of a module is kept, without the module, while a trigger uses
 * it, and then until its place is needed for another one: its number is not given
 * again, and has no names any more.
 */
#ifndef _OBJTRACE_TYPES_H
#define _OBJTRACE_TYPES_H

#include <linux/types.h>

struct objtrace_error;
struct objtrace_fetch;
struct objtrace_spec;

/* BTF of so many modules is kept at most */
#define OBJTRACE_MAX_MODULE_BTFS	16

int objtrace_types_resolve(const struct objtrace_spec *spec, struct objtrace_fetch *fetch,
			   struct objtrace_error *error);
void objtrace_types_put(u32 number);
int objtrace_types_member(u32 number, u32 id, unsigned int offset, char *buf,
			  size_t size);
int objtrace_types_enumerator(u32 number, u32 id, u64 value, char *buf, size_t size);
void objtrace_types_exit(void);

#endif /* _OBJTRACE_TYPES_H */
