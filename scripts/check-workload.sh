#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-workload.sh ROW ARCH LOGDIR
#
# Judge the traces on a guest's disk LOGDIR/scratch, which the tests of test.d/workload wrote.
# Print a line for each trace, see selftests/workload/check.py. Each workload in
# LOGDIR/planned must have a trace. LOGDIR/workload.report gets the figures, and
# LOGDIR/workload the traces if one is wrong.

. "$(dirname "$0")/lib.sh"

[ $# -eq 3 ] || die "usage: check-workload.sh ROW ARCH LOGDIR"
cache_init
DIR=$3/workload
mapfile -t names < <(sed -n 's#^test.d/workload/\(.*\)\.tc$#\1#p' "$3/planned")
if [ ${#names[@]} -eq 0 ]; then exit 0; fi
rm -rf "$DIR"
mkdir "$DIR"
# debugfs reports no failure. The check below finds a file that debugfs did not read.
debugfs -R "rdump / $DIR" "$3/scratch" >"$3/debugfs.log" 2>&1 || true
status=0
"$TOP/selftests/workload/check.py" "$(arch_name "$2")" "$(kernel_dir "$1" "$2")/btf" \
	"$DIR" "${names[@]}" || status=$?
mv "$DIR/report" "$3/workload.report"
if [ "$status" -eq 0 ]; then rm -rf "$DIR"; fi
