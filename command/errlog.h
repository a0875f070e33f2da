/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write errors of the user to an error_log.
 */
#ifndef _OBJTRACE_ERRLOG_H
#define _OBJTRACE_ERRLOG_H

struct objtrace_error;
struct trace_array;

void objtrace_errlog(struct trace_array *tr, const char *glob, const char *param,
		     const struct objtrace_error *error);
void objtrace_errlog_file(const char *file, const char *text,
			  const struct objtrace_error *error);

#endif /* _OBJTRACE_ERRLOG_H */
