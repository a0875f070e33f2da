#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fuzz-kernel.sh: run by `make fuzz-kernel`. Boot guests in which four threads change the tracing
# state at random, see selftests/fuzz. Print a line for each guest, and the time at the end.
#
# Environment:
#	MINUTES		minutes of the guests' time, default 10. The last guest runs to its end.
#	SEED		seed of the first guest; the next guest has the next seed. The default is
#			random. A seed repeats the steps of each of the threads. If the seed is
#			even, allocations of the module fail at random.
#	STEPS		steps of each thread in one guest, default 2000
#	KERNEL, ARCH	a row of `make matrix`, and its architecture; default 6.12-new, x86_64

. "$(dirname "$0")/lib.sh"

# Print the last steps in their order. The rings can have parts of old lines.
last_steps() {	# last_steps FILE
	tr '\0' '\n' <"$1" | grep -a -E '^ [0-9]+ [0-9]+ [0-9]+ [->+] ' | sort -n
}

# Print the seconds from the first to the last step of the guest, or until its kernel died.
fuzzed_seconds() {	# fuzzed_seconds LOGDIR
	tr -d '\r' <"$1/console.log" | awk '
		match($0, /^\[ *[0-9.]+\] /) { now = substr($0, 2) + 0 }
		/ fuzz_kernel: seed / { first = now }
		/ fuzz_kernel: end/ { last = now }
		END { printf "%d\n", first ? (last ? last : now) - first : 0 }'
}

# Each guest counts as at least a second, so that the loop ends.
fuzz() {	# fuzz SEED: set SECONDS_RUN; fail if a result is not "ok"
	local log=$RUN/seed-$1
	mkdir -p "$log"
	truncate -s 1M "$RUN/memory"
	OBJTRACE_FUZZ="$1 $STEPS" VM_MEMORY=$RUN/memory TESTS=test.d/stress/fuzz.tc \
		"$TOP/scripts/check-vm.sh" "$KERNEL" "$ARCH" "$log" 2 >"$log/lines" 2>"$log/messages"
	last_steps "$RUN/memory" >"$log/steps"
	rm "$RUN/memory"
	SECONDS_RUN=$(fuzzed_seconds "$log")
	if [ "$SECONDS_RUN" -eq 0 ]; then SECONDS_RUN=1; fi
	grep -q '^ok ' "$log/lines" && ! grep -q -v '^ok ' "$log/lines"
}

report() {	# report SEED
	local log=$RUN/seed-$1
	echo "not ok seed $1: $(grep -v '^ok ' "$log/lines" | tail -n 1 | sed 's/^not ok //')"
	{
		cat "$log/messages"
		echo "... to repeat it: make fuzz-kernel SEED=$1 STEPS=$STEPS MINUTES=0 KERNEL=$KERNEL ARCH=$ARCH"
		echo "... the last steps of the four threads: $log/steps"
	} >&2
}

MINUTES=${MINUTES:-10}
SEED=${SEED:-$((SRANDOM % 1000000 + 1))}
STEPS=${STEPS:-2000}
KERNEL=${KERNEL:-6.12-new}
ARCH=$(arch_name "${ARCH:-x86_64}")
for number in "$MINUTES" "$SEED" "$STEPS"; do
	[[ $number =~ ^[0-9]+$ ]] || die "MINUTES, SEED and STEPS are numbers, and '$number' is none"
done
row_load "$KERNEL" "$ARCH"
cache_init
"$TOP/scripts/deps.sh" >&2
"$TOP/scripts/fetch-kernel.sh" "$KERNEL" "$ARCH"
RUN=$(run_dir fuzz-kernel)
trap 'trap - INT TERM; kill 0' INT TERM
total=0
failures=0
for ((seed = SEED; ; seed++)); do
	if fuzz "$seed"; then
		echo "ok seed $seed: $STEPS steps of each thread in $SECONDS_RUN s"
	else
		failures=$((failures + 1))
		report "$seed"
	fi
	total=$((total + SECONDS_RUN))
	if [ "$total" -ge $((MINUTES * 60)) ]; then break; fi
done
say "  logs: $RUN"
echo "$((seed - SEED + 1)) guests, $((total / 60)) min $((total % 60)) s, $failures failed"
[ "$failures" -eq 0 ]
