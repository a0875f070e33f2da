/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of the kernel and of the loaded modules that can be traced, with the arguments that
 * can receive objects.
 */
#ifndef _OBJTRACE_KNOWN_H
#define _OBJTRACE_KNOWN_H

#include <linux/types.h>

struct module;
struct objtrace_func;
struct objtrace_funcs;

/**
 * struct objtrace_known_cost - cost of the tables of functions
 * @us: time in microseconds that all scans have taken
 * @bytes: size of the tables in bytes
 * @nr: number of functions that can be traced
 */
struct objtrace_known_cost {
	u64		us;
	size_t		bytes;
	unsigned int	nr;
};

void objtrace_known_exit(void);
int objtrace_known_prepare(void);
struct module *objtrace_known_next_module(struct module *from);
struct objtrace_funcs *objtrace_known_add(const struct module *module, bool is_init);
void objtrace_known_drop(const struct module *module, bool is_init);
struct objtrace_funcs *objtrace_known_part(unsigned int n);
void objtrace_known_cost(struct objtrace_known_cost *cost);
const struct objtrace_funcs *objtrace_known_module(const struct module *module, bool is_init);
const struct objtrace_func *objtrace_known_find(unsigned long ip);
const struct objtrace_funcs *objtrace_known_table(unsigned long ip);

#endif /* _OBJTRACE_KNOWN_H */
