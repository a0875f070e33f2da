#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# allocation-sites.sh: print a line "FILE FUNCTION CALL" for each call in the module's source that
# allocates memory, itself or in the kernel. selftests/allocations.tbl has these lines, and the
# test in which each of the calls fails.

. "$(dirname "$0")/lib.sh"

# The functions and macros of the kernel that can fail if memory runs out. The patterns also
# match names that the module does not use yet.
CALLS='(k|v|kv)?[mzc]?(re)?alloc[a-z_]*|[a-z_]*_alloc|k?v?(mem|str)n?dup[a-z_]*|kv?asprintf'
CALLS+='|(single|seq)_open[a-z_]*|register_[a-z_]+|cpuhp_setup_state[a-z_]*|ftrace_set_[a-z_]+'
CALLS+='|tracefs_create_[a-z]+|perf_event_create[a-z_]+|proc_create[a-z_]*|kthread_create[a-z_]*'
CALLS+='|set_trigger_filter|trace_event_trigger_enable_disable|tracing_update_buffers'
# Such names, but no allocations
OTHERS='perf_trace_buf_alloc|unregister_[a-z_]+'

# shellcheck disable=SC2016,SC2046  # a program of awk; words
cd "$TOP" && find objtrace_*.c $(module_folders) -name '*.c' | sort | xargs awk \
		-v calls="^($CALLS)$" -v others="^($OTHERS)$" '
	FNR == 1 { is_comment = 0; name = "" }
	# The first line of a function: its name is before the parenthesis
	/^[a-z].*[(]/ && !/;$/ {
		name = $0
		sub(/[(].*/, "", name)
		sub(/.*[ *]/, "", name)
		is_own[name] = 1
		next
	}
	/^[ \t]*\/\*/ { is_comment = 1 }
	!is_comment && /^\t/ {
		line = $0
		gsub(/"[^"]*"/, "", line)
		while (match(line, /[a-z_0-9]+[)]?[(]/)) {
			call = substr(line, RSTART, RLENGTH)
			gsub(/[()]/, "", call)
			line = substr(line, RSTART + RLENGTH)
			if (call ~ calls && call !~ others) {
				site[++nr] = FILENAME " " name " " call
				called[nr] = call
			}
		}
	}
	/\*\// { is_comment = 0 }
	END {
		for (i = 1; i <= nr; i++)
			if (!(called[i] in is_own)) print site[i]
	}'
