/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The structs that the fields of events point to.
 */
#ifndef _TOOLS_OBJTRACE_FIELDS_H
#define _TOOLS_OBJTRACE_FIELDS_H

#include "tools/objtrace/kbtf.h"

struct tep_format_field;

const char *fields_struct(struct kbtf *k, const char *event, const struct tep_format_field *field);
bool fields_is_void(const struct tep_format_field *field);

#endif /* _TOOLS_OBJTRACE_FIELDS_H */
