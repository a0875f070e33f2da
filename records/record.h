/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing records into the instance of a trigger.  objtrace_event.h defines their fields.
 */
#ifndef _OBJTRACE_RECORD_H
#define _OBJTRACE_RECORD_H

#include <linux/types.h>

#include "records/tally.h"

struct objtrace_arming;
struct objtrace_end;
struct objtrace_files;
struct objtrace_hint;
struct objtrace_last;
struct objtrace_place;
struct objtrace_returned;
struct objtrace_sample;
struct objtrace_write;
struct pt_regs;

int objtrace_record_init(void);
void objtrace_record_exit(void);

enum objtrace_outcome objtrace_record_add(const struct objtrace_files *files,
					  const struct objtrace_sample *sample,
					  const char *event, size_t event_len,
					  unsigned int context);
enum objtrace_outcome objtrace_record_value(const struct objtrace_files *files,
					    const struct objtrace_sample *sample,
					    const struct objtrace_place *place);
enum objtrace_outcome objtrace_record_change(const struct objtrace_files *files,
					     const struct objtrace_sample *sample,
					     const struct objtrace_place *seen,
					     const struct objtrace_last *last,
					     const struct pt_regs *caller);
enum objtrace_outcome objtrace_record_return(const struct objtrace_files *files,
					     const struct objtrace_sample *sample,
					     const struct objtrace_place *place,
					     const struct objtrace_returned *returned,
					     const struct pt_regs *caller);
enum objtrace_outcome objtrace_record_del(const struct objtrace_files *files,
					  const struct objtrace_end *end,
					  unsigned int context);
enum objtrace_outcome objtrace_record_hint(const struct objtrace_files *files,
					   const struct objtrace_hint *hint,
					   const struct objtrace_place *place);
enum objtrace_outcome objtrace_record_watch(const struct objtrace_files *files,
					    const struct objtrace_arming *arming);
enum objtrace_outcome objtrace_record_write(const struct objtrace_files *files,
					    const struct objtrace_write *write);

#endif /* _OBJTRACE_RECORD_H */
