/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lanes of a picture: the subsystems that an object passes through.
 */
#ifndef _TOOLS_OBJTRACE_LANES_H
#define _TOOLS_OBJTRACE_LANES_H

#include "tools/objtrace/objects.h"
#include "tools/objtrace/subsystem.h"

struct trace_symbols;

#define MAX_SUBSYSTEMS	12
#define MAX_LANES	(MAX_SUBSYSTEMS + 1)
#define NO_LANE		(-1)

/**
 * struct lane - a lane
 * @name: name of the subsystem, or of the lane with the events of the kernel
 * @records: number of its records
 */
struct lane {
	char		name[SUBSYSTEM_LEN];
	unsigned long	records;
};

/**
 * struct lanes - the lanes of an object
 * @lanes: the lanes, in the order of their first records
 * @nr: number of lanes.  If an object has more than MAX_SUBSYSTEMS subsystems, one lane has the records
 *	of the rarest subsystems.
 * @events: number of the lane with the events of the kernel, or NO_LANE
 * @subsystems: all subsystems, for lanes.c
 * @nr_subsystems: number of @subsystems
 * @kept: for lanes.c
 */
struct lanes {
	struct lane	lanes[MAX_LANES];
	unsigned int	nr;
	int		events;
	struct lane	*subsystems;
	unsigned int	nr_subsystems;
	int		*kept;
};

void lanes_find(struct lanes *lanes, const struct object *object, struct trace_symbols *symbols);
int lane_of(const struct lanes *lanes, const struct record *record, struct trace_symbols *symbols);
void lanes_free(struct lanes *lanes);
u64 record_function(const struct record *record);

#endif /* _TOOLS_OBJTRACE_LANES_H */
