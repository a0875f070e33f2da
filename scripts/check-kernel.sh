#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-kernel.sh ROW ARCH
#
# What can be said about the module on one kernel without running it: it builds
# without a warning, the kernel has the layout that its row is there for, and
# (x86_64) the module makes no indirect call.

. "$(dirname "$0")/lib.sh"

warnings() { grep -m3 -i -E 'warning|skipping btf' "$BUILD/build.log" || true; }

# An indirect call into a function whose ENDBR the kernel sealed is a kernel BUG
# on CET hardware, which QEMU does not emulate; so look for the instruction. The
# iterators that a TRACE_EVENT generates call registered probes, not the kernel.
indirect_calls() {
	objdump -dr --no-show-raw-insn "$BUILD/objtrace.ko" | awk '
		/^[0-9a-f]+ <.*>:$/ { fn = $2; gsub(/[<>:]/, "", fn); functions++ }
		fn ~ /^__traceiter_/ { next }
		/(call|jmp)[a-z]* +(\*|.*%)|__x86_indirect_/ { print fn ": " $0 }
		END { if (!functions) print "objdump found no function" }'
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
if [ "$2" = x86_64 ]; then result "$(indirect_calls)" "no indirect call in objtrace.ko"; fi
