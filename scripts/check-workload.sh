#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-workload.sh ROW ARCH LOGDIR
#
# Judge what the tests of test.d/workload have left on a guest's disk LOGDIR/scratch: one
# line for each, see selftests/workload/check.pl. All of them have to be there; of chosen
# TESTS those that were run. The figures are kept in LOGDIR/workload.report; if one is
# bad, what they are about in LOGDIR/workload.

. "$(dirname "$0")/lib.sh"

# The workloads to be judged, by the names of their tests
workloads() {	# workloads VERDICT-LOG
	local test
	for test in "$TOP"/selftests/test.d/workload/*.tc; do
		if [ -z "${TESTS:-}" ] ||
		   grep -q "objtracetest: test.d/workload/${test##*/}" "$1"; then
			basename "$test" .tc
		fi
	done
}

[ $# -eq 3 ] || die "usage: check-workload.sh ROW ARCH LOGDIR"
cache_init
DIR=$3/workload
mapfile -t names < <(workloads "$3/verdict.log")
if [ ${#names[@]} -eq 0 ]; then exit 0; fi
rm -rf "$DIR"
mkdir "$DIR"
# It does not tell of a failure; what it has not read is missed below.
debugfs -R "rdump / $DIR" "$3/scratch" >"$3/debugfs.log" 2>&1 || true
status=0
"$TOP/selftests/workload/check.pl" "$(arch_name "$2")" "$(kernel_dir "$1" "$2")/btf" \
	"$DIR" "${names[@]}" || status=$?
mv "$DIR/report" "$3/workload.report"
if [ "$status" -eq 0 ]; then rm -rf "$DIR"; fi
