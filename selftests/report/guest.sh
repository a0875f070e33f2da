# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A guest that records files with the program, for the record.sh of this folder and of ../page.
# Sourced after lib.sh, never run.

# Run JOB in a guest, and let it write to the disk $LOG/scratch. Set ARCH, and LOG to the directory
# of the guest's files. The guest's file /record has the KIND.
record_in_guest() {	# record_in_guest NAME ROW JOB SCRATCH-SIZE [KIND]
	local programs objtrace
	ARCH=x86_64
	"$TOP/scripts/fetch-kernel.sh" "$2" "$ARCH"
	LOG=$(run_dir "$1")
	TESTS='' "$TOP/scripts/guest-tree.sh" "$2" "$ARCH" "$LOG/tree"
	programs=$("$TOP/scripts/fetch-programs.sh" "$ARCH" selftests)
	objtrace=$("$TOP/scripts/build-tools.sh" "$ARCH")
	cp -a "$programs/." "$objtrace/." "$LOG/tree/"
	echo "${5:-}" >"$LOG/tree/record"
	truncate -s "$4" "$LOG/scratch"
	VM_TREE=$LOG/tree VM_SCRATCH=$LOG/scratch VM_TIMEOUT=${VM_TIMEOUT:-900} \
		"$TOP/scripts/vm-run.sh" "$2" "$ARCH" "$3" "$LOG"
	rm -rf "$LOG/tree"
}
