// SPDX-License-Identifier: GPL-2.0-only
/*
 * libbpf_records - print the records that a BPF program of libbpf receives
 *
 *	libbpf_records FILE PROGRAM COMMAND
 *
 * PROGRAM is the name of a function in FILE, which was compiled from libbpf.bpf.c.  COMMAND is for
 * sh.  After the command, the program prints a line "OBJECT VALUE" for each record, in hexadecimal.
 */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libbpf.h"

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "libbpf_records: %s: %s\n", what, which);
	exit(1);
}

static int print_seen(void *context, void *data, size_t size)
{
	const struct seen *seen = data;

	printf("0x%llx 0x%llx\n", seen->object, seen->value);
	return 0;
}

/* Open the file, and load the one program of this name */
static struct bpf_object *load(const char *file, const char *name, struct bpf_program **wanted)
{
	struct bpf_object *object = bpf_object__open_file(file, NULL);
	struct bpf_program *program;

	if (!object)
		fail("cannot open", file);
	bpf_object__for_each_program(program, object) {
		bool is_wanted = !strcmp(bpf_program__name(program), name);

		bpf_program__set_autoload(program, is_wanted);
		if (is_wanted)
			*wanted = program;
	}
	if (!*wanted)
		fail("no such program", name);
	if (bpf_object__load(object))
		fail("cannot load", name);
	return object;
}

int main(int argc, char **argv)
{
	struct bpf_program *program = NULL;
	struct ring_buffer *buffer;
	struct bpf_object *object;
	int status;

	if (argc != 4)
		fail("usage", "libbpf_records FILE PROGRAM COMMAND");
	object = load(argv[1], argv[2], &program);
	if (!bpf_program__attach(program))
		fail("cannot attach", argv[2]);
	buffer = ring_buffer__new(bpf_object__find_map_fd_by_name(object, "seen_map"), print_seen,
				  NULL, NULL);
	if (!buffer)
		fail("no ring buffer for", argv[2]);
	status = system(argv[3]);
	if (ring_buffer__consume(buffer) < 0)
		fail("cannot read the records of", argv[2]);
	return status ? 1 : 0;
}
