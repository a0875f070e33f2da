#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-vm.sh ROW ARCH LOGDIR [CPU]
#
# Run the selftests in one guest and print one line per test, see judge.sh. When
# the guest is not to be believed, the end of its console goes to stderr.

. "$(dirname "$0")/lib.sh"

[ $# -ge 3 ] || die "usage: check-vm.sh ROW ARCH LOGDIR [CPU]"
cache_init
mkdir -p "$3/tree"
"$TOP/scripts/guest-tree.sh" "$1" "$2" "$3/tree"
VM_DISK=$("$TOP/scripts/make-disk.sh")
export VM_DISK VM_TREE=$3/tree VM_CPU=${4:-} VM_TIMEOUT=${VM_TIMEOUT:-900}
"$TOP/scripts/vm-run.sh" "$1" "$2" "$TOP/selftests/qemu/job-selftests" "$3"
rm -rf "$3/tree"
if ! "$TOP/scripts/judge.sh" "$3" >"$3/results"; then
	{
		# A failed test's log follows its result.
		awk '/^(ok|not ok|\|)/ { bad = /^not/; n = 0 } bad && n++ < 40' "$3/verdict.log"
		echo "... the last lines of the console ($3/console.log):"
		tail -n 15 "$3/console.log" | tr -d '\r'
	} >&2
fi
cat "$3/results"
