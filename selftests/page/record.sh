#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# record.sh DIRECTORY [ROW]: record the files of job-record in a guest, and write them to DIRECTORY.
# packet.dat is the file of a guest with the kernel 6.12-new: README.rst has its picture.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../report/guest.sh"

case $# in 1|2) ;; *) die "usage: record.sh DIRECTORY [ROW]" ;; esac
cache_init
VM_DISK=$("$TOP/scripts/make-disk.sh")
export VM_DISK
record_in_guest page "${2:-6.12-new}" "$TOP/selftests/page/job-record" 100M
grep -q '^recorded' "$LOG/verdict.log" || die "the guest has recorded nothing, see $LOG"
tar -x -m -C "$1" -f "$LOG/scratch"
rm "$LOG/scratch"
