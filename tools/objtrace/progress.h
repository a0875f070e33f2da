/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line on the terminal that shows how far a long task is, or how long it takes.
 */
#ifndef _TOOLS_OBJTRACE_PROGRESS_H
#define _TOOLS_OBJTRACE_PROGRESS_H

#include <stdbool.h>
#include <time.h>

/**
 * struct progress - the state of the line
 * @counted: the unit that is counted, and a preposition: "records of"
 * @path: the file that is read or written
 * @done: the participle: "read"
 * @shown: time of the last line
 * @is_shown: there is a line
 */
struct progress {
	const char	*counted;
	const char	*path;
	const char	*done;
	struct timespec	shown;
	bool		is_shown;
};

void progress_start(struct progress *progress, const char *counted, const char *path,
		    const char *done);
void progress_show(struct progress *progress, unsigned long long nr);
void progress_end(struct progress *progress);
void progress_clear_line(void);
void progress_wait(const char *task);
void progress_wait_end(void);

#endif /* _TOOLS_OBJTRACE_PROGRESS_H */
