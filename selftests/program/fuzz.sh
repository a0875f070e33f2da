#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# fuzz.sh: fuzz the command line of `objtrace follow' with libFuzzer: the parser of WHAT, and the search
# for its names, see selftests/unit/what_fuzz.c. It prints one line of TAP. FUZZ_SECONDS sets the
# duration, with a random seed; by default the number of inputs and the seed are fixed.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/root.sh"

HERE=$TOP/selftests/program
LONGEST=200
RUNS=20000
SEED=1

# Options of libFuzzer for the length of the run
limits() {
	if [ -z "${FUZZ_SECONDS:-}" ]; then
		printf '%s\n' "-runs=$RUNS" "-seed=$SEED" -use_cmp=0 -reload=0
	else
		printf '%s\n' "-max_total_time=$FUZZ_SECONDS"
	fi
}

# A line of fuzz.seeds is a command line, and a word of an input is a line
seeds() {	# seeds DIRECTORY
	local nr=0 line
	mkdir "$1"
	while IFS= read -r line; do
		tr ' ' '\n' <<<"$line" >"$1/$nr"
		nr=$((nr + 1))
	done < <(grep -v '^#' "$HERE/fuzz.seeds")
	find "$1" -type f | sort | paste -sd,
}

cache_init
RUN=$(run_dir what-fuzz)
FUZZER=$(make -s --no-print-directory -C "$TOP/selftests/unit" what_fuzzer) ||
	die "cannot build the fuzzer: are clang and libtracefs-dev there (make deps)?"
make_root "$RUN/root" fuzz_kernel.c
seeds "$RUN/seeds" >"$RUN/list"
mkdir "$RUN/found"
mapfile -t options < <(limits)
complaint=
OBJTRACE_TEST_ROOT=$RUN/root "$FUZZER" -max_len=$LONGEST -dict="$HERE/fuzz.dict" \
	-artifact_prefix="$RUN/" "${options[@]}" -timeout=120 -len_control=0 -print_final_stats=1 \
	-seed_inputs="@$RUN/list" "$RUN/found" >"$RUN/log" 2>&1 ||
	complaint=$(tail -n 15 "$RUN/log"; echo "the log is $RUN/log")
inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$RUN/log")
tap "$complaint" "the command line of follow withstood ${inputs:-no} inputs"
echo "1..$CASES"
[ -z "$complaint" ]
