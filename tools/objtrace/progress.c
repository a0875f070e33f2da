// SPDX-License-Identifier: GPL-2.0-only
/*
 * The line is on standard error, and only if that is a terminal.
 *
 * A system call can take seconds.  A thread shows the line meanwhile.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/objtrace/progress.h"

/* Seconds without a line; a test has less patience */
#ifndef PATIENCE
#define PATIENCE	2.0
#endif
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

/*
 * The task that takes long.  @lock protects @has_ended.
 */
static struct {
	pthread_t	thread;
	pthread_mutex_t	lock;
	pthread_cond_t	end;
	const char	*task;
	struct timespec	started;
	bool		is_shown;
	bool		has_ended;
	bool		has_thread;
} waiting = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The time after a number of seconds since the start */
static struct timespec moment(double seconds)
{
	struct timespec time = waiting.started;

	time.tv_sec += (time_t)seconds;
	time.tv_nsec += (seconds - (time_t)seconds) * 1e9;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static void *show_waiting(void *unused)
{
	double seconds = PATIENCE;
	struct timespec next = moment(seconds);

	pthread_mutex_lock(&waiting.lock);
	while (!waiting.has_ended) {
		if (!pthread_cond_timedwait(&waiting.end, &waiting.lock, &next))
			continue;
		fprintf(stderr, "\r%s, %.0f s\033[K", waiting.task, seconds);
		waiting.is_shown = true;
		next = moment(++seconds);
	}
	pthread_mutex_unlock(&waiting.lock);
	return NULL;
}

/* The main thread gets all signals */
static int start_thread(void)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&waiting.thread, NULL, show_waiting, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

/**
 * progress_wait() - show how long a task takes, if it takes long
 * @task: the task, as a sentence without a period; it must stay valid
 *
 * progress_wait_end() must follow.
 */
void progress_wait(const char *task)
{
	pthread_condattr_t attr;

	if (!isatty(STDERR_FILENO))
		return;
	waiting.task = task;
	waiting.is_shown = waiting.has_ended = false;
	clock_gettime(CLOCK_MONOTONIC, &waiting.started);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&waiting.end, &attr);
	pthread_condattr_destroy(&attr);
	waiting.has_thread = !start_thread();
}

/**
 * progress_wait_end() - remove the line of progress_wait(), if there is one
 */
void progress_wait_end(void)
{
	if (!waiting.has_thread)
		return;
	pthread_mutex_lock(&waiting.lock);
	waiting.has_ended = true;
	pthread_cond_signal(&waiting.end);
	pthread_mutex_unlock(&waiting.lock);
	pthread_join(waiting.thread, NULL);
	waiting.has_thread = false;
	if (waiting.is_shown)
		progress_clear_line();
}
