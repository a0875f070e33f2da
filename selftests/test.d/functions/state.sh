# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Load and unload the modules, and reset the tracing state before a test.

TRAMPOLINE=/sys/module/objtrace/parameters/trampoline
KEEPER=instances/objtrace_keeper
FTRACE_ENABLED=/proc/sys/kernel/ftrace_enabled
FILTER=objtrace/set_filter
NOTRACE=objtrace/set_notrace

objtrace_log()	# TEST: write its name to the kernel's log
{
	echo "objtracetest: ${1#"$TOP"/}" > /dev/kmsg
}

kernel_log()	# print the kernel's messages since the test began
{
	dmesg | awk '/objtracetest: test\.d/ { said = "" } { said = said $0 "\n" } END { printf "%s", said }'
}

is_loaded()	# MODULE
{
	[ -d "/sys/module/$1" ]
}

load_objtrace()	# [PARAMETER=VALUE]
{
	insmod "$OBJTRACE_KO" "$@"
}

unload()	# MODULE...
{
	for m in "$@"; do
		if is_loaded "$m"; then rmmod "$m" || return; fi
	done
}

# A new load is needed after a test that loaded the modules itself, and for another value
# of the parameter trampoline.
load_all()	# target | all [trampoline=N]: load the modules, and trace these functions
{
	if [ ! -d $KEEPER ] || [ "trampoline=$(cat "$TRAMPOLINE")" != "${2:-trampoline=Y}" ]; then
		unload_all || return
	fi
	is_loaded objtrace || load_objtrace ${2:+"$2"} || return
	is_loaded objtrace_target || load_target || return
	trace_functions "$1" || return
	[ -d $KEEPER ] && return
	mkdir $KEEPER &&
	echo 'objtrace:add:obj if num == 4294967295' > $KEEPER/events/objtrace_target/ott_event/trigger
}

# The target's functions, and the functions that free its objects
TARGET_FUNCTIONS='ott_* kfree kmem_cache_free'

# Write set_filter only if $TRACED differs: each write makes the kernel patch functions.
# objtracetest clears $TRACED after each test that may write to set_filter.  Reading
# set_filter instead takes a second in an emulated machine.
trace_functions()	# target | all
{
	[ "$TRACED" != "$1" ] || return 0
	case $1 in
	target) echo "$TARGET_FUNCTIONS" > $FILTER || return ;;
	all) echo > $FILTER || return ;;
	esac
	TRACED=$1
}

unload_all()
{
	TRACED=
	if [ -d $KEEPER ]; then rmdir $KEEPER || return; fi
	unload objtrace_target objtrace
}

# Write each trigger back after a '!', as ftracetest does.  The kernel appends " [STATE]" to
# a hist trigger.  It removes hist triggers from a file that is opened with O_TRUNC.
remove_triggers()	# TRIGGER-FILE...
{
	grep -H '^[^#]' "$@" > "$TMPDIR/set" || return 0
	while IFS=: read -r file line; do
		echo "!${line% \[*}" >> "$file" || return
	done < "$TMPDIR/set"
}

# objtracetest runs this at the top of tracefs before each test.  The keeper and set_filter
# stay, see load_all().  The loop searches only the systems that tests use for triggers:
# all systems take a third of a second in an emulated machine.
reset_tracing()
{
	echo 1 > $FTRACE_ENABLED
	if is_loaded objtrace_target; then echo stop > $TARGET/run || return; fi
	for i in instances/*; do
		[ "$i" = $KEEPER ] || [ ! -d "$i" ] || rmdir "$i" || return
	done
	set --
	for system in kmem ott kprobes objtrace objtrace_target sched skb synthetic; do
		[ ! -d events/$system ] || set -- "$@" events/$system/*/trigger
	done
	remove_triggers "$@" || return
	if [ -e $NOTRACE ]; then
		read -r first < $NOTRACE || return
		case $first in
		'####'*) ;;
		*) echo > $NOTRACE || return ;;
		esac
	fi
	echo > set_event || return
	echo > dynamic_events || return
	for f in events/objtrace/*/filter; do
		if [ -e "$f" ]; then echo 0 > "$f" || return; fi
	done
	echo nop > current_tracer &&
	: > trace &&
	: > error_log &&
	echo 1 > tracing_on
}
