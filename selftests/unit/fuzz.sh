#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# fuzz.sh [--keep]: fuzz the parser with libFuzzer, from the seeds in parse_fuzz.seeds.
# `make fuzz' and `make check' run it. It prints one line of TAP.
#
#	--keep	add the inputs that reach more of the parser to the seeds
#
# From the environment:
#	FUZZ_SECONDS	duration of the run in seconds, with a random seed
#	FUZZ_RUNS	limit of inputs, with a random seed
#
# By default the number of inputs and the seed are fixed, so that each run has the same
# verdict on any host.

. "$(dirname "$0")/../../scripts/lib.sh"

UNIT=$TOP/selftests/unit
SEEDS=$UNIT/parse_fuzz.seeds
# The coverage of these inputs does not grow after the first 262144
RUNS=400000
SEED=1
# Longer than any command that can be accepted, without its filter
LONGEST=512

tap() {	# tap ok|not-ok WHAT
	echo "${1/-/ } 1 $2"
	echo "1..1"
	[ "$1" = ok ]
}

# The line of libFuzzer's log with the number of inputs
inputs() { sed -n 's/^stat::number_of_executed_units: *//p' "$RUN/log"; }

# Options of libFuzzer for the length of the run
limits() {
	if [ -z "${FUZZ_SECONDS:-}${FUZZ_RUNS:-}" ]; then
		# Otherwise addresses and the clock influence the inputs
		printf '%s\n' "-runs=$RUNS" "-seed=$SEED" -use_cmp=0 -reload=0
		return
	fi
	printf '%s\n' "-runs=${FUZZ_RUNS:--1}" "-max_total_time=${FUZZ_SECONDS:-0}"
}

# An input takes microseconds: the time-out is for endless loops, not for a busy host.
fuzz() {	# findings go to the first directory, never to the corpus
	local limits
	mapfile -t limits < <(limits)
	# The order in which a directory is read differs from one file system to another
	find "$CORPUS" -type f | sort | paste -sd, >"$RUN/seeds"
	mkdir "$RUN/found"
	"$FUZZER" -max_len=$LONGEST -dict="$UNIT/parse_fuzz.dict" -artifact_prefix="$RUN/" \
		"${limits[@]}" -timeout=120 -print_final_stats=1 -seed_inputs="@$RUN/seeds" \
		"$RUN/found" >"$RUN/log" 2>&1
}

# Keep only inputs with new coverage, and the shortest input for each.
keep() {
	mkdir "$RUN/corpus"
	"$FUZZER" -merge=1 -max_len=$LONGEST "$RUN/corpus" "$CORPUS" "$RUN/found" >>"$RUN/log" 2>&1
	"$UNIT/seeds.py" join "$RUN/corpus" "$SEEDS"
}

cache_init
RUN=$(run_dir fuzz)
CORPUS=$(make -s --no-print-directory -C "$UNIT" corpus) || die "cannot split $SEEDS"
FUZZER=$(make -s --no-print-directory -C "$UNIT" fuzzer) || die "cannot build the fuzzer: is clang there (make deps)?"
if ! fuzz; then
	reproducer=$(find "$RUN" -maxdepth 1 -type f ! -name log ! -name seeds -print -quit)
	tap not-ok "the parser: $FUZZER ${reproducer:-failed, see $RUN/log}"
	exit
fi
if [ "${1:-}" = --keep ]; then keep; fi
tap ok "the parser withstood $(inputs) inputs from a corpus of $(find "$CORPUS" -type f | wc -l)"
