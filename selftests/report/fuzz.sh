#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# fuzz.sh: fuzz the decoder and the views of `objtrace report' with libFuzzer, see
# selftests/unit/report_fuzz.c. It prints one line of TAP. FUZZ_SECONDS sets the duration, with a
# random seed; by default the number of inputs and the seed are fixed.

. "$(dirname "$0")/../../scripts/lib.sh"

# An input has this many bytes at most: some tens of records
LONGEST=4000
RUNS=6000
SEED=1

# Options of libFuzzer for the length of the run
limits() {
	if [ -z "${FUZZ_SECONDS:-}" ]; then
		printf '%s\n' "-runs=$RUNS" "-seed=$SEED" -use_cmp=0 -reload=0
	else
		printf '%s\n' "-max_total_time=$FUZZ_SECONDS"
	fi
}

cache_init
RUN=$(run_dir report-fuzz)
FUZZER=$(make -s --no-print-directory -C "$TOP/selftests/unit" report_fuzzer) ||
	die "cannot build the fuzzer: are clang and libtracecmd-dev there (make deps)?"
mapfile -t options < <(limits)
mkdir "$RUN/found"
complaint=
"$FUZZER" -max_len=$LONGEST -artifact_prefix="$RUN/" "${options[@]}" -timeout=120 -len_control=0 \
	-detect_leaks=0 -print_final_stats=1 "$RUN/found" >"$RUN/log" 2>&1 ||
	complaint=$(tail -n 15 "$RUN/log"; echo "the log is $RUN/log")
inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$RUN/log")
tap "$complaint" "the report withstood ${inputs:-no} inputs"
echo "1..$CASES"
[ -z "$complaint" ]
