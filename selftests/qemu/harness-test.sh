#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# harness-test.sh [ROW ARCH]
#
# Tests of the harness itself. A guest without a complete report is a failure, and one line
# explains an unusable environment. Most tests judge written logs, and a few tests boot a kernel
# that misbehaves. Prints a line "ok" or "not ok" for each test.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../../scripts/known-good.sh"

ROW=${1:-6.12-new}
ARCH=${2:-x86_64}
cache_init
WORK=$(mktemp -d "$CACHE/logs/harness-test.XXXXXX")
# The spoilt guests here are stubs
unset BOOTED_AGAIN
JUDGE=$TOP/scripts/judge.sh
# The kernel's report of a known fault of QEMU, see scripts/spoilt.sh
INT3=$'Oops: int3: 0000 [#1]\nCode: 90 90 BYTE <fb> a7 fb'
AT_NULL='BUG: kernel NULL pointer dereference, address: 0000000000000000'
STEPPED='objtrace_target: ran an int3 that is not in ott_add [objtrace_target]'
TIMER=$'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\nrcu: \tPossible timer handling issue on cpu=1 timer-softirq=COUNT'

pass() { echo "ok $1"; }
flunk() { echo "not ok $1"; say "$2"; }

# The log directory of a guest in which two tests passed.
good_logs() {	# good_logs DIR
	mkdir -p "$1"
	echo 0123456789abcdef0123456789abcdef >"$1/token"
	echo 0 >"$1/status"
	# A kernel option can have the words of a complaint, and so can a message about the processor, or
	# about a search for leaks that goes on. A COUNT has more digits than an address.
	printf '[    %s\r\n' '0.0] Command line: rcupdate.rcu_cpu_stall_timeout=120' \
		'0.5] Speculative Return Stack Overflow: WARNING: See the documentation' \
		'0.6] kmemleak: Cannot allocate a scan area, scanning the full object' \
		'1.0] Run /init' '2.0] reboot: Power down' >"$1/console.log"
	cat >"$1/verdict.log" <<-EOF
	TAP version 13
	1..2
	ok 1 first
	# a line of the second test's log
	ok 2 second
	# guest: job exit status 0
	# guest: kernel log
	| <5>[    0.000000] Linux version 6.12
	| <5>[    1.500000] objtrace: the table is full; trigger: . ott:add objtrace:add:obj:9223372036854775807
	| <12>[    2.000000] objtrace-guest: end of job $(cat "$1/token")
	EOF
}

# The closing line that the guest's init would send after those lines.
close_log() {	# close_log DIR [EXIT]
	local log=$1/verdict.log
	echo "# guest: $(cat "$1/token") exit=${2:-0} lines=$(wc -l <"$log")" \
		"sha256=$(sha256sum <"$log" | cut -d' ' -f1)" >>"$log"
}

# judge.sh must refuse, for the given reason, a log that a sed script changes before the closing
# line is added.
refused() {	# refused NAME REASON SED-SCRIPT [EXIT]
	local dir=$WORK/$((++CASES))
	good_logs "$dir"
	sed -i -e "$3" "$dir/verdict.log"
	close_log "$dir" "${4:-0}"
	expect_refusal "$1" "$2" "$dir"
}

# judge.sh must refuse, for the given reason, a log that FUNCTION changes after the closing line
# was added.
refused_after() {	# refused_after NAME REASON FUNCTION
	local dir=$WORK/$((++CASES))
	good_logs "$dir"
	close_log "$dir"
	"$3" "$dir"
	expect_refusal "$1" "$2" "$dir"
}

expect_refusal() {	# expect_refusal NAME REASON DIR
	local out
	if out=$("$JUDGE" "$3" 2>&1); then
		flunk "judge refuses $1" "accepted: $out"
	elif ! grep -q -E "^(not ok|skip) .*$2" <<<"$out"; then
		flunk "judge refuses $1" "refused, but not because of '$2': $out"
	else
		pass "judge refuses $1"
	fi
}

cut_report() { sed -i '$d' "$1/verdict.log"; }
lose_line() { sed -i '/a line of the second/d' "$1/verdict.log"; }
alter_line() { sed -i 's/^ok 2 second/ok 2 seconds/' "$1/verdict.log"; }
other_token() { sed -i '$s/0123/3210/' "$1/verdict.log"; }
text_after() { echo "ok 3 third" >>"$1/verdict.log"; }
no_report() { : >"$1/verdict.log"; }
only_console() { mv "$1/verdict.log" "$1/console.log"; : >"$1/verdict.log"; }
timed_out() { echo timeout >"$1/status"; }
qemu_failed() { echo 'qemu: no memory' >"$1/qemu.log"; echo 1 >"$1/status"; }
no_poweroff() { sed -i '/Power down/d' "$1/console.log"; }
late_panic() { printf '[    2.1] Kernel panic - not syncing: x\r\n' >>"$1/console.log"; }
no_token() { echo >"$1/token"; sed -i '$s/.*/# guest:  exit=0 lines=9 sha256=/' "$1/verdict.log"; }

judge_tests() {
	local dir=$WORK/good splat
	good_logs "$dir"
	close_log "$dir"
	if "$JUDGE" "$dir" >"$dir/out"; then pass "judge accepts a good log"; else flunk "judge accepts a good log" "$(cat "$dir/out")"; fi

	refused "a failed test" second 's/^ok 2/not ok 2/'
	refused "a skipped test" second 's/^ok 2 second/& # SKIP no such file/'
	refused "fewer results than planned" "the plan says" '/^ok 2/d'
	refused "more results than planned" "the plan says" 's/^1\.\.2/1..1/'
	refused "a result counted twice" "the plan says" 's/^ok 2/ok 1/'
	refused "a missing plan" "no plan" '/^1\.\./d'
	refused "an empty plan" "no plan" 's/^1\.\.2/1..0/;/^ok/d'
	refused "two plans" "no plan" 's/^ok 2.*/&\n1..2/'
	refused "a bail-out" "Bail out" 's/^# a line.*/Bail out! no tracefs/'
	refused "a job that failed" "job in the guest failed" 's/^$//' 1
	refused "a kernel log without its beginning" "log is incomplete" '/Linux version/d'
	refused "a kernel log without its end" "log is incomplete" '/end of job/d'
	for splat in 'WARNING: CPU: 0 PID: 1 at kernel/x.c:1' 'BUG: kernel NULL pointer' 'Oops: 0000' \
		'Call Trace:' 'Call trace:' 'BUG: KASAN: use-after-free' 'UBSAN: array-index' \
		'possible recursive locking detected' 'WARNING: suspicious RCU usage' \
		'BUG: sleeping function called' 'kmemleak: unreferenced object 0xff' \
		'rcu: INFO: rcu_preempt self-detected stall' 'watchdog: BUG: soft lockup' \
		'INFO: task cat:1 blocked for more than 120 seconds' 'refcount_t: underflow' \
		'list_add corruption' 'Unable to handle kernel paging request' 'general protection fault' \
		'BUG: KASAN: slab-use-after-free in ott_add+0x1/0x2' 'BUG: KCSAN: data-race in a / b' \
		'BUG kmalloc-64 (Tainted: G           O): Poison overwritten' \
		'UBSAN: shift-out-of-bounds in a.c:1:2' 'BUG: Invalid wait context ]' \
		'ODEBUG: free active (active state 0) object: 0xff object type: work_struct' \
		'WARNING: possible circular locking dependency detected' \
		'WARNING: possible irq lock inversion dependency detected' \
		'WARNING: inconsistent lock state' 'WARNING: bad unlock balance detected!' \
		'BUG: using smp_processor_id() in preemptible [00000000] code: cat/1' \
		'BUG: scheduling while atomic: cat/1/0x2' 'CFI failure at a+0x1/0x2 [objtrace]' \
		'objtracetest: BUG: lockdep switched itself off' \
		'kmemleak: Cannot allocate a kmemleak_object structure' \
		'kmemleak: Cannot insert 0xff into the object search tree (overlaps existing)' \
		'rcu: INFO: rcu_sched detected stalls on CPUs/tasks:'; do
		refused "a kernel log with '$splat'" "kernel complained" "s#^| .*end of job#| <4>[    1.5] $splat\n&#"
	done
	leak_tests
	refused "a kernel log with an address from objtrace" "logged an address" \
		"s#^| .*end of job#| <6>[    1.5] objtrace: object 0xffff888003c0a000\n&#"
	refused_after "a report without its closing line" "never reported its end" cut_report
	refused_after "a report that lost a line" incomplete lose_line
	refused_after "a report with an altered line" incomplete alter_line
	refused_after "another boot's token" "never reported its end" other_token
	refused_after "text after the closing line" "never reported its end" text_after
	refused_after "silence" "never reported its end" no_report
	refused_after "results on the console only" "never reported its end" only_console
	refused_after "a time-out" "in time" timed_out
	refused_after "a QEMU that failed" "QEMU failed with status 1: qemu: no memory" qemu_failed
	refused_after "a guest that was reset" "did not power itself off" no_poweroff
	refused_after "a panic after the report" "kernel complained" late_panic
	refused_after "a boot without a token" "no token" no_token
}

# A kernel that can look for leaks says so when it boots.
leak_tests() {
	local found='# guest: kmemleak found' looks dir=$WORK/leaks test="judge accepts a guest without a leak"
	looks='s/^| .*Linux version/| <6>[    0.0] kmemleak: Kernel memory leak detector initialized (x)\n&/'
	refused "a guest that did not look for leaks" "did not look for leaks" "$looks"
	refused "a kernel that does not look for data races" "did not look for data races" \
		's/^| .*Linux version/| <6>[    0.0] kcsan: strict mode configured\n&/'
	refused "a leak" "leaked: kmemleak found 2 leaks" "$looks; s/^# guest: job.*/&\n$found 2 leaks/"
	good_logs "$dir"
	sed -i -e "$looks; s/^# guest: job.*/&\n$found 0 leaks/" "$dir/verdict.log"
	close_log "$dir"
	if "$JUDGE" "$dir" >"$dir/out"; then pass "$test"; else flunk "$test" "$(cat "$dir/out")"; fi
}

# Check the last line of `make check` and its exit status after a command of report.sh. EXPECTED
# is "LAST-LINE: STATUS".
counted() {	# counted EXPECTED NAME COMMAND...
	local expected=$1 test=$2 dir=$WORK/$((++CASES)) got
	shift 2
	got=$(
		. "$TOP/scripts/report.sh"
		RUN=$dir
		JOBS=2
		"$@" >/dev/null 2>&1
		status=0
		line=$(summary 2>/dev/null) || status=1
		echo "${line##*$'\n'}: $status"
	)
	if [ "$got" = "$expected" ]; then pass "$test"; else flunk "$test" "$got"; fi
}

# Resume a run in which only the group "good" passed. It had resumed a run in which "older" passed,
# and was interrupted before it came to that group.
resumed() {
	(
		RUN=$WORK/run
		# shellcheck source=/dev/null  # another subshell sourced it in counted()
		. "$TOP/scripts/report.sh"
		# shellcheck disable=SC2317  # resume calls it
		last_run() { echo "$WORK/last"; }
		rm -rf "$RUN" "$WORK/last"
		mkdir -p "$RUN" "$WORK"/last/{results,kept}
		echo "ok good: before" >"$WORK/last/results/good"
		printf '%s\n' "ok bad: before" "not ok bad: before" >"$WORK/last/results/bad"
		: >"$WORK/last/results/empty"
		echo "ok older: before" >"$WORK/last/kept/older"
		RESUME=1 resume test
		for name in good bad empty new older; do group $name echo "ok now" >&2; done
		cat "$RUN"/results/*
	) 2>/dev/null
}

resume_tests() {
	local seen
	seen=$(resumed | sort | paste -sd,)
	if [ "$seen" = "ok bad: now,ok empty: now,ok good: before,ok new: now,ok older: before" ]; then
		pass "a resumed run repeats the groups that did not pass"
	else
		flunk "a resumed run repeats the groups that did not pass" "$seen"
	fi
}

# Jobs start in the order of their times in the last run, the longest first.
time_tests() {
	local test="long jobs start first" seen
	seen=$(
		RUN=$WORK/times/run
		times=$WORK/times/job-times
		# shellcheck source=/dev/null
		. "$TOP/scripts/report.sh"
		mkdir -p "$RUN"
		printf '%s\n' "3 2.5 short" "40 9.0 long" "1 0.1 gone" >"$times"
		printf '%s\n' "5 2.5 short" "20 1.0 job $TOP/scripts/x" >"$RUN/jobs"
		keep_times "$times"
		printf '%s\n' new short "job /another/scripts/x" long newer |
			TOP=/another longest_first "$times" | paste -sd,
		sort "$times" | paste -sd,
	)
	if [ "$seen" = "new,newer,long,job /another/scripts/x,short
1 0.1 gone,20 1.0 job TOP/scripts/x,40 9.0 long,5 2.5 short" ]; then
		pass "$test"
	else
		flunk "$test" "$seen"
	fi
}

# The line of progress.py while a guest and another job are running.
progress_tests() {
	local run=$WORK/progress test="progress shows each job, and the current test of a guest" seen
	mkdir -p "$run/running" "$run/6.1-x86_64" "$run/times"
	echo "$((EPOCHSECONDS - 60)) static" >"$run/running/static"
	echo "$EPOCHSECONDS 6.1 x86_64" >"$run/running/6.1_x86_64"
	printf 'TAP version 13\n1..7\nok 1 one\n' >"$run/6.1-x86_64/verdict.log"
	printf '[    %s] objtracetest: test.d/%s\r\n' 1.0 trigger/a.tc 2.5 trigger/b.tc >"$run/6.1-x86_64/console.log"
	echo '4.0 test.d/trigger/b.tc' >"$run/times/6.1-x86_64"
	seen=$(cd "$TOP/scripts" && /usr/bin/python3 -B -c '
import sys, time, progress
print(progress.line(sys.argv[1], progress.Times(sys.argv[2]), time.time()))' "$run" "$run/times" 2>&1)
	if [[ $seen =~ ^'0:00 static: 6'[0-9]' s | 6.1 x86_64: 2/7 trigger/b.tc, last time 4 s'$ ]]; then
		pass "$test"
	else
		flunk "$test" "$seen"
	fi
}

test_booted_again() {
	local test="the closing lines count the guests that were booted again" seen
	seen=$(
		RUN=$WORK/again
		# shellcheck source=/dev/null
		. "$TOP/scripts/report.sh"
		mkdir -p "$RUN"
		printf '6.1 x86_64: QEMU %s\n' one two >"$RUN/booted-again"
		summary 2>/dev/null || true
	)
	if [ "$seen" = '  guests that QEMU spoilt and that were booted again: 2
    6.1 x86_64: QEMU one
    6.1 x86_64: QEMU two
0 passed, 0 failed, 0 skipped' ]; then pass "$test"; else flunk "$test" "$seen"; fi
}

report_tests() {
	counted "1 passed, 0 failed, 0 skipped: 0" "a pass is counted" group t echo "ok one"
	counted "0 passed, 1 failed, 0 skipped: 1" "a failure fails the run" group t echo "not ok one"
	counted "0 passed, 0 failed, 1 skipped: 1" "a skip fails the run" group t echo "skip one"
	counted "0 passed, 1 failed, 0 skipped: 1" "silence fails the run" group t true
	counted "1 passed, 1 failed, 0 skipped: 1" "a command that dies fails the run" \
		group t sh -c 'echo ok one; exit 3'
	counted "1 passed, 0 failed, 1 skipped: 1" "a skip in TAP is a skip" \
		group t tap_lines printf '1..2\nok 1 - a\nok 2 - b # SKIP c\n'
	test_booted_again
	counted "0 passed, 1 failed, 0 skipped: 1" "a job that vanishes fails the run" in_parallel <<<false
	counted "0 passed, 0 failed, 0 skipped: 1" "a run without tests fails" true
}

# Boot the kernel as the tests do, with the job on stdin.
boot() {	# boot NAME TIMEOUT <JOB
	cat >"$WORK/$1.job"
	VM_TIMEOUT=$2 "$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$WORK/$1.job" "$WORK/$1" 2>"$WORK/$1.err"
}

# The kernel takes the frequency of the TSC from its command line. Its own measurement is wrong on a
# busy machine.
expect_tsc() {	# expect_tsc CONSOLE-LOG
	local khz
	if [ "$ARCH" != x86_64 ]; then return; fi
	khz=$("$TOP/scripts/tsc-khz.sh")
	if grep -qE "tsc: Detected $((khz / 1000))[.]$(printf %03d $((khz % 1000))) MHz (processor|TSC)" "$1"; then
		pass "the kernel's TSC has the frequency of this machine"
	else
		flunk "the kernel's TSC has the frequency of this machine" "$khz kHz; $(grep 'tsc: ' "$1")"
	fi
}

boot_tests() {
	boot good 120 <<-'EOF'
	#!/bin/sh
	printf 'TAP version 13\n1..2\nok 1 boots\n'
	if [ "$(cat /proc/sys/kernel/panic_on_rcu_stall)" -ne 1 ]; then printf 'not '; fi
	echo "ok 2 a stall panics at once"
	EOF
	if "$JUDGE" "$WORK/good" >"$WORK/good.out"; then
		pass "judge accepts a guest that boots"
	else
		flunk "judge accepts a guest that boots" "$(cat "$WORK/good.out" "$WORK/good.err"; tail -n5 "$WORK/good/console.log")"
	fi
	expect_tsc "$WORK/good/console.log"
	boot panics 120 <<-'EOF'
	#!/bin/sh
	printf 'TAP version 13\n1..1\nok 1 panics next\n'
	echo c >/proc/sysrq-trigger
	EOF
	expect_refusal "a guest that panics" "kernel complained" "$WORK/panics"
	boot leaves 120 <<-'EOF'
	#!/bin/sh
	printf 'TAP version 13\n1..1\nok 1 leaves next\n'
	poweroff -f
	EOF
	expect_refusal "a guest that powers off without a report" "never reported its end" "$WORK/leaves"
}

# A stub of QEMU that writes the file console-N, or the last such file, to the console of boot N.
# It hangs if the file is empty. These tests of vm-run.sh need no kernel.
stub_qemu() {
	local name
	for name in qemu-system-x86_64 qemu-system-aarch64; do
		stub "$name" <<-EOF
		if [ "\$1" = --version ]; then echo "QEMU emulator version 99.0"; exit; fi
		for word; do
			case \$word in file:*/console.log) console=\${word#file:} ;; esac
		done
		echo >>"$WORK/boots"
		said=$WORK/console-\$(wc -l <"$WORK/boots")
		if [ ! -e "\$said" ]; then said=$WORK/console-last; fi
		cat "\$said" >"\$console"
		if [ ! -s "\$said" ]; then exec sleep 1000; fi
		EOF
	done
}

boot_stub() {	# boot_stub NAME TIMEOUT
	: >"$WORK/boots"
	PATH=$WORK/stubs:$PATH boot "$1" "$2" <<<'#!/bin/sh'
}

boots_are() {	# boots_are NUMBER NAME
	if [ "$(wc -l <"$WORK/boots")" = "$1" ]; then pass "$2"; else flunk "$2" "$(wc -l <"$WORK/boots") boots"; fi
}

stub_boot_tests() {
	local stale
	stub_qemu
	stale=$(sed -e 's/^/[    1.5] /' -e 's/$/\r/' <<<"${INT3/BYTE/e8}")
	: >"$WORK/console-last"
	boot_stub hangs 5
	expect_refusal "a guest that hangs" "in time" "$WORK/hangs"
	boots_are 1 "a guest that hangs is booted once"
	echo "$stale" >"$WORK/console-last"
	boot_stub stale 120
	expect_refusal "a guest that runs a stale int3 in each boot" "kernel complained" "$WORK/stale"
	boots_are 3 "a guest that runs a stale int3 is booted three times"
	cp "$WORK/console-last" "$WORK/console-1"
	echo "reboot: Power down" >"$WORK/console-last"
	boot_stub spoilt 120
	boots_are 2 "a guest that ran a stale int3 once is booted twice"
	if grep -q "Power down" "$WORK/spoilt/console.log" && grep -q int3 "$WORK/spoilt/console.log.spoilt-1"; then
		pass "the console of the second boot is judged"
	else
		flunk "the console of the second boot is judged" "$(ls "$WORK/spoilt")"
	fi
	rm "$WORK"/stubs/qemu-system-*
}

# spoilt.sh finds the boots that a fault of QEMU spoilt, and no other boots.
spoilt_tests() {
	spoilt "a stale int3 spoils a boot" "ran a stale int3" "${INT3/BYTE/e8}"
	spoilt "a real int3 spoils no boot" "" "${INT3/BYTE/cc}"
	spoilt "a stale int3 of a kprobe spoils a boot" "ran a stale int3" "$AT_NULL"$'\n'"$STEPPED"
	spoilt "a jump to address 0 without a stale int3 spoils no boot" "" "$AT_NULL"
	spoilt "a report of a stale int3 without a crash spoils no boot" "" "$STEPPED"
	spoilt "a dead timer spoils a boot" "lost the timer of a CPU" "${TIMER/COUNT/2}"
	spoilt "a timer that stops later spoils no boot" "" "${TIMER/COUNT/1709}"
}

spoilt() {	# spoilt NAME EXPECTED LINES
	local said
	sed -e 's/^/[    1.5] /' -e 's/$/\r/' <<<"$3" >"$WORK/console.log"
	said=$("$TOP/scripts/spoilt.sh" "$WORK/console.log")
	if [ "$said" = "$2" ]; then pass "$1"; else flunk "$1" "$said"; fi
}

# Print the complaints of a check of $WORK/good-file with a key, and the number of its runs.
check_known() {	# check_known KEY
	local CACHE=$WORK/good-cache
	good_init test <<<"$1"
	{ echo "$WORK/good-file" | check_unknown "$WORK/checker"; wc -l <"$WORK/checker-runs"; } | paste -sd,
}

# A check that counts its runs, complains about the word "bad", and dies at the word "dies".
known_good_tests() {
	local seen test="a check skips a file only if the file was good and did not change"
	cat >"$WORK/checker" <<-EOF
	#!/bin/sh
	echo run >>"$WORK/checker-runs"
	grep bad "\$@"
	! grep -q dies "\$@"
	EOF
	chmod +x "$WORK/checker"
	seen=$(
		for text in good good bad bad dies good; do
			echo "$text" >"$WORK/good-file"
			check_known key
		done
		check_known other-key
	)
	if [ "$(paste -sd' ' <<<"$seen")" = "1 1 bad,2 bad,3 $WORK/checker failed,4 4 5" ]; then
		pass "$test"
	else
		flunk "$test" "$seen"
	fi
}

# A command must fail with the reason in its last line.
complains() {	# complains NAME REASON COMMAND...
	local name=$1 reason=$2 out
	shift 2
	if out=$("$@" 2>&1 </dev/null); then
		flunk "one line for $name" "the command succeeded: $out"
	elif ! grep -q -E -- "$reason" <<<"${out##*$'\n'}" || [ "$(grep -c . <<<"$out")" -gt "${MAX_LINES:-3}" ]; then
		flunk "one line for $name" "$out"
	else
		pass "one line for $name"
	fi
}

stub() {	# stub NAME: a program that stands in for the system's, from stdin
	mkdir -p "$WORK/stubs"
	{ echo '#!/bin/sh'; cat; } >"$WORK/stubs/$1"
	chmod +x "$WORK/stubs/$1"
}

# An apt configuration whose mirror refuses connections.
no_mirror() {
	echo 'deb http://127.0.0.1:1/none bookworm main' >"$WORK/sources.list"
	cat >"$WORK/apt.conf" <<-EOF
	Dir::Etc::sourcelist "$WORK/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	Acquire::http::Proxy "false";
	EOF
	env APT_CONFIG="$WORK/apt.conf" OBJTRACE_CACHE="$WORK/cache" "$@"
}

# A kernel table with one more row.
with_row() {	# with_row LINE COMMAND...
	{ cat "$TOP/scripts/kernels.tbl"; echo "$1"; } >"$WORK/kernels.tbl"
	shift
	env OBJTRACE_KERNELS_TBL="$WORK/kernels.tbl" "$@"
}

# A later run must not use an incomplete file of a failed run.
leaves_nothing() {	# leaves_nothing NAME FILE...
	local name=$1 left
	shift
	left=$(find "$@" 2>/dev/null; grep -e "$WORK" -e "$CACHE/chroots" /proc/self/mounts || true)
	if [ -z "$left" ]; then pass "$name"; else flunk "$name" "left: $left"; fi
}

# The disk of this guest has no trace of a workload, so each planned workload has failed.
workload_tests() {
	local dir=$WORK/workload tests
	mkdir "$dir"
	mkfs.ext4 -q "$dir/scratch" 4M >"$dir/out" 2>&1
	for tests in '' test.d/workload/task.tc test.d/record/chain.tc; do
		TESTS=$tests planned_tests >"$dir/planned"
		"$TOP/scripts/check-workload.sh" "$ROW" "$ARCH" "$dir" >"$dir/out" 2>&1 || true
		if [ "$(grep -c '^not ok workload .*: No such file' "$dir/out")" -eq \
		     "$(grep -c '^test.d/workload/' "$dir/planned")" ] && ! grep -q '^ok' "$dir/out"; then
			pass "a workload without a trace fails (${tests:-all tests})"
		else
			flunk "a workload without a trace fails (${tests:-all tests})" "$(cat "$dir/out")"
		fi
	done
}

# Each test runs in a guest with one CPU or in a guest with two CPUs. A slow kernel has several of
# each.
plan_tests() {
	local all=$WORK/plan.all parts=$WORK/plan.parts test="each test is in one guest's part" part
	planned_tests -L | sort >"$all"
	for part in 1 2 3; do
		planned_tests -L -1 | lines_of_part $part 3
		planned_tests -L -2 | lines_of_part $part 3
	done | sort >"$parts"
	if [ -s "$all" ] && [ "$(planned_tests -2 | wc -l)" -ge 10 ] && diff "$all" "$parts" >"$WORK/plan.diff" &&
	   [ "$(find "$TOP/selftests/test.d" -name '*.tc' | wc -l)" -eq "$(wc -l <"$all")" ]; then
		pass "$test"
	else
		flunk "$test" "$(cat "$WORK/plan.diff")"
	fi
}

matrix_tests() {
	complains "a series that is not in its suite" "bookworm no longer has a 5.9 kernel of flavour amd64 .*change row" \
		with_row "none x86_64 bookworm 5.9 amd64 bookworm gcc-12 split all" \
		"$TOP/scripts/fetch-kernel.sh" none x86_64
	# Two lines for each kernel
	MAX_LINES=9 complains "a suite without a kernel of the layout" \
		"bookworm no longer has a 6.1 kernel of flavour amd64 .* merged" \
		with_row "gone x86_64 bookworm 6.1 amd64 bookworm gcc-12 merged all" \
		"$TOP/scripts/fetch-kernel.sh" gone x86_64
	stub dpkg <<-'EOF'
	case $1 in
	-x) echo "dpkg: no space left" >&2; exit 1 ;;
	esac
	exec /usr/bin/dpkg "$@"
	EOF
	complains "a kernel that cannot be unpacked" "no space left" \
		with_row "broken x86_64 bookworm 6.1 amd64 bookworm gcc-12 split all" \
		env PATH="$WORK/stubs:$PATH" "$TOP/scripts/fetch-kernel.sh" broken x86_64
	rm "$WORK/stubs/dpkg"
	leaves_nothing "a kernel that could not be fetched is not in the cache" "$CACHE"/kernels/{none,gone,broken}-*
	MAX_LINES=9 complains "a check of a kernel that cannot be fetched" "^0 passed, 1 failed, 0 skipped$" \
		with_row "none x86_64 bookworm 5.9 amd64 bookworm gcc-12 split all" \
		env ARCH= KERNEL=none TESTS=test.d/record/chain.tc "$TOP/scripts/check.sh"
	complains "a check of tests that do not exist" "TESTS=test.d/none[*].tc: no test in selftests/ has this name" \
		env ARCH= TESTS='test.d/record/*.tc test.d/none*.tc' "$TOP/scripts/check.sh"
	# Writes half of a package, and fails.
	stub apt-get <<-'EOF'
	case $* in
	*download*) echo half >"busybox-static_1_amd64.deb"; echo "E: the connection broke" >&2; exit 100 ;;
	esac
	exec /usr/bin/apt-get "$@"
	EOF
	complains "a download that breaks off" "cannot download .*the connection broke" \
		env PATH="$WORK/stubs:$PATH" OBJTRACE_CACHE="$WORK/cache" "$TOP/scripts/fetch-guest.sh" x86_64
	rm "$WORK/stubs/apt-get"
	leaves_nothing "a download that broke off is not in the cache" "$WORK/cache/guest-x86_64" "$WORK"/cache/debs/*.deb
}

# Write README.rst's table after a check of two kernels. The LINEs are the results of 7.x on arm64.
readme_after() {	# readme_after KERNEL [LINE]...
	local tree=$WORK/readme run=$WORK/readme/run kernel
	rm -rf "$tree"
	mkdir -p "$run/results" "$tree"/cache/kernels/{6.1,7.x}-{x86_64,arm64}
	cp -r "$TOP/scripts" "$tree/scripts"
	cat >"$tree/kernels.tbl" <<-EOF
	6.1  x86_64  bookworm          6.1  amd64  bookworm  gcc-12  split   default
	6.1  arm64   bookworm          6.1  arm64  bookworm  gcc-12  split   all
	7.x  x86_64  trixie-backports  7    amd64  trixie    gcc-14  merged  default
	7.x  arm64   trixie-backports  7    arm64  trixie    gcc-14  merged  default
	EOF
	for kernel in 6.1-x86_64 6.1-arm64; do
		printf '%s\n' version=6.1.5-1 layout=split >"$tree/cache/kernels/$kernel/meta"
	done
	printf '%s\n' version=7.2-1 layout=merged >"$tree/cache/kernels/7.x-x86_64/meta"
	printf '%s\n' version=7.2-2 layout=merged >"$tree/cache/kernels/7.x-arm64/meta"
	printf '%s\n' Before "" ".. tested kernels: begin" "the last table" \
		".. tested kernels: end" After >"$tree/README.rst"
	printf '%s\n' "ok 6.1 x86_64: one" "ok 6.1 x86_64: two" "ok build 6.1 x86_64: three" \
		"ok 6.1 arm64: one" "ok 7.x x86_64: one" >"$run/results/others"
	printf '%s\n' "${@:2}" >"$run/results/7.x_arm64"
	awk '{ print $1, $2 }' "$tree/kernels.tbl" | KERNEL=$1 readme_matrix --keep "$run"
	readme_matrix --readme
}

readme_matrix() {	# readme_matrix OPTION...
	local tree=$WORK/readme
	env OBJTRACE_CACHE="$tree/cache" OBJTRACE_KERNELS_TBL="$tree/kernels.tbl" "$tree/scripts/matrix.sh" "$@"
}

# Write README.rst's table of own kernels after a check of the kernel rt. The LINEs are its results.
# README has a line of cfi, and no line of lto.
readme_after_own() {	# readme_after_own [LINE]...
	local tree=$WORK/readme run=$WORK/readme/run
	rm -rf "$tree"
	mkdir -p "$run/results" "$tree/cache/kernels/rt-x86_64"
	cp -r "$TOP/scripts" "$tree/scripts"
	cat >"$tree/scripts/own-kernels.tbl" <<-EOF
	rt   x86_64  bookworm  6.12  gcc-12    merged  3  tests common rt
	cfi  arm64   bookworm  6.12  clang-19  merged  1  tests common cfi
	lto  x86_64  bookworm  6.12  clang-19  merged  1  tests common lto
	EOF
	printf '%s\n' version=6.12.5-1 layout=merged >"$tree/cache/kernels/rt-x86_64/meta"
	printf '%s\n' Before ".. own kernels: begin" "rt   x86_64  gcc-12  6.12.1-1  7" \
		"cfi  arm64  clang-19  6.12.1-1  8" ".. own kernels: end" "rt x86_64 After" >"$tree/README.rst"
	printf '%s\n' "$@" >"$run/results/rt"
	KERNEL=rt readme_matrix --keep "$run" <<<"rt x86_64"
	readme_matrix --readme-own
}

own_kernels_tests() {
	local readme=$WORK/readme/README.rst test="README's table of own kernels keeps the lines of kernels that were not checked"
	if readme_after_own "ok rt x86_64: one" "ok build rt x86_64: two" >"$WORK/said" 2>&1 &&
		diff - "$readme" <<-'EOF' >>"$WORK/said"
		Before
		.. own kernels: begin

		=======  ======  ========  ===================  ======
		KERNEL=  ARCH=   compiler  version              passed
		=======  ======  ========  ===================  ======
		rt       x86_64  gcc-12    6.12.5-1                  2
		cfi  arm64  clang-19  6.12.1-1  8
		lto      x86_64  clang-19  -                         -
		=======  ======  ========  ===================  ======

		.. own kernels: end
		rt x86_64 After
	EOF
	then pass "$test"; else flunk "$test" "$(cat "$WORK/said")"; fi
	complains "a table with an own kernel that failed" "rt x86_64 did not pass" \
		readme_after_own "ok rt x86_64: one" "not ok rt x86_64: two"
	complains "a table with an own kernel on which nothing ran" "rt x86_64 did not pass" \
		readme_after_own
}

readme_tests() {
	local readme=$WORK/readme/README.rst test="README's table has the results of a complete check"
	if readme_after all "ok 7.x arm64: one" >"$WORK/said" 2>&1 && diff - "$readme" <<-'EOF' >>"$WORK/said"
		Before

		.. tested kernels: begin

		============  ==================  ====================  =======  ======  ======
		KERNEL=       Debian suite        version               layout   x86-64   arm64
		============  ==================  ====================  =======  ======  ======
		6.1           bookworm            6.1.5-1               split         3       1
		7.x           trixie-backports    7.2-1,7.2-2           merged        1       1
		============  ==================  ====================  =======  ======  ======

		.. tested kernels: end
		After
		EOF
	then pass "$test"; else flunk "$test" "$(cat "$WORK/said")"; fi
	sed -i 's/^run=.*/run=another/' "$WORK/readme/cache/results/6.1-arm64"
	complains "a table of kernels from several runs" "not all checked in one run" \
		readme_matrix --readme
	complains "a table with a kernel that failed" "7.x arm64 did not pass" \
		readme_after all "ok 7.x arm64: one" "not ok 7.x arm64: two"
	complains "a table with a kernel that was not tested" "7.x arm64 did not pass" \
		readme_after all
	complains "a table after a check that did not run all tests" "6.1 x86_64 did not pass" \
		readme_after "" "ok 7.x arm64: one"
	if grep -q -x "the last table" "$readme"; then
		pass "README keeps the last table if a new table cannot be made"
	else
		flunk "README keeps the last table if a new table cannot be made" "$(cat "$readme")"
	fi
}

in_trixie() {	# in_trixie COMMAND...
	${CALLER:-} "$TOP/scripts/chroot.sh" trixie "$(kernel_dir "$ROW" "$ARCH")" "$WORK/dir" "$@"
}

# In most containers, root may use neither mount(2) nor unshare(2).
without_mounts() { setpriv --bounding-set -sys_admin --inh-caps -sys_admin "$@"; }

failed_chroot_tests() {
	stub mmdebstrap <<-'EOF'
	for dir in "$@"; do
		case $dir in
		*/chroots/*)	mkdir -p "$dir/proc"; mount -t tmpfs tmpfs "$dir/proc"; touch "$dir/proc/x" ;;
		esac
	done
	echo "E: the mirror went away"
	exit 1
	EOF
	complains "a chroot that cannot be made" "chroot of trixie cannot be made: E: the mirror went away" \
		env PATH="$WORK/stubs:$PATH" OBJTRACE_CACHE="$WORK/cache" \
		"$TOP/scripts/chroot.sh" trixie "$WORK/kernel" "$WORK/dir" true
	leaves_nothing "an incomplete chroot leaves no directory and no mount" "$WORK"/cache/chroots/*
	rm "$WORK/stubs/mmdebstrap"
	stub id <<<'echo 1000'
	complains "a chroot without root" "needs root: use sudo, or name a KERNEL" \
		env PATH="$WORK/stubs:$PATH" "$TOP/scripts/chroot.sh" trixie "$WORK/kernel" "$WORK/dir" true
	rm "$WORK/stubs/id"
}

chroot_tests() {
	local root=$CACHE/chroots/trixie test
	failed_chroot_tests
	mkdir "$WORK/dir"
	in_trixie sh -c 'touch made; kill -9 $$' 2>/dev/null || true
	leaves_nothing "a command that dies in a chroot leaves no directory there" "$root$WORK/dir"
	test="the directory of a command that died is moved back"
	if [ -e "$WORK/dir/made" ]; then pass "$test"; else flunk "$test" "$(ls -R "$WORK/dir")"; fi
	test="a chroot has the kernel's headers, and needs no mounts"
	# shellcheck disable=SC2016  # expanded there
	if CALLER=without_mounts in_trixie sh -c 'grep trixie /etc/os-release && ls -l "$0/Makefile"' \
			"$(meta "$ROW" "$ARCH" kdir)" >"$WORK/said" 2>&1; then
		pass "$test"
	else
		flunk "$test" "$(cat "$WORK/said")"
	fi
	test="own_mounts finds a command in a root that is no mount point"
	if [ "$(own_mounts | wc -l)" = "$(chroot "$root" bash -c "$(declare -f own_mounts); own_mounts" | wc -l)" ]; then
		pass "$test"
	else
		flunk "$test" "own_mounts: '$(own_mounts)', but other words in $root"
	fi
	cp "$TOP/scripts/lib.sh" "$WORK/dir"
	complains "a missing /proc" "/proc is not mounted" in_trixie bash "$WORK/dir/lib.sh"
	complains "dkms without mounts" "this machine does not allow mount\(2\)" \
		without_mounts "$TOP/scripts/check-dkms.sh" 6.12-new 6.12-old
}

# Print the output of ci.sh for a check that fails, in an empty root. $WORK/ci/status gets the
# exit status.
ci_said() {	# ci_said [COMMAND...]
	local status=0
	rm -rf "$WORK/ci"
	mkdir -p "$WORK/ci/debs"
	touch "$WORK/ci/debs/kept.deb"
	stub mmdebstrap <<<"touch $WORK/ci/ci-root/var/cache/apt/archives/new.deb"
	stub chroot <<-'EOF'
	ls "$1/var/cache/apt/archives"
	mkdir "$1/root/.cache/objtrace/logs"
	if [ -e "$1/proc/self" ]; then echo "/proc is there"; fi
	echo "1 passed, 1 failed, 0 skipped"
	echo "make: an error" >&2
	exit 2
	EOF
	no_mirror true
	"${@:-env}" env PATH="$WORK/stubs:$PATH" OBJTRACE_CACHE="$WORK/ci" APT_CONFIG="$WORK/apt.conf" \
		"$TOP/scripts/ci.sh" 2>&1 || status=$?
	echo $status >"$WORK/ci/status"
	rm "$WORK/stubs/mmdebstrap" "$WORK/stubs/chroot"
}

ci_tests() {
	local said test
	said=$(ci_said)
	test="CI fails if the check fails, with the last line of the check"
	if [ "${said##*$'\n'}" = "1 passed, 1 failed, 0 skipped" ] && [ "$(cat "$WORK/ci/status")" = 2 ]; then
		pass "$test"
	else
		flunk "$test" "$said"
	fi
	test="CI keeps downloaded packages and removes its root"
	if [ "$(cd "$WORK/ci" && echo debs/* ci-root*)" = "debs/kept.deb debs/new.deb ci-root*" ] &&
	   [[ $said == *kept.deb*new.deb* ]]; then
		pass "$test"
	else
		flunk "$test" "$said"
	fi
	test="CI needs no mounts to run the check"
	said=$(ci_said without_mounts)
	if [[ $said == *"no /proc"*"1 passed"* && $said != *"/proc is there"* ]]; then
		pass "$test"
	else
		flunk "$test" "$said"
	fi
}

environment_tests() {
	complains "an unknown KERNEL" "unknown KERNEL '9.9'; known: .*6\.12-new" \
		env KERNEL=9.9 "$TOP/scripts/check.sh"
	complains "an unknown ARCH" "unknown ARCH 'mips'; known: x86_64 arm64" \
		env ARCH=mips "$TOP/scripts/check.sh"
	complains "an unknown KERNEL in the demo" "unknown KERNEL '9.9'" env KERNEL=9.9 "$TOP/scripts/demo.sh"
	complains "a cache that cannot be written" "cache directory .* cannot be written" \
		env OBJTRACE_CACHE=/proc/objtrace "$TOP/scripts/check.sh"
	complains "a mirror that cannot be reached" "mirror cannot be read" \
		no_mirror "$TOP/scripts/fetch-kernel.sh" "$ROW" "$ARCH"
	stub qemu-system-x86_64 <<<'echo QEMU emulator version 7.2.0'
	complains "a missing QEMU" "mirror cannot be read" \
		no_mirror env PATH="$WORK/stubs:$PATH" "$TOP/scripts/fetch-qemu.sh" x86_64
	test="a make in a script does not warn of the jobserver of make -j"
	said=$(MAKEFLAGS='-j4 --jobserver-auth=7,8' MAKELEVEL=1 bash -c '. "$0/scripts/lib.sh"; make -s -j2 -f - <<<"all: ; @:"' "$TOP" 2>&1 || true)
	if [[ $said != *warning* ]]; then pass "$test"; else flunk "$test" "$said"; fi
	stub id <<<'echo 1000'
	stub dpkg-query <<<'exit 1'
	complains "missing packages without root" "sudo apt-get install" \
		env PATH="$WORK/stubs:$PATH" "$TOP/scripts/deps.sh"
}

# Wrong images and wrong changes of BTF are errors.
image_tests() {
	local tool=$TOP/scripts/kernel-image.py
	"$tool" kernel "$(kernel_dir "$ROW" "$ARCH")/vmlinuz" >"$WORK/kernel"
	truncate -s 4M "$WORK/kernel"
	complains "an image without BTF" "no BTF found" "$tool" btf "$WORK/kernel"
	complains "a file that is no image" "neither an x86-64 nor an arm64 kernel" "$tool" btf "$TOP/README.rst"
	complains "a change of a member that does not exist" "struct task_struct has no no_such_member" \
		"$TOP/scripts/alter-btf.py" "$(kernel_dir "$ROW" "$ARCH")/btf" \
		rename-member task_struct no_such_member
	complains "an unknown change" "unknown change 'break-btf'" \
		"$TOP/scripts/alter-btf.py" "$(kernel_dir "$ROW" "$ARCH")/btf" break-btf
}

unit_make() { OBJTRACE_CACHE=$WORK/unit-cache make -C "$TOP/selftests/unit" "$@"; }	# unit_make ARGUMENT...

# The sources of a fresh clone are newer than the programs in the cache.
unit_program_tests() {
	local test="a fresh clone does not compile the unit tests again" programs seen
	# shellcheck disable=SC2016  # variables of make
	programs=$(unit_make -s --eval='names: ; @echo $(TESTS:%=$(OUT)/%)' names)
	mkdir -p "$(dirname "${programs%% *}")"
	# shellcheck disable=SC2086  # words
	touch -d @0 $programs
	seen=$(unit_make -n check | grep -e ' -o ') || true
	if [ -n "$programs" ] && [ -z "$seen" ]; then pass "$test"; else flunk "$test" "$seen"; fi
}

CASES=0
"$TOP/scripts/fetch-kernel.sh" "$ROW" "$ARCH"
judge_tests
report_tests
resume_tests
time_tests
progress_tests
plan_tests
workload_tests
matrix_tests
readme_tests
own_kernels_tests
chroot_tests
ci_tests
environment_tests
image_tests
spoilt_tests
known_good_tests
unit_program_tests
stub_boot_tests
boot_tests
rm -rf "$WORK"
