// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench-fentry - attach a BPF program to a module's function, and detach it, again and again
 *
 *	bench-fentry MODULE FUNCTION FILE
 *
 * The program only returns.  The kernel calls the program by a direct call, and not by ftrace's
 * callbacks.  An ftrace_ops on the same function has to work with the direct call.  The program is
 * attached for a twentieth of a second, and detached for the same time, until FILE exists.
 *
 * Prints the number of attachments.  The exit status is 2 if this kernel attaches no BPF to a
 * module's function.
 */
#include "bench.h"
#include "bench_bpf.h"

#define ENOTSUPP	524	/* the errno of a kernel without direct calls */
#define ENOENT		2

#define PAUSE_NS	50000000

/*
 * The part of linux/bpf.h that only this program needs
 */

enum { OBJ_GET_INFO_BY_FD = 15, RAW_TRACEPOINT_OPEN = 17,
	BTF_GET_FD_BY_ID = 19, BTF_GET_NEXT_ID = 23 };
enum { PROG_TRACING = 26, ATTACH_FENTRY = 24 };

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

struct tracepoint_attr {
	u64 name;
	unsigned int prog, pad;
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

enum { KIND_INT = 1, KIND_ARRAY = 3, KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_FUNC = 12,
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
 * Return the number, from 1, of the first function with this name; 0 without such a function.
 * @strings is the offset of the module's strings.  Store the number of types in @nr.
 */
static unsigned int find_function(const struct btf_header *header, const char *name,
				  unsigned int strings, unsigned int *nr)
{
	const char *from = (const char *)header + header->header_bytes;
	const char *at = from + header->types, *end = at + header->types_bytes;
	const char *names = from + header->strings;
	unsigned int found = 0;

	for (*nr = 0; at < end;) {
		const struct btf_type *type = (const struct btf_type *)at;

		++*nr;
		if (!found && name && (type->info >> 24 & 0x1f) == KIND_FUNC &&
		    type->name >= strings && is_same(names + type->name - strings, name))
			found = *nr;
		at += sizeof(*type) + rest_of(type);
	}
	return found;
}

static unsigned int function_id(const char *module, const char *function)
{
	unsigned int nr_kernel, nr_own, id;

	read_btf("vmlinux", kernel_btf, sizeof(kernel_btf));
	read_btf(module, module_btf, sizeof(module_btf));
	find_function(kernel_btf, 0, 0, &nr_kernel);
	id = find_function(module_btf, function, kernel_btf->strings_bytes, &nr_own);
	if (!id)
		fail("not in the module's BTF: ", function);
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

/*
 * The program
 */

static char verifier_log[65536];

static int load_program(int btf, unsigned int id)
{
	struct insn insns[] = {
		{ .op = 0xb7 },		/* the first register = 0 */
		{ .op = 0x95 },		/* return */
	};
	struct prog_attr attr = {
		.type = PROG_TRACING, .attach_type = ATTACH_FENTRY, .name = "bench",
		.insns = (u64)insns, .nr_insns = 2, .license = (u64)"GPL",
		.log_level = 1, .log_size = sizeof(verifier_log), .log = (u64)verifier_log,
		.attach_id = id, .attach_btf = btf,
	};
	s64 fd = bpf(PROG_LOAD, &attr, sizeof(attr));

	if (fd < 0) {
		print(2, verifier_log);
		fail_with("the kernel rejects the BPF program: errno ", fd);
	}
	return fd;
}

static int exists(const char *file)
{
	char buffer[256];	/* more than a struct stat */

	return !sys(NR_FSTATAT, AT_FDCWD, (s64)file, (s64)buffer, 0);
}

static void pause(void)
{
	s64 time[2] = { 0, PAUSE_NS };

	sys(NR_NANOSLEEP, (s64)time, 0, 0, 0);
}

static u64 come_and_go(int program, const char *until)
{
	struct tracepoint_attr attr = { .prog = program };
	u64 times;

	for (times = 0; !exists(until); times++) {
		s64 link = bpf(RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));

		if (link == -ENOTSUPP && !times) {
			print(2, "bench-fentry: this kernel makes no direct calls from modules\n");
			leave(2);
		}
		if (link < 0)
			fail_with("the program cannot be attached: errno ", link);
		pause();
		sys(NR_CLOSE, link, 0, 0, 0);
		pause();
	}
	return times;
}

void start(long *stack)
{
	char **args = (char **)(stack + 1);
	char line[32], *end;
	int program;

	if (*stack != 4)
		fail("wrong arguments: see the comment at the top of the source", "");
	program = load_program(open_btf(args[1]), function_id(args[1], args[2]));
	end = append_number(line, come_and_go(program, args[3]));
	append(end, "\n");
	print(1, line);
	leave(0);
}
