# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Record the same scenarios next to other tracers, for paths.tc.

# The functions that the other tracers trace
FUNCTIONS='ott_take ott_step1 ott_step2 ott_takes_one ott_for_object'

begin()	# kprobe | tracer | alone
{
	case $1 in
	kprobe)
		for f in $FUNCTIONS; do echo "p:ott/$f objtrace_target:$f"; done >> kprobe_events
		for f in $FUNCTIONS; do echo 1 > "events/ott/$f/enable"; done
		;;
	tracer)
		# An instance keeps the tracer's records apart
		mkdir instances/objtrace_test
		for f in $FUNCTIONS; do echo "$f"; done > instances/objtrace_test/set_ftrace_filter
		echo function > instances/objtrace_test/current_tracer
		;;
	esac
}

end()	# kprobe | tracer | alone
{
	case $1 in
	kprobe)
		for f in $FUNCTIONS; do
			echo 0 > "events/ott/$f/enable"
			echo "-:ott/$f" >> kprobe_events
		done
		;;
	tracer)
		grep -q ' ott_take ' instances/objtrace_test/trace
		echo nop > instances/objtrace_test/current_tracer
		rmdir instances/objtrace_test
		;;
	esac
}

# Removing a trigger ends its objects in no defined order
sort_records()	# FILE: write FILE.order without objtrace_del records, and FILE.all
{
	grep -v '^objtrace_del: ' "$1" > "$1.order"
	sort "$1" > "$1.all"
}

record()	# FILE: write objtrace's records of the scenarios, without those of the kprobes
{
	echo 'objtrace:add:obj,8:u8:size=0x40' > "$ADD"
	echo 'objtrace:add:obj:u8' > "$ADD"
	for scenario in chain args two types inside life; do run $scenario; done
	echo '!objtrace:add:obj,8' > "$ADD"
	echo '!objtrace:add:obj' > "$ADD"
	read_trace | grep '^objtrace_' > "$1"
	: > trace
	[ "$(count_lines ^objtrace_value: "$1")" -gt 20 ]
	sort_records "$1"
}
