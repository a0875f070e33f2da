// SPDX-License-Identifier: GPL-2.0-only
/*
 * masks ABI OBJECT-FILE...: print the registers that types/args.c finds for each function in the
 * files' BTF, as NAME OBJECTS VARIABLE, or "unknown".
 */
#include <stdio.h>
#include <string.h>

#include "kernel/member.h"
#include "kernel_btf.h"
#include "types/args.h"

static void print_masks(const struct btf *btf, enum objtrace_abi abi)
{
	const struct btf_type *t;
	struct objtrace_args args;
	const char *name;
	u32 id;

	for (id = 1; (t = btf__type_by_id(btf, id)); id++) {
		if (kind_of(t) != BTF_KIND_FUNC)
			continue;
		name = btf__name_by_offset(btf, t->name_off);
		if (objtrace_args_of(btf, t->type, abi, &args))
			printf("%s %u %u\n", name, args.objects, args.variable);
		else
			printf("%s unknown\n", name);
	}
}

int main(int argc, char **argv)
{
	enum objtrace_abi abi;
	struct btf *btf;
	int i;

	if (argc < 3)
		return 2;
	abi = strcmp(argv[1], "arm64") ? OBJTRACE_ABI_X86_64 : OBJTRACE_ABI_ARM64;
	for (i = 2; i < argc; i++) {
		btf = btf__parse(argv[i], NULL);
		if (!btf) {
			perror(argv[i]);
			return 1;
		}
		print_masks(btf, abi);
		btf__free(btf);
	}
	return 0;
}
