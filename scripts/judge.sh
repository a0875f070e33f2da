#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# judge.sh [--no-tap] LOGDIR
#
# Judge the logs of vm-run.sh in LOGDIR. Print a line for each test that the guest reported
# ("ok NAME", "not ok NAME", "skip NAME"), and a "not ok" line for each reason not to trust the
# boot. The exit status is 0 if there is no "not ok" and no "skip". The logs must prove each
# success: a missing report is a failure. With --no-tap, the job's output has no test results.
#
# The script needs no kernel and no QEMU, so selftests/qemu/harness-test.sh can test it with
# the logs of all kinds of failures.

set -euo pipefail

# The messages of a kernel that found an error in itself, or that stops the search for errors. After
# "kmemleak: Cannot allocate a scan area", kmemleak goes on.
SPLAT='BUG:|BUG at|BUG [^ ]+ \(|WARNING:|Oops|Call [Tt]race|KASAN|KFENCE|UBSAN|KCSAN|CFI failure'
SPLAT+='|kmemleak: Cannot (allocate a kmemleak_object|insert)'
SPLAT+='|possible (recursive|circular)|possible irq lock inversion|inconsistent lock state|bad unlock balance'
SPLAT+='|suspicious RCU|sleeping function called|scheduling while atomic|unreferenced object|rcu:.*stall|soft lockup|hard LOCKUP'
SPLAT+='|hung task|blocked for more than|Kernel panic|general protection|double fault|stack segment'
SPLAT+='|Unable to handle|unable to handle|Internal error:|refcount_t|list_(add|del) corruption|Bad page state'
SPLAT+='|ftrace failed to|Failed on adding|Out of memory|init: insmod'

# A message about the processor that has such a word, but is about no error of the kernel
NO_SPLAT='Speculative Return Stack Overflow: WARNING: See '

failures=0
fail() { echo "not ok $*"; failures=$((failures + 1)); }

# The console driver adds the carriage returns.
console() { tr -d '\r' <"$DIR/console.log"; }

# The last line must have this boot's token, and the number and the checksum of the lines
# before it.
judge_closing() {
	local last lines sum
	last=$(tail -n 1 "$DIR/verdict.log")
	case $last in
	"# guest: $TOKEN exit="*) ;;
	*) fail "the guest never reported its end"; return ;;
	esac
	lines=$(($(wc -l <"$DIR/verdict.log") - 1))
	sum=$(head -n "$lines" "$DIR/verdict.log" | sha256sum | cut -d' ' -f1)
	if [[ $last != *" lines=$lines sha256=$sum" ]]; then
		fail "the guest's report is incomplete or altered"
	fi
	# A failed test makes the job fail, too. That counts as one failure, not two.
	if [ "$failures" -eq 0 ] && [[ $last != "# guest: $TOKEN exit=0 "* ]]; then
		fail "the job in the guest failed (${last#"# guest: $TOKEN "})"
	fi
}

judge_poweroff() {
	local status
	status=$(cat "$DIR/status")
	case $status in
	0) ;;
	timeout) fail "the guest did not end in time" ;;
	*) fail "QEMU failed with status $status: $(head -n 1 "$DIR/qemu.log")" ;;
	esac
	# A triple fault ends QEMU as quietly as a power-off does.
	if ! grep -q 'reboot: Power down' "$DIR/console.log"; then
		fail "the guest did not power itself off"
	fi
}

judge_kernel_log() {
	local log splat
	log=$(sed -n 's/^| //p' "$DIR/verdict.log")
	if ! grep -q '\] Linux version ' <<<"$log" ||
	   ! grep -q "objtrace-guest: end of job $TOKEN" <<<"$log"; then
		fail "the guest's kernel log is incomplete"
	fi
	splat=$({ console; echo "$log"; } | grep -v -F "$NO_SPLAT" | grep -E "$SPLAT" | sed -n 1p || true)
	if [ -n "$splat" ]; then fail "the guest's kernel complained: $splat"; fi
	# Each user may read the log. The kernel prints an address as 16 digits. A COUNT can have 19
	splat=$(grep -m1 -E '\] objtrace: (.*[^0-9a-f])?[0-9a-f]{16}([^0-9a-f]|$)' <<<"$log" || true)
	if [ -n "$splat" ]; then fail "objtrace logged an address: $splat"; fi
	judge_leaks "$log"
	if grep -q '\] kcsan: ' <<<"$log" && ! grep -q '\] kcsan: enabled early' <<<"$log"; then
		fail "the guest did not look for data races"
	fi
}

# A kernel that looks for leaks must have looked for them, see init.
judge_leaks() {	# judge_leaks KERNEL-LOG
	local found
	found=$(grep -E '^# guest: kmemleak found [0-9]+ leaks$' "$DIR/verdict.log" || true)
	if ! grep -q 'kmemleak: Kernel memory leak detector initialized' <<<"$1"; then return; fi
	case $found in
	"# guest: kmemleak found 0 leaks") ;;
	'')	fail "the guest did not look for leaks" ;;
	*)	fail "the guest leaked: ${found#"# guest: "}" ;;
	esac
}

# KTAP: one plan, and a result with the right number for each planned test.
judge_tap() {
	local tap plan
	tap=$(sed '/^# guest: kernel log$/,$d' "$DIR/verdict.log")
	plan=$(grep -E '^1\.\.[0-9]+$' <<<"$tap" || true)
	if [[ ! $plan =~ ^1\.\.[1-9][0-9]*$ ]]; then
		fail "the tests announced no plan"
		return
	fi
	awk -v plan="${plan#1..}" '
		/^(ok|not ok) [0-9]+/ {
			good = ($1 == "ok")
			number = good ? $2 : $3
			name = $0
			sub(/^(not )?ok [0-9]+ *(- )?/, "", name)
			sub(/ *# *FAIL *$/, "", name)
			if (number + 0 != ++seen)
				wrong = 1
			if (!good)
				print "not ok " name
			else if (toupper(name) ~ /# *(SKIP|TODO|XFAIL)/)
				print "skip " name
			else
				print "ok " name
			if (!good || toupper(name) ~ /# *(SKIP|TODO|XFAIL)/)
				bad = 1
		}
		/^Bail out!/ { print "not ok " $0; bad = 1 }
		END {
			if (wrong || seen != plan) {
				print "not ok the plan says " plan " tests, " seen + 0 " reported"
				bad = 1
			}
			exit bad
		}' <<<"$tap" || failures=$((failures + 1))
}

tap=1
if [ "${1:-}" = --no-tap ]; then tap=; shift; fi
[ $# -eq 1 ] || { echo "usage: judge.sh [--no-tap] LOGDIR" >&2; exit 2; }
DIR=$1
TOKEN=$(cat "$DIR/token")
if [ "${#TOKEN}" -lt 32 ]; then fail "no token was given to the guest"; fi
if [ -n "$tap" ]; then judge_tap; fi
judge_closing
judge_poweroff
judge_kernel_log
[ "$failures" -eq 0 ]
