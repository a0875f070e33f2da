// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout-check BTF SYMBOLS
 *
 * Check a kernel that is not running, with the code and the lists of the module.  BTF is the
 * kernel's raw BTF.  SYMBOLS is a copy of its kallsyms, with lines "ADDRESS TYPE NAME".  Prints
 *
 *	family split|merged|none	layout of struct event_command, see kernel/layout.h
 *	commands symbol|decoded|none	source of the address of trigger_commands
 *	frees NAME...			functions that free or allocate without a tracepoint
 *
 * and the module's message for each missing item.  For prototypes and structs, it prints only the
 * first message, as the module does.  It cannot check the members of public structs, because their
 * layout is in the built module.
 *
 * Exit status: 0 if the module can load, 1 if it cannot load, 2 if the check is impossible.
 */
#include <stdarg.h>

#include <linux/kernel.h>

#include "kernel/btf.h"
#include "kernel/built.h"
#include "kernel/layout.h"
#include "kernel_btf.h"

/* Symbols that the module needs; the last symbol is optional, see find_commands() */
static struct {
	const char	*name;
	bool		found;
} symbols[] = {
#define OBJTRACE_FUNC(ret, name, args)	{ #name },
#define OBJTRACE_ADDR(name)		{ #name },
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC
	{ "trigger_commands" },
};

#define NR_NEEDED	(ARRAY_SIZE(symbols) - 1)

/* Functions that the module traces if the kernel has them */
static struct {
	const char	*name;
	bool		found;
} entries[] = {
#define OBJTRACE_FUNC(ret, name, args)
#define OBJTRACE_ADDR(name)
#define OBJTRACE_ENTRY(ret, name, args)	{ #name },
#define OBJTRACE_MAYBE(ret, name, args)
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC
};

/* The public structs, with the names of their members only */
static const struct objtrace_btf_built wanted[] = {
#define OBJTRACE_SIZE(type)		{ #type, NULL },
#define OBJTRACE_MEMBER(type, member)	{ #type, #member },
#define OBJTRACE_ENUMERATOR(name)	{ NULL, #name },
#include "kernel/structs.h"
};

/* No layouts of a build */
const struct objtrace_btf_built objtrace_built[] = { { } };

static unsigned int complaints;

int _printk(const char *fmt, ...)
{
	static const char prefix[] = KBUILD_MODNAME ": ";
	va_list args;

	complaints++;
	va_start(args, fmt);
	vprintf(fmt + (strncmp(fmt, prefix, strlen(prefix)) ? 0 : strlen(prefix)), args);
	va_end(args);
	return 0;
}

static void note_symbol(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(symbols); i++)
		if (!strcmp(symbols[i].name, name))
			symbols[i].found = true;
	for (i = 0; i < ARRAY_SIZE(entries); i++)
		if (!strcmp(entries[i].name, name))
			entries[i].found = true;
}

/* Return the number of functions */
static unsigned int read_symbols(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[1024], name[1024];
	unsigned int nr = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*x %*c %1023s", name) != 1)
			continue;
		nr++;
		note_symbol(name);
	}
	if (file)
		fclose(file);
	return nr;
}

static void check_symbols(void)
{
	bool trigger_commands = symbols[NR_NEEDED].found;
	const char *commands = "none";
	unsigned int i;

	for (i = 0; i < NR_NEEDED; i++)
		if (!symbols[i].found)
			_printk("this kernel has no symbol %s: objtrace does not support this kernel\n",
				symbols[i].name);
	if (trigger_commands)
		commands = "symbol";
#ifdef CONFIG_ARM64
	else
		commands = "decoded";
#endif
	printf("commands %s\n", commands);
	if (!strcmp(commands, "none"))
		_printk("trigger_commands cannot be found: objtrace does not support this kernel\n");
}

/* As is_required() of objects/free.c */
static bool has_to_be_there(const char *name)
{
#ifdef CONFIG_KVFREE_RCU_BATCHED
	if (objtrace_layout.sheaves && strstr(name, "rcu_free_sheaf"))
		return true;
#endif
	return !strcmp(name, "kmem_cache_free_bulk");
}

/* The module warns of a missing function here, and loads */
static void check_entries(void)
{
	unsigned int i;

	printf("frees");
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		entries[i].found &= objtrace_btf_describes(entries[i].name);
		if (entries[i].found)
			printf(" %s", entries[i].name);
	}
	puts("");
	for (i = 0; i < ARRAY_SIZE(entries); i++)
		if (!entries[i].found && has_to_be_there(entries[i].name))
			_printk("%s() cannot be traced in this kernel\n",
				entries[i].name);
}

static void check_btf(void)
{
	const char *family = "none";
	unsigned int i;

	/* A failure may have ended the walk before the structs */
	if (!objtrace_btf_init()) {
		if (!objtrace_layout_init())
			family = objtrace_layout.split ? "split" : "merged";
		for (i = 0; i < ARRAY_SIZE(wanted); i++)
			if (!objtrace_btf_has(wanted[i].of, wanted[i].name))
				objtrace_btf_compare(&wanted[i]);
	}
	printf("family %s\n", family);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: layout-check BTF SYMBOLS\n");
		return 2;
	}
	kernel_btf = btf__parse_raw(argv[1]);
	if (!kernel_btf) {
		fprintf(stderr, "layout-check: no BTF in %s: %s\n", argv[1], strerror(errno));
		return 2;
	}
	if (!read_symbols(argv[2])) {
		fprintf(stderr, "layout-check: no symbols in %s\n", argv[2]);
		return 2;
	}
	check_btf();
	check_symbols();
	check_entries();
	btf__free(kernel_btf);
	return complaints ? 1 : 0;
}
