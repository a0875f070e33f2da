/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of a command after the object: TYPE, COUNT and OPTION of the language in
 * command/parse.h.
 */
#ifndef _OBJTRACE_OPTION_H
#define _OBJTRACE_OPTION_H

#include "command/text.h"

int objtrace_option_parse(struct objtrace_parser *p);
void objtrace_option_print(struct objtrace_printer *out, const struct objtrace_spec *spec);
const char *objtrace_option_name(unsigned int nr);
bool objtrace_option_same(const struct objtrace_spec *a, const struct objtrace_spec *b);
bool objtrace_option_has(const struct objtrace_spec *whole, const struct objtrace_spec *part);

#endif /* _OBJTRACE_OPTION_H */
