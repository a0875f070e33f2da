// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal only sets a flag, so that the program removes its session before it ends.
 */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "tools/objtrace/stop.h"

/* The signal, written by its handler */
static volatile sig_atomic_t wanted;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define NR_SIGNALS	(sizeof(signals) / sizeof(*signals))

static void want(int number)
{
	wanted = number;
}

static void set_handlers(void (*end)(int), void (*pipe)(int))
{
	struct sigaction action = { .sa_handler = end };
	size_t i;

	for (i = 0; i < NR_SIGNALS; i++)
		sigaction(signals[i], &action, NULL);
	action.sa_handler = pipe;
	sigaction(SIGPIPE, &action, NULL);
}

/**
 * stop_handle_signals() - let stop_is_wanted() report signals
 */
void stop_handle_signals(void)
{
	/* A reader of the output that is gone must not prevent the removal of the session */
	set_handlers(want, SIG_IGN);
}

/**
 * stop_reset_signals() - undo stop_handle_signals()
 */
void stop_reset_signals(void)
{
	set_handlers(SIG_DFL, SIG_DFL);
}

/**
 * stop_is_wanted() - did a signal ask for the end?
 *
 * Return: true or false.
 */
bool stop_is_wanted(void)
{
	return wanted;
}

/**
 * stop_die() - die of the signal, if there was one
 *
 * A shell must see that the user ended the command.
 */
void stop_die(void)
{
	stop_reset_signals();
	if (wanted)
		kill(getpid(), wanted);
}
