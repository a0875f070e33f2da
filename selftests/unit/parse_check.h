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
				return "an index is not where it is said to be";
		} else if (!is_at(text, spec->component_pos[i], component, len)) {
			return "a member is not where it is said to be";
		}
		component += len;
		if (i + 1 < spec->nr_components)
			component += *component == '-' ? strlen("->") : strlen(".");
	}
	return *component ? "there are more components than said" : NULL;
}

static const char *check_places(const char *text, const struct objtrace_spec *spec)
{
	if (spec->address &&
	    !is_at(text, spec->field_pos, "0x", 2) && !is_at(text, spec->field_pos, "0X", 2))
		return "the address is not where it is said to be";
	if (spec->verb != OBJTRACE_CLEAR && !spec->address &&
	    (!spec->field[0] || !is_at(text, spec->field_pos, spec->field, strlen(spec->field))))
		return "the field is not where it is said to be";
	if (spec->form == OBJTRACE_BTF &&
	    (!spec->struct_name[0] ||
	     !is_at(text, spec->struct_pos, spec->struct_name, strlen(spec->struct_name))))
		return "the struct is not where it is said to be";
	if (spec->type && text[spec->type_pos - 1] != ':')
		return "the type is not where it is said to be";
	if (spec->size_form && !is_at(text, spec->size_pos - 5, "size=", 5))
		return "the size is not where it is said to be";
	if (spec->enum_name[0] &&
	    !is_at(text, spec->enum_pos, spec->enum_name, strlen(spec->enum_name)))
		return "the enum is not where it is said to be";
	if (spec->filter && (spec->filter < text || spec->filter >= text + strlen(text)))
		return "the filter is not in the text";
	return check_components(text, spec);
}

static const char *check_sense(const struct objtrace_spec *spec)
{
	bool is_number = spec->count_form == OBJTRACE_COUNT_N ||
			 spec->count_form == OBJTRACE_COUNT_EQUALS;

	if (is_number != !!spec->count || spec->count > LONG_MAX)
		return "the count and its form do not fit";
	if ((spec->size_form == OBJTRACE_SIZE_N) != !!spec->size)
		return "the size and its form do not fit";
	if (spec->nr_offsets > OBJTRACE_MAX_DEREFS ||
	    !spec->nr_offsets != (spec->form == OBJTRACE_BTF || spec->verb != OBJTRACE_ADD))
		return "the offsets and the form do not fit";
	if (spec->address && spec->field[0])
		return "there is a field, and an address in its place";
	if (spec->nr_components > OBJTRACE_MAX_COMPONENTS)
		return "there are too many components";
	if (spec->verb != OBJTRACE_ADD &&
	    (spec->form || spec->type || spec->changes || spec->size_form || spec->typed ||
	     spec->after_free || spec->enum_name[0]))
		return "there is what only add takes";
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
	       !strcmp(a->enum_name, b->enum_name);
}

static const char *check_round_trip(const struct objtrace_spec *spec)
{
	char printed[OBJTRACE_SPEC_LEN], again[OBJTRACE_SPEC_LEN];
	struct objtrace_error error;
	struct objtrace_spec second;
	int len;

	len = objtrace_spec_print(spec, printed, sizeof(printed));
	if (len != strlen(printed))
		return "what is printed is not as long as said";
	if (strpbrk(printed, "[ \t\n"))
		return "what is printed has blanks or a '['";
	if (objtrace_parse(printed, &second, &error))
		return "what is printed is not accepted";
	if (!is_same(spec, &second))
		return "what is printed has another meaning";
	objtrace_spec_print(&second, again, sizeof(again));
	return strcmp(printed, again) ? "it is not printed the same again" : NULL;
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
		complaint = check_sense(spec);
		if (!complaint)
			complaint = check_places(text, spec);
		return complaint ?: check_round_trip(spec);
	}
	if (error->id >= OBJTRACE_NR_ERRORS)
		return "there is no such error";
	if (ret >= 0 || ret != objtrace_error_errno(error->id))
		return "the errno is not that of the error";
	return error->pos > strlen(text) ? "the error is behind the text" : NULL;
}

#endif /* _UNIT_PARSE_CHECK_H */
