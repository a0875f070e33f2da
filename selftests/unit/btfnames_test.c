// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names from BTF: enums of both sizes, structs, and numbers of other types.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <traceevent/event-parse.h>

#include "tools/objtrace/btfnames.h"
#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/symbols.h"
#include "tap.h"

static void is(const char *seen, const char *wanted, const char *what)
{
	ok(seen ? wanted && !strcmp(seen, wanted) : !wanted, "%s: %s", what, seen ?: "no name");
}

static struct btf *open_copy(const struct btf *btf, struct trace_symbols *symbols)
{
	char path[] = "/tmp/btfnames_test.XXXXXX";
	int fd = mkstemp(path);
	struct btf *copy = NULL;
	const void *data;
	__u32 size;

	data = btf__raw_data(btf, &size);
	ok(write(fd, data, size) == size && !btfnames_open(path, symbols, &copy) && copy,
	   "a file with BTF is opened");
	ftruncate(fd, 10);
	btf__free(copy);
	copy = NULL;
	ok(btfnames_open(path, symbols, &copy) < 0 && !copy, "a file that is cut off is refused");
	lseek(fd, 0, SEEK_SET);
	write(fd, data, size);
	btfnames_open(path, symbols, &copy);
	unlink(path);
	close(fd);
	return copy;
}

int main(void)
{
	struct tep_handle *tep = tep_alloc();
	struct trace_symbols *symbols = symbols_new(tep);
	struct btf *built = btf__new_empty(), *btf;
	int small, large, tag, nameless, integer;

	small = btf__add_enum(built, "state", 4);
	btf__add_enum_value(built, "OPEN", 1);
	btf__add_enum_value(built, "BROKEN", -1);
	large = btf__add_enum64(built, "bits", 8, false);
	btf__add_enum64_value(built, "HIGH", 1ULL << 40);
	tag = btf__add_struct(built, "sock", 8);
	nameless = btf__add_struct(built, NULL, 8);
	integer = btf__add_int(built, "int", 4, BTF_INT_SIGNED);
	btf = open_copy(built, symbols);
	is(kbtf_enumerator(btf, small, 1), "OPEN", "a value of an enum");
	is(kbtf_enumerator(btf, small, -1ULL), "BROKEN", "a negative value of an enum");
	is(kbtf_enumerator(btf, small, 2), NULL, "a value that the enum lacks");
	is(kbtf_enumerator(btf, large, 1ULL << 40), "HIGH", "a value of an enum of 64 bits");
	is(kbtf_enumerator(btf, large, 0), NULL, "a value that the large enum lacks");
	is(kbtf_enumerator(btf, tag, 1), NULL, "the enumerator of a struct");
	is(kbtf_enumerator(btf, 999, 1), NULL, "the enumerator of a type that the BTF lacks");
	is(btfnames_struct(btf, tag), "sock", "a struct");
	is(btfnames_struct(btf, nameless), NULL, "a struct without a tag");
	is(btfnames_struct(btf, integer), NULL, "an integer as a struct");
	is(btfnames_struct(btf, 0), NULL, "an object of an unknown type");
	is(btfnames_struct(NULL, tag), NULL, "a struct without BTF");
	btf__free(btf);
	ok(!btfnames_open(NULL, symbols, &btf) && !btf,
	   "a trace without the symbols of the running kernel has no BTF");
	btf__free(built);
	symbols_free(symbols);
	tep_free(tep);
	return tap_done();
}
