#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-live-cost.sh ROW ARCH VERDICT-LOG KIND...
#
# Compare the cost of the lines that `objtrace follow' prints, in instructions, with a budget.
# selftests/qemu/job-live measured it in a guest of bench-vm.sh, while a command caused 10,000
# records in a second. A KIND of records is "changes" or "calls".

. "$(dirname "$0")/lib.sh"

BUDGET=10000
MIN_RATE=10000

# Print a complaint
check_cost() {	# check_cost INSTRUCTIONS RATE LOST
	if [ "$1" -le 0 ] || [ "$1" -gt "$BUDGET" ]; then
		echo "$1 instructions for a record, the budget is $BUDGET"
	fi
	[ "$2" -ge "$MIN_RATE" ] || echo "only $2 records in a second, not $MIN_RATE"
	[ "$3" = "nothing lost" ] || echo "the program says: $3"
}

[ $# -ge 4 ] || die "usage: check-live-cost.sh ROW ARCH VERDICT-LOG KIND..."
ARCH=$(arch_name "$2")
for kind in "${@:4}"; do
	read -r _ what instructions rate lost < <(tr -d '\r' <"$3" | grep "^live $kind ") ||
		die "$1 $ARCH: live output of $kind was not measured"
	say "  $1 $ARCH: live output of $what: $instructions instructions for a record, $rate records in a second, $lost"
	result "$(check_cost "$instructions" "$rate" "$lost")" "live output of $what is within its budget"
done
