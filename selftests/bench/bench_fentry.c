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
#include "bench_btf.h"

#define ENOTSUPP	524	/* the errno of a kernel without direct calls */

#define PAUSE_NS	50000000

/*
 * The part of linux/bpf.h that only this program needs
 */

enum { ATTACH_FENTRY = 24 };

/*
 * The program
 */

static char verifier_log[65536];

static int load_program(int btf, unsigned int id)
{
	struct insn insns[] = {
		{ .op = MOVE_IMM },	/* the first register = 0 */
		{ .op = EXIT },
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
	program = load_program(open_btf(args[1]), type_id(args[1], KIND_FUNC, args[2]));
	end = append_number(line, come_and_go(program, args[3]));
	append(end, "\n");
	print(1, line);
	leave(0);
}
