// SPDX-License-Identifier: GPL-2.0-only
/*
 * compat - write a text to files, as a 32-bit program of an x86-64 kernel
 *
 *	compat TEXT FILE...
 *
 * The program uses no libc: the host has none for 32 bits.  The exit status is 0, or the errno of
 * the first failure.
 */
enum { NR_EXIT = 1, NR_WRITE = 4, NR_OPEN = 5, NR_CLOSE = 6, WRONLY_APPEND = 02001 };

static int sys(int nr, long a, long b, long c)
{
	int ret;

	asm volatile("int $0x80" : "=a" (ret) : "0" (nr), "b" (a), "c" (b), "d" (c) : "memory");
	return ret;
}

static int length(const char *text)
{
	int len = 0;

	while (text[len])
		len++;
	return len;
}

static int write_text(const char *path, const char *text)
{
	int fd = sys(NR_OPEN, (long)path, WRONLY_APPEND, 0), ret;

	if (fd < 0)
		return fd;
	ret = sys(NR_WRITE, fd, (long)text, length(text));
	sys(NR_CLOSE, fd, 0, 0);
	return ret < 0 ? ret : 0;
}

asm(".globl _start\n\t"
	"_start:\n"
	"\txorl %ebp, %ebp\n"
	"\tmovl %esp, %eax\n"
	"\tandl $-16, %esp\n"
	"\tcall start\n");

void __attribute__((regparm(1), noreturn)) start(long *stack);
void __attribute__((regparm(1), noreturn)) start(long *stack)
{
	char **args = (char **)(stack + 1);
	int i, ret = 0;

	for (i = 2; !ret && i < *stack; i++)
		ret = write_text(args[i], args[1]);
	for (;;)
		sys(NR_EXIT, -ret, 0, 0);
}
