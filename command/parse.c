// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command language, see command/parse.h.
 *
 * Each parse_*() parses the text at p->pos.  On success, it advances p->pos and returns 0.  On
 * failure, it stores the error and returns the error's errno.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "command/parse.h"
#include "kernel/event.h"
#include "objtrace_fetch.h"

/* Size of a buffer for a number: 64 bits in octal, a sign and a NUL fit */
#define NUMBER_LEN	32

/* Parts that may follow after the next ':' */
enum stage {
	AFTER_OBJECT,
	AFTER_TYPE,
	AFTER_COUNT,
};

struct parser {
	const char		*text;
	unsigned int		pos;
	enum stage		stage;
	struct objtrace_spec	*spec;
	struct objtrace_error	*error;
};

static const struct {
	const char	*name;
	unsigned int	size;		/* bytes */
} types[] = {
	[OBJTRACE_TYPE_DEFAULT]	= { "",		sizeof(void *) },
	[OBJTRACE_TYPE_U8]	= { "u8",	1 },
	[OBJTRACE_TYPE_U16]	= { "u16",	2 },
	[OBJTRACE_TYPE_U32]	= { "u32",	4 },
	[OBJTRACE_TYPE_U64]	= { "u64",	8 },
	[OBJTRACE_TYPE_S8]	= { "s8",	1 },
	[OBJTRACE_TYPE_S16]	= { "s16",	2 },
	[OBJTRACE_TYPE_S32]	= { "s32",	4 },
	[OBJTRACE_TYPE_S64]	= { "s64",	8 },
	[OBJTRACE_TYPE_X8]	= { "x8",	1 },
	[OBJTRACE_TYPE_X16]	= { "x16",	2 },
	[OBJTRACE_TYPE_X32]	= { "x32",	4 },
	[OBJTRACE_TYPE_X64]	= { "x64",	8 },
	[OBJTRACE_TYPE_CHAR]	= { "char",	1 },
	[OBJTRACE_TYPE_SYMBOL]	= { "symbol",	sizeof(void *) },
};

static const char * const verbs[] = {
	[OBJTRACE_ADD]		= "add",
	[OBJTRACE_DEL]		= "del",
	[OBJTRACE_CLEAR]	= "clear",
};

#define OBJTRACE_ERROR(id, err, text, help)	\
	[OBJTRACE_ERR_##id] = { err, text },
static const struct {
	int		err;
	const char	*text;
} errors[] = {
#include "objtrace_errors.h"
};
#undef OBJTRACE_ERROR

/**
 * objtrace_type_size() - look up the size of a type
 * @type: the type
 *
 * Context: Any, NMI included.
 * Return: size in bytes, 1 to 8
 */
unsigned int objtrace_type_size(enum objtrace_type type)
{
	return types[type].size;
}

/**
 * objtrace_error_errno() - look up the errno that write() returns for an error
 * @id: the error
 *
 * Context: Any, NMI included.
 * Return: the negative errno
 */
int objtrace_error_errno(enum objtrace_error_id id)
{
	return -errors[id].err;
}

/**
 * objtrace_error_text() - look up the sentence that explains an error
 * @id: the error
 *
 * Context: Any, NMI included.
 * Return: the sentence, in memory of this module
 */
const char *objtrace_error_text(enum objtrace_error_id id)
{
	return errors[id].text;
}

/**
 * objtrace_error_set_in() - store the error of a member, with its struct
 * @error: receives the error
 * @id: the error
 * @pos: column in the parsed text
 * @in: struct that lacks the member, as "struct bio"; the text is copied
 *
 * Context: Any, NMI included.
 * Return: the negative errno of the error
 */
int objtrace_error_set_in(struct objtrace_error *error, enum objtrace_error_id id,
			  unsigned int pos, const char *in)
{
	error->id = id;
	error->pos = pos;
	scnprintf(error->in, sizeof(error->in), "%s", in);
	return objtrace_error_errno(id);
}

/**
 * objtrace_error_set() - store an error
 * @error: receives the error
 * @id: the error
 * @pos: column in the parsed text
 *
 * Context: Any, NMI included.
 * Return: the negative errno of the error
 */
int objtrace_error_set(struct objtrace_error *error, enum objtrace_error_id id,
		       unsigned int pos)
{
	return objtrace_error_set_in(error, id, pos, "");
}

/*
 * Characters, words and numbers
 */

static int fail_at_column(struct parser *p, enum objtrace_error_id id, unsigned int pos)
{
	return objtrace_error_set(p->error, id, pos);
}

static int fail_here(struct parser *p, enum objtrace_error_id id)
{
	return fail_at_column(p, id, p->pos);
}

static const char *text_left(const struct parser *p)
{
	return p->text + p->pos;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Check for a character that may follow the object */
static bool ends_object(char c)
{
	return !c || c == ':' || is_blank(c);
}

static bool starts_with(const struct parser *p, const char *word)
{
	return !strncmp(text_left(p), word, strlen(word));
}

/* Number of columns up to the next separator; a blank is always a separator */
static size_t item_len(const struct parser *p, const char *separators)
{
	const char *item = text_left(p);
	size_t len = 0;

	while (item[len] && !is_blank(item[len]) && !strchr(separators, item[len]))
		len++;
	return len;
}

static bool item_is(const struct parser *p, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text_left(p), word, len);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The kernel's isalnum() accepts letters of Latin-1, too */
static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* Number of columns of a C identifier; 0 if the text is no identifier */
static size_t name_len(const struct parser *p)
{
	const char *name = text_left(p);
	size_t len = 0;

	if (is_digit(name[0]))
		return 0;
	while (is_name_char(name[len]))
		len++;
	return len;
}

static size_t digits_len(const struct parser *p)
{
	return strspn(text_left(p), "0123456789");
}

/* kstrtol() for a part of a text, and without a newline at the end */
static int to_number(const char *text, size_t len, unsigned int base, long *value)
{
	char item[NUMBER_LEN];

	if (memchr(text, '\n', len))
		return -EINVAL;
	if (len >= sizeof(item))
		return is_digit(text[text[0] == '-' || text[0] == '+']) ? -ERANGE : -EINVAL;
	memcpy(item, text, len);
	item[len] = '\0';
	return kstrtol(item, base, value);
}

/*
 * The object
 */

static int parse_offset(struct parser *p, const char *separators, int *offset)
{
	size_t len = item_len(p, separators);
	long value;
	int ret;

	ret = to_number(text_left(p), len, 0, &value);
	if (ret == -ERANGE || (!ret && value != (int)value))
		return fail_here(p, OBJTRACE_ERR_OFFSET_RANGE);
	if (ret)
		return fail_here(p, OBJTRACE_ERR_BAD_OFFSET);
	*offset = value;
	p->pos += len;
	return 0;
}

static int parse_field(struct parser *p)
{
	struct objtrace_spec *spec = p->spec;
	size_t len = name_len(p);

	if (!len && (ends_object(*text_left(p)) || strchr(",)-.[", *text_left(p))))
		return fail_here(p, OBJTRACE_ERR_NO_FIELD);
	if (!len && is_digit(*text_left(p)) && text_left(p)[item_len(p, "(:")] == '(')
		return fail_here(p, OBJTRACE_ERR_NO_SIGN);
	if (!len)
		return fail_here(p, OBJTRACE_ERR_BAD_FIELD);
	if (len >= sizeof(spec->field))
		return fail_here(p, OBJTRACE_ERR_FIELD_TOO_LONG);

	memcpy(spec->field, text_left(p), len);
	spec->field_pos = p->pos;
	p->pos += len;
	return 0;
}

/* FIELD and FIELD,OFFSET */
static int parse_comma(struct parser *p)
{
	int ret = parse_field(p);

	if (ret)
		return ret;
	p->spec->form = OBJTRACE_COMMA;
	p->spec->nr_offsets = 1;
	if (*text_left(p) == ',') {
		p->pos++;
		return parse_offset(p, ":", &p->spec->offset[0]);
	}
	if (starts_with(p, "->") || *text_left(p) == '.' || *text_left(p) == '[')
		return fail_here(p, OBJTRACE_ERR_STRUCT_NEEDED);
	if (*text_left(p) != ')' && !ends_object(*text_left(p)))
		return fail_here(p, OBJTRACE_ERR_BAD_FIELD);
	return 0;
}

/* Parse one +OFFSET(.  The first offset in the text is applied last. */
static int parse_level(struct parser *p)
{
	struct objtrace_spec *spec = p->spec;
	int ret;

	if (spec->nr_offsets == OBJTRACE_MAX_DEREFS)
		return fail_here(p, OBJTRACE_ERR_TOO_DEEP);
	memmove(&spec->offset[1], &spec->offset[0],
		spec->nr_offsets * sizeof(spec->offset[0]));
	spec->nr_offsets++;
	ret = parse_offset(p, ":,()", &spec->offset[0]);
	if (ret)
		return ret;
	if (*text_left(p) != '(')
		return fail_here(p, OBJTRACE_ERR_NO_PARENTHESIS);
	p->pos++;
	return 0;
}

/* Parse +OFFSET(FIELD), with further offsets in place of FIELD */
static int parse_fetch(struct parser *p)
{
	unsigned int i;
	int ret = 0;

	p->spec->form = OBJTRACE_FETCH;
	while (!ret && (*text_left(p) == '+' || *text_left(p) == '-'))
		ret = parse_level(p);
	if (!ret && *text_left(p) == '(')
		return fail_here(p, OBJTRACE_ERR_MIXED_FORMS);
	if (!ret)
		ret = parse_field(p);
	if (ret)
		return ret;

	if (*text_left(p) == ',' || *text_left(p) == '.' || starts_with(p, "->"))
		return fail_here(p, OBJTRACE_ERR_MIXED_FORMS);
	if (*text_left(p) != ')' && !ends_object(*text_left(p)))
		return fail_here(p, OBJTRACE_ERR_BAD_FIELD);
	for (i = 0; i < p->spec->nr_offsets; i++) {
		if (*text_left(p) != ')')
			return fail_here(p, OBJTRACE_ERR_UNBALANCED);
		p->pos++;
	}
	return 0;
}

/* Parse (STRUCT), from its '(' on */
static int parse_struct(struct parser *p)
{
	struct objtrace_spec *spec = p->spec;
	unsigned int start = ++p->pos;
	size_t len = name_len(p);

	if (is_blank(text_left(p)[len]) && (item_is(p, len, "struct") || item_is(p, len, "union")))
		return fail_here(p, OBJTRACE_ERR_BAD_STRUCT);
	if (len >= sizeof(spec->struct_name))
		return fail_here(p, OBJTRACE_ERR_STRUCT_TOO_LONG);
	memcpy(spec->struct_name, text_left(p), len);
	spec->struct_pos = start;
	p->pos += len;
	if (len && (!*text_left(p) || *text_left(p) == ':'))
		return fail_here(p, OBJTRACE_ERR_UNBALANCED);
	if (!len || *text_left(p) != ')')
		return fail_here(p, OBJTRACE_ERR_BAD_STRUCT);
	p->pos++;
	return 0;
}

/* Append a component and the separator in front of it */
static int add_component(struct parser *p, unsigned int pos, const char *separator,
			 const char *name, size_t len)
{
	struct objtrace_spec *spec = p->spec;
	size_t used = strlen(spec->path);

	if (used + strlen(separator) + len >= sizeof(spec->path) ||
	    spec->nr_components == OBJTRACE_MAX_COMPONENTS)
		return fail_at_column(p, OBJTRACE_ERR_PATH_TOO_LONG, pos);
	spec->component_pos[spec->nr_components++] = pos;
	scnprintf(spec->path + used, sizeof(spec->path) - used, "%s%.*s",
		  separator, (int)len, name);
	return 0;
}

static int parse_member(struct parser *p, const char *separator)
{
	size_t len = name_len(p);
	int ret;

	if (!len)
		return fail_here(p, OBJTRACE_ERR_NO_MEMBER);
	ret = add_component(p, p->pos, separator, text_left(p), len);
	p->pos += len;
	return ret;
}

/* Parse the index 2 of frags.2 or of frags[2] */
static int parse_index(struct parser *p, bool in_brackets)
{
	size_t len = digits_len(p);
	unsigned int start = p->pos;
	char index[NUMBER_LEN];
	long value;

	p->pos += len;
	if (!len || (in_brackets ? *text_left(p) != ']' : is_name_char(*text_left(p))))
		return fail_here(p, OBJTRACE_ERR_BAD_INDEX);
	p->pos += in_brackets;
	/* An index is decimal: users write 08 */
	if (to_number(p->text + start, len, 10, &value) || value > INT_MAX)
		return fail_at_column(p, OBJTRACE_ERR_INDEX_RANGE, start);
	len = scnprintf(index, sizeof(index), "%ld", value);
	return add_component(p, start, ".", index, len);
}

/* Parse the text after (STRUCT)FIELD-> */
static int parse_path(struct parser *p)
{
	int ret = parse_member(p, "");

	while (!ret && !ends_object(*text_left(p))) {
		if (starts_with(p, "->")) {
			p->pos += strlen("->");
			ret = parse_member(p, "->");
		} else if (*text_left(p) == '[') {
			p->pos++;
			ret = parse_index(p, true);
		} else if (*text_left(p) == '.') {
			p->pos++;
			ret = is_digit(*text_left(p)) ? parse_index(p, false) :
						  parse_member(p, ".");
		} else if (*text_left(p) == ',') {
			return fail_here(p, OBJTRACE_ERR_MIXED_FORMS);
		} else {
			return fail_here(p, *text_left(p) == ')' ? OBJTRACE_ERR_UNBALANCED :
							      OBJTRACE_ERR_BAD_MEMBER);
		}
	}
	return ret;
}

/* (STRUCT)FIELD and (STRUCT)FIELD->PATH */
static int parse_btf(struct parser *p)
{
	int ret = parse_struct(p);

	if (!ret && (*text_left(p) == '(' || *text_left(p) == '+' ||
		     (*text_left(p) == '-' && !starts_with(p, "->"))))
		return fail_here(p, OBJTRACE_ERR_MIXED_FORMS);
	if (!ret)
		ret = parse_field(p);
	if (ret)
		return ret;
	p->spec->form = OBJTRACE_BTF;
	if (starts_with(p, "->")) {
		p->pos += strlen("->");
		return parse_path(p);
	}
	if (*text_left(p) == ',')
		return fail_here(p, OBJTRACE_ERR_MIXED_FORMS);
	if (*text_left(p) == '.' || *text_left(p) == '[')
		return fail_here(p, OBJTRACE_ERR_ARROW_NEEDED);
	if (*text_left(p) != ')' && !ends_object(*text_left(p)))
		return fail_here(p, OBJTRACE_ERR_BAD_FIELD);
	return 0;
}

static int parse_object(struct parser *p)
{
	int ret;

	if (*text_left(p) == ':')
		p->pos++;
	if (*text_left(p) == '(')
		ret = parse_btf(p);
	else if (*text_left(p) == '+' || *text_left(p) == '-')
		ret = parse_fetch(p);
	else
		ret = parse_comma(p);
	if (ret)
		return ret;
	if (*text_left(p) == ')')
		return fail_here(p, OBJTRACE_ERR_UNBALANCED);
	if (!ends_object(*text_left(p)))
		return fail_here(p, OBJTRACE_ERR_TRAILING_TEXT);
	return 0;
}

/* Parse the field of del, which has no further parts */
static int parse_plain_field(struct parser *p)
{
	int ret;

	if (*text_left(p) == ':')
		p->pos++;
	if (*text_left(p) == '(' || *text_left(p) == '+' || *text_left(p) == '-')
		return fail_here(p, OBJTRACE_ERR_NOT_FOR_VERB);
	ret = parse_field(p);
	if (ret)
		return ret;
	if (*text_left(p) == ',' || *text_left(p) == '.' || starts_with(p, "->"))
		return fail_here(p, OBJTRACE_ERR_NOT_FOR_VERB);
	return ends_object(*text_left(p)) ? 0 : fail_here(p, OBJTRACE_ERR_BAD_FIELD);
}

/*
 * The parts after the object.  p->pos is the first column of a part, which has @len columns.
 */

static enum objtrace_type type_by_name(const struct parser *p, size_t len)
{
	enum objtrace_type type;

	for (type = OBJTRACE_TYPE_SYMBOL; type > OBJTRACE_TYPE_DEFAULT; type--)
		if (item_is(p, len, types[type].name))
			break;
	return type;
}

static int parse_type(struct parser *p, size_t len)
{
	if (p->stage != AFTER_OBJECT)
		return fail_here(p, OBJTRACE_ERR_TYPE_PLACE);
	p->stage = AFTER_TYPE;
	p->spec->type = type_by_name(p, len);
	p->spec->type_pos = p->pos;
	p->pos += len;
	return 0;
}

static bool is_count(const struct parser *p, size_t len)
{
	return is_digit(*text_left(p)) || *text_left(p) == '-' || *text_left(p) == '+' ||
	       starts_with(p, "count=") || item_is(p, len, "count") ||
	       item_is(p, len, "unlimited");
}

static int parse_count(struct parser *p, size_t len)
{
	struct objtrace_spec *spec = p->spec;
	size_t prefix = 0;
	long value;
	int ret;

	if (p->stage == AFTER_COUNT)
		return fail_here(p, OBJTRACE_ERR_COUNT_PLACE);
	p->stage = AFTER_COUNT;
	spec->count_form = OBJTRACE_COUNT_N;
	if (item_is(p, len, "unlimited")) {
		spec->count_form = OBJTRACE_COUNT_UNLIMITED;
		p->pos += len;
		return 0;
	}
	if (*text_left(p) == 'c') {
		spec->count_form = OBJTRACE_COUNT_EQUALS;
		prefix = min_t(size_t, len, strlen("count="));
	}
	p->pos += prefix;
	ret = to_number(text_left(p), len - prefix, 0, &value);
	if (ret == -ERANGE)
		return fail_here(p, OBJTRACE_ERR_COUNT_RANGE);
	if (ret || value < 0)
		return fail_here(p, OBJTRACE_ERR_BAD_COUNT);
	if (!value)
		return fail_here(p, OBJTRACE_ERR_ZERO_COUNT);
	spec->count = value;
	p->pos += len - prefix;
	return 0;
}

/* Parse an option without a value, whose name has @name columns */
static int parse_switch(struct parser *p, size_t len, size_t name, bool *is_on)
{
	if (*is_on)
		return fail_here(p, OBJTRACE_ERR_OPTION_TWICE);
	*is_on = true;
	p->pos += name;
	return len == name ? 0 : fail_here(p, OBJTRACE_ERR_OPTION_VALUE);
}

static int parse_size(struct parser *p, size_t len)
{
	size_t prefix = min_t(size_t, len, strlen("size="));
	struct objtrace_spec *spec = p->spec;
	long value;
	int ret;

	if (spec->size_form != OBJTRACE_SIZE_NONE)
		return fail_here(p, OBJTRACE_ERR_OPTION_TWICE);
	p->pos += prefix;
	len -= prefix;
	spec->size_pos = p->pos;
	if (item_is(p, len, "auto")) {
		spec->size_form = OBJTRACE_SIZE_AUTO;
		if (spec->form != OBJTRACE_BTF)
			return fail_here(p, OBJTRACE_ERR_SIZE_AUTO_NEEDS_STRUCT);
	} else {
		spec->size_form = OBJTRACE_SIZE_N;
		ret = to_number(text_left(p), len, 0, &value);
		if (ret == -EINVAL)
			return fail_here(p, OBJTRACE_ERR_BAD_SIZE);
		if (ret || value < 1 || value > INT_MAX)
			return fail_here(p, OBJTRACE_ERR_SIZE_RANGE);
		spec->size = value;
	}
	p->pos += len;
	return 0;
}

static int parse_typed(struct parser *p, size_t len)
{
	struct objtrace_spec *spec = p->spec;

	if (spec->typed != OBJTRACE_TYPED_NONE)
		return fail_here(p, OBJTRACE_ERR_OPTION_TWICE);
	if (spec->form != OBJTRACE_BTF)
		return fail_here(p, OBJTRACE_ERR_TYPED_NEEDS_STRUCT);
	spec->typed = item_is(p, len, "typed") ? OBJTRACE_TYPED : OBJTRACE_TYPED_STRICT;
	if (spec->typed == OBJTRACE_TYPED || item_is(p, len, "typed=strict")) {
		p->pos += len;
		return 0;
	}
	p->pos += strlen("typed");
	return fail_here(p, OBJTRACE_ERR_TYPED_VALUE);
}

/* Parse a part that is neither a type nor a count */
static int parse_option(struct parser *p, size_t len)
{
	size_t name = item_len(p, ":=");
	enum stage stage = p->stage;

	/* No type and no count may follow an option */
	p->stage = AFTER_COUNT;
	if (item_is(p, name, "changes"))
		return parse_switch(p, len, name, &p->spec->changes);
	if (item_is(p, name, "size"))
		return parse_size(p, len);
	if (item_is(p, name, "typed"))
		return parse_typed(p, len);
	if (item_is(p, name, "after-free"))
		return parse_switch(p, len, name, &p->spec->after_free);
	return fail_here(p, stage == AFTER_OBJECT && name == len ? OBJTRACE_ERR_UNKNOWN_TYPE :
								   OBJTRACE_ERR_UNKNOWN_OPTION);
}

static int parse_parts(struct parser *p)
{
	size_t len;
	int ret = 0;

	while (!ret && *text_left(p) == ':') {
		p->pos++;
		len = item_len(p, ":");
		if (!len)
			return fail_here(p, OBJTRACE_ERR_EMPTY_PART);
		if (is_count(p, len))
			ret = parse_count(p, len);
		else if (p->spec->verb != OBJTRACE_ADD)
			ret = fail_here(p, OBJTRACE_ERR_NOT_FOR_VERB);
		else if (type_by_name(p, len) != OBJTRACE_TYPE_DEFAULT)
			ret = parse_type(p, len);
		else
			ret = parse_option(p, len);
	}
	return ret;
}

/*
 * The command
 */

static int parse_verb(struct parser *p)
{
	size_t len = item_len(p, ":");
	unsigned int verb;

	if (!len)
		return fail_here(p, OBJTRACE_ERR_NO_VERB);
	for (verb = 0; verb < ARRAY_SIZE(verbs); verb++) {
		if (!item_is(p, len, verbs[verb]))
			continue;
		p->spec->verb = verb;
		p->pos += len;
		return 0;
	}
	return fail_here(p, OBJTRACE_ERR_UNKNOWN_VERB);
}

static void skip_blanks(struct parser *p)
{
	while (is_blank(*text_left(p)))
		p->pos++;
}

static int parse_filter(struct parser *p)
{
	skip_blanks(p);
	if (!*text_left(p))
		return 0;
	if (!item_is(p, item_len(p, ""), "if"))
		return fail_here(p, OBJTRACE_ERR_NO_IF);
	p->pos += strlen("if");
	skip_blanks(p);
	if (!*text_left(p))
		return fail_here(p, OBJTRACE_ERR_EMPTY_FILTER);
	p->spec->filter = text_left(p);
	return 0;
}

/**
 * objtrace_parse() - parse a command
 * @text: text after "objtrace:", without blanks at its ends
 * @spec: receives the command on success; its filter points into @text
 * @error: receives the error on failure
 *
 * objtrace_parse_field() checks the field.  The caller checks the members and the filter.
 *
 * Context: Any, NMI included.
 * Return: 0, or the negative errno of @error
 */
int objtrace_parse(const char *text, struct objtrace_spec *spec,
		   struct objtrace_error *error)
{
	struct parser p = { .text = text, .spec = spec, .error = error };
	int ret;

	memset(spec, 0, sizeof(*spec));
	ret = parse_verb(&p);
	if (!ret && spec->verb == OBJTRACE_ADD)
		ret = parse_object(&p);
	if (!ret && spec->verb == OBJTRACE_DEL)
		ret = parse_plain_field(&p);
	if (!ret)
		ret = parse_parts(&p);
	if (!ret)
		ret = parse_filter(&p);
	return ret;
}

/**
 * objtrace_parse_field() - check that a command's field can have a pointer
 * @spec: the command
 * @field: the event's field, or NULL if the event has no such field
 * @error: receives the error on failure
 *
 * Context: Any, NMI included.
 * Return: 0, or the negative errno of @error
 */
int objtrace_parse_field(const struct objtrace_spec *spec,
			 const struct objtrace_field *field,
			 struct objtrace_error *error)
{
	enum objtrace_error_id id;

	if (!field)
		id = OBJTRACE_ERR_UNKNOWN_FIELD;
	else if (!field->size)
		id = OBJTRACE_ERR_GENERIC_FIELD;
	else if (field->size != sizeof(void *) || field->is_array)
		id = OBJTRACE_ERR_FIELD_SIZE;
	else
		return 0;
	return objtrace_error_set(error, id, spec->field_pos);
}

/*
 * Printing
 */

struct printer {
	char	*buf;
	size_t	size;
	int	len;
};

static __printf(2, 3) void print(struct printer *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	out->len += vscnprintf(out->buf + out->len, out->size - out->len, fmt, args);
	va_end(args);
}

static void print_fetch_offset(struct printer *out, const char *plus, int offset)
{
	/* -offset would overflow for INT_MIN */
	unsigned int magnitude = offset < 0 ? -(unsigned int)offset : offset;

	print(out, "%s0x%x", offset < 0 ? "-" : plus, magnitude);
}

static void print_fetch(struct printer *out, const struct objtrace_spec *spec)
{
	unsigned int i;

	for (i = spec->nr_offsets; i > 0; i--) {
		print_fetch_offset(out, "+", spec->offset[i - 1]);
		print(out, "(");
	}
	print(out, "%s", spec->field);
	for (i = 0; i < spec->nr_offsets; i++)
		print(out, ")");
}

static void print_spec_object(struct printer *out, const struct objtrace_spec *spec)
{
	if (spec->verb == OBJTRACE_CLEAR)
		return;
	print(out, ":");
	switch (spec->form) {
	case OBJTRACE_COMMA:
		print(out, "%s", spec->field);
		if (spec->offset[0]) {
			print(out, ",");
			print_fetch_offset(out, "", spec->offset[0]);
		}
		break;
	case OBJTRACE_FETCH:
		print_fetch(out, spec);
		break;
	case OBJTRACE_BTF:
		print(out, "(%s)%s%s%s", spec->struct_name, spec->field,
		      spec->path[0] ? "->" : "", spec->path);
		break;
	}
}

static void print_count(struct printer *out, const struct objtrace_spec *spec)
{
	switch (spec->count_form) {
	case OBJTRACE_COUNT_NONE:
		break;
	case OBJTRACE_COUNT_N:
		print(out, ":%lu", spec->count);
		break;
	case OBJTRACE_COUNT_EQUALS:
		print(out, ":count=%lu", spec->count);
		break;
	case OBJTRACE_COUNT_UNLIMITED:
		print(out, ":unlimited");
		break;
	}
}

static void print_options(struct printer *out, const struct objtrace_spec *spec)
{
	if (spec->changes)
		print(out, ":changes");
	if (spec->size_form == OBJTRACE_SIZE_AUTO)
		print(out, ":size=auto");
	else if (spec->size_form == OBJTRACE_SIZE_N)
		print(out, ":size=%u", spec->size);
	if (spec->typed == OBJTRACE_TYPED)
		print(out, ":typed");
	else if (spec->typed == OBJTRACE_TYPED_STRICT)
		print(out, ":typed=strict");
	if (spec->after_free)
		print(out, ":after-free");
}

/**
 * objtrace_spec_print() - print a command as text that can be parsed again
 * @spec: the command
 * @buf: receives the text
 * @size: size of @buf in bytes; OBJTRACE_SPEC_LEN is always enough
 *
 * The object and the count have the form of the written command, without defaults.  Offsets are
 * hexadecimal, and other numbers are decimal.  Options are in the order of the documentation.  The
 * text has no "[".  The caller prints the filter from the kernel's copy.
 *
 * Context: Any, NMI included.
 * Return: number of characters, without the final NUL
 */
int objtrace_spec_print(const struct objtrace_spec *spec, char *buf, size_t size)
{
	struct printer out = { .buf = buf, .size = size };

	print(&out, "%s", verbs[spec->verb]);
	print_spec_object(&out, spec);
	if (spec->type != OBJTRACE_TYPE_DEFAULT)
		print(&out, ":%s", types[spec->type].name);
	print_count(&out, spec);
	print_options(&out, spec);
	return out.len;
}
