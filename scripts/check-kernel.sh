#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-kernel.sh ROW ARCH
#
# What can be said about the module on one kernel without running it: it builds
# without a warning, what nearly all calls of traced functions go through writes no
# memory, and the kernel has the layout that its row is there for. See also check-ibt.sh.

. "$(dirname "$0")/lib.sh"

warnings() { grep -m3 -i -E 'warning|skipping btf' "$BUILD/build.log" || true; }

stores() {	# stores ARCH
	CROSS_COMPILE=$(cross_prefix "$1") "$TOP/scripts/miss-path.pl" "$BUILD/objtrace.ko" 2>&1 ||
		echo "miss-path.pl failed"
}

[ $# -eq 2 ] || die "usage: check-kernel.sh ROW ARCH"
row_load "$1" "$2"
cache_init
layout=$(meta "$1" "$2" layout)
if [ "$layout" = "$ROW_LAYOUT" ]; then
	echo "ok struct event_command is $layout"
else
	echo "not ok struct event_command is $layout, the row is there for $ROW_LAYOUT"
fi
BUILD=$("$TOP/scripts/build-module.sh" "$1" "$2")
[ -e "$BUILD/objtrace.ko" ] || die "no objtrace.ko was built"
result "$(warnings)" "builds without a warning (W=1)"
result "$(stores "$2")" "a function that receives no object is told without writing to memory"
