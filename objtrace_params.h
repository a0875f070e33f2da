/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parameters of the module.
 */
#ifndef _OBJTRACE_PARAMS_H
#define _OBJTRACE_PARAMS_H

#include <linux/types.h>

/**
 * struct objtrace_params - the values of the module's parameters
 * @max_objects: limit of tracked objects, 1 to OBJTRACE_MAX_OBJECTS
 * @after_free_ms: maximum age of a tombstone in milliseconds, 1 to OBJTRACE_MAX_AFTER_FREE_MS
 * @max_returns: limit of followed calls, 1 to OBJTRACE_MAX_RETURNS
 * @trampoline: functions call the trampolines of objtrace
 */
struct objtrace_params {
	unsigned int	max_objects;
	unsigned int	after_free_ms;
	unsigned int	max_returns;
	bool		trampoline;
};

int objtrace_params_get(struct objtrace_params *params);

#endif /* _OBJTRACE_PARAMS_H */
