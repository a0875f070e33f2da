#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# spoilt.sh CONSOLE-LOG: print how QEMU spoilt a boot, or nothing. A spoilt boot neither passes
# nor fails.

. "$(dirname "$0")/lib.sh"

# While ftrace patches an x86 function, the function starts with an int3 for a moment. QEMU
# with a thread for each CPU can translate the int3 for one CPU while another CPU replaces it,
# and then keep the stale translation. The kernel dies of an unexpected int3, but the code that
# it prints has another instruction there. No guest software can cause this. It happens in one
# of some hundred guests, and in other projects, see Red Hat bug 2216496.
ran_stale_int3() {
	tr -d '\r' <"$CONSOLE" | awk '
		/Oops: int3/ { oops = 1 }
		oops && / Code: / {
			for (i = 2; i <= NF; i++)
				if ($i ~ /^<..>$/) { stale = $(i - 1) != "cc"; exit }
		}
		END { exit !stale }'
}

# If the function has a kprobe, the kernel expects the int3, and continues at address 0.
# objtrace_target reports it, see tell_stale_int3() in selftests/test_modules/target/int3.c.
stepped_stale_int3() {
	grep 'BUG: kernel NULL pointer dereference, address: 0000000000000000' "$CONSOLE" >/dev/null &&
		grep '\] objtrace_target: ran an int3 that is not in ' "$CONSOLE" >/dev/null
}

# The timer of a CPU can be dead from the start, which happened twice in some thousand boots.
# RCU then reports a stall, and the number of timer interrupts that the CPU took: two or four.
# A boot on a busy machine reported 89. A CPU with a timer takes some 250 interrupts until
# /init starts.
lost_timer() {
	tr -d '\r' <"$CONSOLE" |
		grep 'Possible timer handling issue on cpu=[0-9]* timer-softirq=[0-9]\{1,2\}$' >/dev/null
}

[ $# -eq 1 ] || die "usage: spoilt.sh CONSOLE-LOG"
CONSOLE=$1
if ran_stale_int3 || stepped_stale_int3; then echo "ran a stale int3"; fi
if lost_timer; then echo "lost the timer of a CPU"; fi
