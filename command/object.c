// SPDX-License-Identifier: GPL-2.0-only
/*
 * The object of a command, see command/object.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "command/object.h"
#include "objtrace_fetch.h"

static int parse_offset(struct objtrace_parser *p, const char *separators, int *offset)
{
	size_t len = item_len(p, separators);
	long value;
	int ret;

	ret = objtrace_text_number(text_left(p), len, 0, &value);
	if (ret == -ERANGE || (!ret && value != (int)value))
		return fail_here(p, OBJTRACE_ERR_OFFSET_RANGE);
	if (ret)
		return fail_here(p, OBJTRACE_ERR_BAD_OFFSET);
	*offset = value;
	p->pos += len;
	return 0;
}

/* Fail because a name is missing, unless the text has an operator of C there */
static int fail_no_name(struct objtrace_parser *p, enum objtrace_error_id id)
{
	if (*text_left(p) == '*')
		return fail_here(p, OBJTRACE_ERR_STAR);
	return fail_here(p, *text_left(p) == '&' ? OBJTRACE_ERR_AMPERSAND : id);
}

/* Parse an address in place of a field, from the digit after "0x" on */
static int parse_address(struct objtrace_parser *p, unsigned long *address)
{
	size_t i, len = strspn(text_left(p), "0123456789abcdefABCDEF");
	unsigned long digit, value = 0;

	for (i = 0; i < len; i++) {
		digit = text_left(p)[i];
		digit = is_digit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10;
		if (value >> (BITS_PER_LONG - 4))
			return fail_at_column(p, OBJTRACE_ERR_BAD_ADDRESS, p->spec->field_pos);
		value = value << 4 | digit;
	}
	if (!len || is_name_char(text_left(p)[len]))
		return fail_at_column(p, OBJTRACE_ERR_BAD_ADDRESS, p->spec->field_pos);
	/* 0 is the mark of a field */
	if (!value)
		return fail_at_column(p, OBJTRACE_ERR_USER_ADDRESS, p->spec->field_pos);
	*address = value;
	p->pos += len;
	return 0;
}

static int parse_field_name(struct objtrace_parser *p)
{
	struct objtrace_spec *spec = p->spec;
	size_t len = name_len(p);

	if (!len && (ends_object(*text_left(p)) || strchr(",)-.[", *text_left(p))))
		return fail_here(p, OBJTRACE_ERR_NO_FIELD);
	if (!len && is_digit(*text_left(p)) && text_left(p)[item_len(p, "(:")] == '(')
		return fail_here(p, OBJTRACE_ERR_NO_SIGN);
	if (!len)
		return fail_no_name(p, OBJTRACE_ERR_BAD_FIELD);
	if (len >= sizeof(spec->field))
		return fail_here(p, OBJTRACE_ERR_FIELD_TOO_LONG);

	memcpy(spec->field, text_left(p), len);
	p->pos += len;
	return 0;
}

/* Parse FIELD, or the address in its place */
static int parse_field(struct objtrace_parser *p)
{
	int ret;

	p->spec->field_pos = p->pos;
	/* 0x28(FIELD) is an offset without its sign */
	if ((starts_with(p, "0x") || starts_with(p, "0X")) &&
	    text_left(p)[item_len(p, "(:")] != '(') {
		p->pos += strlen("0x");
		ret = parse_address(p, &p->spec->address);
	} else {
		ret = parse_field_name(p);
	}
	if (ret)
		return ret;
	return *text_left(p) == '[' ? fail_here(p, OBJTRACE_ERR_FIELD_INDEX) : 0;
}

/* FIELD and FIELD,OFFSET */
static int parse_comma(struct objtrace_parser *p)
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
	if (starts_with(p, "->") || *text_left(p) == '.')
		return fail_here(p, OBJTRACE_ERR_STRUCT_NEEDED);
	if (*text_left(p) != ')' && !ends_object(*text_left(p)))
		return fail_here(p, OBJTRACE_ERR_BAD_FIELD);
	return 0;
}

/* Parse one +OFFSET(.  The first offset in the text is applied last: 8 of +8(+0x28(FIELD)) */
static int parse_level(struct objtrace_parser *p)
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
static int parse_fetch(struct objtrace_parser *p)
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
static int parse_struct(struct objtrace_parser *p)
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
static int add_component(struct objtrace_parser *p, unsigned int pos, const char *separator,
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

static int parse_member(struct objtrace_parser *p, const char *separator)
{
	size_t len = name_len(p);
	int ret;

	if (!len)
		return fail_no_name(p, OBJTRACE_ERR_NO_MEMBER);
	ret = add_component(p, p->pos, separator, text_left(p), len);
	p->pos += len;
	return ret;
}

/* Parse the index 2 of frags.2 or of frags[2] */
static int parse_index(struct objtrace_parser *p, bool in_brackets)
{
	size_t len = digits_len(p);
	unsigned int start = p->pos;
	char index[OBJTRACE_NUMBER_LEN];
	long value;

	p->pos += len;
	if (!len || (in_brackets ? *text_left(p) != ']' : is_name_char(*text_left(p))))
		return fail_here(p, OBJTRACE_ERR_BAD_INDEX);
	p->pos += in_brackets;
	/* An index is decimal: users write 08 */
	if (objtrace_text_number(p->text + start, len, 10, &value) || value > INT_MAX)
		return fail_at_column(p, OBJTRACE_ERR_INDEX_RANGE, start);
	len = scnprintf(index, sizeof(index), "%ld", value);
	return add_component(p, start, ".", index, len);
}

/* Parse the text after (STRUCT)FIELD-> */
static int parse_path(struct objtrace_parser *p)
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
static int parse_btf(struct objtrace_parser *p)
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
	if (*text_left(p) == '.')
		return fail_here(p, OBJTRACE_ERR_ARROW_NEEDED);
	if (*text_left(p) != ')' && !ends_object(*text_left(p)))
		return fail_here(p, OBJTRACE_ERR_BAD_FIELD);
	return 0;
}

/**
 * objtrace_object_parse() - parse the object of add
 * @p: the parser
 *
 * Context: Any, NMI included.
 * Return: 0, or the negative errno of the stored error
 */
int objtrace_object_parse(struct objtrace_parser *p)
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

/**
 * objtrace_object_parse_field() - parse the field of del, which has no further parts
 * @p: the parser
 *
 * Context: Any, NMI included.
 * Return: 0, or the negative errno of the stored error
 */
int objtrace_object_parse_field(struct objtrace_parser *p)
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
 * Printing
 */

static void print_fetch_offset(struct objtrace_printer *out, const char *plus, int offset)
{
	/* -offset would overflow for INT_MIN */
	unsigned int magnitude = offset < 0 ? -(unsigned int)offset : offset;

	objtrace_text_print(out, "%s0x%x", offset < 0 ? "-" : plus, magnitude);
}

static void print_field(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (!spec->address)
		objtrace_text_print(out, "%s", spec->field);
	else if (out->hides_address)
		objtrace_text_print(out, "ADDRESS");
	else
		objtrace_text_print(out, "0x%lx", spec->address);
}

static void print_fetch(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	unsigned int i;

	for (i = spec->nr_offsets; i > 0; i--) {
		print_fetch_offset(out, "+", spec->offset[i - 1]);
		objtrace_text_print(out, "(");
	}
	print_field(out, spec);
	for (i = 0; i < spec->nr_offsets; i++)
		objtrace_text_print(out, ")");
}

/**
 * objtrace_object_print() - print the object of add, or the field of del
 * @out: the printer
 * @spec: the command
 *
 * Context: Any, NMI included.
 */
void objtrace_object_print(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	if (spec->verb == OBJTRACE_CLEAR)
		return;
	objtrace_text_print(out, ":");
	switch (spec->form) {
	case OBJTRACE_COMMA:
		print_field(out, spec);
		if (spec->offset[0]) {
			objtrace_text_print(out, ",");
			print_fetch_offset(out, "", spec->offset[0]);
		}
		break;
	case OBJTRACE_FETCH:
		print_fetch(out, spec);
		break;
	case OBJTRACE_BTF:
		objtrace_text_print(out, "(%s)", spec->struct_name);
		print_field(out, spec);
		if (spec->path[0])
			objtrace_text_print(out, "->%s", spec->path);
		break;
	}
}
