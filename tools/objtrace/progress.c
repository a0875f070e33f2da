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

/* Time of the first start */
static struct timespec started;

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - then->tv_sec + (now.tv_nsec - then->tv_nsec) / 1e9;
}

/**
 * progress_start() - start to wait for the moment of the first line
 * @progress: the state
 * @counted: the unit that is counted, and a preposition: "records of"
 * @path: the file that is read or written
 * @done: the participle: "read"
 *
 * The texts must outlive @progress.  If the program has several tasks, one after the other, the
 * moment counts from the start of the first task.
 */
void progress_start(struct progress *progress, const char *counted, const char *path,
		    const char *done)
{
	progress->counted = counted;
	progress->path = path;
	progress->done = done;
	progress->is_shown = false;
	if (!started.tv_sec)
		clock_gettime(CLOCK_MONOTONIC, &started);
}

/**
 * progress_show() - show the line if it is time
 * @progress: the state
 * @nr: number of units that are done
 */
void progress_show(struct progress *progress, unsigned long long nr)
{
	if (seconds_since(&started) < PATIENCE ||
	    (progress->is_shown && seconds_since(&progress->shown) < UPDATE) ||
	    !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r%llu %s %s are %s; ^C ends this\033[K", nr, progress->counted,
		progress->path, progress->done);
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
