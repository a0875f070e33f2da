// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of values, see records/names.h.
 *
 * The files of tracefs show names at the time of the read.  Tools that decode the buffer have no
 * BTF and no function of ours, so some records have the names, too.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>

#include "objtrace_fetch.h"
#include "records/names.h"
#include "types/types.h"

/**
 * objtrace_name() - find the name of a value
 * @format: enum objtrace_format
 * @btf: number of the BTF that has @enum_id
 * @enum_id: type of the value, if it is an enum
 * @value: the value
 * @name: receives the name, of at most OBJTRACE_NAME_LEN characters; an enum's value without an
 *	  enumerator is a decimal number; empty if @format has no names
 *
 * Context: any, NMI included; walks over the enumerators.
 */
void objtrace_name(u8 format, u32 btf, u32 enum_id, u64 value, char *name)
{
	u8 c = value;

	name[0] = '\0';
	switch (format) {
	case OBJTRACE_FORMAT_ENUM:
		if (!objtrace_types_enumerator(btf, enum_id, value, name, OBJTRACE_NAME_LEN))
			scnprintf(name, OBJTRACE_NAME_LEN, "%lld", value);
		break;
	case OBJTRACE_FORMAT_CHAR:
		scnprintf(name, OBJTRACE_NAME_LEN, isascii(c) && isprint(c) ? "'%c'" : "0x%x", c);
		break;
	}
}
