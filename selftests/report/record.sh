#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# record.sh small|follow|context|large|objects FILE [ROW]: record a file with trace-cmd in a guest,
# see job-record. small.dat, follow.dat and context.dat are files of a guest with the kernel
# 6.12-new: the tests in this folder read them.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/guest.sh"

# The guest writes the large file to a raw disk of this size.
SCRATCH_SIZE=700M

printed_file() {	# printed_file VERDICT-LOG
	tr -d '\r' <"$1" | sed -n '/^begin trace.dat$/,/^end trace.dat$/p' | sed '1d;$d' | base64 -d
}

file_of_disk() {	# file_of_disk VERDICT-LOG DISK
	local size
	size=$(tr -d '\r' <"$1" | sed -n 's/^size: //p')
	[ -n "$size" ] || die "the guest has recorded nothing, see $1"
	head -c "$size" "$2"
}

case $# in 2|3) ;; *) die "usage: record.sh small|follow|context|large|objects FILE [ROW]" ;; esac
KIND=$1
OUT=$2
cache_init
record_in_guest report "${3:-6.12-new}" "$TOP/selftests/report/job-record" "$SCRATCH_SIZE" "$KIND"
case $KIND in
small|follow|context)
	printed_file "$LOG/verdict.log" >"$OUT.new"
	;;
large|objects)
	file_of_disk "$LOG/verdict.log" "$LOG/scratch" >"$OUT.new"
	;;
esac
rm "$LOG/scratch"
[ -s "$OUT.new" ] || die "the guest has recorded nothing, see $LOG"
mv "$OUT.new" "$OUT"
