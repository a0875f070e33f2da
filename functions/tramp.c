// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which trampoline an ftrace_ops gets, see functions/tramp.h.  What they do is in
 * functions/tramp_x86_64.S and functions/tramp_arm64.S.
 */
#include <linux/cache.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "functions/tramp.h"
#include "kernel/ksyms.h"
#include "objects/bloom.h"
#include "objtrace_compat.h"

/* With the small first level of the filter, and with the large one */
static void (* const trampolines[2][OBJTRACE_NR_TRAMPS])(void) = {
	{ objtrace_tramp_small1, objtrace_tramp_small2,
	  objtrace_tramp_small3, objtrace_tramp_small },
	{ objtrace_tramp_large1, objtrace_tramp_large2,
	  objtrace_tramp_large3, objtrace_tramp_large },
};

/* Why they are not used; NULL if they are.  Written by objtrace_tramp_init() only */
static const char *why_not __ro_after_init;

/* Where there are none nothing refers to them */
static bool trampolines_are_used(void)
{
	return OBJTRACE_HAS_TRAMPOLINES && !why_not;
}

static bool trampoline_is_near(unsigned long ip)
{
	return objtrace_branch_reaches(ip, (unsigned long)trampolines[0][0]);
}

static bool reaches_trampoline(unsigned long ip)
{
	return OBJTRACE_HAS_DIRECT_CALL || trampoline_is_near(ip);
}

/* Whether there will be so few objects that the small first level is enough for them */
static bool marks_are_few(unsigned long marks)
{
	return marks <= OBJTRACE_BLOOM_FEW;
}

/**
 * objtrace_tramp_init() - find out whether trampolines are used at all
 * @wanted: if they are to be
 *
 * They are if all of the kernel's own functions can call them.  For the sake of a few
 * modules that are near it does not pay: where anything is too far away, all that is
 * goes through each ops that there is.
 *
 * Context: task, module init, after objtrace_ksyms_init().
 */
void objtrace_tramp_init(bool wanted)
{
	if (!OBJTRACE_HAS_TRAMPOLINES)
		why_not = "not possible in this kernel";
	else if (!wanted)
		why_not = "switched off by trampoline=0";
	else if (!reaches_trampoline(ksym_addr(_stext)) || !reaches_trampoline(ksym_addr(_etext)))
		why_not = "too far away from the kernel";
}

/**
 * objtrace_tramp_is_alone() - whether a function calls the one ftrace_ops that it has
 * @ip: its ftrace location
 *
 * Else it goes through all that there are, or can call no trampoline though others do.
 * Always the same for the same @ip.
 *
 * Context: any, after objtrace_tramp_init().
 * Return: true if its ops may be one that objtrace_tramp_set() was called for
 */
bool objtrace_tramp_is_alone(unsigned long ip)
{
	return trampolines_are_used() ? reaches_trampoline(ip) : OBJTRACE_OPS_ARE_ALONE;
}

/**
 * objtrace_tramp_set() - give an ftrace_ops a trampoline, if trampolines are to be used
 * @ops: the ops, not registered
 * @nr: how many registers its callback looks at minus 1; OBJTRACE_NR_TRAMPS - 1 for all
 * @marks: how much of the filter will be in use
 *
 * That may become more while it is registered, which costs some time and nothing else.
 *
 * Context: task, under the lock of who registers.
 */
void objtrace_tramp_set(struct ftrace_ops *ops, unsigned int nr, unsigned long marks)
{
	if (trampolines_are_used())
		objtrace_set_trampoline(ops, (unsigned long)trampolines[!marks_are_few(marks)][nr]);
}

/**
 * objtrace_tramp_why_not() - tell why no trampolines are used
 *
 * Context: any, after objtrace_tramp_init().
 * Return: a few words, or NULL if they are used
 */
const char *objtrace_tramp_why_not(void)
{
	return why_not;
}

/**
 * objtrace_tramp_asks() - tell what is asked first about what functions receive
 * @marks: what objtrace_tramp_set() was told for their ftrace_ops
 *
 * Context: any, after objtrace_tramp_init().
 * Return: a name of that part of the filter: as in stats
 */
const char *objtrace_tramp_asks(unsigned long marks)
{
	return trampolines_are_used() && marks_are_few(marks) ? "bloom_small" : "bloom_large";
}

/**
 * objtrace_tramp_path() - find out what a function calls
 * @ip: its ftrace location
 *
 * Context: any, after objtrace_tramp_init().
 * Return: that, if objtrace_tramp_set() was called for its ftrace_ops and it has no other
 */
enum objtrace_path objtrace_tramp_path(unsigned long ip)
{
	if (!trampolines_are_used())
		return OBJTRACE_PATH_CALLBACK;
	return trampoline_is_near(ip) ? OBJTRACE_PATH_TRAMPOLINE : OBJTRACE_PATH_DIRECT_CALL;
}

/**
 * objtrace_tramp_path_name() - tell the name of a path
 * @path: the path
 *
 * Context: any.
 * Return: the name
 */
const char *objtrace_tramp_path_name(enum objtrace_path path)
{
	static const char * const names[OBJTRACE_NR_PATHS] = {
		[OBJTRACE_PATH_TRAMPOLINE]	= "trampoline",
		[OBJTRACE_PATH_DIRECT_CALL]	= "direct_call",
		[OBJTRACE_PATH_CALLBACK]	= "callback",
	};

	return names[path];
}
