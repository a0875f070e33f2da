/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search for the name that a user meant.
 */
#ifndef _TOOLS_OBJTRACE_SUGGEST_H
#define _TOOLS_OBJTRACE_SUGGEST_H

#include <stddef.h>

/**
 * struct suggestion - the best name so far
 * @wanted: the name that the user wrote, which has no NUL at its end
 * @len: its length in bytes
 * @distance: the number of changed characters between @wanted and @best
 * @best: the best name, or NULL if no name is similar enough
 */
struct suggestion {
	const char	*wanted;
	size_t		len;
	unsigned int	distance;
	const char	*best;
};

void suggest_init(struct suggestion *s, const char *wanted, size_t len);
void suggest_consider(struct suggestion *s, const char *name);
const char *suggest_text(const struct suggestion *s, char *buf, size_t size);

#endif /* _TOOLS_OBJTRACE_SUGGEST_H */
