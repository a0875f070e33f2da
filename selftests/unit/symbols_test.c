// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of functions while modules are loaded and removed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/symbols.h"
#include "tap.h"

#define KERNEL	"ffffffff81000000 T _stext\n" \
		"ffffffff810000f0 t __pfx_do_one\n" \
		"ffffffff81000100 T do_one\n" \
		"ffffffff81000180 D data_of_one\n"
#define FIRST	"ffffffffc0001000 t first_call\t[first]\n" \
		"ffffffffc0001200 t first_last\t[first]\n"
#define SECOND	"ffffffffc0005000 t second_call\t[second]\n"
#define THIRD	"ffffffffc0001000 t third_call\t[third]\n"
#define LAST	"ffffffffc0009000 t last_call\t[last]\n"

#define IN_ONE		0xffffffff81000190
#define IN_FIRST	0xffffffffc0001010
#define IN_SECOND	0xffffffffc0005010

static struct trace_symbols *symbols;
static struct tep_handle *events;

static void write_file(const char *name, const char *text)
{
	char path[100];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/%s", getenv("OBJTRACE_TEST_ROOT"), name);
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		exit(1);
}

static void change(const char *functions, const char *modules)
{
	write_file("kallsyms", functions);
	write_file("modules", modules);
	symbols_update(symbols);
}

/* The names for records and for the texts of events are the same */
static bool is_named(unsigned long long address, const char *name)
{
	const char *for_events = tep_find_function(events, address);

	return !strcmp(symbol_at(symbols, address)->name, name) && for_events &&
	       !strcmp(for_events, name);
}

static void make_root(char *root)
{
	char path[100];

	if (!mkdtemp(root) || setenv("OBJTRACE_TEST_ROOT", root, 1))
		exit(1);
	snprintf(path, sizeof(path), "%s/proc", root);
	mkdir(path, 0700);
	write_file("kallsyms", KERNEL FIRST LAST);
	write_file("modules", "first 16384 0 - Live 0xffffffffc0001000\n");
}

static void remove_root(const char *root)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -r %s", root);
	if (system(command))
		exit(1);
}

int main(void)
{
	char root[] = "/tmp/symbols_test.XXXXXX";

	make_root(root);
	events = tep_alloc();
	symbols = symbols_of_kernel(events);
	ok(symbols && is_named(IN_ONE, "do_one") && is_named(IN_FIRST, "first_call"),
	   "functions of the kernel and of a module have names");
	symbol_at(symbols, IN_SECOND);
	change(KERNEL FIRST SECOND LAST, "second 16384 0 - Live 0xffffffffc0005000\n"
	       "first 16384 0 - Live 0xffffffffc0001000\n");
	ok(is_named(IN_SECOND, "second_call"), "functions of a new module have names");
	change(KERNEL, "second 16384 3 - Live 0xffffffffc0005000\n"
	       "first 16384 1 second, Live 0xffffffffc0001000\n");
	ok(is_named(IN_SECOND, "second_call"), "users of a module are no reason to read all symbols");
	change(KERNEL THIRD LAST, "third 16384 0 - Live 0xffffffffc0001000\n");
	ok(is_named(IN_FIRST, "third_call") && is_named(IN_ONE, "do_one"),
	   "a module at the address of a removed module has its own names");
	symbols_free(symbols);
	tep_free(events);
	remove_root(root);
	return tap_done();
}
