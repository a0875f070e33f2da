/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Errors of commands, and of lines for the filter files: one for each entry of objtrace_errors.h.
 */
#ifndef _OBJTRACE_ERROR_H
#define _OBJTRACE_ERROR_H

#include <linux/compiler.h>
#include <linux/types.h>

/* Longest text about an error that differs between commands, with its final NUL */
#define OBJTRACE_ERROR_IN_LEN	104

#define OBJTRACE_ERROR(id, err, text, help)	OBJTRACE_ERR_##id,
/* Errors of a command */
enum objtrace_error_id {
#include "objtrace_errors.h"
	OBJTRACE_NR_ERRORS
};
#undef OBJTRACE_ERROR

/**
 * struct objtrace_error - an error, its column and the text in front of its sentence
 * @id: the error
 * @pos: column of the error in the parsed text, from 0
 * @in: text in front of the sentence: the struct of a wrong member, as "struct bio"; or names
 *	that the command can have instead; or empty
 */
struct objtrace_error {
	enum objtrace_error_id	id;
	unsigned int		pos;
	char			in[OBJTRACE_ERROR_IN_LEN];
};

int objtrace_error_set(struct objtrace_error *error, enum objtrace_error_id id,
		       unsigned int pos);
int objtrace_error_set_in(struct objtrace_error *error, enum objtrace_error_id id,
			  unsigned int pos, const char *in);
__printf(2, 3) bool objtrace_error_add(struct objtrace_error *error, const char *fmt, ...);
int objtrace_error_errno(enum objtrace_error_id id);
const char *objtrace_error_text(enum objtrace_error_id id);

#endif /* _OBJTRACE_ERROR_H */
