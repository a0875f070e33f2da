/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The meaning of a command: struct objtrace_spec, and the table of types.
 */
#ifndef _OBJTRACE_SPEC_H
#define _OBJTRACE_SPEC_H

#include <linux/types.h>

#include "objtrace_fetch.h"

/* Longer than any field name that a probe event can have (32) */
#define OBJTRACE_FIELD_LEN	64
/* Longer than any struct's name in a kernel (65) */
#define OBJTRACE_STRUCT_LEN	96
#define OBJTRACE_PATH_LEN	128
#define OBJTRACE_MAX_COMPONENTS	16
/* Longer than any name of an enum or an enumerator in a kernel (66) */
#define OBJTRACE_ENUM_LEN	96
/* Most entries of a stack record that the option "stack" adds */
#define OBJTRACE_MAX_STACK	64
/* Longest text that objtrace_spec_print() makes, with its final NUL */
#define OBJTRACE_SPEC_LEN	512

/**
 * enum objtrace_verb - action of a trigger
 * @OBJTRACE_ADD: start tracking the object
 * @OBJTRACE_DEL: stop tracking the object
 * @OBJTRACE_CLEAR: stop tracking all objects of the instance
 */
enum objtrace_verb {
	OBJTRACE_ADD,
	OBJTRACE_DEL,
	OBJTRACE_CLEAR,
};

/**
 * enum objtrace_form - form of the object in the command
 * @OBJTRACE_COMMA: FIELD or FIELD,OFFSET; also for del and clear
 * @OBJTRACE_FETCH: +OFFSET(FIELD), maybe nested
 * @OBJTRACE_BTF: (STRUCT)FIELD or (STRUCT)FIELD->PATH
 */
enum objtrace_form {
	OBJTRACE_COMMA,
	OBJTRACE_FETCH,
	OBJTRACE_BTF,
};

/**
 * enum objtrace_type - size and format of the value
 * @OBJTRACE_TYPE_DEFAULT: no type in the command: the type in the BTF, or an integer with the
 *			   size of a pointer, hexadecimal
 * @OBJTRACE_TYPE_U8: 1 byte, hexadecimal as all types with u
 * @OBJTRACE_TYPE_U16: 2 bytes
 * @OBJTRACE_TYPE_U32: 4 bytes
 * @OBJTRACE_TYPE_U64: 8 bytes
 * @OBJTRACE_TYPE_S8: 1 byte, decimal with a sign as all types with s
 * @OBJTRACE_TYPE_S16: 2 bytes
 * @OBJTRACE_TYPE_S32: 4 bytes
 * @OBJTRACE_TYPE_S64: 8 bytes
 * @OBJTRACE_TYPE_X8: 1 byte, as u8; only the printed command differs
 * @OBJTRACE_TYPE_X16: 2 bytes
 * @OBJTRACE_TYPE_X32: 4 bytes
 * @OBJTRACE_TYPE_X64: 8 bytes
 * @OBJTRACE_TYPE_CHAR: 1 byte, a character
 * @OBJTRACE_TYPE_SYMBOL: an address, shown as a symbol
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
 * enum objtrace_count - form of the count in the command
 * @OBJTRACE_COUNT_NONE: no count
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
 * enum objtrace_size - form of the object's size in the command
 * @OBJTRACE_SIZE_NONE: no size: only pointers to the first byte match
 * @OBJTRACE_SIZE_N: size=N
 * @OBJTRACE_SIZE_AUTO: size=auto, the size of the struct
 */
enum objtrace_size {
	OBJTRACE_SIZE_NONE,
	OBJTRACE_SIZE_N,
	OBJTRACE_SIZE_AUTO,
};

/**
 * enum objtrace_typed - functions that the trigger selects
 * @OBJTRACE_TYPED_NONE: all functions
 * @OBJTRACE_TYPED: typed: functions with a parameter STRUCT * or void *
 * @OBJTRACE_TYPED_STRICT: typed=strict: functions with a parameter STRUCT *
 */
enum objtrace_typed {
	OBJTRACE_TYPED_NONE,
	OBJTRACE_TYPED,
	OBJTRACE_TYPED_STRICT,
};

/**
 * enum objtrace_returns - returns that are recorded
 * @OBJTRACE_RETURNS_NONE: none
 * @OBJTRACE_RETURNS_CHANGED: returns: of functions that changed the value
 * @OBJTRACE_RETURNS_ALL: returns=all: of all functions that received the object
 */
enum objtrace_returns {
	OBJTRACE_RETURNS_NONE,
	OBJTRACE_RETURNS_CHANGED,
	OBJTRACE_RETURNS_ALL,
};

/**
 * struct objtrace_spec - a parsed command
 * @verb: action of the trigger
 * @form: form of the object
 * @field: name of the event's field with the pointer; empty for clear, and with @address
 * @address: address in place of the field; 0 with a field
 * @field_pos: column of @field or @address in the text; for clear, column of the verb
 * @offset: bytes to add, first to the object's address, then to each pointer on the way:
 *	    {0x28, 8} for +8(+0x28(FIELD))
 * @nr_offsets: number of offsets; 0 in the form with a struct, and for del and clear
 * @struct_name: tag of the object's struct; empty in the other forms
 * @struct_pos: column of @struct_name in the text
 * @path: text after "->", with a.2 for a[2], so that "." or "->" separates the components; empty
 *	  without a member
 * @component_pos: column of each component of @path in the text
 * @nr_components: number of components
 * @type: type of the value
 * @type_pos: column of the type in the text, if the command has a type
 * @count_form: form of the count
 * @count: limit of objects to add or delete; 0 for no limit
 * @changes: true if only changes of the value are recorded
 * @returns: returns that are recorded
 * @size_form: form of the size
 * @size: size of the object in bytes, for size=N
 * @size_pos: column of the size's value in the text, if the command has a size
 * @typed: functions that the trigger selects
 * @after_free: true if functions that receive a freed object are recorded
 * @enum_name: the enum of the value, or one of its enumerators; empty without the option
 * @enum_pos: column of @enum_name in the text, if the command has the option
 * @stack: maximum of entries in the stack record after each record; 0 for no stack record
 * @watch: number of objects whose member is watched at a time; 0 without the option
 * @watch_pos: column of the option's number in the text, or of the option without a number
 * @filter: text after "if" in the parsed text; NULL without a filter
 */
struct objtrace_spec {
	enum objtrace_verb	verb;
	enum objtrace_form	form;
	char			field[OBJTRACE_FIELD_LEN];
	unsigned long		address;
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
	enum objtrace_returns	returns;
	enum objtrace_size	size_form;
	unsigned int		size;
	unsigned int		size_pos;
	enum objtrace_typed	typed;
	bool			after_free;
	char			enum_name[OBJTRACE_ENUM_LEN];
	unsigned int		enum_pos;
	unsigned int		stack;
	unsigned int		watch;
	unsigned int		watch_pos;
	const char		*filter;
};

unsigned int objtrace_type_size(enum objtrace_type type);
const char *objtrace_type_name(enum objtrace_type type);

#endif /* _OBJTRACE_SPEC_H */
