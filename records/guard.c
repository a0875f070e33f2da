// SPDX-License-Identifier: GPL-2.0-only
/*
 * The per-CPU word of the guard, see records/guard.h.
 */
#include <linux/percpu.h>

#include "records/guard.h"

DEFINE_PER_CPU(unsigned long, objtrace_guard_contexts);
