// SPDX-License-Identifier: GPL-2.0-only
/*
 * The line is on standard error, and only if that is a terminal.
 */
#include <stdio.h>
#include <unistd.h>

#include "tools/objtrace/progress.h"

/* Seconds without a line */
#define PATIENCE	2.0
/* Seconds between two updates of the line */
#define UPDATE		0.2

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - then->tv_sec + (now.tv_nsec - then->tv_nsec) / 1e9;
}

/**
 * progress_start() - start to wait for the moment of the first line
 * @progress: the state
 * @path: the file that is read
 */
void progress_start(struct progress *progress, const char *path)
{
	progress->path = path;
	progress->is_shown = false;
	clock_gettime(CLOCK_MONOTONIC, &progress->started);
	progress->shown = progress->started;
}

/**
 * progress_show() - show the line if it is time
 * @progress: the state
 * @records: number of records that are read
 */
void progress_show(struct progress *progress, unsigned long long records)
{
	if (seconds_since(&progress->started) < PATIENCE ||
	    (progress->is_shown && seconds_since(&progress->shown) < UPDATE) ||
	    !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r%llu records of %s are read; ^C ends this\033[K", records,
		progress->path);
	progress->is_shown = true;
	clock_gettime(CLOCK_MONOTONIC, &progress->shown);
}

/**
 * progress_clear_line() - remove a line that another process may have left on the terminal
 */
void progress_clear_line(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/**
 * progress_end() - remove the line
 * @progress: the state
 */
void progress_end(struct progress *progress)
{
	if (progress->is_shown)
		progress_clear_line();
}
