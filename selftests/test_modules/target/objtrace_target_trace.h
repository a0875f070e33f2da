/* SPDX-License-Identifier: GPL-2.0-only */
/* A static tracepoint with a pointer, and with a field that is too small for a pointer. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM objtrace_target

#if !defined(_OBJTRACE_TARGET_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _OBJTRACE_TARGET_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(ott_event,

	TP_PROTO(void *obj, u32 num),

	TP_ARGS(obj, num),

	TP_STRUCT__entry(
		__field(void *,	obj)
		__field(u32,	num)
	),

	TP_fast_assign(
		__entry->obj = obj;
		__entry->num = num;
	),

	TP_printk("obj=%p num=%u", __entry->obj, __entry->num)
);

#endif /* _OBJTRACE_TARGET_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE objtrace_target_trace
#include <trace/define_trace.h>
