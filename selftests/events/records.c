// SPDX-License-Identifier: GPL-2.0-only
/*
 * records - print the records of one event of objtrace that perf or a BPF program receives
 *
 *	records perf ID FILTER COMMAND		perf samples with their call chain
 *	records tracepoint ID - COMMAND		a BPF program at the trace event
 *	records raw_tp NAME - COMMAND		a BPF program at the tracepoint itself
 *	records tp_btf NAME - COMMAND		the same, with the types of the module's BTF
 *	records registers N - COMMAND		N debug registers of each CPU, and no records
 *
 * ID is the number in the event's file id.  FILTER is a filter of perf, or "-".  COMMAND is for
 * sh.  After the command, the program prints a line for each record, in hexadecimal:
 *
 *	OBJECT VALUE [ADDRESS ADDRESS ADDRESS]
 *
 * The addresses are the first different ones of the call chain.  The fields object and value must
 * be at OBJECT_AT and VALUE_AT, as the event's file format shows.  A BPF program at the tracepoint
 * reads them from the struct objtrace_sample.  The exit status is that of the command.
 *
 * The program uses no libc, see ../bench/bench.h.
 */
#include "../bench/bench.h"
#include "../bench/bench_bpf.h"
#include "../bench/bench_btf.h"

#if defined(__x86_64__)
enum { NR_MMAP = 9, NR_IOCTL = 16, NR_CLONE = 56, NR_WAIT4 = 61, NR_PERF_EVENT_OPEN = 298 };
#else
enum { NR_IOCTL = 29, NR_CLONE = 220, NR_MMAP = 222, NR_PERF_EVENT_OPEN = 241, NR_WAIT4 = 260 };
#endif

/* Offsets in the records objtrace_value and objtrace_del, and in struct objtrace_sample */
#define OBJECT_AT	24
#define VALUE_AT	32
#define SAMPLE_OBJECT	0
#define SAMPLE_VALUE	24
#define SAMPLE_SIZE	32

#define MAX_CPUS	64
#define MAX_RECORDS	256
#define PAGE		4096
#define DATA_PAGES	64

/* System calls with up to six arguments */
static s64 sys6(s64 nr, s64 a, s64 b, s64 c, s64 d, s64 e, s64 f)
{
#if defined(__x86_64__)
	register s64 r10 asm("r10") = d;
	register s64 r8 asm("r8") = e;
	register s64 r9 asm("r9") = f;
	s64 ret;

	asm volatile("syscall" : "=a" (ret)
		     : "0" (nr), "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9)
		     : "rcx", "r11", "memory");
	return ret;
#else
	register s64 x8 asm("x8") = nr;
	register s64 x0 asm("x0") = a;
	register s64 x1 asm("x1") = b;
	register s64 x2 asm("x2") = c;
	register s64 x3 asm("x3") = d;
	register s64 x4 asm("x4") = e;
	register s64 x5 asm("x5") = f;

	asm volatile("svc #0" : "+r" (x0)
		     : "r" (x8), "r" (x1), "r" (x2), "r" (x3), "r" (x4), "r" (x5) : "memory");
	return x0;
#endif
}

/* gcc calls these functions for large structs */
void *memset(void *to, int byte, unsigned long size);
void *memset(void *to, int byte, unsigned long size)
{
	volatile char *at = to;

	while (size--)
		*at++ = byte;
	return to;
}

/*
 * Output
 */

static char *append_hex(char *end, u64 n)
{
	char digits[24], *first = digits + sizeof(digits) - 1;

	*first = 0;
	do
		*--first = "0123456789abcdef"[n % 16];
	while (n /= 16);
	return append(append(end, " "), first);
}

static void print_words(const u64 *words, unsigned int nr)
{
	char line[256], *end = line;

	*end = 0;
	while (nr--)
		end = append_hex(end, *words++);
	append(end, "\n");
	print(1, line + 1);
}

/*
 * perf
 */

struct perf_attr {
	unsigned int type, size;
	u64 config, period, sample_type, read_format, flags;
	unsigned int wakeup, bp_type;
	u64 config1, config2;
};

enum { TRACEPOINT = 2, BREAKPOINT = 5, BREAKPOINT_W = 2 };
enum { SAMPLE_IP = 1 << 0, SAMPLE_CALLCHAIN = 1 << 5, SAMPLE_RAW = 1 << 10 };
#define PINNED			(1UL << 2)
#define NO_USER_CALLCHAIN	(1UL << 22)
#define SET_FILTER		0x40082406
#define SET_BPF			0x40042408
#define KERNEL_CONTEXT		((u64)-128)

struct cpu {
	int fd;
	char *pages;
};

static struct cpu cpus[MAX_CPUS];
static unsigned int nr_cpus;

static void open_on_each_cpu(const struct perf_attr *attr)
{
	s64 fd;

	for (nr_cpus = 0; nr_cpus < MAX_CPUS; nr_cpus++) {
		fd = sys6(NR_PERF_EVENT_OPEN, (s64)attr, -1, nr_cpus, -1, 0, 0);
		if (fd < 0 && nr_cpus)
			return;
		if (fd < 0)
			fail_with("no perf event: errno ", fd);
		cpus[nr_cpus].fd = fd;
	}
}

static void open_events(u64 id, u64 sample_type)
{
	const struct perf_attr attr = {
		.type = TRACEPOINT, .size = sizeof(attr), .config = id, .period = 1,
		.sample_type = sample_type, .flags = NO_USER_CALLCHAIN,
	};

	open_on_each_cpu(&attr);
}

/* Each event takes a debug register.  Nothing stores to the variable */
static void take_registers(u64 nr)
{
	static u64 variable;
	const struct perf_attr attr = {
		.type = BREAKPOINT, .size = sizeof(attr), .period = 1, .flags = PINNED,
		.bp_type = BREAKPOINT_W, .config1 = (u64)&variable, .config2 = sizeof(variable),
	};

	while (nr--)
		open_on_each_cpu(&attr);
}

static void start_perf(u64 id, const char *filter)
{
	unsigned int i;
	s64 ret;

	open_events(id, SAMPLE_IP | SAMPLE_CALLCHAIN | SAMPLE_RAW);
	for (i = 0; i < nr_cpus; i++) {
		ret = sys6(NR_MMAP, 0, (1 + DATA_PAGES) * PAGE, 3, 1, cpus[i].fd, 0);
		if (ret < 0 && ret > -PAGE)
			fail_with("no buffer: errno ", ret);
		cpus[i].pages = (char *)ret;
		if (is_same(filter, "-"))
			continue;
		ret = sys(NR_IOCTL, cpus[i].fd, SET_FILTER, (s64)filter, 0);
		if (ret)
			fail_with("no filter: errno ", ret);
	}
}

/* A sample has the ip, the call chain, and the record after its size */
static void print_sample(const char *at)
{
	const u64 *words = (const u64 *)at, *chain = words + 2;
	const char *record = (const char *)(chain + words[1]) + sizeof(unsigned int);
	u64 line[5] = { *(const u64 *)(record + OBJECT_AT), *(const u64 *)(record + VALUE_AT) };
	unsigned int i, nr = 2;

	/* x86-64 has the first address twice */
	for (i = 0; i < words[1] && nr < 5; i++)
		if (chain[i] != KERNEL_CONTEXT && chain[i] != line[nr - 1])
			line[nr++] = chain[i];
	print_words(line, nr);
}

static void print_perf(void)
{
	u64 at, end, count, total = 0;
	unsigned int i;

	for (i = 0; i < nr_cpus; i++) {
		end = *(volatile u64 *)(cpus[i].pages + 1024);
		for (at = 0; at < end;) {
			const char *record = cpus[i].pages + PAGE + at;

			if (*(const unsigned int *)record == 9 /* PERF_RECORD_SAMPLE */)
				print_sample(record + 8);
			at += *(const unsigned short *)(record + 6);
		}
		if (sys(NR_READ, cpus[i].fd, (s64)&count, sizeof(count), 0) == sizeof(count))
			total += count;
	}
	print_words(&total, 1);
}

/*
 * BPF
 */

enum { MAP_LOOKUP = 1 };
enum { MAP_ARRAY = 2 };
enum { PROG_TRACEPOINT = 5, PROG_RAW_TRACEPOINT = 17 };
enum { ATTACH_RAW_TP = 23 };

#define STORE32		0x63
#define STORE_IMM32	0x62
#define JUMP_IF_NOT_0	0x55

#define KEY		-8
#define SAMPLE		(KEY - SAMPLE_SIZE)

static int map;

static struct insn *put_end_if_0(struct insn *at, int reg)
{
	at = put(at, JUMP_IF_NOT_0, reg, 0, 2, 0);
	at = put(at, MOVE_IMM, 0, 0, 0, 0);
	return put(at, EXIT, 0, 0, 0, 0);
}

/* Look up the element whose number is at KEY, and end the program if there is none */
static struct insn *put_lookup(struct insn *at)
{
	at = put_map(at, 1, map);
	at = put_stack(at, 2, KEY);
	at = put(at, CALL, 0, 0, 0, LOOKUP);
	return put_end_if_0(at, 0);
}

/*
 * Load the object into register 8 and the value into register 9.  The context is in register 6.
 * With BTF, the first argument has a type, and the program may read its members.  Newer kernels
 * require a check for NULL.
 */
static struct insn *put_load(struct insn *at, unsigned int type)
{
	if (type == PROG_TRACEPOINT) {
		at = put(at, LOAD64, 8, 6, OBJECT_AT, 0);
		return put(at, LOAD64, 9, 6, VALUE_AT, 0);
	}
	if (type == PROG_TRACING) {
		at = put(at, LOAD64, 3, 6, 0, 0);
		at = put_end_if_0(at, 3);
		at = put(at, LOAD64, 8, 3, SAMPLE_OBJECT, 0);
		return put(at, LOAD64, 9, 3, SAMPLE_VALUE, 0);
	}
	at = put_stack(at, 1, SAMPLE);
	at = put(at, MOVE_IMM, 2, 0, 0, SAMPLE_SIZE);
	at = put(at, LOAD64, 3, 6, 0, 0);
	at = put(at, CALL, 0, 0, 0, READ_KERNEL);
	at = put(at, LOAD64, 8, FRAME, SAMPLE + SAMPLE_OBJECT, 0);
	return put(at, LOAD64, 9, FRAME, SAMPLE + SAMPLE_VALUE, 0);
}

/*
 * Element 0 of the map has the number of records.  Each record goes to the next element.
 * Return the number of instructions.
 */
static int make_program(struct insn *insns, unsigned int type)
{
	struct insn *at = insns;

	at = put(at, MOVE, 6, 1, 0, 0);
	at = put_load(at, type);
	at = put(at, STORE_IMM32, FRAME, 0, KEY, 0);
	at = put_lookup(at);
	at = put(at, LOAD64, 7, 0, 0, 0);
	at = put(at, ADD_IMM, 7, 0, 0, 1);
	at = put(at, STORE64, 0, 7, 0, 0);
	at = put(at, STORE32, FRAME, 7, KEY, 0);
	at = put_lookup(at);
	at = put(at, STORE64, 0, 8, 0, 0);
	at = put(at, STORE64, 0, 9, 8, 0);
	at = put(at, MOVE_IMM, 0, 0, 0, 0);
	at = put(at, EXIT, 0, 0, 0, 0);
	return at - insns;
}

static char verifier_log[65536];

/* @typedef_name: typedef of the tracepoint in the module's BTF, for PROG_TRACING */
static int load_program(unsigned int type, const char *typedef_name)
{
	unsigned int map_attr[] = { MAP_ARRAY, 4, 16, MAX_RECORDS + 1 };
	struct insn insns[64];
	struct prog_attr attr = {
		.type = type, .insns = (u64)insns, .license = (u64)"GPL",
		.log_level = 1, .log_size = sizeof(verifier_log), .log = (u64)verifier_log,
		.name = "records",
	};
	s64 fd;

	fd = bpf(MAP_CREATE, map_attr, sizeof(map_attr));
	if (fd < 0)
		fail_with("no map: errno ", fd);
	map = fd;
	attr.nr_insns = make_program(insns, type);
	if (typedef_name) {
		attr.attach_type = ATTACH_RAW_TP;
		attr.attach_id = type_id("objtrace", KIND_TYPEDEF, typedef_name);
		attr.attach_btf = open_btf("objtrace");
	}
	fd = bpf(PROG_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		fail("the kernel takes no BPF program: ", verifier_log);
	return fd;
}

static void start_tracepoint(u64 id)
{
	int prog = load_program(PROG_TRACEPOINT, 0);
	s64 ret;

	/* A program at a trace event runs on all CPUs, whichever the event is opened for */
	open_events(id, 0);
	ret = sys(NR_IOCTL, cpus[0].fd, SET_BPF, prog, 0);
	if (ret)
		fail_with("the program cannot be attached: errno ", ret);
}

static void start_raw(const char *name, int has_btf)
{
	struct tracepoint_attr attr = { .name = has_btf ? 0 : (u64)name };
	char typedef_name[128];
	s64 ret;

	if (length(name) > 64)
		fail("too long: ", name);
	append(append(typedef_name, "btf_trace_"), name);
	attr.prog = has_btf ? load_program(PROG_TRACING, typedef_name) :
			      load_program(PROG_RAW_TRACEPOINT, 0);
	ret = bpf(RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	if (ret < 0)
		fail_with("the program cannot be attached: errno ", ret);
}

static const u64 *look_up(unsigned int key)
{
	static u64 value[2];
	struct { unsigned int map, pad; u64 key, value, flags; } attr = {
		.map = map, .key = (u64)&key, .value = (u64)value,
	};

	if (bpf(MAP_LOOKUP, &attr, sizeof(attr)))
		fail("more records than there is room for", "");
	return value;
}

static void print_bpf(void)
{
	u64 i, nr = look_up(0)[0];

	for (i = 1; i <= nr; i++)
		print_words(look_up(i), 2);
	print_words(&nr, 1);
}

/* Return the exit status of the command */
static int run(char *command, char **environment)
{
	char *args[] = { "sh", "-c", command, 0 };
	int status = 0;
	s64 pid;

	pid = sys6(NR_CLONE, 17 /* SIGCHLD */, 0, 0, 0, 0, 0);
	if (!pid) {
		sys(NR_EXECVE, (s64)"/bin/sh", (s64)args, (s64)environment, 0);
		fail("no shell", "");
	}
	if (pid < 0 || sys(NR_WAIT4, pid, (s64)&status, 0, 0) != pid)
		fail("no child", "");
	return status >> 8 | (status & 127);
}

void start(long *stack)
{
	char **args = (char **)(stack + 1), **environment = args + *stack + 1;
	int status, is_perf, has_records = 1;

	if (*stack != 5)
		fail("the comment at the top of records.c describes the arguments", "");
	is_perf = is_same(args[1], "perf");
	if (is_perf)
		start_perf(to_number(args[2]), args[3]);
	else if (is_same(args[1], "tracepoint"))
		start_tracepoint(to_number(args[2]));
	else if (is_same(args[1], "raw_tp") || is_same(args[1], "tp_btf"))
		start_raw(args[2], is_same(args[1], "tp_btf"));
	else if (is_same(args[1], "registers"))
		has_records = 0;
	else
		fail("unknown mode ", args[1]);
	if (!has_records)
		take_registers(to_number(args[2]));
	status = run(args[4], environment);
	if (is_perf)
		print_perf();
	else if (has_records)
		print_bpf();
	leave(status);
}
