/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records and objects that a session misses.
 */
#ifndef _TOOLS_OBJTRACE_LOSSES_H
#define _TOOLS_OBJTRACE_LOSSES_H

struct session;

/**
 * struct losses - what is missing
 * @records: number of records
 * @objects: number of objects that were not tracked
 * @events: number of events that belong to objects, or to other objects
 * @pauses: number of times without such events
 * @calls: number of calls of the function that finds the objects, which its probe missed
 */
struct losses {
	unsigned long long	records;
	unsigned long long	objects;
	unsigned long long	events;
	unsigned long long	pauses;
	unsigned long long	calls;
};

void losses_of_triggers(struct losses *losses, const struct session *session);
void losses_of_probe(struct losses *losses, const struct session *session);
void losses_of_buffers(struct losses *losses, const struct session *session);

#endif /* _TOOLS_OBJTRACE_LOSSES_H */
