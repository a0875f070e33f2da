/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Printing records, and values and times in the format of records.
 */
#ifndef _OBJTRACE_PRINT_H
#define _OBJTRACE_PRINT_H

#include <linux/trace_events.h>
#include <linux/types.h>

struct objtrace_sample;
struct trace_seq;

enum print_line_t objtrace_print_add(struct trace_iterator *iter, int flags,
				     struct trace_event *event);
enum print_line_t objtrace_print_value(struct trace_iterator *iter, int flags,
				       struct trace_event *event);
enum print_line_t objtrace_print_change(struct trace_iterator *iter, int flags,
					struct trace_event *event);
enum print_line_t objtrace_print_return(struct trace_iterator *iter, int flags,
					struct trace_event *event);
enum print_line_t objtrace_print_del(struct trace_iterator *iter, int flags,
				     struct trace_event *event);
enum print_line_t objtrace_print_hint(struct trace_iterator *iter, int flags,
				      struct trace_event *event);
enum print_line_t objtrace_print_watch(struct trace_iterator *iter, int flags,
				       struct trace_event *event);
enum print_line_t objtrace_print_write(struct trace_iterator *iter, int flags,
				       struct trace_event *event);

void objtrace_print_sample(struct trace_seq *s, const struct objtrace_sample *sample);
void objtrace_print_time(struct trace_seq *s, u64 time, bool in_ns);

#endif /* _OBJTRACE_PRINT_H */
