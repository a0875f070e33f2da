/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of structs, from BTF.  A file of trace-cmd has only their numbers.
 */
#ifndef _TOOLS_OBJTRACE_BTFNAMES_H
#define _TOOLS_OBJTRACE_BTFNAMES_H

struct btf;
struct trace_symbols;

int btfnames_open(const char *path, struct trace_symbols *symbols, struct btf **result);
const char *btfnames_struct(const struct btf *btf, unsigned int struct_id);

#endif /* _TOOLS_OBJTRACE_BTFNAMES_H */
