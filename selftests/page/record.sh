#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# record.sh DIRECTORY [ROW]: record the files of job-record in a guest, and write them to DIRECTORY.
# packet.dat is the file of a guest with the kernel 6.12-new: README.rst has its picture.

. "$(dirname "$0")/../../scripts/lib.sh"

case $# in 1|2) ;; *) die "usage: record.sh DIRECTORY [ROW]" ;; esac
ROW=${2:-6.12-new}
ARCH=x86_64
cache_init
"$TOP/scripts/fetch-kernel.sh" "$ROW" "$ARCH"
LOG=$(run_dir page)
TESTS='' "$TOP/scripts/guest-tree.sh" "$ROW" "$ARCH" "$LOG/tree"
programs=$("$TOP/scripts/fetch-programs.sh" "$ARCH" selftests)
objtrace=$("$TOP/scripts/build-tools.sh" "$ARCH")
cp -a "$programs/." "$objtrace/." "$LOG/tree/"
truncate -s 100M "$LOG/scratch"
VM_DISK=$("$TOP/scripts/make-disk.sh")
export VM_DISK VM_TREE=$LOG/tree VM_SCRATCH=$LOG/scratch VM_TIMEOUT=${VM_TIMEOUT:-900}
"$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/page/job-record" "$LOG"
rm -rf "$LOG/tree"
grep -q '^recorded' "$LOG/verdict.log" || die "the guest has recorded nothing, see $LOG"
tar -x -m -C "$1" -f "$LOG/scratch"
rm "$LOG/scratch"
