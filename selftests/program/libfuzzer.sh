# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The run of a program of libFuzzer, for the fuzz.sh of this folder and of ../report. Sourced after
# lib.sh, never run. FUZZ_SECONDS sets the duration, with a random seed; by default the number of
# inputs and the seed are fixed.

SEED=1

# Options of libFuzzer for the length of the run
limits() {	# limits RUNS
	if [ -z "${FUZZ_SECONDS:-}" ]; then
		printf '%s\n' "-runs=$1" "-seed=$SEED" -use_cmp=0 -reload=0
	else
		printf '%s\n' "-max_total_time=$FUZZ_SECONDS"
	fi
}

# Build a target of selftests/unit, which needs LIBRARY, and print its path.
make_fuzzer() {	# make_fuzzer TARGET LIBRARY
	make -s --no-print-directory -C "$TOP/selftests/unit" "$1" ||
		die "cannot build the fuzzer: are clang and $2 there (make deps)?"
}

# Run the fuzzer, with its files in the directory $RUN. Print TAP, and fail if the fuzzer fails.
withstand() {	# withstand NAME RUNS FUZZER OPTION...
	local options complaint='' inputs
	mkdir "$RUN/found"
	mapfile -t options < <(limits "$2")
	"$3" -artifact_prefix="$RUN/" "${options[@]}" -timeout=120 -len_control=0 -print_final_stats=1 \
		"${@:4}" "$RUN/found" >"$RUN/log" 2>&1 ||
		complaint=$(tail -n 15 "$RUN/log"; echo "the log is $RUN/log")
	inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$RUN/log")
	tap "$complaint" "$1 withstood ${inputs:-no} inputs"
	echo "1..$CASES"
	[ -z "$complaint" ]
}
