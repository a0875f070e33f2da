/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command language: text to struct objtrace_spec and back.
 *
 *   add:OBJECT[:TYPE][:COUNT][:OPTION]... [if FILTER]   track what the field points to
 *   del:FIELD[:COUNT] [if FILTER]                       stop tracking it
 *   clear[:COUNT] [if FILTER]                           forget all objects
 *
 *   OBJECT  FIELD                   the value at the object's first byte, or
 *           FIELD,OFFSET            that many bytes further: decimal, 0x hex or 0
 *                                   octal, may be negative, or
 *           +OFFSET(FIELD)          the same; nests: +8(+0x28(FIELD)) follows the
 *           -OFFSET(FIELD)          pointer at 0x28, and takes the value at 8, or
 *           (STRUCT)FIELD->a.b->c   by name; an element of an array is a.2, or
 *           (STRUCT)FIELD           the first byte again, with the struct known
 *   TYPE    u8-u64 s8-s64 x8-x64 char symbol; pointer size, or the member's, when
 *           not given
 *   COUNT   N, count=N or unlimited: how many objects may be added (del: removed);
 *           any number when not given
 *   OPTION  changes, size=N or size=auto, typed or typed=strict, after-free, each once,
 *           in any order
 *   FILTER  an event filter on the event that fires
 *
 *   add:+8(+0x28(arg1)):s32:count=1:changes if comm == "cat"
 *
 * Pure functions of their arguments, the same source in the kernel and in the
 * unit tests: no kernel state, no allocation.
 */
#ifndef _OBJTRACE_PARSE_H
#define _OBJTRACE_PARSE_H

#include <linux/types.h>

#include "objtrace_fetch.h"

/* Longer than any field name that a probe event can have (32) */
#define OBJTRACE_FIELD_LEN	64
/* Longer than any struct's name in a kernel (65) */
#define OBJTRACE_STRUCT_LEN	96
#define OBJTRACE_PATH_LEN	128
#define OBJTRACE_MAX_COMPONENTS	16
/* Longest text that objtrace_spec_print() makes, with its final NUL */
#define OBJTRACE_SPEC_LEN	400

#define OBJTRACE_ERROR(id, err, text, help)	OBJTRACE_ERR_##id,
/* What is wrong with a command: one for each entry of objtrace_errors.h */
enum objtrace_error_id {
#include "objtrace_errors.h"
	OBJTRACE_NR_ERRORS
};
#undef OBJTRACE_ERROR

/**
 * struct objtrace_error - one thing that is wrong, and where
 * @id: what is wrong
 * @pos: column in the text that was parsed, counted from 0
 * @in: in which struct it was looked for, as "struct bio", or empty
 */
struct objtrace_error {
	enum objtrace_error_id	id;
	unsigned int		pos;
	char			in[OBJTRACE_STRUCT_LEN + 8];
};

/**
 * enum objtrace_verb - what to do with the object that the field points to
 * @OBJTRACE_ADD: start tracking it
 * @OBJTRACE_DEL: stop tracking it
 * @OBJTRACE_CLEAR: stop tracking all objects of the instance
 */
enum objtrace_verb {
	OBJTRACE_ADD,
	OBJTRACE_DEL,
	OBJTRACE_CLEAR,
};

/**
 * enum objtrace_form - how the object was written
 * @OBJTRACE_COMMA: FIELD or FIELD,OFFSET; also what del takes, and for clear nothing
 * @OBJTRACE_FETCH: +OFFSET(FIELD), perhaps nested
 * @OBJTRACE_BTF: (STRUCT)FIELD or (STRUCT)FIELD->PATH
 */
enum objtrace_form {
	OBJTRACE_COMMA,
	OBJTRACE_FETCH,
	OBJTRACE_BTF,
};

/**
 * enum objtrace_type - how the value of a member is read and shown
 * @OBJTRACE_TYPE_DEFAULT: not written: what BTF says, or pointer size, hexadecimal
 * @OBJTRACE_TYPE_U8: 1 byte, hexadecimal; so are the others of this letter
 * @OBJTRACE_TYPE_U16: 2 bytes
 * @OBJTRACE_TYPE_U32: 4 bytes
 * @OBJTRACE_TYPE_U64: 8 bytes
 * @OBJTRACE_TYPE_S8: 1 byte, decimal with its sign; so are the others of this letter
 * @OBJTRACE_TYPE_S16: 2 bytes
 * @OBJTRACE_TYPE_S32: 4 bytes
 * @OBJTRACE_TYPE_S64: 8 bytes
 * @OBJTRACE_TYPE_X8: as u8; the letter is kept to print back what was written
 * @OBJTRACE_TYPE_X16: 2 bytes
 * @OBJTRACE_TYPE_X32: 4 bytes
 * @OBJTRACE_TYPE_X64: 8 bytes
 * @OBJTRACE_TYPE_CHAR: 1 byte, a character
 * @OBJTRACE_TYPE_SYMBOL: pointer size, the symbol there
 */
enum objtrace_type {
	OBJTRACE_TYPE_DEFAULT,
	OBJTRACE_TYPE_U8,
	OBJTRACE_TYPE_U16,
	OBJTRACE_TYPE_U32,
	OBJTRACE_TYPE_U64,
	OBJTRACE_TYPE_S8,
	OBJTRACE_TYPE_S16,
	OBJTRACE_TYPE_S32,
	OBJTRACE_TYPE_S64,
	OBJTRACE_TYPE_X8,
	OBJTRACE_TYPE_X16,
	OBJTRACE_TYPE_X32,
	OBJTRACE_TYPE_X64,
	OBJTRACE_TYPE_CHAR,
	OBJTRACE_TYPE_SYMBOL,
};

/**
 * enum objtrace_count - how the count was written
 * @OBJTRACE_COUNT_NONE: not at all
 * @OBJTRACE_COUNT_N: N
 * @OBJTRACE_COUNT_EQUALS: count=N
 * @OBJTRACE_COUNT_UNLIMITED: unlimited
 */
enum objtrace_count {
	OBJTRACE_COUNT_NONE,
	OBJTRACE_COUNT_N,
	OBJTRACE_COUNT_EQUALS,
	OBJTRACE_COUNT_UNLIMITED,
};

/**
 * enum objtrace_size - how the size of the object was written
 * @OBJTRACE_SIZE_NONE: not at all: only its first byte is the object
 * @OBJTRACE_SIZE_N: size=N
 * @OBJTRACE_SIZE_AUTO: size=auto: that of the struct
 */
enum objtrace_size {
	OBJTRACE_SIZE_NONE,
	OBJTRACE_SIZE_N,
	OBJTRACE_SIZE_AUTO,
};

/**
 * enum objtrace_typed - in which functions objects are recorded
 * @OBJTRACE_TYPED_NONE: in all
 * @OBJTRACE_TYPED: typed: those with a parameter of STRUCT * or void *
 * @OBJTRACE_TYPED_STRICT: typed=strict: those with one of STRUCT *
 */
enum objtrace_typed {
	OBJTRACE_TYPED_NONE,
	OBJTRACE_TYPED,
	OBJTRACE_TYPED_STRICT,
};

/**
 * struct objtrace_spec - a command, understood
 * @verb: what to do
 * @form: how the object was written
 * @field: name of the event's field that holds the pointer; empty for clear
 * @field_pos: column of @field in the text; for clear, of the verb
 * @offset: what to add to the object, then to each pointer that is read there; the
 *	    value is where the last one leads: {0x28, 8} for +8(+0x28(FIELD))
 * @nr_offsets: how many these are: 1 or more; 0 in the form with a struct, and for
 *		del and clear
 * @struct_name: tag of the struct that the object is; empty in the other forms
 * @struct_pos: column of @struct_name in the text
 * @path: what follows '->', with a.2 for a[2], so that '.' or '->' stands between
 *	  any two components; empty when there is none
 * @component_pos: column in the text of each component of @path
 * @nr_components: how many it has
 * @type: as written
 * @type_pos: its column in the text, if it was written
 * @count_form: how the count was written
 * @count: how many objects may be added or removed, 0 for any number
 * @changes: record only when the value has changed
 * @size_form: how the size was written
 * @size: bytes that are the object, if it was written as a number
 * @size_pos: column of the size's value in the text, if it was written
 * @typed: in which functions its objects are recorded
 * @after_free: record also who is passed one whose memory was freed
 * @filter: what follows 'if', or NULL; points into the text
 */
struct objtrace_spec {
	enum objtrace_verb	verb;
	enum objtrace_form	form;
	char			field[OBJTRACE_FIELD_LEN];
	unsigned int		field_pos;
	int			offset[OBJTRACE_MAX_DEREFS];
	unsigned int		nr_offsets;
	char			struct_name[OBJTRACE_STRUCT_LEN];
	unsigned int		struct_pos;
	char			path[OBJTRACE_PATH_LEN];
	unsigned int		component_pos[OBJTRACE_MAX_COMPONENTS];
	unsigned int		nr_components;
	enum objtrace_type	type;
	unsigned int		type_pos;
	enum objtrace_count	count_form;
	unsigned long		count;
	bool			changes;
	enum objtrace_size	size_form;
	unsigned int		size;
	unsigned int		size_pos;
	enum objtrace_typed	typed;
	bool			after_free;
	const char		*filter;
};

struct objtrace_field;

int objtrace_parse(const char *text, struct objtrace_spec *spec,
		   struct objtrace_error *error);
int objtrace_parse_field(const struct objtrace_spec *spec,
			 const struct objtrace_field *field,
			 struct objtrace_error *error);
int objtrace_spec_print(const struct objtrace_spec *spec, char *buf, size_t size);
unsigned int objtrace_type_size(enum objtrace_type type);
int objtrace_error_set(struct objtrace_error *error, enum objtrace_error_id id,
		       unsigned int pos);
int objtrace_error_set_in(struct objtrace_error *error, enum objtrace_error_id id,
			  unsigned int pos, const char *in);
int objtrace_error_errno(enum objtrace_error_id id);
const char *objtrace_error_text(enum objtrace_error_id id);

#endif /* _OBJTRACE_PARSE_H */
