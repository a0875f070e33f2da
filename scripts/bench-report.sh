#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-report.sh: run by `make bench-report'. Measure the time and the memory of each view of
# `objtrace report', natively, with files of a million records. A guest records each file once,
# see selftests/report/job-record: it stays in the cache until the events change. A figure above
# its limit is a failure.

. "$(dirname "$0")/lib.sh"

ROW=6.12-new
FILES=(large objects)
SOURCES=("$TOP"/selftests/report/{record.sh,job-record} "$TOP/include/objtrace_event.h")

# shellcheck disable=SC2317  # fill_once calls it
record() {	# record DIR
	local kind
	for kind in "${FILES[@]}"; do
		say "  a guest records $kind.dat, which takes a minute"
		VM_TIMEOUT=3600 "$TOP/selftests/report/record.sh" "$kind" "$1/$kind.dat" "$ROW"
	done
}

cache_init
"$TOP/scripts/deps.sh" >&2
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
make -s -C "$TOP/tools/objtrace" OUT="$WORK"
DIR=$CACHE/bench-report-$(cat "${SOURCES[@]}" | sha256sum | cut -c1-12)
fill_once bench-report "$DIR" record
status=0
for kind in "${FILES[@]}"; do
	"$TOP/selftests/report/measure.py" "$WORK/objtrace" "$DIR/$kind.dat" || status=1
done
exit $status
