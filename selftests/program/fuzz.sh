#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# fuzz.sh: fuzz the command line of `objtrace follow' with libFuzzer: the parser of WHAT, and the search
# for its names, see selftests/unit/what_fuzz.c. It prints one line of TAP. See libfuzzer.sh for the
# duration.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/root.sh"
. "$(dirname "$0")/libfuzzer.sh"

HERE=$TOP/selftests/program
LONGEST=200
RUNS=20000

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
FUZZER=$(make_fuzzer what_fuzzer libtracefs-dev)
make_root "$RUN/root" fuzz_kernel.c
seeds "$RUN/seeds" >"$RUN/list"
export OBJTRACE_TEST_ROOT=$RUN/root
withstand "the command line of follow" $RUNS "$FUZZER" -max_len=$LONGEST -dict="$HERE/fuzz.dict" \
	-seed_inputs="@$RUN/list"
