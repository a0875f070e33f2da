// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench - measure the time of system calls, and of writes to files
 *
 *	bench run MODE ITERATIONS ROUNDS WORKLOAD[=FILE]...
 *	bench write WHAT MODE FILE TEXT [TIMES [PER]]
 *	bench work WHAT MODE FILE TEXT
 *	bench disarm MODE FILE TEXT BUSY-FILE
 *
 * run: run each workload ITERATIONS times in each of ROUNDS rounds, and print the best round.
 * write: write TEXT to FILE, TIMES times, and print the best time divided by PER.
 * work: write TEXT to FILE, and print the CPU time. A second line, "WHAT-time", has the elapsed
 *	 time.
 * disarm: write TEXT to FILE, and wait until BUSY-FILE is empty.
 *
 * Prints lines "WHAT MODE VALUE". WHAT is the name of the workload, or "disarm". VALUE is in
 * nanoseconds of the machine's counter, see bench.h, and nothing is subtracted.
 */
#include "bench.h"

#define O_WRONLY	1
#define DONTNEED	4	/* POSIX_FADV_DONTNEED */
#define RANDOM		1	/* POSIX_FADV_RANDOM */

#define BLOCK		4096	/* bytes that a read reads */
#define PAUSE_NS	100000000
#define POLL_NS		1000000
#define MAX_POLLS	60000

/*
 * Workloads
 */

static char buffer[BLOCK];
static const char *path;
static int file, ends[2];

static void check(s64 result, s64 expected)
{
	if (result != expected)
		fail("a system call of a workload failed", "");
}

static void do_getppid(void)
{
	sys(NR_GETPPID, 0, 0, 0, 0);
}

static void do_stat(void)
{
	check(sys(NR_FSTATAT, AT_FDCWD, (s64)path, (s64)buffer, 0), 0);
}

static void do_pread(void)
{
	check(sys(NR_PREAD, file, (s64)buffer, BLOCK, 0), BLOCK);
}

static void do_pipe(void)
{
	check(sys(NR_WRITE, ends[1], (s64)buffer, 1, 0), 1);
	check(sys(NR_READ, ends[0], (s64)buffer, 1, 0), 1);
}

/* Read the block device, after the page cache has dropped the block */
static void do_read(void)
{
	check(sys(NR_FADVISE, file, 0, BLOCK, DONTNEED), 0);
	check(sys(NR_PREAD, file, (s64)buffer, BLOCK, 0), BLOCK);
}

static const struct workload {
	const char *name;
	int needs_file;
	void (*once)(void);
} workloads[] = {
	{ "getppid",	0, do_getppid },
	{ "stat",	1, do_stat },
	{ "pread",	1, do_pread },
	{ "pipe",	0, do_pipe },
	{ "read",	1, do_read },
	{},
};

/* Remove the file's name from the argument */
static const struct workload *prepare(char *arg)
{
	const struct workload *w;
	char *end = arg;

	while (*end && *end != '=')
		end++;
	path = *end ? end + 1 : 0;
	*end = 0;
	for (w = workloads; w->name && !is_same(arg, w->name); w++)
		;
	if (!w->name)
		fail("no such workload: ", arg);
	if (w->needs_file != !!path)
		fail("wrong use of =FILE in the workload: ", arg);
	if (path) {
		file = open_file(path, 0);
		/* No read-ahead */
		sys(NR_FADVISE, file, 0, 0, RANDOM);
	}
	return w;
}

/* Let the kernel finish its delayed work, so that it is not measured */
static void pause_ns(u64 ns)
{
	s64 time[2] = { 0, ns };

	sys(NR_NANOSLEEP, (s64)time, 0, 0, 0);
}

static u64 best_round(const struct workload *w, u64 iterations, u64 rounds)
{
	u64 best = ~0UL, from, time, i;

	while (rounds--) {
		pause_ns(PAUSE_NS);
		from = now();
		for (i = 0; i < iterations; i++)
			w->once();
		time = now() - from;
		if (time < best)
			best = time;
	}
	return best;
}

static void run(const char *mode, u64 iterations, u64 rounds, char **args)
{
	const struct workload *w;

	if (!iterations || !rounds || !*args)
		fail("nothing to do", "");
	if (sys(NR_PIPE, (s64)ends, 0, 0, 0))
		fail("no pipe", "");
	for (; *args; args++) {
		w = prepare(*args);
		report(w->name, mode, best_round(w, iterations, rounds), iterations);
		if (path)
			sys(NR_CLOSE, file, 0, 0, 0);
	}
}

/*
 * Files
 */

/* Return the time of the write, without the time of open() */
static u64 write_file(const char *name, const char *text)
{
	u64 from, time, bytes = length(text);
	int fd = open_file(name, O_WRONLY);
	s64 written;

	from = now();
	written = sys(NR_WRITE, fd, (s64)text, bytes, 0);
	time = now() - from;
	sys(NR_CLOSE, fd, 0, 0, 0);
	if (written != bytes)
		fail("cannot write: ", text);
	return time;
}

static u64 best_write(const char *name, const char *text, u64 times)
{
	u64 best = ~0UL, time;

	while (times--) {
		pause_ns(PAUSE_NS);
		time = write_file(name, text);
		if (time < best)
			best = time;
	}
	return best;
}

static void work(const char *what, const char *mode, const char *name, const char *text)
{
	u64 before = worked(), passed = write_file(name, text);
	char what_time[64];

	report(what, mode, worked() - before, 1);
	if (length(what) > 32)
		fail("too long: ", what);
	append(append(what_time, what), "-time");
	report(what_time, mode, passed, 1);
}

static int is_empty(const char *name)
{
	int fd = open_file(name, 0);
	s64 bytes = sys(NR_READ, fd, (s64)buffer, 1, 0);

	sys(NR_CLOSE, fd, 0, 0, 0);
	if (bytes < 0)
		fail("cannot read ", name);
	return !bytes;
}

static void disarm(const char *mode, const char *name, const char *text,
		   const char *busy)
{
	u64 from = now(), polls = 0;

	write_file(name, text);
	while (!is_empty(busy)) {
		if (polls++ == MAX_POLLS)
			fail("does not become empty: ", busy);
		pause_ns(POLL_NS);
	}
	report("disarm", mode, now() - from, 1);
}

void start(long *stack)
{
	char **args = (char **)(stack + 1);
	long nr = *stack;

	if (nr >= 6 && is_same(args[1], "run"))
		run(args[2], to_number(args[3]), to_number(args[4]), args + 5);
	else if (nr >= 6 && nr <= 8 && is_same(args[1], "write"))
		report(args[2], args[3],
		       best_write(args[4], args[5], nr > 6 ? to_number(args[6]) : 1),
		       nr > 7 ? to_number(args[7]) : 1);
	else if (nr == 6 && is_same(args[1], "work"))
		work(args[2], args[3], args[4], args[5]);
	else if (nr == 6 && is_same(args[1], "disarm"))
		disarm(args[2], args[3], args[4], args[5]);
	else
		fail("wrong arguments: see the comment at the top of the source", "");
	leave(0);
}
