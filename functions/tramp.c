// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose the trampoline of an ftrace_ops, see functions/tramp.h.  functions/tramp_x86_64.S and
 * functions/tramp_arm64.S have the trampolines.
 */
#include <linux/cache.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "functions/tramp.h"
#include "kernel/ksyms.h"
#include "objects/bloom.h"
#include "objtrace_compat.h"

/*
 * With more objects, a quarter of the small first level or more is not 0.  Then so many pointers pass
 * that the small level costs more than it saves.
 */
#define MOST_FOR_SMALL	(1U << (OBJTRACE_BLOOM_SMALL_BITS - 2))

/* Trampolines that begin with the small, and with the large first level of the filter */
static void (* const trampolines[2][OBJTRACE_NR_TRAMPS])(void) = {
	{ objtrace_tramp_small1, objtrace_tramp_small2,
	  objtrace_tramp_small3, objtrace_tramp_small },
	{ objtrace_tramp_large1, objtrace_tramp_large2,
	  objtrace_tramp_large3, objtrace_tramp_large },
};

/* Reason why trampolines are not used, or NULL.  Written by objtrace_tramp_init() only */
static const char *why_not __ro_after_init;

/* True if trampolines begin with the large first level.  Written by objtrace_tramp_init() only */
static bool begins_with_large __ro_after_init;

/* The constant lets the compiler drop the trampolines in kernels that cannot use them */
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

/**
 * objtrace_tramp_init() - decide about the use of trampolines
 * @wanted: module parameter trampoline
 * @max_objects: module parameter max_objects
 *
 * Trampolines are used if all functions of the kernel can call a trampoline.  If only modules
 * could, trampolines would not pay: each function of the kernel would walk over the list of all
 * ops.
 *
 * Context: task, module init, after objtrace_ksyms_init().
 */
void objtrace_tramp_init(bool wanted, unsigned int max_objects)
{
	begins_with_large = max_objects > MOST_FOR_SMALL;
	if (!OBJTRACE_HAS_TRAMPOLINES)
		why_not = "not possible in this kernel";
	else if (!wanted)
		why_not = "switched off by trampoline=0";
	else if (!reaches_trampoline(ksym_addr(_stext)) || !reaches_trampoline(ksym_addr(_etext)))
		why_not = "too far away from the kernel";
}

/**
 * objtrace_tramp_is_alone() - check that a function can call its single ftrace_ops directly
 * @ip: ftrace location of the function
 *
 * Otherwise the function walks over the list of all ops, or it cannot reach the trampoline.  The
 * result for a location never changes.
 *
 * Context: Any, NMI included, after objtrace_tramp_init().
 * Return: true if the function's ops can be one of objtrace_tramp_set()
 */
bool objtrace_tramp_is_alone(unsigned long ip)
{
	return trampolines_are_used() ? reaches_trampoline(ip) : OBJTRACE_OPS_ARE_ALONE;
}

/**
 * objtrace_tramp_set() - set the trampoline of an ftrace_ops, if trampolines are used
 * @ops: the ops, not registered
 * @nr: number of registers that the ops' callback checks minus 1; OBJTRACE_NR_TRAMPS - 1 for all
 *
 * Context: task, under the mutex of functions/groups.c.
 */
void objtrace_tramp_set(struct ftrace_ops *ops, unsigned int nr)
{
	if (trampolines_are_used())
		objtrace_set_trampoline(ops, (unsigned long)trampolines[begins_with_large][nr]);
}

/**
 * objtrace_tramp_why_not() - look up the reason why trampolines are not used
 *
 * Context: Any, NMI included, after objtrace_tramp_init().
 * Return: a text for stats, or NULL if trampolines are used
 */
const char *objtrace_tramp_why_not(void)
{
	return why_not;
}

/**
 * objtrace_tramp_first_level() - look up the first level that functions check first
 *
 * Context: Any, NMI included, after objtrace_tramp_init().
 * Return: the name of the level's array in stats
 */
const char *objtrace_tramp_first_level(void)
{
	return trampolines_are_used() && !begins_with_large ? "bloom_small" : "bloom_large";
}

/**
 * objtrace_tramp_path() - compute the path of a function
 * @ip: ftrace location of the function
 *
 * Context: Any, NMI included, after objtrace_tramp_init().
 * Return: the path, if the function has a single ops, and objtrace_tramp_set() has set it up
 */
enum objtrace_path objtrace_tramp_path(unsigned long ip)
{
	if (!trampolines_are_used())
		return OBJTRACE_PATH_CALLBACK;
	return trampoline_is_near(ip) ? OBJTRACE_PATH_TRAMPOLINE : OBJTRACE_PATH_DIRECT_CALL;
}

/**
 * objtrace_tramp_path_name() - look up the name of a path in stats
 * @path: the path
 *
 * Context: Any, NMI included.
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
