#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# fuzz.sh [--keep]: fuzz the parser with libFuzzer, starting from the corpus beside
# this file; what `make fuzz' runs. Prints one line of TAP.
#
#	--keep	add to the corpus what reaches more of the parser than it did
#
# From the environment:
#	FUZZ_SECONDS	for how long, default 60
#	FUZZ_RUNS	how many inputs at most, default any number

. "$(dirname "$0")/../../scripts/lib.sh"

UNIT=$TOP/selftests/unit
CORPUS=$UNIT/corpus
SECONDS_MAX=${FUZZ_SECONDS:-60}
# Longer than any command that can be accepted, without its filter
LONGEST=512

tap() {	# tap ok|not-ok WHAT
	echo "${1/-/ } 1 $2"
	echo "1..1"
	[ "$1" = ok ]
}

# Where in the log libFuzzer says how many inputs it tried
inputs() { sed -n 's/^stat::number_of_executed_units: *//p' "$RUN/log"; }

fuzz() {	# what is found goes to the first directory, never to the corpus
	mkdir "$RUN/found"
	"$FUZZER" -max_len=$LONGEST -dict="$UNIT/parse_fuzz.dict" -artifact_prefix="$RUN/" \
		-max_total_time="$SECONDS_MAX" -runs="${FUZZ_RUNS:--1}" -timeout=10 \
		-print_final_stats=1 "$RUN/found" "$CORPUS" >"$RUN/log" 2>&1
}

# Only what reaches something new, by the shortest input that does.
keep() {
	mkdir "$RUN/corpus"
	"$FUZZER" -merge=1 -max_len=$LONGEST "$RUN/corpus" "$CORPUS" "$RUN/found" >>"$RUN/log" 2>&1
	rm -rf "$CORPUS"
	mv "$RUN/corpus" "$CORPUS"
}

cache_init
RUN=$(run_dir fuzz)
FUZZER=$(make -s --no-print-directory -C "$UNIT" fuzzer) || die "cannot build the fuzzer: is clang there (make deps)?"
[ -n "$(ls "$CORPUS")" ] || die "no corpus in $CORPUS"
if ! fuzz; then
	reproducer=$(find "$RUN" -maxdepth 1 -type f ! -name log -print -quit)
	tap not-ok "the parser: $FUZZER ${reproducer:-failed, see $RUN/log}"
	exit
fi
if [ "${1:-}" = --keep ]; then keep; fi
tap ok "the parser withstood $(inputs) inputs in at most $SECONDS_MAX s, corpus of $(find "$CORPUS" -type f | wc -l)"
