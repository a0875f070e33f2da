/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A strict check of JSON, for fuzzers and tests.
 */
#ifndef _UNIT_JSON_CHECK_H
#define _UNIT_JSON_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static inline const char *json_value(const char *at);

static inline const char *json_space(const char *at)
{
	return at ? at + strspn(at, " \t\r\n") : NULL;
}

/* The functions below return the end of a part, or NULL if the part is not valid. */
static inline const char *json_quoted(const char *at)
{
	unsigned int i;

	if (*at++ != '"')
		return NULL;
	for (; *at != '"'; at++) {
		if (*at < ' ' || *at > '~')
			return NULL;
		if (*at != '\\')
			continue;
		at++;
		if (*at != 'u' && (!*at || !strchr("\"\\/bfnrt", *at)))
			return NULL;
		for (i = 0; *at == 'u' && i < 4; i++)
			if (!isxdigit((unsigned char)at[i + 1]))
				return NULL;
	}
	return at + 1;
}

static inline const char *json_digits(const char *at)
{
	return isdigit((unsigned char)*at) ? at + strspn(at, "0123456789") : NULL;
}

static inline const char *json_number(const char *at)
{
	if (*at == '-')
		at++;
	if (*at == '0' && isdigit((unsigned char)at[1]))
		return NULL;
	at = json_digits(at);
	if (at && *at == '.')
		at = json_digits(at + 1);
	return at;
}

static inline const char *json_word(const char *at)
{
	static const char * const words[] = { "true", "false", "null" };
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!strncmp(at, words[i], strlen(words[i])))
			return at + strlen(words[i]);
	return NULL;
}

static inline const char *json_member(const char *at)
{
	at = json_space(json_quoted(at));
	return at && *at == ':' ? json_value(at + 1) : NULL;
}

static inline const char *json_list(const char *at, char close,
				    const char *(*element)(const char *at))
{
	at = json_space(at + 1);
	if (*at == close)
		return at + 1;
	while (1) {
		at = json_space(element(json_space(at)));
		if (!at || (*at != ',' && *at != close))
			return NULL;
		if (*at++ == close)
			return at;
	}
}

static inline const char *json_value(const char *at)
{
	at = json_space(at);
	switch (*at) {
	case '{':
		return json_list(at, '}', json_member);
	case '[':
		return json_list(at, ']', json_value);
	case '"':
		return json_quoted(at);
	case 't':
	case 'f':
	case 'n':
		return json_word(at);
	default:
		return json_number(at);
	}
}

/* Return the character at @at in a valid string, and move @at behind it. */
static inline unsigned int json_character(const char **at)
{
	static const char names[] = "bfnrt", characters[] = "\b\f\n\r\t";
	unsigned int number;
	const char *name;

	if (**at != '\\')
		return *(*at)++;
	if ((*at)[1] == 'u') {
		sscanf(*at + 2, "%4x", &number);
		*at += 6;
		return number;
	}
	name = strchr(names, (*at)[1]);
	*at += 2;
	return name ? characters[name - names] : (*at)[-1];
}

/* True if the text is one JSON value, and nothing else */
static inline bool json_is_valid(const char *text)
{
	const char *end = json_space(json_value(text));

	return end && !*end;
}

#endif /* _UNIT_JSON_CHECK_H */
