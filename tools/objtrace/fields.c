// SPDX-License-Identifier: GPL-2.0-only
/*
 * A field such as skbaddr is a void pointer.  Its type is that of the tracepoint's argument skb.
 */
#include <stdio.h>
#include <string.h>

#include <event-parse.h>

#include "tools/objtrace/fields.h"

/* The struct in the format's own type, such as "const struct page *" */
static const char *struct_in_format(struct kbtf *k, const char *text)
{
	struct kbtf_type type;
	char name[128];
	int end = 0;

	if (!strncmp(text, "const ", 6))
		text += 6;
	if (sscanf(text, "struct %127[A-Za-z0-9_] %n", name, &end) != 1 || !end ||
	    strcmp(text + end, "*") || !kbtf_struct(k, name, &type))
		return NULL;
	return kbtf_name(&type);
}

/* Is this how events name a field with the address in an argument? */
static bool has_name_of(const char *field, const char *param)
{
	static const char * const endings[] = { "", "addr", "_addr", "ptr", "_ptr" };
	size_t i, len = strlen(param);

	if (!len || strncmp(field, param, len))
		return false;
	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (!strcmp(field + len, endings[i]))
			return true;
	return false;
}

static const char *struct_in_arguments(struct kbtf *k, const char *event, const char *field)
{
	struct kbtf_type proto, type;
	const char *name;
	int i;

	if (!kbtf_tracepoint(k, event, &proto))
		return NULL;
	for (i = 1; i < kbtf_nr_params(&proto); i++) {
		if (!has_name_of(field, kbtf_param_name(&proto, i)))
			continue;
		type = kbtf_param_type(&proto, i);
		name = kbtf_pointee(&type);
		return name && *name ? name : NULL;
	}
	return NULL;
}

/**
 * fields_struct() - the struct that a field of an event points to
 * @k: the BTF
 * @event: the name of the event
 * @field: the field
 *
 * Return: the name of the struct, in the memory of @k, or NULL if it is unknown.
 */
const char *fields_struct(struct kbtf *k, const char *event, const struct tep_format_field *field)
{
	bool is_typed = field->flags & TEP_FIELD_IS_POINTER && !fields_is_void(field);

	return is_typed ? struct_in_format(k, field->type) :
			  struct_in_arguments(k, event, field->name);
}

/**
 * fields_is_void() - is a field a void pointer?
 * @field: the field
 *
 * Return: true or false.
 */
bool fields_is_void(const struct tep_format_field *field)
{
	return !strcmp(field->type, "void *") || !strcmp(field->type, "const void *");
}
