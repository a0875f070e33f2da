// SPDX-License-Identifier: GPL-2.0-only
/*
 * The subsystems of functions.
 */
#include <string.h>

#include "tools/objtrace/subsystem.h"
#include "tools/objtrace/symbols.h"
#include "tap.h"

static const struct {
	const char	*name;
	const char	*module;
	const char	*wanted;
} cases[] = {
	{ "tcp_rcv_established", KERNEL_NAME, "tcp" },
	{ "__tcp_push_pending_frames", KERNEL_NAME, "tcp" },
	{ "kfree", KERNEL_NAME, "kfree" },
	{ "f_dupfd", KERNEL_NAME, "dupfd" },
	{ "f", KERNEL_NAME, "f" },
	{ "f__", KERNEL_NAME, KERNEL_NAME },
	{ "schedule.cold", KERNEL_NAME, "schedule" },
	{ "___", KERNEL_NAME, KERNEL_NAME },
	{ "", KERNEL_NAME, KERNEL_NAME },
	{ "nft_do_chain", "nf_tables", "nf_tables" },
	{ "0xffffffffc0000000", NULL, "unknown" },
	{ "a", "a_module_with_a_name_that_is_too_long", "a_module_with_a_name_th" },
	{ "onewordthatistoolongforasubsystem", KERNEL_NAME, "onewordthatistoolongfor" },
};

int main(void)
{
	char name[SUBSYSTEM_LEN];
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct symbol symbol = { .name = cases[i].name, .module = cases[i].module };

		subsystem_name(&symbol, name);
		ok(!strcmp(name, cases[i].wanted), "'%s' of %s is of %s", cases[i].name,
		   cases[i].module ?: "no module", name);
	}
	return tap_done();
}
