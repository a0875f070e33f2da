/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts that are built piece by piece.
 */
#ifndef _FUZZ_TEXT_H
#define _FUZZ_TEXT_H

#include <stdarg.h>
#include <stdio.h>

/* struct text - a text with a limit */
struct text {
	char *buf;	/* ends with a NUL, which @len does not count */
	size_t len;	/* in bytes */
	size_t size;	/* of @buf, in bytes */
};

/**
 * text_start() - begin a text in a buffer
 * @buf: the buffer
 * @size: its size in bytes, at least 1
 *
 * Return: the text, which is empty.
 */
static inline struct text text_start(char *buf, size_t size)
{
	buf[0] = '\0';
	return (struct text){ .buf = buf, .size = size };
}

/**
 * text_add() - append to a text, and leave out the part without room
 * @t: the text
 * @fmt: as for printf()
 */
static inline __attribute__((format(printf, 2, 3)))
void text_add(struct text *t, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(t->buf + t->len, t->size - t->len, fmt, args);
	va_end(args);
	if (len > 0)
		t->len += len;
	if (t->len >= t->size)
		t->len = t->size - 1;
}

#endif /* _FUZZ_TEXT_H */
