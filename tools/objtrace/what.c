// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of WHAT.  It checks the spelling, not the names of the kernel.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/what.h"

struct parser {
	const char		*text;
	const char		*pos;
	struct what_error	*error;
};

static int mistake(struct parser *p, const char *place, const char *message)
{
	p->error->message = message;
	p->error->place = place - p->text;
	return -EINVAL;
}

/* GCC adds suffixes such as ".isra.0" to the names of functions. */
static int parse_word(struct parser *p, const char *more, const char *missing,
		      struct what_word *word)
{
	word->start = p->pos;
	while (isalnum((unsigned char)*p->pos) || (*p->pos && strchr(more, *p->pos)))
		p->pos++;
	word->len = p->pos - word->start;
	return word->len ? 0 : mistake(p, p->pos, missing);
}

static int parse_end(struct parser *p)
{
	return *p->pos ? mistake(p, p->pos, "Nothing may follow here") : 0;
}

static int parse_address(struct parser *p, struct what *what)
{
	char *end;

	what->kind = WHAT_ADDRESS;
	if (!isxdigit((unsigned char)p->pos[2]))
		return mistake(p, p->pos + 2, "The address has no digits");
	errno = 0;
	what->address = strtoull(p->pos, &end, 16);
	if (errno)
		return mistake(p, p->pos, "The address has more than 64 bits");
	/* A plan with the address 0 is a plan without an address */
	if (!what->address)
		return mistake(p, p->pos, "No object is at address 0");
	p->pos = end;
	return parse_end(p);
}

static int parse_arg_nr(struct parser *p, struct what *what)
{
	const struct what_word *arg = &what->arg;

	if (!isdigit((unsigned char)*arg->start))
		return 0;
	if (arg->len != 1 || *arg->start == '0')
		return mistake(p, arg->start, "The number of an argument is 1 to 9");
	what->arg_nr = *arg->start - '0';
	what->arg = (struct what_word){};
	return 0;
}

static int parse_function(struct parser *p, struct what *what)
{
	int ret;

	p->pos++;
	what->kind = *p->pos == ')' ? WHAT_RETURNED : WHAT_ARGUMENT;
	if (what->kind == WHAT_ARGUMENT) {
		ret = parse_word(p, "_", "A name or number of an argument is expected here",
				 &what->arg);
		if (!ret)
			ret = parse_arg_nr(p, what);
		if (ret)
			return ret;
	}
	if (*p->pos != ')')
		return mistake(p, p->pos, "A closing parenthesis is expected here");
	p->pos++;
	return parse_end(p);
}

static int parse_event(struct parser *p, struct what *what)
{
	int ret;

	what->kind = WHAT_FIELD;
	p->pos++;
	ret = parse_word(p, "_-", "The name of an event is expected here", &what->event);
	if (ret)
		return ret;
	if (*p->pos != '.')
		return mistake(p, p->pos, "A dot and a field of the event are expected here");
	p->pos++;
	ret = parse_word(p, "_", "A field of the event is expected here", &what->field);
	return ret ?: parse_end(p);
}

/**
 * what_parse() - parse WHAT
 * @text: the word of the command line; the words of @what point into it
 * @what: the result
 * @error: the mistake, set on failure only
 *
 * Return: 0, or -EINVAL for a mistake.
 */
int what_parse(const char *text, struct what *what, struct what_error *error)
{
	struct parser p = { .text = text, .pos = text, .error = error };
	struct what_word first;
	int ret;

	memset(what, 0, sizeof(*what));
	if (!strncmp(text, "0x", 2))
		return parse_address(&p, what);
	ret = parse_word(&p, "_.-", "A function, an event or an address is expected here", &first);
	if (ret)
		return ret;
	if (*p.pos == '(') {
		what->function = first;
		return parse_function(&p, what);
	}
	if (*p.pos == ':') {
		what->system = first;
		return parse_event(&p, what);
	}
	return mistake(&p, p.pos, "(ARGUMENT), () or :EVENT.FIELD is expected here");
}
