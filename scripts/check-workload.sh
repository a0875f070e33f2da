#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-workload.sh ROW ARCH LOGDIR
#
# Judge the traces of the tests of test.d/workload on a guest's disk LOGDIR/scratch: one
# line for each, see selftests/workload/check.py. Each workload that LOGDIR/planned lists
# must have left its trace. The figures are kept in LOGDIR/workload.report, and the traces
# of a failure in LOGDIR/workload.

. "$(dirname "$0")/lib.sh"

[ $# -eq 3 ] || die "usage: check-workload.sh ROW ARCH LOGDIR"
cache_init
DIR=$3/workload
mapfile -t names < <(sed -n 's#^test.d/workload/\(.*\)\.tc$#\1#p' "$3/planned")
if [ ${#names[@]} -eq 0 ]; then exit 0; fi
rm -rf "$DIR"
mkdir "$DIR"
# debugfs reports no failure; a file that it did not read is missing below.
debugfs -R "rdump / $DIR" "$3/scratch" >"$3/debugfs.log" 2>&1 || true
status=0
"$TOP/selftests/workload/check.py" "$(arch_name "$2")" "$(kernel_dir "$1" "$2")/btf" \
	"$DIR" "${names[@]}" || status=$?
mv "$DIR/report" "$3/workload.report"
if [ "$status" -eq 0 ]; then rm -rf "$DIR"; fi
