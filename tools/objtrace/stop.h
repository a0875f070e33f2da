/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of the program by a signal.
 */
#ifndef _TOOLS_OBJTRACE_STOP_H
#define _TOOLS_OBJTRACE_STOP_H

#include <stdbool.h>

void stop_set_handler(int number, void (*handler)(int number));
void stop_handle_signals(void);
void stop_reset_signals(void);
bool stop_is_wanted(void);
void stop_die(void);

#endif /* _TOOLS_OBJTRACE_STOP_H */
