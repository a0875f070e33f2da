/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parser of WHAT: the words on the command line that say where an object comes from.
 */
#ifndef _TOOLS_OBJTRACE_WHAT_H
#define _TOOLS_OBJTRACE_WHAT_H

#include <stddef.h>

/**
 * enum what_kind - the source of an object
 * @WHAT_ARGUMENT: FUNC(ARG): an argument of a function
 * @WHAT_RETURNED: FUNC(): the pointer that a function returns
 * @WHAT_FIELD: SYSTEM:EVENT.FIELD: a field of an event
 * @WHAT_ADDRESS: 0xADDRESS: the object's own address
 */
enum what_kind {
	WHAT_ARGUMENT,
	WHAT_RETURNED,
	WHAT_FIELD,
	WHAT_ADDRESS,
};

/**
 * struct what_word - a part of the text of WHAT, which has no NUL at its end
 * @start: its first character, in the caller's text
 * @len: its length in bytes
 */
struct what_word {
	const char	*start;
	size_t		len;
};

/**
 * struct what - a parsed WHAT
 * @kind: the source; it selects the members that are set, all others are zero
 * @function: the function of an argument or of a returned pointer
 * @arg: the name of the argument, unless @arg_nr is set
 * @arg_nr: the number of the argument, counted from 1
 * @system: the system of the event
 * @event: the event
 * @field: the field of the event
 * @address: the object's address
 */
struct what {
	enum what_kind		kind;
	struct what_word	function;
	struct what_word	arg;
	unsigned int		arg_nr;
	struct what_word	system;
	struct what_word	event;
	struct what_word	field;
	unsigned long long	address;
};

/**
 * struct what_error - a mistake in WHAT
 * @message: one sentence, in static memory
 * @place: the offset of the mistake from the start of WHAT, for the caret
 */
struct what_error {
	const char	*message;
	size_t		place;
};

int what_parse(const char *text, struct what *what, struct what_error *error);

#endif /* _TOOLS_OBJTRACE_WHAT_H */
