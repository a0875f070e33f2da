// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names from BTF.  The numbers of types differ between kernels.  Without a file from the user, only
 * the BTF of the running kernel is used, and only if the trace is of the same boot.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "tools/objtrace/btfnames.h"
#include "tools/objtrace/symbols.h"

#define RUNNING_BTF	"/sys/kernel/btf/vmlinux"

/*
 * Functions whose addresses differ between kernels, and between boots with KASLR.  No other symbol
 * has the address of one of them, as "_text" has that of "_stext".  The addresses of the running
 * kernel are 0 for users without the permission to see them.
 */
static const char * const landmarks[] = { "panic", "schedule", "vfs_read" };
#define NR_LANDMARKS	(sizeof(landmarks) / sizeof(*landmarks))

static bool is_landmark(const char *line, struct trace_symbols *symbols)
{
	unsigned long long address;
	unsigned int i;
	char name[64];

	if (sscanf(line, "%llx %*c %63s", &address, name) != 2)
		return false;
	for (i = 0; i < NR_LANDMARKS; i++) {
		const struct symbol *symbol;

		if (strcmp(name, landmarks[i]))
			continue;
		symbol = symbol_at(symbols, address);
		return symbol->start == address && !strcmp(symbol->name, name);
	}
	return false;
}

static bool is_of_this_boot(struct trace_symbols *symbols)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned int found = 0;
	char line[512];

	if (!file)
		return false;
	while (found < NR_LANDMARKS && fgets(line, sizeof(line), file))
		found += is_landmark(line, symbols);
	fclose(file);
	return found == NR_LANDMARKS;
}

/**
 * btfnames_open() - open the BTF of the kernel that wrote a trace
 * @path: the file with the BTF, or NULL for the running kernel's if it wrote the trace
 * @symbols: the symbols of the trace
 * @result: the BTF, or NULL if @path is NULL and another kernel or boot wrote the trace
 *
 * Return: 0, or a negative error code for a file that cannot be used.
 */
int btfnames_open(const char *path, struct trace_symbols *symbols, struct btf **result)
{
	*result = NULL;
	libbpf_set_print(NULL);
	if (!path) {
		if (is_of_this_boot(symbols))
			*result = btf__parse(RUNNING_BTF, NULL);
		return 0;
	}
	*result = btf__parse(path, NULL);
	return *result ? 0 : -errno;
}

static const char *name_at(const struct btf *btf, unsigned int offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name && *name ? name : NULL;
}

/**
 * btfnames_struct() - name the type of an object
 * @btf: the BTF of the kernel, or NULL
 * @struct_id: the type
 *
 * Return: the tag of the struct or union, or NULL.
 */
const char *btfnames_struct(const struct btf *btf, unsigned int struct_id)
{
	const struct btf_type *type = btf && struct_id ? btf__type_by_id(btf, struct_id) : NULL;

	return type && btf_is_composite(type) ? name_at(btf, type->name_off) : NULL;
}
