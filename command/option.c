// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a command after the object, see command/option.h.
 *
 * When a parse_*() is called, p->pos is the first column of a part, which has @len columns.
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
	if (p->stage != AFTER_OBJECT)
		return fail_here(p, OBJTRACE_ERR_TYPE_PLACE);
	p->stage = AFTER_TYPE;
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

/* Parse an option without a value, whose name has @name columns */
static int parse_switch(struct objtrace_parser *p, size_t len, size_t name, bool *is_on)
{
	if (*is_on)
		return fail_here(p, OBJTRACE_ERR_OPTION_TWICE);
	*is_on = true;
	p->pos += name;
	return len == name ? 0 : fail_here(p, OBJTRACE_ERR_OPTION_VALUE);
}

static int parse_size(struct objtrace_parser *p, size_t len)
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
		ret = objtrace_text_number(text_left(p), len, 0, &value);
		if (ret == -EINVAL)
			return fail_here(p, OBJTRACE_ERR_BAD_SIZE);
		if (ret || value < 1 || value > INT_MAX)
			return fail_here(p, OBJTRACE_ERR_SIZE_RANGE);
		spec->size = value;
	}
	p->pos += len;
	return 0;
}

static int parse_typed(struct objtrace_parser *p, size_t len)
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
static int parse_option(struct objtrace_parser *p, size_t len)
{
	size_t name = item_len(p, ":=");
	enum objtrace_stage stage = p->stage;

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

static void print_options(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->changes)
		objtrace_text_print(out, ":changes");
	if (spec->size_form == OBJTRACE_SIZE_AUTO)
		objtrace_text_print(out, ":size=auto");
	else if (spec->size_form == OBJTRACE_SIZE_N)
		objtrace_text_print(out, ":size=%u", spec->size);
	if (spec->typed == OBJTRACE_TYPED)
		objtrace_text_print(out, ":typed");
	else if (spec->typed == OBJTRACE_TYPED_STRICT)
		objtrace_text_print(out, ":typed=strict");
	if (spec->after_free)
		objtrace_text_print(out, ":after-free");
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
	if (spec->type != OBJTRACE_TYPE_DEFAULT)
		objtrace_text_print(out, ":%s", objtrace_type_name(spec->type));
	print_count(out, spec);
	print_options(out, spec);
}
