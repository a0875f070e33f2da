#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-boot-instance.sh ROW ARCH
#
# Let the kernel make two instances at boot, and set triggers in them. The buffer of one instance is
# in reserved memory, which a reboot does not clear. Such a buffer is never replaced, and cannot be
# resized. No reboot is tried.

. "$(dirname "$0")/lib.sh"

PARAMETERS="reserve_mem=4M:4K:objtrace trace_instance=kept@objtrace trace_instance=plain"

[ $# -eq 2 ] || die "usage: check-boot-instance.sh ROW ARCH"
cache_init
"$TOP/scripts/fetch-kernel.sh" "$1" "$2"
symbols=$("$TOP/scripts/kallsyms.sh" "$1" "$2")
if ! grep -q ' reserve_mem_find_by_name$' "$symbols"; then
	echo "ok this kernel has no reserve_mem, and so no instance in reserved memory"
	exit
fi
LOG=$(run_dir boot-instance)
TESTS='' "$TOP/scripts/guest-tree.sh" "$1" "$2" "$LOG/tree"
VM_TREE=$LOG/tree VM_APPEND=$PARAMETERS "$TOP/scripts/vm-run.sh" "$1" "$2" \
	"$TOP/selftests/qemu/job-boot-instance" "$LOG"
rm -rf "$LOG/tree"
"$TOP/scripts/judge.sh" "$LOG" || grep '^#' "$LOG/verdict.log" >&2
