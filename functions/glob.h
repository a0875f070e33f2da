/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patterns of names, as in shells:
 *
 *   *       any characters, or no character
 *   ?       any character
 *   [abc]   a character of the class; a ']' at the start belongs to the class
 *   [a-z]   a character of the range; a '-' at the start or the end is a character
 *   [!abc]  a character outside of the class
 *   \*      the character after the '\'
 *
 * A '[' without a ']' and a '\' at the end are ordinary characters.
 *
 * The kernel's glob_match() is not used.  Before Linux 6.12, [!abc] can match the NUL at the end
 * of the name, and glob_match() then reads the memory after the name.
 *
 * The unit tests build the same source.
 */
#ifndef _OBJTRACE_GLOB_H
#define _OBJTRACE_GLOB_H

#include <linux/types.h>

bool objtrace_glob_match(const char *pattern, const char *name);

#endif /* _OBJTRACE_GLOB_H */
