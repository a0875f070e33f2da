#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# spoilt.sh CONSOLE-LOG: print what QEMU did to a boot, if it spoilt it. Such a boot shows
# nothing, neither good nor bad.

. "$(dirname "$0")/lib.sh"

# While ftrace patches x86 functions it puts an int3 into each for a moment. QEMU with a
# thread for each processor can translate that for one while another is about to replace
# it, and run it from then on: the kernel is surprised by an int3 where it sees, and prints
# as its code, something else. No software can do that; it happens in one of some hundred
# guests, and others have seen it, too (Red Hat bug 2216496).
ran_stale_int3() {
	tr -d '\r' <"$CONSOLE" | awk '
		/Oops: int3/ { oops = 1 }
		oops && / Code: / {
			for (i = 2; i <= NF; i++)
				if ($i ~ /^<..>$/) { stale = $(i - 1) != "cc"; exit }
		}
		END { exit !stale }'
}

# Where the function has a kprobe, the kernel is not surprised, and goes on at address 0.
# objtrace_target reports it, see tell_stale_int3() in selftests/test_modules/target/int3.c.
stepped_stale_int3() {
	grep 'BUG: kernel NULL pointer dereference, address: 0000000000000000' "$CONSOLE" >/dev/null &&
		grep '\] objtrace_target: ran an int3 that is not in ' "$CONSOLE" >/dev/null
}

# The timer of a CPU can be dead from the start: that happened twice in some thousand boots.
# RCU reports a stall then, with the number of timer interrupts that the CPU took: two, or
# four. A boot on a busy machine reported 89. A CPU with a timer takes some 250 interrupts
# until /init starts.
lost_timer() {
	tr -d '\r' <"$CONSOLE" |
		grep 'Possible timer handling issue on cpu=[0-9]* timer-softirq=[0-9]\{1,2\}$' >/dev/null
}

[ $# -eq 1 ] || die "usage: spoilt.sh CONSOLE-LOG"
CONSOLE=$1
if ran_stale_int3 || stepped_stale_int3; then echo "ran an int3 that was not there any more"; fi
if lost_timer; then echo "lost the timer of a processor"; fi
