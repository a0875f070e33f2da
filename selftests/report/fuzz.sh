#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# fuzz.sh: fuzz the decoder and the views of `objtrace report' with libFuzzer, see
# selftests/unit/report_fuzz.c. It prints one line of TAP. See ../program/libfuzzer.sh for the
# duration.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../program/libfuzzer.sh"

# An input has this many bytes at most: some tens of records
LONGEST=4000
RUNS=6000

cache_init
RUN=$(run_dir report-fuzz)
FUZZER=$(make_fuzzer report_fuzzer libtracecmd-dev)
withstand "the report" $RUNS "$FUZZER" -max_len=$LONGEST -detect_leaks=0
