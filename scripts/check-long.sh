#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-long.sh: run by `make check-long`. Run the tests that find more the longer they run, and
# the selftests on all kernels of own-kernels.tbl. Each run has new seeds.
#
# Environment:
#	FUZZ_SECONDS	seconds of random inputs for the parser of commands, and for the report,
#			default 1800 each
#	FUZZ_MINUTES	minutes of guests' time in which the tracing state of each kernel, and of the
#			debug kernel of x86-64, changes at random, default 20
#	LONG_SEEDS	number of generated modules to trace on each kernel, default 8
#	ARCH, KERNEL	as for check.sh; with KERNEL, no kernel of own-kernels.tbl
#	RESUME		if set, go on with the last run that had the same sources and settings: its
#			seeds are used again, and groups of tests that passed are not run again

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/report.sh"

fuzz() {
	FUZZ_SECONDS=${FUZZ_SECONDS:-1800} tap_lines "$TOP/selftests/unit/fuzz.sh"
}

fuzz_report() {
	FUZZ_SECONDS=${FUZZ_SECONDS:-1800} tap_lines "$TOP/selftests/report/fuzz.sh"
}

explore() {
	tap_lines make -s -C "$TOP/selftests/unit" explore
}

# The last word of the label is the seed, so that a failure can be repeated.
truth() {	# truth ROW ARCH SEED
	TESTS='test.d/record/truth*.tc' TEST_OPTIONS=-L OBJTRACE_TRUTH_SEED=$3 \
		"$TOP/scripts/check-vm.sh" "$1" "$2" "$RUN/truth-$1-$2-$3" 2
}

truth_group() {	# truth_group ROW ARCH SEED
	group "truth $1 $2, seed $3" truth "$@"
}

# Print the tests with the flag long, except for the tests of other jobs, and for tests that
# kernels of Debian cannot run.
long_tests() {
	(cd "$TOP/selftests" && grep -l -r '^# flags: .*\<long\>' test.d |
		grep -v '^test\.d/\(stress\|soak\)/' |
		xargs grep -L '^# requires: /sys/kernel/debug/fail' | xargs)
}

# Loops with more rounds, and the tests with the flag long
stress() {	# stress ROW ARCH CPUS
	TESTS="test.d/stress/*.tc test.d/tools/kill.tc $(long_tests)" TEST_OPTIONS=-L VM_TIMEOUT=7200 \
		"$TOP/scripts/check-vm.sh" "$1" "$2" "$RUN/stress-$1-$2-$3" "$3"
}

stress_group() {	# stress_group ROW ARCH CPUS
	group "stress $1 $2, $3 CPUs" stress "$@"
}

# 30 minutes in the guest
soak() {	# soak ROW ARCH
	TESTS=test.d/soak/soak.tc TEST_OPTIONS=-L VM_TIMEOUT=5400 \
		"$TOP/scripts/check-vm.sh" "$1" "$2" "$RUN/soak-$1-$2" 2
}

soak_group() {	# soak_group ROW ARCH
	group "soak $1 $2" soak "$@"
}

fuzz_kernel_group() {	# fuzz_kernel_group ROW ARCH
	MINUTES=${FUZZ_MINUTES:-20} KERNEL=$1 ARCH=$2 \
		group "fuzz-kernel $1 $2" "$TOP/scripts/fuzz-kernel.sh"
}

# check.sh builds the kernel first, and goes on with its own last run.
own_kernel_group() {	# own_kernel_group ROW ARCH
	KERNEL=$1 ARCH=$2 TESTS='' OBJTRACE_JOBS=1 group "own $1 $2" "$TOP/scripts/check.sh"
}

all_jobs() {
	local row arch i
	echo "group fuzz fuzz"
	echo "group fuzz-report fuzz_report"
	echo "group explore explore"
	echo "group litmus $TOP/scripts/check-litmus.sh"
	while read -r row arch; do
		echo "stress_group $row $arch 1"
		echo "stress_group $row $arch 2"
		echo "soak_group $row $arch"
		echo "fuzz_kernel_group $row $arch"
		echo "group panic-$row-$arch $TOP/scripts/check-panic.sh $row $arch"
		echo "group boot-instance-$row-$arch $TOP/scripts/check-boot-instance.sh $row $arch"
		for ((i = 0; i < ${LONG_SEEDS:-8}; i++)); do
			echo "truth_group $row $arch $((SRANDOM % 1000000 + 1))"
		done
	done <<<"$rows"
	if [ -n "${KERNEL:-}" ]; then return; fi
	own_rows | while read -r row arch _; do
		if [ -z "${ARCH:-}" ] || [ "$(arch_name "$ARCH")" = "$arch" ]; then
			echo "own_kernel_group $row $arch"
			if [ "$row $arch" = "debug x86_64" ]; then echo "fuzz_kernel_group $row $arch"; fi
		fi
	done
}

# Print the settings and versions on which the results depend.
settings() {
	printf '%s\n' "${ARCH:-}" "${KERNEL:-}" "${FUZZ_SECONDS:-}" "${FUZZ_MINUTES:-}" \
		"${LONG_SEEDS:-}" "${OBJTRACE_ACCEL:-}"
	while read -r row arch; do meta "$row" "$arch" version; done <<<"$rows"
}

rows=$(select_rows "${KERNEL:-}")
cache_init
"$TOP/scripts/deps.sh" >&2
# shellcheck disable=SC2034  # for report.sh
JOBS=${OBJTRACE_JOBS:-$(nproc)}
RUN=$(run_dir check-long)
export BOOTED_AGAIN=$RUN/booted-again
trap 'trap - INT TERM; kill 0' INT TERM
while read -r row arch; do "$TOP/scripts/fetch-kernel.sh" "$row" "$arch"; done <<<"$rows"
all_jobs >"$RUN/calls"
settings >"$RUN/settings"
write_key <"$RUN/settings"
resume check-long
# A resumed run has the same seeds
if [ -n "${KEPT:-}" ]; then cp "$KEPT/calls" "$RUN/calls"; fi
in_parallel <"$RUN/calls"
summary
