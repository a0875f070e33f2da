#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# test.sh [--write]
#
# Tests of `objtrace report', built with the sanitizers. Each view of small.dat and context.dat must
# print its file in expected/. Wrong command lines, damaged files and signals must have their messages and exit
# codes. Prints TAP. With --write, the files in expected/ are written instead, for a review.

. "$(dirname "$0")/../../scripts/lib.sh"

HERE=$TOP/selftests/report
SMALL=$HERE/small.dat
CONTEXT=$HERE/context.dat
# Damaged copies of small.dat
DAMAGED=60
SEED=1
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
# libtracecmd leaks memory
export ASAN_OPTIONS=detect_leaks=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# NAME and the options of a view
VIEWS='
changes
all		--all
timeline	--timeline
timeline-all	--timeline --all
graph		--graph
functions	--functions
refs		--refs
json		--json
object		--object 2
'

# The views of context.dat
CONTEXT_VIEWS='
context
context-timeline --timeline
context-graph	--graph
context-json	--json
'

# shellcheck disable=SC2317  # each_view calls functions with it
report() { "$WORK/objtrace" report "$@"; }

# Build the program without the sanitizer of addresses, which would find mistakes of libtracecmd.
build_undefined() {
	make -s -C "$TOP/tools/objtrace" OUT="$WORK/undefined" \
		CFLAGS="-g -O1 -Werror -fsanitize=undefined -fno-sanitize-recover=all"
}

each_view() {	# each_view FUNCTION: call it with name, file and options of each view
	local name options
	while read -r name options; do
		[ -n "$name" ] || continue
		# shellcheck disable=SC2086  # options
		case $name in
		context*) "$1" "$name" "$CONTEXT" $options ;;
		*) "$1" "$name" "$SMALL" $options ;;
		esac
	done <<<"$VIEWS$CONTEXT_VIEWS"
}

write_view() {	# write_view NAME FILE [OPTION...]
	report "${@:2}" >"$HERE/expected/$1"
}

compare_view() {	# compare_view NAME FILE [OPTION...]
	report "${@:2}" >"$WORK/out" 2>"$WORK/err" </dev/null
	tap "$(diff "$HERE/expected/$1" "$WORK/out" 2>&1; cat "$WORK/err")" \
		"report ${2##*/} ${*:3} prints all of its lines"
}

compare_output() {
	tap "$(report "$SMALL" -o "$WORK/file" 2>&1; diff "$HERE/expected/changes" "$WORK/file" 2>&1)" \
		"report -o writes the same lines to the file"
}

# The records of follow.dat are in an instance
check_json() {
	report "$SMALL" --json >"$WORK/lines.json"
	report "$HERE/follow.dat" --json >"$WORK/follow.json"
	report "$CONTEXT" --json >"$WORK/context.json"
	tap "$("$HERE/check-json.py" "$TOP/Documentation/report-json.rst" \
		"$TOP/Documentation/report-json.schema.json" "$WORK/lines.json" "$WORK/follow.json" \
		"$WORK/context.json" 2>&1)" \
		"the lines of --json agree with their schema, which agrees with its document"
}

compare_perfetto() {
	local said
	said=$(report "$SMALL" --perfetto "$WORK/trace.json" 2>&1
		diff "$HERE/expected/perfetto" "$WORK/trace.json" 2>&1) || said+=" exit code $?"
	tap "$said" "report --perfetto writes all of its events"
	tap "$("$HERE/check-trace.py" "$TOP/Documentation/report-perfetto.schema.json" \
		"$WORK/trace.json" "$WORK/lines.json" 2>&1)" \
		"the events of --perfetto agree with their schema, and with the lines of --json"
}

# Compare standard error and the exit code of a command that must print nothing else.
refuses() {	# refuses STATUS TEXT [WORD...]
	local status=0 said
	said=$(report "${@:3}" 2>&1 >"$WORK/out") || status=$?
	if [ "$status" = "$1" ] && [ "${said//$WORK\//}" = "$2" ] && [ ! -s "$WORK/out" ]; then
		said=
	else
		said="exit code $status, output: $said$(head -n 3 "$WORK/out")"
	fi
	tap "$said" "report $(xargs <<<"${*:3}" | sed "s#$TOP/##g; s#$WORK/##g") is refused with exit code $1"
}

undocumented_options() {
	local option
	report --help >"$WORK/help" 2>&1 || echo "exit code $?"
	sed -n '/^REPORT$/,/^EXIT STATUS$/p' "$TOP/Documentation/objtrace.1.rst" >"$WORK/manual"
	sed -n 's/^ *\(-o, \)*\(--[a-z]*\).*/\2/p' "$WORK/help" >"$WORK/options"
	[ -s "$WORK/options" ] || echo "no options in report --help"
	while read -r option; do
		grep -q -e "^\`\`.*$option\b" "$WORK/manual" || echo "the manual page lacks $option"
	done <"$WORK/options"
}

wrong_arguments() {
	refuses 2 "objtrace: report needs a file that \`trace-cmd record' wrote: objtrace report trace.dat"
	refuses 2 'objtrace: report reads one file, and that is a; report b by itself
  b
  ^' a b
	refuses 2 "objtrace: report has no such option; did you mean '--timeline'?
  --timelien
    ^" "$SMALL" --timelien
	refuses 2 "objtrace: report has no such option; \`objtrace report --help' lists them
  -x
  ^" "$SMALL" -x
	refuses 2 'objtrace: --timeline and --changes are two views; choose one
  --changes
  ^' "$SMALL" --timeline --changes
	refuses 2 'objtrace: --all is for --changes and --timeline, not for --graph; remove --all
  --graph
  ^' "$SMALL" --all --graph
	refuses 2 'objtrace: the option takes no argument
  --timeline=2
            ^' "$SMALL" --timeline=2
	refuses 2 'objtrace: the option needs an argument
  --object
          ^' "$SMALL" --object
	refuses 2 'objtrace: the output is a already; give one output
  b
  ^' "$SMALL" -o a -o b
	refuses 2 'objtrace: the output is a already; give one output
  b
  ^' "$SMALL" -o a --perfetto b
	refuses 2 'objtrace: the output is a already; give one output
  b
  ^' "$SMALL" --html a -o b
	refuses 2 'objtrace: --html and --svg are two views; choose one
  b
  ^' "$SMALL" --html a --svg b
	refuses 2 'objtrace: an object is a number from the report, or an address such as 0xffff888012345678
  2nd
   ^' "$SMALL" --object 2nd
	refuses 2 'objtrace: an object is a number from the report, or an address such as 0xffff888012345678
  0x
  ^' "$SMALL" --object 0x
	refuses 2 'objtrace: an object is a number from the report, or an address such as 0xffff888012345678
  -1
  ^' "$SMALL" --object -1
	refuses 2 'objtrace: the number of the object has more than 64 bits; copy it from the report
  0x123456789abcdef01
  ^' "$SMALL" --object 0x123456789abcdef01
	refuses 2 "objtrace: small.dat has no object 99; its objects are 1 to $(grep -c '^object' "$HERE/expected/changes")
  99
  ^" "$WORK/small.dat" --object 99
	refuses 2 "objtrace: small.dat has no object at this address; \`objtrace report' lists its objects
  0xff
  ^" "$WORK/small.dat" --object 0xff
}

unreadable_files() {
	refuses 1 'objtrace: absent cannot be read: No such file or directory' "$WORK/absent"
	refuses 1 "objtrace: . is no file; name a file that \`trace-cmd record' wrote" .
	: >"$WORK/empty"
	refuses 1 "objtrace: empty does not begin as a file of trace-cmd does; name a file that \`trace-cmd record' wrote" "$WORK/empty"
	head -c 300 "$SMALL" >"$WORK/cut"
	refuses 1 'objtrace: cut is damaged or cut off; record it again' "$WORK/cut"
	refuses 1 'objtrace: absent has no BTF that can be read: No such file or directory; name the vmlinux of the kernel, or a copy of /sys/kernel/btf/vmlinux' \
		"$SMALL" --btf "$WORK/absent"
	refuses 1 'objtrace: absent/file cannot be written: No such file or directory' "$SMALL" -o "$WORK/absent/file"
	refuses 1 'objtrace: /dev/full cannot be written: No space left on device' "$SMALL" -o /dev/full
}

# Each damaged file has a report, or one sentence and the exit code 1. The address sanitizer would
# find the mistakes of libtracecmd, which the report survives.
damaged_file() {	# damaged_file NAME: print complaints
	local status=0
	timeout 100 "$WORK/undefined/objtrace" report "$WORK/damaged" --json >"$WORK/out" 2>"$WORK/err" || status=$?
	case $status-$(wc -l <"$WORK/err")-$(grep -c '^objtrace: ' "$WORK/err") in
	0-0-0|0-1-1|1-1-1) ;;
	*) echo "$1: exit code $status, $(head -n 3 "$WORK/err")" ;;
	esac
}

damaged_files() {
	local name
	"$HERE/damage.py" "$SMALL" "$WORK/damages" "$DAMAGED" "$SEED"
	for name in "$WORK"/damages/*; do
		mv "$name" "$WORK/damaged"
		damaged_file "${name##*/}"
	done
}

# Interrupt a report that waits for the writer of a pipe. It must end by the signal, and leave no
# file.
interrupt() {
	local status=0 said
	mkdir "$WORK/interrupted"
	mkfifo "$WORK/pipe"
	"$WORK/objtrace" report "$SMALL" -o "$WORK/interrupted/file" --btf "$WORK/pipe" 2>"$WORK/err" &
	until compgen -G "$WORK/interrupted/*" >/dev/null || ! kill -0 $!; do sleep 0.1; done
	kill -INT $!
	wait $! || status=$?
	said=$(ls "$WORK/interrupted"; cat "$WORK/err")
	if [ "$status" != 130 ]; then said+="exit code $status"; fi
	tap "$said" "an interrupt ends a report, which leaves no file"
}

# The address sanitizer would have to be the first library
terminal() {
	gcc -shared -fPIC -Wall -Wextra -Werror -o "$WORK/clock.so" "$HERE/clock.c" ||
		echo "cannot build clock.c"
	timeout 100 "$HERE/terminal.py" "$WORK/clock.so" "$WORK/undefined/objtrace" "$SMALL" 2>&1 ||
		echo "exit code $?"
	LD_PRELOAD=$WORK/clock.so CLOCK_STEP=3 "$WORK/undefined/objtrace" report "$SMALL" \
		2>"$WORK/err" >"$WORK/out" || echo "exit code $?"
	cat "$WORK/err"
}

[ -e "$SMALL" ] || die "$SMALL is missing; selftests/report/record.sh makes it"
program=$("$TOP/scripts/sanitized-tools.sh") || die "cannot build tools/objtrace (make deps)"
cp "$program/objtrace" "$WORK"
build_undefined || die "cannot build tools/objtrace (make deps)"
cp "$SMALL" "$WORK/small.dat"
if [ "${1:-}" = --write ]; then
	mkdir -p "$HERE/expected"
	each_view write_view
	report "$SMALL" --perfetto "$HERE/expected/perfetto"
	exit
fi
each_view compare_view
compare_output
check_json
compare_perfetto
tap "$(undocumented_options)" "the manual page has each option of report --help"
wrong_arguments
unreadable_files
interrupt
tap "$(terminal)" "a terminal shows the progress of a long report, and ^C ends it"
tap "$(damaged_files)" "$DAMAGED damaged files are read or refused"
echo "1..$CASES"
