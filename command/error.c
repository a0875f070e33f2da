// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of commands, see command/error.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "command/error.h"

#define OBJTRACE_ERROR(id, err, text, help)	\
	[OBJTRACE_ERR_##id] = { err, text },
static const struct {
	int		err;
	const char	*text;
} errors[] = {
#include "objtrace_errors.h"
};
#undef OBJTRACE_ERROR

/**
 * objtrace_error_errno() - look up the errno that write() returns for an error
 * @id: the error
 *
 * Context: Any, NMI included.
 * Return: the negative errno
 */
int objtrace_error_errno(enum objtrace_error_id id)
{
	return -errors[id].err;
}

/**
 * objtrace_error_text() - look up the sentence that explains an error
 * @id: the error
 *
 * Context: Any, NMI included.
 * Return: the sentence, in memory of this module
 */
const char *objtrace_error_text(enum objtrace_error_id id)
{
	return errors[id].text;
}

/**
 * objtrace_error_set_in() - store an error with its column and its struct
 * @error: receives the error
 * @id: the error
 * @pos: column in the parsed text
 * @in: struct that the error is about, as "struct bio", or empty; the text is copied
 *
 * Context: Any, NMI included.
 * Return: the negative errno of the error
 */
int objtrace_error_set_in(struct objtrace_error *error, enum objtrace_error_id id,
			  unsigned int pos, const char *in)
{
	error->id = id;
	error->pos = pos;
	scnprintf(error->in, sizeof(error->in), "%s", in);
	return objtrace_error_errno(id);
}

/**
 * objtrace_error_add() - add to the text in front of an error's sentence, if there is room
 * @error: the error
 * @fmt: format of the text, as for printf()
 *
 * Context: Any, NMI included.
 * Return: true; false if there is no room for all of the text, and nothing was added
 */
bool objtrace_error_add(struct objtrace_error *error, const char *fmt, ...)
{
	size_t used = strlen(error->in), left = sizeof(error->in) - used;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(error->in + used, left, fmt, args);
	va_end(args);
	if (len < left)
		return true;
	error->in[used] = '\0';
	return false;
}

/**
 * objtrace_error_set() - store an error with its column, and without a struct
 * @error: receives the error
 * @id: the error
 * @pos: column in the parsed text
 *
 * Context: Any, NMI included.
 * Return: the negative errno of the error
 */
int objtrace_error_set(struct objtrace_error *error, enum objtrace_error_id id,
		       unsigned int pos)
{
	return objtrace_error_set_in(error, id, pos, "");
}
