/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formats of events in tracefs.
 */
#ifndef _TOOLS_OBJTRACE_FORMATS_H
#define _TOOLS_OBJTRACE_FORMATS_H

struct tep_event;
struct tep_handle;

struct tep_handle *formats_new(void);
struct tep_event *formats_read(struct tep_handle *tep, const char *system, const char *event);
void formats_read_system(struct tep_handle *tep, const char *system);

#endif /* _TOOLS_OBJTRACE_FORMATS_H */
