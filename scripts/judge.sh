#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# judge.sh [--no-tap] LOGDIR
#
# Judge what vm-run.sh left in LOGDIR. Prints one line for each test that the
# guest reported ("ok NAME", "not ok NAME", "skip NAME"), and one "not ok" line
# for each reason why the boot as a whole cannot be believed. Exit status 0
# only if all of it is good: everything that could go wrong has to be shown not
# to have, silence is a failure. --no-tap: the job's output is not test results.
#
# No kernel and no QEMU is needed, so that selftests/qemu/harness-test.sh can
# show it logs of every way to die.

set -euo pipefail

# What a kernel says when something is wrong with it.
SPLAT='BUG:|BUG at|WARNING:|Oops|Call [Tt]race|KASAN|KFENCE|UBSAN|KCSAN'
SPLAT+='|possible (recursive|circular)|possible irq lock inversion|inconsistent lock state|bad unlock balance'
SPLAT+='|suspicious RCU|sleeping function called|scheduling while atomic|unreferenced object|rcu:.*stall|soft lockup|hard LOCKUP'
SPLAT+='|hung task|blocked for more than|Kernel panic|general protection|double fault|stack segment'
SPLAT+='|Unable to handle|unable to handle|Internal error:|refcount_t|list_(add|del) corruption|Bad page state'
SPLAT+='|ftrace failed to|Failed on adding|Out of memory|init: insmod'

failures=0
fail() { echo "not ok $*"; failures=$((failures + 1)); }

# Carriage returns are the console driver's.
console() { tr -d '\r' <"$DIR/console.log"; }

# The closing line must be the last one, carry this boot's token, and vouch for
# the number and the contents of the lines before it.
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
	# A failed test makes the job fail too; that is one failure, not two.
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
	splat=$({ console; echo "$log"; } | grep -m1 -E "$SPLAT" || true)
	if [ -n "$splat" ]; then fail "the guest's kernel complained: $splat"; fi
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
