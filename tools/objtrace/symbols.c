// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of functions.  A table keeps each symbol that was looked up: a trace has millions of
 * addresses, but few different ones.
 *
 * libtraceevent knows the module of each function, but only tep_print_funcs() tells it, on
 * standard output.  A file in memory takes the place of standard output for that call.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/kallsyms.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/symbols.h"

#define FIRST_SLOTS	1024
/* Addresses of the kernel have the highest bit */
#define IS_KERNEL(address)	((address) >> 63)

struct module_symbol {
	unsigned long long	start;
	char			*module;
};

struct trace_symbols {
	struct tep_handle	*tep;
	struct kallsyms		kernel;		/* owns @tep, if it is the running kernel */
	struct module_symbol	*modules;
	size_t			nr_modules;
	struct symbol		**slots;	/* open addressing */
	size_t			nr_slots;
	size_t			nr;
};

static void print_functions(struct tep_handle *tep, FILE *to)
{
	int out;

	fflush(stdout);
	out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (out < 0)
		return;
	dup2(fileno(to), STDOUT_FILENO);
	tep_print_funcs(tep);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
}

static char *printable(const char *text, size_t len)
{
	char *copy = strndup(text, len);
	char *c = copy;

	for (; c && *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	return copy;
}

/* A line is "ADDRESS NAME", or "ADDRESS NAME [MODULE]".  A name can have brackets, but no blank. */
static void read_module(struct trace_symbols *symbols, const char *line, size_t *room)
{
	const char *open = strstr(line, " ["), *close = strrchr(line, ']');
	struct module_symbol *more;

	if (!open || !close || strcmp(close, "]\n") || close < ++open)
		return;
	if (symbols->nr_modules == *room) {
		*room = *room ? *room * 2 : 1024;
		more = realloc(symbols->modules, *room * sizeof(*more));
		if (!more)
			return;
		symbols->modules = more;
	}
	more = &symbols->modules[symbols->nr_modules];
	more->start = strtoull(line, NULL, 16);
	more->module = printable(open + 1, close - open - 1);
	symbols->nr_modules += more->module != NULL;
}

static int compare_starts(const void *a, const void *b)
{
	const struct module_symbol *one = a, *two = b;

	return one->start < two->start ? -1 : one->start > two->start;
}

static void read_modules(struct trace_symbols *symbols)
{
	int fd = memfd_create("functions", MFD_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
	size_t size = 0, room = 0;
	char *line = NULL;

	if (!file)
		return;
	print_functions(symbols->tep, file);
	rewind(file);
	while (getline(&line, &size, file) > 0)
		read_module(symbols, line, &room);
	free(line);
	fclose(file);
	if (symbols->nr_modules)
		qsort(symbols->modules, symbols->nr_modules, sizeof(*symbols->modules),
		      compare_starts);
}

static struct trace_symbols *new_table(struct tep_handle *tep)
{
	struct trace_symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols)
		return NULL;
	symbols->tep = tep;
	symbols->nr_slots = FIRST_SLOTS;
	symbols->slots = calloc(symbols->nr_slots, sizeof(*symbols->slots));
	if (!symbols->slots) {
		free(symbols);
		return NULL;
	}
	return symbols;
}

/**
 * symbols_new() - prepare to look up the symbols of a file
 * @tep: the symbols of the file; they must outlive the result
 *
 * Return: the table, or NULL without memory.
 */
struct trace_symbols *symbols_new(struct tep_handle *tep)
{
	struct trace_symbols *symbols = new_table(tep);

	if (symbols)
		read_modules(symbols);
	return symbols;
}

static void free_symbol(struct symbol *symbol)
{
	if (symbol)
		free((char *)symbol->name);
	free(symbol);
}

static void forget_symbols(struct trace_symbols *symbols)
{
	size_t i;

	for (i = 0; i < symbols->nr_slots; i++) {
		free_symbol(symbols->slots[i]);
		symbols->slots[i] = NULL;
	}
	symbols->nr = 0;
}

/**
 * symbols_update() - look for modules of the running kernel that came or went
 * @symbols: the table, of symbols_of_kernel()
 *
 * Other functions can have the addresses of those that went, so symbols that were found before
 * are no longer valid.
 */
void symbols_update(struct trace_symbols *symbols)
{
	if (!kallsyms_update(&symbols->kernel))
		return;
	symbols->tep = symbols->kernel.tep;
	forget_symbols(symbols);
}

/**
 * symbols_free() - free all symbols
 * @symbols: the table, or NULL
 */
void symbols_free(struct trace_symbols *symbols)
{
	size_t i;

	if (!symbols)
		return;
	forget_symbols(symbols);
	kallsyms_free(&symbols->kernel);
	for (i = 0; i < symbols->nr_modules; i++)
		free(symbols->modules[i].module);
	free(symbols->modules);
	free(symbols->slots);
	free(symbols);
}

static char *resolve(void *data, unsigned long long *address, char **module)
{
	const struct trace_symbols *symbols = data;
	const char *name = NULL;

	if (!tep_find_function_info(symbols->tep, *address, &name, address, NULL))
		return NULL;
	return (char *)name;
}

/**
 * symbols_of_kernel() - read the symbols of the running kernel
 * @tep: gets the symbols, for the texts of events; the result must outlive its look-ups
 *
 * The result does not know the modules of functions.
 *
 * Return: the table, or NULL without memory.
 */
struct trace_symbols *symbols_of_kernel(struct tep_handle *tep)
{
	struct trace_symbols *symbols = new_table(NULL);

	if (!symbols)
		return NULL;
	symbols_update(symbols);
	if (symbols->tep && !tep_set_function_resolver(tep, resolve, symbols))
		return symbols;
	symbols_free(symbols);
	return NULL;
}

static struct symbol **slot_of(struct symbol **slots, size_t nr, unsigned long long address)
{
	size_t i = (address * 0x9e3779b97f4a7c15ULL >> 32) & (nr - 1);

	while (slots[i] && slots[i]->address != address)
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static void grow_slots(struct trace_symbols *symbols)
{
	size_t i, nr = symbols->nr_slots * 2;
	struct symbol **slots = calloc(nr, sizeof(*slots));

	if (!slots)
		no_memory();
	for (i = 0; i < symbols->nr_slots; i++)
		if (symbols->slots[i])
			*slot_of(slots, nr, symbols->slots[i]->address) = symbols->slots[i];
	free(symbols->slots);
	symbols->slots = slots;
	symbols->nr_slots = nr;
}

static const char *module_at(const struct trace_symbols *symbols, unsigned long long start)
{
	struct module_symbol key = { .start = start };
	struct module_symbol *found = NULL;

	if (symbols->nr_modules)
		found = bsearch(&key, symbols->modules, symbols->nr_modules, sizeof(key),
				compare_starts);
	return found ? found->module : KERNEL_NAME;
}

static struct symbol *look_up(struct trace_symbols *symbols, unsigned long long address)
{
	struct symbol *symbol = calloc(1, sizeof(*symbol));
	unsigned long long start = address;
	const char *name = NULL;
	char hex[24];

	if (!symbol)
		return NULL;
	if (IS_KERNEL(address) &&
	    !tep_find_function_info(symbols->tep, address, &name, &start, NULL))
		name = NULL;
	snprintf(hex, sizeof(hex), "0x%llx", address);
	symbol->address = address;
	symbol->start = name ? start : address;
	symbol->module = name ? module_at(symbols, start) : NULL;
	symbol->name = name ? printable(name, strlen(name)) : strdup(hex);
	if (symbol->name)
		return symbol;
	free(symbol);
	return NULL;
}

/**
 * symbol_at() - find the symbol at an address
 * @symbols: the table
 * @address: the address, anywhere in the symbol
 *
 * Return: the symbol; valid until symbols_free() or symbols_update().
 */
const struct symbol *symbol_at(struct trace_symbols *symbols, unsigned long long address)
{
	struct symbol **slot = slot_of(symbols->slots, symbols->nr_slots, address);

	if (*slot)
		return *slot;
	if (symbols->nr * 2 >= symbols->nr_slots) {
		grow_slots(symbols);
		slot = slot_of(symbols->slots, symbols->nr_slots, address);
	}
	*slot = look_up(symbols, address);
	if (!*slot)
		no_memory();
	symbols->nr++;
	return *slot;
}
