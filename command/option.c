// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a command after the object, see command/option.h.
 *
 * A new option needs a name in options[], its two functions in parse_value() and print_option(),
 * and a member of struct objtrace_spec.
 *
 * When parse_type(), parse_count() or parse_option() is called, p->pos is the first column of a
 * part, which has @len columns.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "command/option.h"

static enum objtrace_type type_by_name(const struct objtrace_parser *p, size_t len)
{
	enum objtrace_type type;

	for (type = OBJTRACE_TYPE_SYMBOL; type > OBJTRACE_TYPE_DEFAULT; type--)
		if (item_is(p, len, objtrace_type_name(type)))
			break;
	return type;
}

static int parse_type(struct objtrace_parser *p, size_t len)
{
	if (p->spec->type != OBJTRACE_TYPE_DEFAULT)
		return fail_here(p, OBJTRACE_ERR_TYPE_TWICE);
	p->spec->type = type_by_name(p, len);
	p->spec->type_pos = p->pos;
	p->pos += len;
	return 0;
}

static bool is_count(const struct objtrace_parser *p, size_t len)
{
	return is_digit(*text_left(p)) || *text_left(p) == '-' || *text_left(p) == '+' ||
	       starts_with(p, "count=") || item_is(p, len, "count") ||
	       item_is(p, len, "unlimited");
}

static int parse_count(struct objtrace_parser *p, size_t len)
{
	struct objtrace_spec *spec = p->spec;
	size_t prefix = 0;
	long value;
	int ret;

	if (spec->count_form != OBJTRACE_COUNT_NONE)
		return fail_here(p, OBJTRACE_ERR_COUNT_TWICE);
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
	ret = objtrace_text_number(text_left(p), len - prefix, 0, &value);
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

/* Skip the "=" after the name of an option.  Return the number of columns after it. */
static size_t skip_equals(struct objtrace_parser *p, size_t len)
{
	size_t equals = min_t(size_t, len, strlen("="));

	p->pos += equals;
	return len - equals;
}

/* Parse a number from 1 to @max, which has @len columns.  Other texts have the error @bad. */
static int parse_positive(struct objtrace_parser *p, size_t len, long max,
			  enum objtrace_error_id bad, enum objtrace_error_id out_of_range,
			  unsigned int *number)
{
	long value;
	int ret = objtrace_text_number(text_left(p), len, 0, &value);

	if (ret == -EINVAL)
		return fail_here(p, bad);
	if (ret || value < 1 || value > max)
		return fail_here(p, out_of_range);
	*number = value;
	p->pos += len;
	return 0;
}

/* Parse the end of an option without a value */
static int parse_switch(struct objtrace_parser *p, size_t len, bool *is_on)
{
	*is_on = true;
	return len ? fail_here(p, OBJTRACE_ERR_OPTION_VALUE) : 0;
}

static int parse_changes(struct objtrace_parser *p, size_t len)
{
	return parse_switch(p, len, &p->spec->changes);
}

static void print_changes(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->changes)
		objtrace_text_print(out, ":changes");
}

static int parse_returns(struct objtrace_parser *p, size_t len)
{
	if (len && !item_is(p, len, "=all"))
		return fail_here(p, OBJTRACE_ERR_RETURNS_VALUE);
	p->spec->returns = len ? OBJTRACE_RETURNS_ALL : OBJTRACE_RETURNS_CHANGED;
	p->pos += len;
	return 0;
}

static void print_returns(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->returns != OBJTRACE_RETURNS_NONE)
		objtrace_text_print(out, ":returns%s",
				    spec->returns == OBJTRACE_RETURNS_ALL ? "=all" : "");
}

static int parse_size(struct objtrace_parser *p, size_t len)
{
	struct objtrace_spec *spec = p->spec;

	len = skip_equals(p, len);
	spec->size_pos = p->pos;
	if (!item_is(p, len, "auto")) {
		spec->size_form = OBJTRACE_SIZE_N;
		return parse_positive(p, len, INT_MAX, OBJTRACE_ERR_BAD_SIZE,
				      OBJTRACE_ERR_SIZE_RANGE, &spec->size);
	}
	spec->size_form = OBJTRACE_SIZE_AUTO;
	if (spec->form != OBJTRACE_BTF)
		return fail_here(p, OBJTRACE_ERR_SIZE_AUTO_NEEDS_STRUCT);
	p->pos += len;
	return 0;
}

static void print_size(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->size_form == OBJTRACE_SIZE_AUTO)
		objtrace_text_print(out, ":size=auto");
	else if (spec->size_form == OBJTRACE_SIZE_N)
		objtrace_text_print(out, ":size=%u", spec->size);
}

static int parse_typed(struct objtrace_parser *p, size_t len)
{
	struct objtrace_spec *spec = p->spec;

	if (spec->form != OBJTRACE_BTF)
		return fail_at_column(p, OBJTRACE_ERR_TYPED_NEEDS_STRUCT, p->part);
	if (len && !item_is(p, len, "=strict"))
		return fail_here(p, OBJTRACE_ERR_TYPED_VALUE);
	spec->typed = len ? OBJTRACE_TYPED_STRICT : OBJTRACE_TYPED;
	p->pos += len;
	return 0;
}

static void print_typed(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->typed != OBJTRACE_TYPED_NONE)
		objtrace_text_print(out, ":typed%s",
				    spec->typed == OBJTRACE_TYPED_STRICT ? "=strict" : "");
}

static int parse_after_free(struct objtrace_parser *p, size_t len)
{
	return parse_switch(p, len, &p->spec->after_free);
}

static void print_after_free(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->after_free)
		objtrace_text_print(out, ":after-free");
}

static int parse_enum(struct objtrace_parser *p, size_t len)
{
	struct objtrace_spec *spec = p->spec;
	size_t name;

	len = skip_equals(p, len);
	name = name_len(p);
	/* A blank after the word "enum" ends the part */
	if (!name || name != len || name >= sizeof(spec->enum_name) || item_is(p, name, "enum"))
		return fail_here(p, OBJTRACE_ERR_BAD_ENUM);
	memcpy(spec->enum_name, text_left(p), name);
	spec->enum_pos = p->pos;
	p->pos += name;
	return 0;
}

static void print_enum(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->enum_name[0])
		objtrace_text_print(out, ":enum=%s", spec->enum_name);
}

static int parse_stack(struct objtrace_parser *p, size_t len)
{
	len = skip_equals(p, len);
	return parse_positive(p, len, OBJTRACE_MAX_STACK, OBJTRACE_ERR_BAD_STACK,
			      OBJTRACE_ERR_STACK_RANGE, &p->spec->stack);
}

static void print_stack(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->stack)
		objtrace_text_print(out, ":stack=%u", spec->stack);
}

/* More than any processor has: objtrace_watch_start() knows the number of this processor */
#define MAX_WATCH	16

static int parse_watch(struct objtrace_parser *p, size_t len)
{
	struct objtrace_spec *spec = p->spec;

	if (!len) {
		spec->watch = 1;
		spec->watch_pos = p->part;
		return 0;
	}
	len = skip_equals(p, len);
	spec->watch_pos = p->pos;
	return parse_positive(p, len, MAX_WATCH, OBJTRACE_ERR_BAD_WATCH,
			      OBJTRACE_ERR_WATCH_RANGE, &spec->watch);
}

static void print_watch(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->watch)
		objtrace_text_print(out, ":watch");
	if (spec->watch > 1)
		objtrace_text_print(out, "=%u", spec->watch);
}

/* All options, in the order in which a trigger file shows them */
enum option {
	OPTION_CHANGES,
	OPTION_RETURNS,
	OPTION_SIZE,
	OPTION_TYPED,
	OPTION_AFTER_FREE,
	OPTION_ENUM,
	OPTION_STACK,
	OPTION_WATCH,
	NR_OPTIONS,
};

/*
 * The options in a command, up to "=".  The sentences of OBJTRACE_ERR_UNKNOWN_TYPE and
 * OBJTRACE_ERR_UNKNOWN_OPTION list them, too.
 */
static const char * const options[NR_OPTIONS] = {
	[OPTION_CHANGES]	= "changes",
	[OPTION_RETURNS]	= "returns",
	[OPTION_SIZE]		= "size",
	[OPTION_TYPED]		= "typed",
	[OPTION_AFTER_FREE]	= "after-free",
	[OPTION_ENUM]		= "enum",
	[OPTION_STACK]		= "stack",
	[OPTION_WATCH]		= "watch",
};

/*
 * Parse the part after the name of an option, which has @len columns.  It is empty or begins with
 * "=".  A table of functions would be shorter, but the module makes no indirect call.
 */
static int parse_value(struct objtrace_parser *p, enum option option, size_t len)
{
	switch (option) {
	case OPTION_CHANGES:
		return parse_changes(p, len);
	case OPTION_RETURNS:
		return parse_returns(p, len);
	case OPTION_SIZE:
		return parse_size(p, len);
	case OPTION_TYPED:
		return parse_typed(p, len);
	case OPTION_AFTER_FREE:
		return parse_after_free(p, len);
	case OPTION_ENUM:
		return parse_enum(p, len);
	case OPTION_STACK:
		return parse_stack(p, len);
	default:
		return parse_watch(p, len);
	}
}

/* Print ":" and the whole option; nothing if the command lacks the option */
static void print_option(struct objtrace_printer *out, const struct objtrace_spec *spec,
			 enum option option)
{
	switch (option) {
	case OPTION_CHANGES:
		return print_changes(out, spec);
	case OPTION_RETURNS:
		return print_returns(out, spec);
	case OPTION_SIZE:
		return print_size(out, spec);
	case OPTION_TYPED:
		return print_typed(out, spec);
	case OPTION_AFTER_FREE:
		return print_after_free(out, spec);
	case OPTION_ENUM:
		return print_enum(out, spec);
	case OPTION_STACK:
		return print_stack(out, spec);
	default:
		return print_watch(out, spec);
	}
}

/* Types of other tools and of C, with the errors that name objtrace's own */
static const struct {
	const char		*name;
	enum objtrace_error_id	error;
} other_types[] = {
	{ "string",	OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "ustring",	OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "str",	OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "bytes",	OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "hex",	OBJTRACE_ERR_HEX_TYPE },
	{ "x",		OBJTRACE_ERR_HEX_TYPE },
	{ "p",		OBJTRACE_ERR_HEX_TYPE },
	{ "ptr",	OBJTRACE_ERR_HEX_TYPE },
	{ "pointer",	OBJTRACE_ERR_HEX_TYPE },
	{ "address",	OBJTRACE_ERR_HEX_TYPE },
	{ "int",	OBJTRACE_ERR_C_TYPE },
	{ "uint",	OBJTRACE_ERR_C_TYPE },
	{ "long",	OBJTRACE_ERR_C_TYPE },
	{ "ulong",	OBJTRACE_ERR_C_TYPE },
	{ "short",	OBJTRACE_ERR_C_TYPE },
	{ "bool",	OBJTRACE_ERR_C_TYPE },
	{ "size_t",	OBJTRACE_ERR_C_TYPE },
	{ "signed",	OBJTRACE_ERR_C_TYPE },
	{ "unsigned",	OBJTRACE_ERR_C_TYPE },
	{ "dec",	OBJTRACE_ERR_C_TYPE },
	{ "s",		OBJTRACE_ERR_C_TYPE },
	{ "u",		OBJTRACE_ERR_C_TYPE },
};

static bool differs_in_case(const struct objtrace_parser *p, size_t len, const char *word)
{
	return len == strlen(word) && !strncasecmp(text_left(p), word, len) &&
	       !item_is(p, len, word);
}

/* Check for a type, an option or "unlimited" with capital letters */
static bool is_in_capitals(const struct objtrace_parser *p, size_t len)
{
	enum objtrace_type type;
	unsigned int i;

	for (type = OBJTRACE_TYPE_SYMBOL; type > OBJTRACE_TYPE_DEFAULT; type--)
		if (differs_in_case(p, len, objtrace_type_name(type)))
			return true;
	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (differs_in_case(p, len, options[i]))
			return true;
	return differs_in_case(p, len, "unlimited");
}

/* Find the error of an unknown part with @len columns, of which @name are in front of "=" */
static enum objtrace_error_id why_unknown(const struct objtrace_parser *p, size_t len, size_t name)
{
	const char *part = text_left(p);
	unsigned int i;

	if (is_in_capitals(p, name))
		return OBJTRACE_ERR_CAPITALS;
	if (name < len)
		return OBJTRACE_ERR_UNKNOWN_OPTION;
	for (i = 0; i < ARRAY_SIZE(other_types); i++)
		if (item_is(p, len, other_types[i].name))
			return other_types[i].error;
	if (memchr(part, '[', len) || part[len - 1] == '*')
		return OBJTRACE_ERR_NOT_ONE_NUMBER;
	if (strchr("usx", part[0]) && strspn(part + 1, "0123456789") == len - 1)
		return OBJTRACE_ERR_TYPE_BITS;
	return p->spec->type == OBJTRACE_TYPE_DEFAULT ? OBJTRACE_ERR_UNKNOWN_TYPE :
							OBJTRACE_ERR_UNKNOWN_OPTION;
}

/* Parse a part that is neither a type nor a count */
static int parse_option(struct objtrace_parser *p, size_t len)
{
	size_t name = item_len(p, ":=");
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(options) > BITS_PER_LONG);
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (!item_is(p, name, options[i]))
			continue;
		if (p->given & BIT(i))
			return fail_here(p, OBJTRACE_ERR_OPTION_TWICE);
		p->given |= BIT(i);
		p->pos += name;
		return parse_value(p, i, len - name);
	}
	return fail_here(p, why_unknown(p, len, name));
}

/**
 * objtrace_option_parse() - parse all parts after the object
 * @p: the parser
 *
 * Context: Any, NMI included.
 * Return: 0, or the negative errno of the stored error
 */
int objtrace_option_parse(struct objtrace_parser *p)
{
	size_t len;
	int ret = 0;

	while (!ret && *text_left(p) == ':') {
		p->part = ++p->pos;
		len = item_len(p, ":");
		if (!len)
			return fail_here(p, OBJTRACE_ERR_EMPTY_PART);
		if (starts_with(p, "if") && !is_name_char(text_left(p)[strlen("if")]))
			return fail_here(p, OBJTRACE_ERR_FILTER_BLANK);
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
 * Printing
 */

static void print_count(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	switch (spec->count_form) {
	case OBJTRACE_COUNT_NONE:
		break;
	case OBJTRACE_COUNT_N:
		objtrace_text_print(out, ":%lu", spec->count);
		break;
	case OBJTRACE_COUNT_EQUALS:
		objtrace_text_print(out, ":count=%lu", spec->count);
		break;
	case OBJTRACE_COUNT_UNLIMITED:
		objtrace_text_print(out, ":unlimited");
		break;
	}
}

/**
 * objtrace_option_print() - print all parts after the object
 * @out: the printer
 * @spec: the command
 *
 * Context: Any, NMI included.
 */
void objtrace_option_print(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	unsigned int i;

	if (spec->type != OBJTRACE_TYPE_DEFAULT)
		objtrace_text_print(out, ":%s", objtrace_type_name(spec->type));
	print_count(out, spec);
	for (i = 0; i < ARRAY_SIZE(options); i++)
		print_option(out, spec, i);
}

/**
 * objtrace_option_name() - look up the name of an option
 * @nr: number of the option, from 0
 *
 * Context: Any, NMI included.
 * Return: the name, without "="; NULL if there are no more options
 */
const char *objtrace_option_name(unsigned int nr)
{
	return nr < ARRAY_SIZE(options) ? options[nr] : NULL;
}

/* Longest text of one option, with its final NUL */
#define OPTION_LEN	128

/* Two options are equal if they print the same text */
static void option_text(enum option option, const struct objtrace_spec *spec, char *buf)
{
	struct objtrace_printer out = { .buf = buf, .size = OPTION_LEN };

	buf[0] = '\0';
	print_option(&out, spec, option);
}

/**
 * objtrace_option_has() - check that a command has all options of a shorter command
 * @whole: the command
 * @part: the shorter command
 *
 * Context: Any, NMI included.
 * Return: true if each option of @part is in @whole, with the same value
 */
bool objtrace_option_has(const struct objtrace_spec *whole, const struct objtrace_spec *part)
{
	char text_whole[OPTION_LEN], text_part[OPTION_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		option_text(i, part, text_part);
		option_text(i, whole, text_whole);
		if (text_part[0] && strcmp(text_whole, text_part))
			return false;
	}
	return true;
}

/**
 * objtrace_option_same() - compare all options of two commands
 * @a: a command
 * @b: another command
 *
 * Types and counts are no options.
 *
 * Context: Any, NMI included.
 * Return: true if the commands have equal options
 */
bool objtrace_option_same(const struct objtrace_spec *a, const struct objtrace_spec *b)
{
	return objtrace_option_has(a, b) && objtrace_option_has(b, a);
}
