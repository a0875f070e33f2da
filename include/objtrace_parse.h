/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command language: text to struct objtrace_spec and back.
 *
 *   add:FIELD[,OFFSET][:TYPE][:COUNT] [if FILTER]
 *
 *   FIELD   field of the event that holds the pointer; the value is read at the
 *           object's first byte, or
 *   OFFSET  that many bytes further: decimal, 0x hex or 0 octal, may be negative
 *   TYPE    u8 u16 u32 u64 x8 x16 x32 x64; x64 when not given
 *   COUNT   how many objects may be added; any number when not given
 *   FILTER  an event filter on the event that fires
 *
 *   add:arg1,0x28:u32:1 if comm == "cat"
 *
 * Pure functions of their arguments, the same source in the kernel and in the
 * unit tests: no kernel state, no allocation.
 */
#ifndef _OBJTRACE_PARSE_H
#define _OBJTRACE_PARSE_H

#include <linux/types.h>

/* Longer than any field name that a probe event can have (32) */
#define OBJTRACE_FIELD_LEN	64
/* Longest text that objtrace_spec_print() makes, with its final NUL */
#define OBJTRACE_SPEC_LEN	(OBJTRACE_FIELD_LEN + 64)

#define OBJTRACE_ERROR(id, err, text)	OBJTRACE_ERR_##id,
/* What is wrong with a command: one for each line of objtrace_errors.h */
enum objtrace_error_id {
#include "objtrace_errors.h"
	OBJTRACE_NR_ERRORS
};
#undef OBJTRACE_ERROR

/**
 * struct objtrace_error - one thing that is wrong, and where
 * @id: what is wrong
 * @pos: column in the text that was parsed, counted from 0
 */
struct objtrace_error {
	enum objtrace_error_id	id;
	unsigned int		pos;
};

/**
 * enum objtrace_type - how the value of a member is read and shown
 * @OBJTRACE_TYPE_DEFAULT: not written: pointer size, hexadecimal
 * @OBJTRACE_TYPE_U8: 1 byte
 * @OBJTRACE_TYPE_U16: 2 bytes
 * @OBJTRACE_TYPE_U32: 4 bytes
 * @OBJTRACE_TYPE_U64: 8 bytes
 * @OBJTRACE_TYPE_X8: 1 byte
 * @OBJTRACE_TYPE_X16: 2 bytes
 * @OBJTRACE_TYPE_X32: 4 bytes
 * @OBJTRACE_TYPE_X64: 8 bytes
 *
 * All are shown in hexadecimal; the letter is kept to print back what was written.
 */
enum objtrace_type {
	OBJTRACE_TYPE_DEFAULT,
	OBJTRACE_TYPE_U8,
	OBJTRACE_TYPE_U16,
	OBJTRACE_TYPE_U32,
	OBJTRACE_TYPE_U64,
	OBJTRACE_TYPE_X8,
	OBJTRACE_TYPE_X16,
	OBJTRACE_TYPE_X32,
	OBJTRACE_TYPE_X64,
};

/**
 * struct objtrace_spec - a command, understood
 * @field: name of the event's field that holds the pointer
 * @field_pos: column of @field in the text, for errors found later
 * @offset: bytes from the object's first byte to the value
 * @type: as written
 * @count: how many objects may be added, 0 when not written
 * @filter: what follows 'if', or NULL; points into the text
 */
struct objtrace_spec {
	char			field[OBJTRACE_FIELD_LEN];
	unsigned int		field_pos;
	int			offset;
	enum objtrace_type	type;
	unsigned long		count;
	const char		*filter;
};

int objtrace_parse(const char *text, struct objtrace_spec *spec,
		   struct objtrace_error *error);
int objtrace_spec_print(const struct objtrace_spec *spec, char *buf, size_t size);
unsigned int objtrace_type_size(enum objtrace_type type);
int objtrace_error_set(struct objtrace_error *error, enum objtrace_error_id id,
		       unsigned int pos);
int objtrace_error_errno(enum objtrace_error_id id);
const char *objtrace_error_text(enum objtrace_error_id id);

#endif /* _OBJTRACE_PARSE_H */
