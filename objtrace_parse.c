// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command language, see objtrace_parse.h.
 *
 * Each parse_*() takes the text at *pos, moves *pos behind what it understood
 * and returns 0, or fills the error in and returns its errno.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "objtrace_parse.h"

/* Longest OFFSET, TYPE or COUNT worth converting: 64 bits in octal and a sign */
#define ITEM_LEN	32

static const struct {
	const char	*name;
	unsigned int	size;		/* bytes */
} types[] = {
	[OBJTRACE_TYPE_DEFAULT]	= { NULL,	sizeof(void *) },
	[OBJTRACE_TYPE_U8]	= { "u8",	1 },
	[OBJTRACE_TYPE_U16]	= { "u16",	2 },
	[OBJTRACE_TYPE_U32]	= { "u32",	4 },
	[OBJTRACE_TYPE_U64]	= { "u64",	8 },
	[OBJTRACE_TYPE_X8]	= { "x8",	1 },
	[OBJTRACE_TYPE_X16]	= { "x16",	2 },
	[OBJTRACE_TYPE_X32]	= { "x32",	4 },
	[OBJTRACE_TYPE_X64]	= { "x64",	8 },
};

#define OBJTRACE_ERROR(id, err, text)	\
	[OBJTRACE_ERR_##id] = { err, text },
static const struct {
	int		err;
	const char	*text;
} errors[] = {
#include "objtrace_errors.h"
};
#undef OBJTRACE_ERROR

/**
 * objtrace_type_size() - how many bytes a value of this type has
 * @type: the type
 *
 * Context: any.
 * Return: bytes, 1 to 8
 */
unsigned int objtrace_type_size(enum objtrace_type type)
{
	return types[type].size;
}

/**
 * objtrace_error_errno() - what write() returns for an error
 * @id: the error
 *
 * Context: any.
 * Return: negative errno
 */
int objtrace_error_errno(enum objtrace_error_id id)
{
	return -errors[id].err;
}

/**
 * objtrace_error_text() - the sentence that explains an error
 * @id: the error
 *
 * Context: any.
 * Return: the sentence, in memory of this module
 */
const char *objtrace_error_text(enum objtrace_error_id id)
{
	return errors[id].text;
}

/**
 * objtrace_error_set() - note what is wrong, and where
 * @error: where to note it
 * @id: what is wrong
 * @pos: column in the text that was parsed
 *
 * Context: any.
 * Return: the negative errno that belongs to it
 */
int objtrace_error_set(struct objtrace_error *error, enum objtrace_error_id id,
		       unsigned int pos)
{
	error->id = id;
	error->pos = pos;
	return objtrace_error_errno(id);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Columns from @pos to the next separator; a blank always separates */
static size_t item_len(const char *text, unsigned int pos, const char *separators)
{
	size_t len = 0;

	while (text[pos + len] && !is_blank(text[pos + len]) &&
	       !strchr(separators, text[pos + len]))
		len++;
	return len;
}

/* Items longer than ITEM_LEN are cut: no valid one is that long */
static size_t item_copy(const char *text, unsigned int pos, char *item)
{
	size_t len = item_len(text, pos, ":");
	size_t copied = min_t(size_t, len, ITEM_LEN - 1);

	memcpy(item, text + pos, copied);
	item[copied] = '\0';
	return len;
}

static int parse_verb(const char *text, unsigned int *pos,
		      struct objtrace_error *error)
{
	size_t len = item_len(text, *pos, ":");

	if (!len)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_VERB, *pos);
	if (len != strlen("add") || memcmp(text + *pos, "add", len))
		return objtrace_error_set(error, OBJTRACE_ERR_UNKNOWN_VERB, *pos);
	*pos += len;
	return 0;
}

static int parse_field(const char *text, unsigned int *pos,
		       struct objtrace_spec *spec, struct objtrace_error *error)
{
	size_t len;

	if (text[*pos] == ':')
		(*pos)++;
	len = item_len(text, *pos, ",:");
	if (!len)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_FIELD, *pos);
	if (len >= sizeof(spec->field))
		return objtrace_error_set(error, OBJTRACE_ERR_FIELD_TOO_LONG, *pos);

	memcpy(spec->field, text + *pos, len);
	spec->field_pos = *pos;
	*pos += len;
	return 0;
}

static int parse_offset(const char *text, unsigned int *pos,
			struct objtrace_spec *spec, struct objtrace_error *error)
{
	char item[ITEM_LEN];
	size_t len;
	int ret;

	if (text[*pos] != ',')
		return 0;
	(*pos)++;
	len = item_copy(text, *pos, item);
	ret = kstrtoint(item, 0, &spec->offset);
	if (ret == -ERANGE)
		return objtrace_error_set(error, OBJTRACE_ERR_OFFSET_RANGE, *pos);
	if (ret || len >= ITEM_LEN)
		return objtrace_error_set(error, OBJTRACE_ERR_BAD_OFFSET, *pos);
	*pos += len;
	return 0;
}

static bool starts_number(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+';
}

static int parse_type(const char *text, unsigned int *pos,
		      struct objtrace_spec *spec, struct objtrace_error *error)
{
	char item[ITEM_LEN];
	unsigned int i;
	size_t len;

	if (text[*pos] != ':' || starts_number(text[*pos + 1]))
		return 0;
	len = item_copy(text, *pos + 1, item);
	for (i = OBJTRACE_TYPE_DEFAULT + 1; i < ARRAY_SIZE(types); i++) {
		if (strcmp(item, types[i].name))
			continue;
		spec->type = i;
		*pos += 1 + len;
		return 0;
	}
	return objtrace_error_set(error, OBJTRACE_ERR_UNKNOWN_TYPE, *pos + 1);
}

static int parse_count(const char *text, unsigned int *pos,
		       struct objtrace_spec *spec, struct objtrace_error *error)
{
	char item[ITEM_LEN];
	size_t len;
	int ret;

	if (text[*pos] != ':')
		return 0;
	(*pos)++;
	len = item_copy(text, *pos, item);
	ret = kstrtoul(item, 0, &spec->count);
	if (ret == -ERANGE || (!ret && spec->count > LONG_MAX))
		return objtrace_error_set(error, OBJTRACE_ERR_COUNT_RANGE, *pos);
	if (ret || len >= ITEM_LEN)
		return objtrace_error_set(error, OBJTRACE_ERR_BAD_COUNT, *pos);
	if (!spec->count)
		return objtrace_error_set(error, OBJTRACE_ERR_ZERO_COUNT, *pos);
	*pos += len;
	if (text[*pos] == ':')
		return objtrace_error_set(error, OBJTRACE_ERR_TRAILING_TEXT, *pos + 1);
	return 0;
}

static int parse_filter(const char *text, unsigned int *pos,
			struct objtrace_spec *spec, struct objtrace_error *error)
{
	unsigned int start;

	while (is_blank(text[*pos]))
		(*pos)++;
	if (!text[*pos])
		return 0;

	start = *pos;
	if (item_len(text, start, "") != strlen("if") ||
	    memcmp(text + start, "if", strlen("if")))
		return objtrace_error_set(error, OBJTRACE_ERR_NO_IF, start);
	*pos += strlen("if");
	while (is_blank(text[*pos]))
		(*pos)++;
	if (!text[*pos])
		return objtrace_error_set(error, OBJTRACE_ERR_EMPTY_FILTER, *pos);
	spec->filter = text + *pos;
	return 0;
}

/**
 * objtrace_parse() - understand a command
 * @text: what follows "objtrace:", without blanks at its ends
 * @spec: filled in on success; its filter points into @text
 * @error: filled in on failure
 *
 * Whether the event has the field and whether the filter makes sense for it is
 * for the caller to find out.
 *
 * Context: any.
 * Return: 0, or the negative errno that belongs to @error
 */
int objtrace_parse(const char *text, struct objtrace_spec *spec,
		   struct objtrace_error *error)
{
	unsigned int pos = 0;
	int ret;

	memset(spec, 0, sizeof(*spec));
	ret = parse_verb(text, &pos, error);
	if (!ret)
		ret = parse_field(text, &pos, spec, error);
	if (!ret)
		ret = parse_offset(text, &pos, spec, error);
	if (!ret)
		ret = parse_type(text, &pos, spec, error);
	if (!ret)
		ret = parse_count(text, &pos, spec, error);
	if (!ret)
		ret = parse_filter(text, &pos, spec, error);
	return ret;
}

/**
 * objtrace_spec_print() - write a command as text that can be parsed again
 * @spec: the command
 * @buf: where to
 * @size: bytes in @buf; OBJTRACE_SPEC_LEN are always enough
 *
 * What was not written is not printed, offsets are printed in hexadecimal, and
 * the filter is left to the caller, who has the kernel's own copy of it.
 *
 * Context: any.
 * Return: number of characters, the final NUL not counted
 */
int objtrace_spec_print(const struct objtrace_spec *spec, char *buf, size_t size)
{
	/* The offset's magnitude, also where -offset would overflow */
	unsigned int magnitude = spec->offset < 0 ? -(unsigned int)spec->offset :
						    spec->offset;
	int len;

	len = scnprintf(buf, size, "add:%s", spec->field);
	if (spec->offset)
		len += scnprintf(buf + len, size - len, ",%s0x%x",
				 spec->offset < 0 ? "-" : "", magnitude);
	if (spec->type != OBJTRACE_TYPE_DEFAULT)
		len += scnprintf(buf + len, size - len, ":%s", types[spec->type].name);
	if (spec->count)
		len += scnprintf(buf + len, size - len, ":%lu", spec->count);
	return len;
}
