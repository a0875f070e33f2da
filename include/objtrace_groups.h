/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions call us, and while there is a trigger that needs it.
 */
#ifndef _OBJTRACE_GROUPS_H
#define _OBJTRACE_GROUPS_H

#include <linux/types.h>

int objtrace_groups_init(void);
void objtrace_groups_exit(void);
int objtrace_groups_arm(void);
void objtrace_groups_disarm(void);
bool objtrace_groups_are_stuck(void);
bool objtrace_groups_follow_probe(unsigned long ip, unsigned int args);

#endif /* _OBJTRACE_GROUPS_H */
