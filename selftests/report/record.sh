#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# record.sh small|follow|context|large|objects FILE [ROW]: record a file with trace-cmd in a guest,
# see job-record. small.dat, follow.dat and context.dat are files of a guest with the kernel
# 6.12-new: the tests in this folder read them.

. "$(dirname "$0")/../../scripts/lib.sh"

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
ROW=${3:-6.12-new}
ARCH=x86_64
cache_init
"$TOP/scripts/fetch-kernel.sh" "$ROW" "$ARCH"
LOG=$(run_dir report)
TESTS='' "$TOP/scripts/guest-tree.sh" "$ROW" "$ARCH" "$LOG/tree"
programs=$("$TOP/scripts/fetch-programs.sh" "$ARCH" selftests)
objtrace=$("$TOP/scripts/build-tools.sh" "$ARCH")
cp -a "$programs/." "$objtrace/." "$LOG/tree/"
echo "$KIND" >"$LOG/tree/record"
truncate -s "$SCRATCH_SIZE" "$LOG/scratch"
export VM_TREE=$LOG/tree VM_SCRATCH=$LOG/scratch VM_TIMEOUT=${VM_TIMEOUT:-900}
"$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/report/job-record" "$LOG"
rm -rf "$LOG/tree"
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
