// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench-bpf - run a command while BPF programs look for objects
 *
 *	bench-bpf MODE OBJECTS LIST COMMAND [ARGUMENT...]
 *
 * LIST has a line "ADDRESS REGISTER" for each parameter of a kernel function that may receive the
 * objects. Each register has a program. One kprobe.multi link attaches the program to the entries
 * of all functions with this register. The program looks up the register in a hash map of OBJECTS
 * objects. If it finds the object, it writes the function, the object and the object's first
 * eight bytes to a ring buffer. A user with BPF can do the same if the functions are known. The
 * program does not notice frees. The objects here are addresses that no function receives.
 *
 * Prints "arm MODE NANOSECONDS", and then executes COMMAND. The programs and links end with the
 * command. The exit status is 2 if this kernel has no such links.
 */
#include "bench.h"
#include "bench_bpf.h"

#define MAX_FUNCTIONS	16384
#define NR_REGISTERS	6
#define RING_BYTES	(1 << 20)
#define EOPNOTSUPP	95

/*
 * The part of linux/bpf.h that only this program needs
 */

enum { MAP_UPDATE = 2, LINK_CREATE = 28 };
enum { MAP_HASH = 1, MAP_RINGBUF = 27 };
enum { PROG_KPROBE = 2, ATTACH_KPROBE_MULTI = 42 };
enum { RINGBUF_OUTPUT = 130, GET_FUNC_IP = 173 };

struct map_attr {
	unsigned int type, key_size, value_size, max_entries;
};

struct element_attr {
	unsigned int map, pad;
	u64 key, value, flags;
};

struct link_attr {
	unsigned int prog, target, attach_type, flags;
	unsigned int multi_flags, nr;
	u64 names, addrs, cookies;
};

/* Offsets of the argument registers in a program's context */
#if defined(__x86_64__)
static const short register_offset[NR_REGISTERS] = { 112, 104, 96, 88, 72, 64 };
#else
static const short register_offset[NR_REGISTERS] = { 0, 8, 16, 24, 32, 40 };
#endif

/*
 * The program
 */

#define JUMP_IF_0	0x15

#define CONTEXT		6
#define RECORD		-32	/* on the stack: function, object, value; and the key */
#define KEY		-8

static struct insn *put_record(struct insn *at, int ring)
{
	at = put(at, MOVE, 1, CONTEXT, 0, 0);
	at = put(at, CALL, 0, 0, 0, GET_FUNC_IP);
	at = put(at, STORE64, FRAME, 0, RECORD, 0);
	at = put(at, LOAD64, 3, FRAME, KEY, 0);
	at = put(at, STORE64, FRAME, 3, RECORD + 8, 0);
	at = put_stack(at, 1, RECORD + 16);
	at = put(at, MOVE_IMM, 2, 0, 0, 8);
	at = put(at, CALL, 0, 0, 0, READ_KERNEL);
	at = put_map(at, 1, ring);
	at = put_stack(at, 2, RECORD);
	at = put(at, MOVE_IMM, 3, 0, 0, 24);
	at = put(at, MOVE_IMM, 4, 0, 0, 0);
	return put(at, CALL, 0, 0, 0, RINGBUF_OUTPUT);
}

/* Return the number of instructions */
static int make_program(struct insn *insns, int offset, int objects, int ring)
{
	struct insn *at = insns, *jump;

	at = put(at, MOVE, CONTEXT, 1, 0, 0);
	at = put(at, LOAD64, 3, 1, offset, 0);
	at = put(at, STORE64, FRAME, 3, KEY, 0);
	at = put_map(at, 1, objects);
	at = put_stack(at, 2, KEY);
	at = put(at, CALL, 0, 0, 0, LOOKUP);
	jump = at;
	at = put(at, JUMP_IF_0, 0, 0, 0, 0);
	at = put_record(at, ring);
	jump->offset = at - jump - 1;
	at = put(at, MOVE_IMM, 0, 0, 0, 0);
	at = put(at, EXIT, 0, 0, 0, 0);
	return at - insns;
}

static char verifier_log[65536];

static int load_program(int offset, int objects, int ring)
{
	struct insn insns[64];
	struct prog_attr attr = {
		.type = PROG_KPROBE, .insns = (u64)insns, .license = (u64)"GPL",
		.log_level = 1, .log_size = sizeof(verifier_log), .log = (u64)verifier_log,
		.name = "bench", .attach_type = ATTACH_KPROBE_MULTI,
	};
	s64 fd;

	attr.nr_insns = make_program(insns, offset, objects, ring);
	fd = bpf(PROG_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		fail("the kernel rejects the BPF program: ", verifier_log);
	return fd;
}

/*
 * Objects
 */

static int create_map(struct map_attr attr)
{
	s64 fd = bpf(MAP_CREATE, &attr, sizeof(attr));

	if (fd < 0)
		fail("no BPF map", "");
	return fd;
}

/* Addresses between user space and the kernel, with the low bits of real addresses */
static void fill(int map, u64 nr)
{
	u64 object, value = 1, random = 1;
	struct element_attr attr = {
		.map = map, .key = (u64)&object, .value = (u64)&value,
	};

	while (nr--) {
		random = random * 6364136223846793005UL + 1442695040888963407UL;
		object = 0x0100000000000000UL | random >> 32 << 6;
		if (bpf(MAP_UPDATE, &attr, sizeof(attr)))
			fail("an object cannot be added", "");
	}
}

/*
 * Functions
 */

static char text[1 << 20];
static u64 functions[NR_REGISTERS][MAX_FUNCTIONS];
static unsigned int nr_functions[NR_REGISTERS];

static void read_text(const char *name)
{
	int fd = open_file(name, 0);
	u64 end = 0;
	s64 bytes;

	while ((bytes = sys(NR_READ, fd, (s64)text + end, sizeof(text) - 1 - end, 0)) > 0)
		end += bytes;
	if (bytes < 0 || end == sizeof(text) - 1)
		fail("cannot be read, or is too large: ", name);
	sys(NR_CLOSE, fd, 0, 0, 0);
}

/* Parse one line.  Return the text after it */
static const char *read_line(const char *at)
{
	unsigned int reg;
	u64 addr = 0;

	for (; *at != ' '; at++) {
		if (*at >= '0' && *at <= '9')
			addr = addr << 4 | (*at - '0');
		else if (*at >= 'a' && *at <= 'f')
			addr = addr << 4 | (*at - 'a' + 10);
		else
			fail("no address: ", at);
	}
	reg = at[1] - '0';
	if (reg >= NR_REGISTERS || at[2] != '\n' || nr_functions[reg] == MAX_FUNCTIONS)
		fail("no register, or too many functions: ", at);
	functions[reg][nr_functions[reg]++] = addr;
	return at + 3;
}

static void attach(unsigned int reg, int prog)
{
	struct link_attr attr = {
		.prog = prog, .attach_type = ATTACH_KPROBE_MULTI,
		.nr = nr_functions[reg], .addrs = (u64)functions[reg],
	};
	s64 fd = bpf(LINK_CREATE, &attr, sizeof(attr));
	char error[24];

	if (fd == -EOPNOTSUPP) {
		print(2, "bench-bpf: this kernel has no kprobe.multi\n");
		leave(2);
	}
	if (fd < 0) {
		append_number(error, -fd);
		fail("a program cannot be attached: errno ", error);
	}
	/* The command is to inherit it */
	if (sys(NR_FCNTL, fd, 2 /* F_SETFD */, 0, 0))
		fail("a link cannot be inherited", "");
}

static void arm(const char *mode, u64 nr_objects)
{
	int objects, ring, progs[NR_REGISTERS];
	unsigned int reg;
	u64 from;

	objects = create_map((struct map_attr){ MAP_HASH, 8, 8, nr_objects });
	ring = create_map((struct map_attr){ MAP_RINGBUF, 0, 0, RING_BYTES });
	fill(objects, nr_objects);
	for (reg = 0; reg < NR_REGISTERS; reg++)
		progs[reg] = load_program(register_offset[reg], objects, ring);
	from = worked();
	for (reg = 0; reg < NR_REGISTERS; reg++)
		if (nr_functions[reg])
			attach(reg, progs[reg]);
	report("arm", mode, worked() - from, 1);
}

void start(long *stack)
{
	char **args = (char **)(stack + 1), **environment = args + *stack + 1;
	const char *at;

	if (*stack < 5)
		fail("wrong arguments: see the comment at the top of the source", "");
	read_text(args[3]);
	for (at = text; *at;)
		at = read_line(at);
	arm(args[1], to_number(args[2]));
	sys(NR_EXECVE, (s64)args[4], (s64)(args + 4), (s64)environment, 0);
	fail("cannot be run: ", args[4]);
}
