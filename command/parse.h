/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command language: text to struct objtrace_spec and back.
 *
 * A command is one line:
 *
 *   add:OBJECT[:TYPE][:COUNT][:OPTION]... [if FILTER]   track the object of a field
 *   del:FIELD[:COUNT] [if FILTER]                       stop tracking the object
 *   clear[:COUNT] [if FILTER]                           forget all objects
 *
 *   OBJECT  FIELD                   value at the object's address
 *           FIELD,OFFSET            value at OFFSET, in decimal, 0x hex or 0 octal;
 *                                   may be negative
 *           +OFFSET(FIELD)          value at OFFSET.  Nested: +8(+0x28(FIELD)) follows
 *           -OFFSET(FIELD)          the pointer at 0x28, and has the value at 8
 *           (STRUCT)FIELD->a.b->c   member by name; a.2 is an element of an array
 *           (STRUCT)FIELD           value at the object's address, with its struct
 *   FIELD   name of a field of the event; or 0xADDRESS, the object's address itself
 *   TYPE    u8-u64 s8-s64 x8-x64 char symbol; default: type of the member, or
 *           an integer with the size of a pointer
 *   COUNT   N, count=N or unlimited: limit of objects that are added or deleted;
 *           default: no limit
 *   OPTION  changes, returns or returns=all, size=N or size=auto, typed or
 *           typed=strict, after-free, enum=NAME, stack=N, watch or watch=N
 *   FILTER  event filter on the trigger's event
 *
 * TYPE, COUNT and the options may have any order, each at most once.  The printed text has them
 * in the order above.
 *
 *   add:+8(+0x28(arg1)):s32:count=1:changes if comm == "cat"
 *
 * The results depend on the arguments alone, and no function allocates memory.  The unit tests
 * build the same source.
 */
#ifndef _OBJTRACE_PARSE_H
#define _OBJTRACE_PARSE_H

#include <linux/types.h>

#include "command/error.h"
#include "command/spec.h"

struct objtrace_field;

int objtrace_parse(const char *text, struct objtrace_spec *spec,
		   struct objtrace_error *error);
int objtrace_parse_field(const struct objtrace_spec *spec,
			 const struct objtrace_field *field,
			 struct objtrace_error *error);
int objtrace_spec_print(const struct objtrace_spec *spec, char *buf, size_t size);
int objtrace_spec_print_log(const struct objtrace_spec *spec, char *buf, size_t size);

#endif /* _OBJTRACE_PARSE_H */
