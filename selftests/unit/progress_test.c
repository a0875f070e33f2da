// SPDX-License-Identifier: GPL-2.0-only
/*
 * The line that a long task has on a terminal, and that a short task lacks.
 */
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>

static double patience;

#define PATIENCE	patience
#include "tools/objtrace/progress.c"
#include "tap.h"

/* More seconds than any host stops a process */
#define LONG		100000

static int terminal;

/* The output on the terminal until now */
static const char *output(void)
{
	static char text[4096];
	ssize_t nr, size = 0;

	while ((nr = read(terminal, text + size, sizeof(text) - 1 - size)) > 0)
		size += nr;
	text[size] = '\0';
	return text;
}

static void open_terminal(void)
{
	int other;

	if (openpty(&terminal, &other, NULL, NULL, NULL) || dup2(other, STDERR_FILENO) < 0)
		exit(1);
	fcntl(terminal, F_SETFL, O_NONBLOCK);
}

/* Wait until the terminal has shown a text.  On a busy host, one read can return two texts. */
static bool appears(const char *text)
{
	static char seen[8192];
	int i;

	for (i = 0; i < 1000 && !strstr(seen, text); i++) {
		usleep(10000);
		strncat(seen, output(), sizeof(seen) - strlen(seen) - 1);
	}
	return strstr(seen, text);
}

static void check_waiting(void)
{
	const char *text;

	patience = LONG;
	progress_wait("a short task");
	progress_wait_end();
	text = output();
	ok(!*text, "a short task has no line: '%s'", text);

	patience = 0;
	progress_wait("a long task");
	ok(appears("\ra long task, 0 s\033[K"), "a long task has a line");
	ok(appears("\ra long task, 1 s\033[K"), "the line has the time");
	progress_wait_end();
	text = output();
	ok(!strcmp(text + strlen(text) - strlen("\r\033[K"), "\r\033[K"), "the line is removed");
	progress_wait_end();
	text = output();
	ok(!*text, "the line is removed once: '%s'", text);
}

static void check_records(void)
{
	struct progress progress;
	const char *text;

	patience = LONG;
	progress_start(&progress, "records of", "FILE", "read");
	progress_show(&progress, 1);
	text = output();
	ok(!*text, "a file that is read for a moment has no line: '%s'", text);
	patience = 0;
	progress_show(&progress, 2);
	text = output();
	ok(!strcmp(text, "\r2 records of FILE are read; ^C ends this\033[K"),
	   "a file that is read for a longer time has a line");
	progress_end(&progress);
	text = output();
	ok(!strcmp(text, "\r\033[K"), "the line is removed");
}

static void check_pipe(void)
{
	int ends[2];

	if (pipe(ends) || dup2(ends[1], STDERR_FILENO) < 0)
		exit(1);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	terminal = ends[0];
	progress_wait("a long task");
	usleep(100000);
	progress_wait_end();
	ok(!*output(), "a pipe gets no line");
}

int main(void)
{
	open_terminal();
	check_waiting();
	check_records();
	check_pipe();
	return tap_done();
}
