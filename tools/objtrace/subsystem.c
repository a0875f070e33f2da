// SPDX-License-Identifier: GPL-2.0-only
/*
 * Neither the symbols nor the BTF of a kernel have the source files of functions.  A module is a
 * subsystem.  In the kernel itself, the first word of a function's name is that of its subsystem:
 * tcp_rcv_established() and __tcp_push_pending_frames() are of tcp.
 */
#include <stdio.h>
#include <string.h>

#include "tools/objtrace/subsystem.h"
#include "tools/objtrace/symbols.h"

/**
 * subsystem_name() - name the subsystem of a function
 * @symbol: the function
 * @name: the result
 */
void subsystem_name(const struct symbol *symbol, char name[SUBSYSTEM_LEN])
{
	const char *word = symbol->name;
	size_t len;

	if (!symbol->module || strcmp(symbol->module, KERNEL_NAME)) {
		snprintf(name, SUBSYSTEM_LEN, "%s", symbol->module ?: "unknown");
		return;
	}
	word += strspn(word, "_");
	len = strcspn(word, "_.");
	/* A letter is no subsystem: f_dupfd() */
	if (len == 1 && word[1] == '_') {
		word += 1 + strspn(word + 1, "_");
		len = strcspn(word, "_.");
	}
	if (len)
		snprintf(name, SUBSYSTEM_LEN, "%.*s", (int)len, word);
	else
		snprintf(name, SUBSYSTEM_LEN, KERNEL_NAME);
}
