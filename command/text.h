/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a command: characters, words and numbers.
 *
 * Each function that parses begins at p->pos.  On success, it advances p->pos and returns 0.  On
 * failure, it stores the error and returns the error's errno.
 */
#ifndef _OBJTRACE_TEXT_H
#define _OBJTRACE_TEXT_H

#include <linux/string.h>
#include <linux/types.h>

#include "command/error.h"
#include "command/spec.h"

/* Size of a buffer for a number: 64 bits in octal, a sign and a NUL fit */
#define OBJTRACE_NUMBER_LEN	32

/**
 * struct objtrace_parser - a command that is being parsed
 * @text: the text
 * @pos: column of the next character
 * @part: column of the current part after the object
 * @given: bits of the options that the command already has, see command/option.c
 * @spec: filled in
 * @error: filled in on failure
 */
struct objtrace_parser {
	const char		*text;
	unsigned int		pos;
	unsigned int		part;
	unsigned long		given;
	struct objtrace_spec	*spec;
	struct objtrace_error	*error;
};

/**
 * struct objtrace_printer - a command that is being printed
 * @buf: receives the text
 * @size: size of @buf in bytes
 * @len: number of characters so far, without the final NUL
 * @hides_address: true if the text must not have an address
 */
struct objtrace_printer {
	char	*buf;
	size_t	size;
	int	len;
	bool	hides_address;
};

static inline int fail_at_column(struct objtrace_parser *p, enum objtrace_error_id id,
				 unsigned int pos)
{
	return objtrace_error_set(p->error, id, pos);
}

static inline int fail_here(struct objtrace_parser *p, enum objtrace_error_id id)
{
	return fail_at_column(p, id, p->pos);
}

static inline const char *text_left(const struct objtrace_parser *p)
{
	return p->text + p->pos;
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Check for a character that may follow the object */
static inline bool ends_object(char c)
{
	return !c || c == ':' || is_blank(c);
}

static inline bool starts_with(const struct objtrace_parser *p, const char *word)
{
	return !strncmp(text_left(p), word, strlen(word));
}

/* Number of columns up to the next separator; a blank is always a separator */
static inline size_t item_len(const struct objtrace_parser *p, const char *separators)
{
	const char *item = text_left(p);
	size_t len = 0;

	while (item[len] && !is_blank(item[len]) && !strchr(separators, item[len]))
		len++;
	return len;
}

static inline bool item_is(const struct objtrace_parser *p, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text_left(p), word, len);
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The kernel's isalnum() accepts letters of Latin-1, too */
static inline bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* Number of columns of a C identifier; 0 if the text is no identifier */
static inline size_t name_len(const struct objtrace_parser *p)
{
	const char *name = text_left(p);
	size_t len = 0;

	if (is_digit(name[0]))
		return 0;
	while (is_name_char(name[len]))
		len++;
	return len;
}

static inline size_t digits_len(const struct objtrace_parser *p)
{
	return strspn(text_left(p), "0123456789");
}

int objtrace_text_number(const char *text, size_t len, unsigned int base, long *value);
__printf(2, 3) void objtrace_text_print(struct objtrace_printer *out, const char *fmt, ...);

#endif /* _OBJTRACE_TEXT_H */
