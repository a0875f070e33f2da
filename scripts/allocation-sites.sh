#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# allocation-sites.sh: print a line "FILE FUNCTION CALL" for each call in the module's source that
# allocates memory, itself or in the kernel. selftests/allocations.tbl has these lines, and the
# test in which each of the calls fails.

# The functions and macros of the kernel that can fail if memory runs out. The patterns also
# match names that the module does not use yet.
CALLS='(k|v|kv)?[mzc]?(re)?alloc[a-z_]*|[a-z_]*_alloc|k?v?(mem|str)n?dup[a-z_]*|kv?asprintf'
CALLS+='|(single|seq)_open[a-z_]*|register_[a-z_]+|cpuhp_setup_state[a-z_]*|ftrace_set_[a-z_]+'
CALLS+='|tracefs_create_[a-z]+|perf_event_create[a-z_]+|proc_create[a-z_]*|kthread_create[a-z_]*'
CALLS+='|set_trigger_filter|trace_event_trigger_enable_disable|tracing_update_buffers'
# Such names, but no allocations
OTHERS='perf_trace_buf_alloc|unregister_[a-z_]+'

exec "$(dirname "$0")/call-sites.sh" "$CALLS" "$OTHERS"
