/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line on the terminal that shows how far a long task is.
 */
#ifndef _TOOLS_OBJTRACE_PROGRESS_H
#define _TOOLS_OBJTRACE_PROGRESS_H

#include <stdbool.h>
#include <time.h>

/**
 * struct progress - the state of the line
 * @path: the file that is read
 * @started: time of the start
 * @shown: time of the last line
 * @is_shown: there is a line
 */
struct progress {
	const char	*path;
	struct timespec	started;
	struct timespec	shown;
	bool		is_shown;
};

void progress_start(struct progress *progress, const char *path);
void progress_show(struct progress *progress, unsigned long long records);
void progress_end(struct progress *progress);
void progress_clear_line(void);

#endif /* _TOOLS_OBJTRACE_PROGRESS_H */
