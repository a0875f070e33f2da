#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-vm.sh ROW ARCH LOGDIR CPUS [MODEL]
#
# Run the selftests that need CPUS CPUs in one guest: 1 CPU, or 2 and more. QEMU emulates the CPU
# MODEL. The script prints a line for each test, see judge.sh, a line for each workload whose
# records it checks, see check-workload.sh, and a line for the allocations that the test
# no_memory.tc lets fail, see check-allocations.sh. Another line compares the layout that the
# module chose with the layout that layout-check predicted. If the guest fails, the end of its
# console goes to stderr.
#
# Environment:
#	TESTS		patterns of tests, relative to selftests/; default: all
#	TEST_OPTIONS	options of objtracetest
#	OBJTRACE_FUZZ	seed and number of steps for test.d/stress/fuzz.tc

. "$(dirname "$0")/lib.sh"

# The layout that the module chose for struct event_command: each load logs it.
chosen_layout() {	# chosen_layout VERDICT-LOG
	sed -n 's/^| .*objtrace: struct event_command of this kernel: //p' "$1" | sort -u | xargs
}

predicted_layout() {	# predicted_layout ROW ARCH
	"$TOP/scripts/layout-check.sh" "$1" "$2" | sed -n 's/^family //p'
}

# Make a disk for the traces of the workloads. mkfs writes all tables at once, so the guest's
# kernel needs no thread that writes them later.
make_scratch() {	# make_scratch FILE
	rm -f "$1"
	mkfs.ext4 -q -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 "$1" 192M >"$1.log" 2>&1 ||
		die "mkfs.ext4 failed: $(tail -n 1 "$1.log")"
}

# Print the programs of a list that planned tests require.
required() {	# required PLANNED PROGRAM...
	(cd "$TOP/selftests" && xargs -r sed -n '/^# requires:/s/ /\n/gp' <"$1") |
		sed -n 's/:program$//p' | sort -u | grep -x -F "$(printf '%s\n' "${@:2}")" || true
}

# Store the seconds of each test for progress.py. Tests that did not run keep their times.
keep_times() {	# keep_times LOGDIR
	local times=$CACHE/test-times/${1##*/}
	mkdir -p "${times%/*}"
	touch "$times"
	test_seconds "$1" | cat "$times" - | awk '
		{ seconds[$2] = $1 }
		END { for (test in seconds) print seconds[test], test }' >"$times.new"
	mv "$times.new" "$times"
}

test_seconds() {	# test_seconds LOGDIR
	tr -d '\r' <"$1/console.log" | awk '
		match($0, /^\[ *[0-9.]+\] (objtracetest: |objtrace-guest: end)/) {
			now = substr($0, 2) + 0
			if (test != "") printf "%.1f %s\n", now - since, test
			since = now
			test = /objtracetest: / ? $NF : ""
		}'
}

[ $# -ge 4 ] || die "usage: check-vm.sh ROW ARCH LOGDIR CPUS [MODEL]"
cache_init
export TEST_OPTIONS="${TEST_OPTIONS:-} -$(($4 > 1 ? 2 : 1))"
mkdir -p "$3/tree"
"$TOP/scripts/guest-tree.sh" "$1" "$2" "$3/tree"
programs=$("$TOP/scripts/fetch-programs.sh" "$2" selftests)
cp -a "$programs/." "$3/tree/"
# shellcheck disable=SC2086  # options
planned_tests $TEST_OPTIONS >"$3/planned"
for program in $(required "$3/planned" fuzz_kernel libbpf_records objtrace threads); do
	case $program in
	fuzz_kernel)	made=$("$TOP/scripts/guest-program.sh" "$2" fuzz_kernel fuzz) ;;
	libbpf_records)	made=$("$TOP/scripts/libbpf-program.sh" "$2") ;;
	objtrace)	made=$("$TOP/scripts/build-tools.sh" "$2") ;;
	threads)	made=$("$TOP/scripts/guest-program.sh" "$2" threads threads) ;;
	esac
	cp -a "$made/." "$3/tree/"
done
if [ -n "${OBJTRACE_FUZZ:-}" ]; then echo "$OBJTRACE_FUZZ" >"$3/tree/fuzz"; fi
# Large programs are on disks, see make-tools.sh
VM_TOOLS=$(required "$3/planned" perf bpftrace)
export VM_TOOLS
VM_DISK=$("$TOP/scripts/make-disk.sh")
make_scratch "$3/scratch"
export VM_SCRATCH=$3/scratch
# A network card without a driver, for objtrace_device.c. It needs no program for the firmware.
export VM_DEVICE=e1000,romfile=
# The tests have time-outs of their own, so this is for a guest that hangs.  A guest of ten minutes
# can take an hour if other programs use this machine.
export VM_DISK VM_TREE=$3/tree VM_CPUS=$4 VM_CPU=${5:-} VM_TIMEOUT=${VM_TIMEOUT:-7200}
"$TOP/scripts/vm-run.sh" "$1" "$2" "$TOP/selftests/qemu/job-selftests" "$3"
rm -rf "$3/tree"
keep_times "$3"
if ! "$TOP/scripts/judge.sh" "$3" >"$3/results"; then
	{
		# The log of a failed test follows its result. The failure is at the end of the log.
		awk '
			function tell(i) {
				for (i = n > 60 ? n - 59 : 1; i <= n; i++) print line[i]
				n = 0
			}
			/^(ok|not ok|\|)/ { tell(); bad = /^not/; if (bad) print; next }
			bad { line[++n] = $0 }
			END { tell() }' "$3/verdict.log"
		echo "... the last lines of the console ($3/console.log):"
		tail -n 15 "$3/console.log" | tr -d '\r'
	} >&2
fi
cat "$3/results"
"$TOP/scripts/check-workload.sh" "$1" "$2" "$3"
rm "$3/scratch"
"$TOP/scripts/check-allocations.sh" "$1" "$2" "$3"
chosen=$(chosen_layout "$3/verdict.log")
# The chosen tests may not load the module
if [ -n "$chosen" ] || [ -z "${TESTS:-}" ]; then
	predicted=$(predicted_layout "$1" "$2")
	result "$([ "$chosen" = "$predicted" ] || echo "the module chose '$chosen', layout-check predicted '$predicted'")" \
		"the booted module chose the layout that layout-check predicted"
fi
