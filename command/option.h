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

#endif /* _OBJTRACE_OPTION_H */
