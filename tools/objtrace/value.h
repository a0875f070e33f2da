/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a value in a record.
 */
#ifndef _TOOLS_OBJTRACE_VALUE_H
#define _TOOLS_OBJTRACE_VALUE_H

#include <stdio.h>

#include <event-parse.h>

#include "tools/objtrace/kbtf.h"

/**
 * struct symbols - the names of the kernel's functions and data
 * @tep: has the symbols of /proc/kallsyms after the first question
 * @are_read: /proc/kallsyms was read
 */
struct symbols {
	struct tep_handle	*tep;
	bool			are_read;
};

const char *symbol_name(struct symbols *symbols, unsigned long long address);
unsigned long long record_number(struct tep_event *event, struct tep_record *record,
				 const char *field);
void value_text(FILE *out, struct symbols *symbols, const struct kbtf *k,
		const struct kbtf_type *type, struct tep_event *event, struct tep_record *record,
		const char *field, const char *fault);

#endif /* _TOOLS_OBJTRACE_VALUE_H */
