/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions, from the symbols in a file of trace-cmd or of the running kernel.
 */
#ifndef _TOOLS_OBJTRACE_SYMBOLS_H
#define _TOOLS_OBJTRACE_SYMBOLS_H

struct trace_symbols;
struct tep_handle;

/* The module of the functions that are in the kernel itself */
#define KERNEL_NAME	"vmlinux"

/**
 * struct symbol - the symbol at an address
 * @address: the address
 * @start: first address of the symbol; equal to @address without a symbol
 * @name: its name, printable; or the address in hexadecimal
 * @module: the module that has it; "vmlinux" for the kernel, or if it is
 *	    unknown; NULL without a symbol
 */
struct symbol {
	unsigned long long	address;
	unsigned long long	start;
	const char		*name;
	const char		*module;
};

struct trace_symbols *symbols_new(struct tep_handle *tep);
struct trace_symbols *symbols_of_kernel(struct tep_handle *tep);
void symbols_update(struct trace_symbols *symbols);
void symbols_free(struct trace_symbols *symbols);
const struct symbol *symbol_at(struct trace_symbols *symbols, unsigned long long address);

#endif /* _TOOLS_OBJTRACE_SYMBOLS_H */
