# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Load objtrace_target, name its objects and run its scenarios.

TARGET=/sys/module/objtrace_target/parameters
ADD=events/ott/add/trigger	# of the event that probe_add() makes
DROP=events/ott/drop/trigger	# of the event that probe_drop() makes
STATIC=events/objtrace_target/ott_event/trigger	# of a tracepoint that receives A

# The names are read while no object is tracked: reading them passes addresses to functions.
load_target()	# [PARAMETER=VALUE]
{
	insmod "$TEST_MODULES/objtrace_target.ko" "$@" || return
	cat /proc/objtrace_target > "$STATE/scenarios"
	read_names
}

# A test reads the names again after a scenario that frees: the target allocates new memory
# for the name.
read_names()
{
	cat $TARGET/objects > "$STATE/objects"
	awk '{ print "s/object:" $2 "\\([ +]\\)/object:" $1 "\\1/" }' "$STATE/objects" > "$STATE/names.sed"
}

address_of()	# NAME: print its number in the target's list
{
	awk -v name="$1" '$1 == name { print $2 }' "$STATE/objects"
}

# For tests that load the modules themselves.  Tracing all functions takes seconds in an
# emulated machine.
trace_target()
{
	if [ ! "$ALL" ]; then echo "$TARGET_FUNCTIONS" > $FILTER; fi
}

rounds_of()	# NUMBER [MORE]: print the rounds of a loop, which are fewer with -f, and MORE with -L
{
	if [ "$LONG" ] && [ $# -gt 1 ]; then
		echo "$2"
	elif [ "$FEW" ]; then
		echo $((($1 + 3) / 4))
	else
		echo "$1"
	fi
}

probe_add()	# make the event ott:add, whose field obj is the argument of ott_add()
{
	# shellcheck disable=SC2016
	echo 'p:ott/add objtrace_target:ott_add obj=$arg1' >> "$TRACEFS/kprobe_events"
}

probe_drop()	# make the event ott:drop, whose field obj is the argument of ott_drop()
{
	# shellcheck disable=SC2016
	echo 'p:ott/drop objtrace_target:ott_drop obj=$arg1' >> "$TRACEFS/kprobe_events"
}

probe_mid()	# make the event ott:mid in the middle of ott_mid(), whose field obj is ott_cur
{
	echo "p:ott/mid objtrace_target:ott_mid+$(address_of MID_OFFSET) obj=@$(address_of CUR)" \
		>> "$TRACEFS/kprobe_events"
}

optimize_kprobes()	# 1: the kernel may replace a breakpoint by a jump, 0: it may not
{
	optimization=/proc/sys/debug/kprobes-optimization
	if [ -e $optimization ]; then echo "$1" > $optimization; fi
}

run()	# SCENARIO [NUMBER]
{
	echo "$*" >> "$TMPDIR/ran"
	echo "$*" > $TARGET/run
}

is_for_real_time()	# true if the kernel is
{
	case $(uname -v) in
	*PREEMPT_RT*) ;;
	*) return 1 ;;
	esac
}

run_on_one_cpu()	# SCENARIO [NUMBER]: the CPU allocates the memory that it freed
{
	echo "$*" >> "$TMPDIR/ran"
	taskset 1 sh -c "echo $* > $TARGET/run"
}

run_failing()	# ERRNO SCENARIO [NUMBER]
{
	run_errno=$1
	shift
	echo "$*" >> "$TMPDIR/ran"
	expect_errno "$run_errno" $TARGET/run "$*"
}

scenario()	# SCENARIO [NUMBER]: print the command of sh that runs it, for a program that starts a command
{
	echo "echo $* > $TARGET/run"
}

list_scenarios()	# print "SCENARIO: SENTENCE" of each scenario that the test ran
{
	[ -e "$TMPDIR/ran" ] || return 0
	awk '
		FILENAME == ARGV[1] { sentence[$1] = $0; next }
		!seen[$1]++ { print ($1 ":" in sentence) ? sentence[$1 ":"] : $1 ": no scenario" }
		' "$STATE/scenarios" "$TMPDIR/ran"
}

nr_arg_registers()
{
	case $MACHINE in
	x86_64) echo 6 ;;
	aarch64) echo 8 ;;
	*) exit_unresolved "how many arguments are passed in registers?" ;;
	esac
}

can_watch()	# check that objtrace has the option watch: on arm64, that needs LSE atomics
{
	[ "$MACHINE" = x86_64 ] || grep -q '^Features.* atomics' /proc/cpuinfo
}

# Without watchpoints, a test of watch only checks that objtrace refuses the option.
has_watchpoints()
{
	if can_watch; then return; fi
	prepare_errors
	expect_errors "$ADD" <<-'EOF'
		WATCH_UNSUPPORTED objtrace:add:obj:^watch
		WATCH_UNSUPPORTED objtrace:add:obj:watch=^2
	EOF
	exit 0
}
