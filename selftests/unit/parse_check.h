/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that hold for each text of the parser: for the texts of the tests and of the
 * fuzzer.
 */
#ifndef _UNIT_PARSE_CHECK_H
#define _UNIT_PARSE_CHECK_H

#include <linux/kernel.h>

#include "command/parse.h"

static bool is_at(const char *text, unsigned int pos, const char *word, size_t len)
{
	return pos + len <= strlen(text) && !memcmp(text + pos, word, len);
}

/* Print one digit of an index: leading zeros are dropped */
static const char *check_components(const char *text, const struct objtrace_spec *spec)
{
	const char *component = spec->path;
	unsigned int i;
	size_t len;

	for (i = 0; i < spec->nr_components; i++) {
		len = strcspn(component, ".-");
		if (!len)
			return "a component is empty";
		if (*component >= '0' && *component <= '9') {
			if (!strchr("0123456789", text[spec->component_pos[i]]))
				return "the column of an index is wrong";
		} else if (!is_at(text, spec->component_pos[i], component, len)) {
			return "the column of a member is wrong";
		}
		component += len;
		if (i + 1 < spec->nr_components)
			component += *component == '-' ? strlen("->") : strlen(".");
	}
	return *component ? "nr_components is too small" : NULL;
}

static const char *check_places(const char *text, const struct objtrace_spec *spec)
{
	if (spec->address &&
	    !is_at(text, spec->field_pos, "0x", 2) && !is_at(text, spec->field_pos, "0X", 2))
		return "the column of the address is wrong";
	if (spec->verb != OBJTRACE_CLEAR && !spec->address &&
	    (!spec->field[0] || !is_at(text, spec->field_pos, spec->field, strlen(spec->field))))
		return "the column of the field is wrong";
	if (spec->form == OBJTRACE_BTF &&
	    (!spec->struct_name[0] ||
	     !is_at(text, spec->struct_pos, spec->struct_name, strlen(spec->struct_name))))
		return "the column of the struct is wrong";
	if (spec->type && text[spec->type_pos - 1] != ':')
		return "the column of the type is wrong";
	if (spec->size_form && !is_at(text, spec->size_pos - 5, "size=", 5))
		return "the column of the size is wrong";
	if (spec->enum_name[0] &&
	    !is_at(text, spec->enum_pos, spec->enum_name, strlen(spec->enum_name)))
		return "the column of the enum is wrong";
	if (spec->watch && !is_at(text, spec->watch_pos, "watch", 5) &&
	    !is_at(text, spec->watch_pos - 6, "watch=", 6))
		return "the column of the option watch is wrong";
	if (spec->filter && (spec->filter < text || spec->filter >= text + strlen(text)))
		return "the filter is not in the text";
	return check_components(text, spec);
}

static const char *check_sense(const struct objtrace_spec *spec)
{
	bool is_number = spec->count_form == OBJTRACE_COUNT_N ||
			 spec->count_form == OBJTRACE_COUNT_EQUALS;

	if (is_number != !!spec->count || spec->count > LONG_MAX)
		return "the count contradicts its form";
	if ((spec->size_form == OBJTRACE_SIZE_N) != !!spec->size)
		return "the size contradicts its form";
	if (spec->nr_offsets > OBJTRACE_MAX_DEREFS ||
	    !spec->nr_offsets != (spec->form == OBJTRACE_BTF || spec->verb != OBJTRACE_ADD))
		return "the offsets contradict the form of the object";
	if (spec->address && spec->field[0])
		return "a command with an address has a field, too";
	if (spec->nr_components > OBJTRACE_MAX_COMPONENTS)
		return "there are too many components";
	if (spec->verb != OBJTRACE_ADD &&
	    (spec->form || spec->type || spec->changes || spec->size_form || spec->typed ||
	     spec->after_free || spec->enum_name[0] || spec->watch || spec->returns ||
	     spec->stack))
		return "a verb other than add has parts of add";
	return NULL;
}

/* Compare two commands, without columns and filters */
static bool is_same(const struct objtrace_spec *a, const struct objtrace_spec *b)
{
	return a->verb == b->verb && a->form == b->form && !strcmp(a->field, b->field) &&
	       a->address == b->address &&
	       !memcmp(a->offset, b->offset, sizeof(a->offset)) &&
	       a->nr_offsets == b->nr_offsets && !strcmp(a->struct_name, b->struct_name) &&
	       !strcmp(a->path, b->path) && a->nr_components == b->nr_components &&
	       a->type == b->type && a->count_form == b->count_form &&
	       a->count == b->count && a->changes == b->changes &&
	       a->size_form == b->size_form && a->size == b->size &&
	       a->typed == b->typed && a->after_free == b->after_free &&
	       !strcmp(a->enum_name, b->enum_name) && a->watch == b->watch &&
	       a->returns == b->returns && a->stack == b->stack;
}

static const char *check_round_trip(const struct objtrace_spec *spec)
{
	char printed[OBJTRACE_SPEC_LEN], again[OBJTRACE_SPEC_LEN];
	struct objtrace_error error;
	struct objtrace_spec second;
	int len;

	len = objtrace_spec_print(spec, printed, sizeof(printed));
	if (len != strlen(printed))
		return "the printed command does not have the returned length";
	if (strpbrk(printed, "[ \t\n"))
		return "the printed command has blanks or a '['";
	if (objtrace_parse(printed, &second, &error))
		return "the printed command is rejected";
	if (!is_same(spec, &second))
		return "the printed command has another meaning";
	objtrace_spec_print(&second, again, sizeof(again));
	return strcmp(printed, again) ? "the second print differs from the first print" : NULL;
}

/* Return the parser's mistake with a text, or NULL */
static const char *check_text(const char *text, struct objtrace_spec *spec,
			      struct objtrace_error *error)
{
	const char *complaint;
	int ret;

	memset(spec, 0xff, sizeof(*spec));
	memset(error, 0xff, sizeof(*error));
	ret = objtrace_parse(text, spec, error);
	if (!ret) {
		if (strchr(text, '\n'))
			return "a command with a line break is accepted";
		complaint = check_sense(spec);
		if (!complaint)
			complaint = check_places(text, spec);
		return complaint ?: check_round_trip(spec);
	}
	if (error->id >= OBJTRACE_NR_ERRORS)
		return "the error ID is invalid";
	if (ret >= 0 || ret != objtrace_error_errno(error->id))
		return "the returned errno is not the errno of the error";
	return error->pos > strlen(text) ? "the column of the error is beyond the text" : NULL;
}

#endif /* _UNIT_PARSE_CHECK_H */
