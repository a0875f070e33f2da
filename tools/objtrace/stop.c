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

/**
 * stop_set_handler() - set the handler of a signal that ends the program
 * @number: the signal
 * @handler: its handler, or SIG_DFL
 *
 * nohup(1) ignores SIGHUP for the program and for its command.  This stays so.
 */
void stop_set_handler(int number, void (*handler)(int number))
{
	struct sigaction action = { .sa_handler = handler }, before;

	if (number == SIGHUP && !sigaction(number, NULL, &before) && before.sa_handler == SIG_IGN)
		return;
	sigaction(number, &action, NULL);
}

static void set_handlers(void (*end)(int), void (*pipe)(int))
{
	size_t i;

	for (i = 0; i < NR_SIGNALS; i++)
		stop_set_handler(signals[i], end);
	stop_set_handler(SIGPIPE, pipe);
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
