/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BTF of a module, for programs that attach BPF programs to a module
 */
#ifndef _BENCH_BTF_H
#define _BENCH_BTF_H

#include "bench.h"
#include "bench_bpf.h"

enum { OBJ_GET_INFO_BY_FD = 15, RAW_TRACEPOINT_OPEN = 17, BTF_GET_FD_BY_ID = 19, BTF_GET_NEXT_ID = 23 };
enum { PROG_TRACING = 26 };

#define ENOENT		2

struct tracepoint_attr {
	u64 name;
	unsigned int prog, pad;
};

struct id_attr {
	unsigned int id, next, flags;
};

struct info_attr {
	unsigned int fd, bytes;
	u64 info;
};

struct btf_info {
	u64 btf;
	unsigned int bytes, id;
	u64 name;
	unsigned int name_bytes, is_kernel;
};

static _Noreturn void fail_with(const char *what, s64 error)
{
	char number[24];

	append_number(number, -error);
	fail(what, number);
}

/*
 * The module's BTF.  Its IDs and strings follow the IDs and strings of the kernel's BTF.
 */

struct btf_header {
	unsigned short magic;
	unsigned char version, flags;
	unsigned int header_bytes, types, types_bytes, strings, strings_bytes;
};

struct btf_type {
	unsigned int name, info, type;
};

enum { KIND_INT = 1, KIND_ARRAY = 3, KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_TYPEDEF = 8, KIND_FUNC = 12,
	KIND_FUNC_PROTO, KIND_VAR, KIND_DATASEC, KIND_DECL_TAG = 17, KIND_ENUM64 = 19 };

static struct btf_header kernel_btf[(16 << 20) / sizeof(struct btf_header)];
static struct btf_header module_btf[(1 << 20) / sizeof(struct btf_header)];

static void read_btf(const char *module, struct btf_header *header, u64 size)
{
	char path[128];
	u64 end = 0;
	s64 bytes;
	int fd;

	if (length(module) > 64)
		fail("too long: ", module);
	append(append(path, "/sys/kernel/btf/"), module);
	fd = open_file(path, 0);
	while ((bytes = sys(NR_READ, fd, (s64)header + end, size - end, 0)) > 0)
		end += bytes;
	if (bytes < 0 || end == size || header->magic != 0xeb9f)
		fail("cannot be read, or is too large: ", path);
	sys(NR_CLOSE, fd, 0, 0, 0);
}

/* Number of bytes after the head of a type */
static u64 rest_of(const struct btf_type *type)
{
	u64 members = type->info & 0xffff;

	switch (type->info >> 24 & 0x1f) {
	case KIND_INT:
	case KIND_VAR:
	case KIND_DECL_TAG:
		return 4;
	case KIND_ARRAY:
		return 12;
	case KIND_STRUCT:
	case KIND_UNION:
	case KIND_DATASEC:
	case KIND_ENUM64:
		return members * 12;
	case KIND_ENUM:
	case KIND_FUNC_PROTO:
		return members * 8;
	default:
		return 0;
	}
}

/*
 * Return the number, from 1, of the first type of this kind and name; 0 without such a type.
 * @strings is the offset of the module's strings.  Store the number of types in @nr.
 */
static unsigned int find_type(const struct btf_header *header, unsigned int kind,
			      const char *name, unsigned int strings, unsigned int *nr)
{
	const char *from = (const char *)header + header->header_bytes;
	const char *at = from + header->types, *end = at + header->types_bytes;
	const char *names = from + header->strings;
	unsigned int found = 0;

	for (*nr = 0; at < end;) {
		const struct btf_type *type = (const struct btf_type *)at;

		++*nr;
		if (!found && name && (type->info >> 24 & 0x1f) == kind &&
		    type->name >= strings && is_same(names + type->name - strings, name))
			found = *nr;
		at += sizeof(*type) + rest_of(type);
	}
	return found;
}

/* Return the ID of a type of a module: a function, or a typedef */
static unsigned int type_id(const char *module, unsigned int kind, const char *type)
{
	unsigned int nr_kernel, nr_own, id;

	read_btf("vmlinux", kernel_btf, sizeof(kernel_btf));
	read_btf(module, module_btf, sizeof(module_btf));
	find_type(kernel_btf, 0, 0, 0, &nr_kernel);
	id = find_type(module_btf, kind, type, kernel_btf->strings_bytes, &nr_own);
	if (!id)
		fail("not in the module's BTF: ", type);
	return nr_kernel + id;
}

/* Open the BTF of a module */
static int open_btf(const char *module)
{
	struct id_attr attr = {};
	char name[64];

	while (!bpf(BTF_GET_NEXT_ID, &attr, sizeof(attr))) {
		struct id_attr which = { .id = attr.next };
		struct btf_info info = { .name = (u64)name, .name_bytes = sizeof(name) };
		struct info_attr ask = { .bytes = sizeof(info), .info = (u64)&info };
		s64 fd = bpf(BTF_GET_FD_BY_ID, &which, sizeof(which));

		attr.id = attr.next;
		if (fd == -ENOENT)
			continue;	/* its BTF went away since the last call */
		if (fd < 0)
			fail_with("the kernel's BTF cannot be read: errno ", fd);
		name[0] = 0;
		ask.fd = fd;
		if (!bpf(OBJ_GET_INFO_BY_FD, &ask, sizeof(ask)) && is_same(name, module))
			return fd;
		sys(NR_CLOSE, fd, 0, 0, 0);
	}
	fail("the kernel has no BTF of ", module);
}

#endif /* _BENCH_BTF_H */
