/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expected entries: a probe on the entry of a function has fired a trigger, and objtrace's
 * callback for the same entry follows.
 */
#ifndef _OBJTRACE_EXPECT_H
#define _OBJTRACE_EXPECT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "objects/table.h"

int objtrace_expect(struct objtrace_life *life, unsigned long ip, bool ends);
void objtrace_expect_renew(struct objtrace_life *life, unsigned long ip);
void objtrace_expect_finish(const struct objtrace_match *match, unsigned long ip);
bool objtrace_expect_is_own(const struct objtrace_life *life);
void objtrace_expect_check_later(void);
void objtrace_expect_exit(void);

/**
 * objtrace_expect_is_at() - check whether an object has an expected entry of a function
 * @life: life of the object
 * @ip: the function's ftrace location
 *
 * Context: Any, NMI included; preemption disabled since the object was matched.
 * Return: true if there is such an entry, maybe of another task or context
 */
static __always_inline bool objtrace_expect_is_at(const struct objtrace_life *life,
						  unsigned long ip)
{
	/* Pairs with the release in objtrace_expect() */
	return smp_load_acquire(&life->entry_ip) == ip;
}

/**
 * objtrace_expect_matches() - check whether an entry is expected
 * @life: life of an object that the entry receives
 * @ip: the function's ftrace location
 *
 * Only the task and the context of the probe see an expected entry, once.
 *
 * Context: Any, NMI included; preemption disabled since the object was matched.
 * Return: true if this is the entry
 */
static __always_inline bool objtrace_expect_matches(const struct objtrace_life *life,
						    unsigned long ip)
{
	return unlikely(objtrace_expect_is_at(life, ip)) && objtrace_expect_is_own(life);
}

#endif /* _OBJTRACE_EXPECT_H */
