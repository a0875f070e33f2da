/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records as structs: struct trace_event_raw_NAME for each event NAME in objtrace_event.h.
 *
 * The kernel defines these structs only in the file that creates the events, records/events.c.
 * The other files read objtrace_event.h a second time with the kernel's macros for structs.
 */
#ifndef _OBJTRACE_RAW_H
#define _OBJTRACE_RAW_H

#include <linux/trace_events.h>
#include "objtrace_event.h"
#include <trace/stages/stage1_struct_define.h>

#pragma push_macro("TRACE_EVENT")
#undef TRACE_EVENT
#define TRACE_EVENT(name, proto, args, fields, assign, format)	\
	struct trace_event_raw_##name {				\
		struct trace_entry	ent;			\
		fields						\
		char			__data[];		\
	}

#define TRACE_HEADER_MULTI_READ
#include "objtrace_event.h"
#undef TRACE_HEADER_MULTI_READ
#pragma pop_macro("TRACE_EVENT")

#endif /* _OBJTRACE_RAW_H */
