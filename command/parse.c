// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command language, see command/parse.h.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "command/object.h"
#include "command/option.h"
#include "command/parse.h"
#include "command/text.h"
#include "kernel/event.h"

static const char * const verbs[] = {
	[OBJTRACE_ADD]		= "add",
	[OBJTRACE_DEL]		= "del",
	[OBJTRACE_CLEAR]	= "clear",
};

/*
 * The trigger file has one line for each trigger.  The kernel keeps the line breaks of a filter, and
 * no line of the file would remove such a trigger.
 */
static int check_line(struct objtrace_parser *p)
{
	size_t len = strcspn(p->text, "\n");

	return p->text[len] ? fail_at_column(p, OBJTRACE_ERR_LINE_BREAK, len) : 0;
}

static int parse_verb(struct objtrace_parser *p)
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

static void skip_blanks(struct objtrace_parser *p)
{
	while (is_blank(*text_left(p)))
		p->pos++;
}

static int parse_filter(struct objtrace_parser *p)
{
	skip_blanks(p);
	if (!*text_left(p))
		return 0;
	if (!item_is(p, name_len(p), "if"))
		return fail_here(p, OBJTRACE_ERR_NO_IF);
	p->pos += strlen("if");
	if (*text_left(p) && !is_blank(*text_left(p)))
		return fail_here(p, OBJTRACE_ERR_FILTER_BLANK);
	skip_blanks(p);
	if (!*text_left(p))
		return fail_here(p, OBJTRACE_ERR_EMPTY_FILTER);
	p->spec->filter = text_left(p);
	return 0;
}

/**
 * objtrace_parse() - translate the text of a command into a struct objtrace_spec
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
	struct objtrace_parser p = { .text = text, .spec = spec, .error = error };
	int ret;

	memset(spec, 0, sizeof(*spec));
	ret = check_line(&p);
	if (!ret)
		ret = parse_verb(&p);
	if (!ret && spec->verb == OBJTRACE_ADD)
		ret = objtrace_object_parse(&p);
	if (!ret && spec->verb == OBJTRACE_DEL)
		ret = objtrace_object_parse_field(&p);
	if (!ret)
		ret = objtrace_option_parse(&p);
	if (!ret)
		ret = parse_filter(&p);
	return ret;
}

/* printk() and others print addresses with 16 digits and without "0x" */
static bool is_bare_address(const char *field)
{
	return strlen(field) == 16 && strspn(field, "0123456789abcdef") == 16;
}

/**
 * objtrace_parse_field() - check that a command's field can have a pointer
 * @spec: the command, with a field
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
		id = is_bare_address(spec->field) ? OBJTRACE_ERR_BAD_ADDRESS :
						    OBJTRACE_ERR_UNKNOWN_FIELD;
	else if (!field->size)
		id = OBJTRACE_ERR_GENERIC_FIELD;
	else if (field->size != sizeof(void *) || field->is_array)
		id = OBJTRACE_ERR_FIELD_SIZE;
	else
		return 0;
	return objtrace_error_set(error, id, spec->field_pos);
}

static int print_spec(struct objtrace_printer *out, const struct objtrace_spec *spec)
{
	objtrace_text_print(out, "%s", verbs[spec->verb]);
	objtrace_object_print(out, spec);
	objtrace_option_print(out, spec);
	return out->len;
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
	struct objtrace_printer out = { .buf = buf, .size = size };

	return print_spec(&out, spec);
}

/**
 * objtrace_spec_print_log() - print a command for the kernel's log, without an address
 * @spec: the command
 * @buf: receives the text
 * @size: size of @buf in bytes; OBJTRACE_SPEC_LEN is always enough
 *
 * The text is that of objtrace_spec_print(), with the word ADDRESS in place of an address.
 *
 * Context: Any, NMI included.
 * Return: number of characters, without the final NUL
 */
int objtrace_spec_print_log(const struct objtrace_spec *spec, char *buf, size_t size)
{
	struct objtrace_printer out = { .buf = buf, .size = size, .hides_address = true };

	return print_spec(&out, spec);
}
