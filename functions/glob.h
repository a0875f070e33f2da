/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patterns of names, as shells have them:
 *
 *   *       anything, also nothing
 *   ?       any character
 *   [abc]   one of these; a ']' that comes first is one of them
 *   [a-z]   one from here to there; a '-' that comes first or last means itself
 *   [!abc]  one of all others
 *   \*      the character behind the '\' itself
 *
 * A '[' that nothing closes and a '\' with nothing behind it mean themselves.
 *
 * Not the kernel's glob_match(): before Linux 6.12 what [!abc] matches can be the NUL at
 * the end of the name, and then it goes on with whatever lies in memory behind that.
 *
 * The same source in the kernel and in the unit tests.
 */
#ifndef _OBJTRACE_GLOB_H
#define _OBJTRACE_GLOB_H

#include <linux/types.h>

bool objtrace_glob_match(const char *pattern, const char *name);

#endif /* _OBJTRACE_GLOB_H */
