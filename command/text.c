// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of a command, see command/text.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "command/text.h"

/**
 * objtrace_text_number() - convert a part of a text to a number
 * @text: first character of the number, in a text without a newline
 * @len: number of characters
 * @base: base of the number; 0 for a base that the text names, as in 0x28
 * @value: receives the number on success
 *
 * kstrtol() ignores a newline at the end.  objtrace_parse() refuses each newline before.
 *
 * Context: Any, NMI included.
 * Return: 0; -ERANGE; -EINVAL if the text is no number
 */
int objtrace_text_number(const char *text, size_t len, unsigned int base, long *value)
{
	char item[OBJTRACE_NUMBER_LEN];

	if (len >= sizeof(item))
		return is_digit(text[text[0] == '-' || text[0] == '+']) ? -ERANGE : -EINVAL;
	memcpy(item, text, len);
	item[len] = '\0';
	return kstrtol(item, base, value);
}

/**
 * objtrace_text_print() - append text
 * @out: the printer; text that does not fit is cut off
 * @fmt: format, as for printf()
 *
 * Context: Any, NMI included.
 */
void objtrace_text_print(struct objtrace_printer *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	out->len += vscnprintf(out->buf + out->len, out->size - out->len, fmt, args);
	va_end(args);
}
