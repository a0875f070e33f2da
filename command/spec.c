// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of types, see command/spec.h.
 */
#include "command/spec.h"

static const struct {
	const char	*name;
	unsigned int	size;		/* bytes */
} types[] = {
	[OBJTRACE_TYPE_DEFAULT]	= { "",		sizeof(void *) },
	[OBJTRACE_TYPE_U8]	= { "u8",	1 },
	[OBJTRACE_TYPE_U16]	= { "u16",	2 },
	[OBJTRACE_TYPE_U32]	= { "u32",	4 },
	[OBJTRACE_TYPE_U64]	= { "u64",	8 },
	[OBJTRACE_TYPE_S8]	= { "s8",	1 },
	[OBJTRACE_TYPE_S16]	= { "s16",	2 },
	[OBJTRACE_TYPE_S32]	= { "s32",	4 },
	[OBJTRACE_TYPE_S64]	= { "s64",	8 },
	[OBJTRACE_TYPE_X8]	= { "x8",	1 },
	[OBJTRACE_TYPE_X16]	= { "x16",	2 },
	[OBJTRACE_TYPE_X32]	= { "x32",	4 },
	[OBJTRACE_TYPE_X64]	= { "x64",	8 },
	[OBJTRACE_TYPE_CHAR]	= { "char",	1 },
	[OBJTRACE_TYPE_SYMBOL]	= { "symbol",	sizeof(void *) },
};

/**
 * objtrace_type_size() - look up the size of a type
 * @type: the type
 *
 * Context: Any, NMI included.
 * Return: size in bytes, 1 to 8
 */
unsigned int objtrace_type_size(enum objtrace_type type)
{
	return types[type].size;
}

/**
 * objtrace_type_name() - look up the name of a type in commands
 * @type: the type
 *
 * Context: Any, NMI included.
 * Return: the name; empty for OBJTRACE_TYPE_DEFAULT
 */
const char *objtrace_type_name(enum objtrace_type type)
{
	return types[type].name;
}
