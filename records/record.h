/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing records into the instance of a trigger.  objtrace_event.h defines their fields.
 */
#ifndef _OBJTRACE_RECORD_H
#define _OBJTRACE_RECORD_H

#include <linux/types.h>

#include "records/tally.h"

struct objtrace_fetch;
struct objtrace_files;
struct objtrace_last;
struct objtrace_place;
struct objtrace_sample;

/**
 * struct objtrace_end - the end of an object
 * @object: the object
 * @id: number of the object
 * @hits: how many function entries received the object
 * @age: how long the object was tracked, by the instance's trace clock
 * @ip: address in the function that freed the memory, for OBJTRACE_DEL_FREE; else 0
 * @reason: OBJTRACE_DEL_*
 */
struct objtrace_end {
	unsigned long	object;
	u64		id;
	unsigned long	hits;
	u64		age;
	unsigned long	ip;
	unsigned int	reason;
};

/**
 * struct objtrace_hint - a freed object whose address a function received
 * @object: the object
 * @id: number of the object
 * @age: time since the free, by the instance's trace clock
 * @freed_by: address in the function that freed the memory
 * @fetch: the type of the object
 */
struct objtrace_hint {
	unsigned long			object;
	u64				id;
	u64				age;
	unsigned long			freed_by;
	const struct objtrace_fetch	*fetch;
};

int objtrace_record_init(void);
void objtrace_record_exit(void);

enum objtrace_outcome objtrace_record_add(const struct objtrace_files *files,
					  const struct objtrace_sample *sample,
					  const char *event);
enum objtrace_outcome objtrace_record_value(const struct objtrace_files *files,
					    const struct objtrace_sample *sample,
					    const struct objtrace_place *place);
enum objtrace_outcome objtrace_record_change(const struct objtrace_files *files,
					     const struct objtrace_sample *sample,
					     const struct objtrace_place *seen,
					     const struct objtrace_last *last);
enum objtrace_outcome objtrace_record_del(const struct objtrace_files *files,
					  const struct objtrace_end *end);
enum objtrace_outcome objtrace_record_hint(const struct objtrace_files *files,
					   const struct objtrace_hint *hint,
					   const struct objtrace_place *place);

#endif /* _OBJTRACE_RECORD_H */
