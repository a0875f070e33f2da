/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that bench and bench-bpf share. The programs use no libc: the host has no libc for the other
 * architecture, and only the code here is measured.
 *
 * With QEMU's -icount shift=0, the clock advances by one nanosecond for each instruction of the
 * guest. So a nanosecond is an instruction. While the guest is idle, the clock jumps to the next
 * timer.
 */
#ifndef _BENCH_H
#define _BENCH_H

typedef unsigned long u64;
typedef long s64;

/*
 * System calls
 */

#if defined(__x86_64__)

enum {
	NR_READ = 0, NR_WRITE = 1, NR_CLOSE = 3, NR_PREAD = 17, NR_NANOSLEEP = 35,
	NR_EXECVE = 59, NR_FCNTL = 72, NR_GETPPID = 110, NR_FADVISE = 221,
	NR_CLOCK_GETTIME = 228, NR_EXIT = 231, NR_OPENAT = 257, NR_FSTATAT = 262,
	NR_PIPE = 293, NR_BPF = 321,
};

static inline s64 sys(s64 nr, s64 a, s64 b, s64 c, s64 d)
{
	register s64 r10 asm("r10") = d;
	s64 ret;

	asm volatile("syscall" : "=a" (ret)
		     : "0" (nr), "D" (a), "S" (b), "d" (c), "r" (r10)
		     : "rcx", "r11", "memory");
	return ret;
}

/* In QEMU with -icount, a tick is a nanosecond */
static inline u64 now(void)
{
	unsigned int low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return low | (u64)high << 32;
}

asm(".globl _start\n\t"
	"_start:\n"
	"\txorl %ebp, %ebp\n"
	"\tmovq %rsp, %rdi\n"
	"\tandq $-16, %rsp\n"
	"\tcall start\n");

#elif defined(__aarch64__)

enum {
	NR_FCNTL = 25, NR_OPENAT = 56, NR_CLOSE = 57, NR_PIPE = 59, NR_READ = 63,
	NR_WRITE = 64, NR_PREAD = 67, NR_FSTATAT = 79, NR_EXIT = 94, NR_NANOSLEEP = 101,
	NR_CLOCK_GETTIME = 113, NR_GETPPID = 173, NR_EXECVE = 221, NR_FADVISE = 223,
	NR_BPF = 280,
};

static inline s64 sys(s64 nr, s64 a, s64 b, s64 c, s64 d)
{
	register s64 x8 asm("x8") = nr;
	register s64 x0 asm("x0") = a;
	register s64 x1 asm("x1") = b;
	register s64 x2 asm("x2") = c;
	register s64 x3 asm("x3") = d;

	asm volatile("svc #0" : "+r" (x0) : "r" (x8), "r" (x1), "r" (x2), "r" (x3)
		     : "memory");
	return x0;
}

/* The counter's frequency is known: 1 GHz in QEMU 10, or a fraction of it */
static inline u64 now(void)
{
	u64 ticks, frequency;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (ticks) : : "memory");
	asm volatile("mrs %0, cntfrq_el0" : "=r" (frequency));
	return ticks * (1000000000 / frequency);
}

asm(".globl _start\n\t"
	"_start:\n"
	"\tmov x29, #0\n"
	"\tmov x30, #0\n"
	"\tmov x0, sp\n"
	"\tbl start\n");

#else
#error "this architecture has no table of system calls"
#endif

#define AT_FDCWD	-100

/*
 * Text
 */

static inline u64 length(const char *text)
{
	u64 n = 0;

	while (text[n])
		n++;
	return n;
}

static inline int is_same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static inline void print(int fd, const char *text)
{
	sys(NR_WRITE, fd, (s64)text, length(text), 0);
}

static inline _Noreturn void leave(int status)
{
	for (;;)
		sys(NR_EXIT, status, 0, 0, 0);
}

static inline _Noreturn void fail(const char *what, const char *which)
{
	print(2, "bench: ");
	print(2, what);
	print(2, which);
	print(2, "\n");
	leave(1);
}

static inline u64 to_number(const char *text)
{
	u64 n = 0;

	if (!*text)
		fail("a number is missing", "");
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			fail("no number: ", text);
		n = n * 10 + *text - '0';
	}
	return n;
}

static inline char *append(char *end, const char *text)
{
	while (*text)
		*end++ = *text++;
	*end = 0;
	return end;
}

static inline char *append_number(char *end, u64 n)
{
	char digits[24], *first = digits + sizeof(digits) - 1;

	*first = 0;
	do
		*--first = '0' + n % 10;
	while (n /= 10);
	return append(end, first);
}

/* Print a line with two decimals, in one write, so that lines are not mixed */
static inline void report(const char *what, const char *mode, u64 ns, u64 per)
{
	u64 hundredths = ns * 100 / per;
	char line[256], *end = line;

	if (length(what) + length(mode) > 200)
		fail("too long: ", mode);
	end = append(end, what);
	end = append(end, " ");
	end = append(end, mode);
	end = append(end, " ");
	end = append_number(end, hundredths / 100);
	end = append(end, hundredths % 100 < 10 ? ".0" : ".");
	end = append_number(end, hundredths % 100);
	append(end, "\n");
	print(1, line);
}

static inline int open_file(const char *name, int flags)
{
	int fd = sys(NR_OPENAT, AT_FDCWD, (s64)name, flags, 0);

	if (fd < 0)
		fail("cannot open ", name);
	return fd;
}

/* The CPU time of this thread in nanoseconds, without waiting */
static inline u64 worked(void)
{
	s64 time[2];

	if (sys(NR_CLOCK_GETTIME, 3 /* CLOCK_THREAD_CPUTIME_ID */, (s64)time, 0, 0))
		fail("no clock", "");
	return time[0] * 1000000000 + time[1];
}

/* The program's arguments on the stack, from the kernel */
void start(long *stack);

#endif /* _BENCH_H */
