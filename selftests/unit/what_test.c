// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of WHAT: each form, and each mistake with its place.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/what.h"
#include "tap.h"

static void good(const char *text, enum what_kind kind, const char *wanted)
{
	struct what_error error;
	struct what what;
	char seen[200] = "";
	char *copy = strdup(text);	/* the sanitizer sees reads behind the end */
	int ret = what_parse(copy, &what, &error);

	if (!ret)
		snprintf(seen, sizeof(seen), "%.*s|%.*s|%u|%.*s|%.*s|%.*s|%llx",
			 (int)what.function.len, what.function.start,
			 (int)what.arg.len, what.arg.start, what.arg_nr,
			 (int)what.system.len, what.system.start,
			 (int)what.event.len, what.event.start,
			 (int)what.field.len, what.field.start, what.address);
	ok(!ret && what.kind == kind && !strcmp(seen, wanted), "%s is %s", text, seen);
	free(copy);
}

static void bad(const char *text, size_t place, const char *message)
{
	struct what_error error = {};
	struct what what;
	char *copy = strdup(text);
	int ret = what_parse(copy, &what, &error);

	ok(ret && error.place == place && error.message && strstr(error.message, message),
	   "'%s' is a mistake at %zu: %s", text, error.place, error.message ?: "none");
	free(copy);
}

int main(void)
{
	good("vfs_open(file)", WHAT_ARGUMENT, "vfs_open|file|0||||0");
	good("vfs_open(2)", WHAT_ARGUMENT, "vfs_open||2||||0");
	good("vfs_open(9)", WHAT_ARGUMENT, "vfs_open||9||||0");
	good("f.isra.0(__x)", WHAT_ARGUMENT, "f.isra.0|__x|0||||0");
	good("bio_alloc()", WHAT_RETURNED, "bio_alloc||0||||0");
	good("skb:kfree_skb.skbaddr", WHAT_FIELD, "||0|skb|kfree_skb|skbaddr|0");
	good("0xffff888012345678", WHAT_ADDRESS, "||0||||ffff888012345678");
	bad("", 0, "A function, an event or an address");
	bad("vfs_open", 8, "(ARGUMENT)");
	bad("vfs_open(", 9, "A name or number");
	bad("vfs_open(file", 13, "A closing parenthesis");
	bad("vfs_open(file)x", 14, "Nothing may follow");
	bad("vfs_open(0)", 9, "The number of an argument");
	bad("vfs_open(12)", 9, "The number of an argument");
	bad("skb:", 4, "The name of an event");
	bad("skb:kfree_skb", 13, "A dot and a field");
	bad("skb:kfree_skb.", 14, "A field of the event");
	bad("skb:kfree_skb.a.b", 15, "Nothing may follow");
	bad("0x", 2, "no digits");
	bad("0x12z", 4, "Nothing may follow");
	bad("0x12345678123456789", 0, "more than 64 bits");
	bad("0x0", 0, "No object is at address 0");
	return tap_done();
}
