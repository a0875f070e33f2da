/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The object of a command: the part OBJECT of the language in command/parse.h.
 */
#ifndef _OBJTRACE_COMMAND_OBJECT_H
#define _OBJTRACE_COMMAND_OBJECT_H

#include "command/text.h"

int objtrace_object_parse(struct objtrace_parser *p);
int objtrace_object_parse_field(struct objtrace_parser *p);
void objtrace_object_print(struct objtrace_printer *out, const struct objtrace_spec *spec);

#endif /* _OBJTRACE_COMMAND_OBJECT_H */
