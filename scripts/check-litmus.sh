#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-litmus.sh [TEST...]: run the litmus tests in selftests/litmus under the kernel's memory
# model. Each test is a pair of barriers, and its condition is the fault that they prevent. The
# fault must be possible in none of the executions. A line with the comment "order not needed"
# has an operation with more order than the pair needs: without this order, the fault must
# still be impossible. Then each remaining barrier is needed: without it, the fault must be
# possible.

. "$(dirname "$0")/lib.sh"

NOT_NEEDED='order not needed'

# Programs of sed that remove the order of each operation in a line
RCU_LOCK='s/rcu_read_(un)?lock\(\);//'
WEAKEN='s/(smp_[rw]?mb|smp_mb__after_atomic|synchronize_rcu)\(\);//
	s/smp_store_release\(/WRITE_ONCE(*/
	s/rcu_assign_pointer\(/WRITE_ONCE(/
	s/atomic_set_release\(/atomic_set(/
	s/smp_load_acquire\(/READ_ONCE(*/
	s/\<((atomic_)?(cmpxchg|xchg|add_return|inc_return))(_acquire)?\(/\1_relaxed(/'

# Print the result for a test on stdin: Never, Sometimes or Always, or herd7's error.
observe() {
	local out
	cat >"$TMP/now.litmus"
	out=$(cd "$MODEL" && "${HERD[@]}" -conf linux-kernel.cfg "$TMP/now.litmus" 2>&1)
	sed -n 's/^Observation [^ ]* \([A-Z][a-z]*\) .*/\1/p' <<<"$out" | grep . ||
		tail -n 1 <<<"$out"
}

minimal() { sed -E "/$NOT_NEEDED/{$WEAKEN
	}" "$1"; }

# Print the numbers of the lines with operations that "not needed" does not name. The critical
# section of RCU counts once.
needed_lines() {	# needed_lines TEST
	diff --unchanged-line-format= --old-line-format='%dn ' --new-line-format= \
		"$1" <(sed -E "/$NOT_NEEDED/!{$WEAKEN
			};s/rcu_read_lock\(\);//" "$1") || true
}

# Print a test without its critical section of RCU if that begins in this line, and otherwise
# without the order of this line.
without() {	# without TEST LINE
	if [ -n "$(sed -n "$2{/rcu_read_lock/p}" "$1")" ]; then
		minimal "$1" | sed -E "$RCU_LOCK"
	else
		minimal "$1" | sed -E "$2{$WEAKEN
			}"
	fi
}

complaints() {	# complaints TEST
	local line lines seen
	seen=$(observe <"$1")
	[ "$seen" = Never ] || echo "the fault is possible: $seen"
	seen=$(minimal "$1" | observe)
	[ "$seen" = Never ] || echo "an order that is called not needed is needed: $seen"
	lines=$(needed_lines "$1")
	[ -n "$lines" ] || echo "no barrier is needed"
	for line in $lines; do
		seen=$(without "$1" "$line" | observe)
		[ "$seen" = Sometimes ] || [ "$seen" = Always ] ||
			echo "line $line is not needed: $seen"
	done
}

if [ $# -eq 0 ]; then set -- "$TOP"/selftests/litmus/*.litmus; fi
mapfile -t HERD < <("$TOP/scripts/fetch-herd.sh")
[ ${#HERD[@]} -gt 0 ] || die "herd7 cannot be fetched"
MODEL=$("$TOP/scripts/fetch-kernel-files.sh")/tools/memory-model
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
for test; do
	name=${test##*/}
	result "$(complaints "$test")" "litmus/${name%.litmus}"
done
