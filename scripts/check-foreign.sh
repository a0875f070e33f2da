#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-foreign.sh ROW OTHER-ROW ARCH
#
# Try to load the objtrace.ko of each row into the kernel of the other row: unchanged, by
# force, and disguised as a module of that kernel, see alter-module.sh.

. "$(dirname "$0")/lib.sh"

try_on() {	# try_on ROW OTHER-ROW: OTHER-ROW's module on ROW's kernel
	local log=$LOG/$1 foreign=$LOG/$1/tree/modules/foreign build how
	mkdir -p "$log"
	TESTS='' "$TOP/scripts/guest-tree.sh" "$1" "$ARCH" "$log/tree"
	build=$("$TOP/scripts/build-module.sh" "$2" "$ARCH")
	cp "$build/objtrace.ko" "$foreign.ko"
	for how in forced disguised; do
		"$TOP/scripts/alter-module.sh" $how "$foreign.ko" "$foreign-$how.ko" "$1" "$ARCH"
	done
	VM_TREE=$log/tree "$TOP/scripts/vm-run.sh" "$1" "$ARCH" "$TOP/selftests/qemu/job-foreign" "$log"
	rm -rf "$log/tree"
	"$TOP/scripts/judge.sh" "$log" >"$log/results" || grep '^#' "$log/verdict.log" >&2
	sed -E "s/^(ok|not ok) /&$2 on $1: /" "$log/results"
}

[ $# -eq 3 ] || die "usage: check-foreign.sh ROW OTHER-ROW ARCH"
ARCH=$(arch_name "$3")
cache_init
for row in "$1" "$2"; do "$TOP/scripts/fetch-kernel.sh" "$row" "$ARCH"; done
LOG=$(run_dir foreign)
# If a module loads, the guest runs all selftests
export VM_TIMEOUT=${VM_TIMEOUT:-900}
try_on "$1" "$2"
try_on "$2" "$1"
