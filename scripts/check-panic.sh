#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-panic.sh ROW ARCH
#
# Let a kernel panic while it traces functions for a trigger. With ftrace_dump_on_oops, the
# kernel then prints its trace: the functions that print records run while the kernel dies. The
# records must be on the console, and the machine must end.

. "$(dirname "$0")/lib.sh"

RECORDS=('objtrace_add: object:0x[0-9a-f]* value:0x10 event:ott:add'
	'objtrace_value: ott_step2 .*<-ott_step1 .*object:0x[0-9a-f]* value:0x20'
	'objtrace_change: .*object:0x[0-9a-f]* value:0x30->0x40 .*'
	' => ott_step2')

complaints() {	# complaints LOGDIR
	local record
	for record in "${RECORDS[@]}"; do
		tr -d '\r' <"$1/console.log" | grep "$record" >/dev/null ||
			echo "the console has no record '$record'"
	done
	grep 'Kernel panic' "$1/console.log" >/dev/null || echo "the kernel did not panic"
	[ "$(cat "$1/status")" = 0 ] || echo "the machine ended with: $(cat "$1/status")"
}

[ $# -eq 2 ] || die "usage: check-panic.sh ROW ARCH"
cache_init
"$TOP/scripts/fetch-kernel.sh" "$1" "$2"
LOG=$(run_dir panic)
TESTS='' "$TOP/scripts/guest-tree.sh" "$1" "$2" "$LOG/tree"
VM_TREE=$LOG/tree VM_APPEND=ftrace_dump_on_oops "$TOP/scripts/vm-run.sh" "$1" "$2" \
	"$TOP/selftests/qemu/job-panic" "$LOG"
rm -rf "$LOG/tree"
result "$(complaints "$LOG")" "a kernel that panics prints its records"
