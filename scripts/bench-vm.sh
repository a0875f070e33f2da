#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-vm.sh ROW ARCH LOGDIR [check]
#
# Measure the costs of objtrace in one guest, see selftests/qemu/job-bench, and write the
# results to LOGDIR/result.json, see bench.py. LOGDIR also gets the files of vm-run.sh. With
# "check", measure only the modes of the baseline, with fewer iterations, and the cost of
# loading the module.

. "$(dirname "$0")/lib.sh"

# Iterations of a workload per round; sets of objects for each larger number of objects; the
# modes, or all modes if the list is empty. arm-4096 is objects-4096 without workloads.
ALL=(500 3)
SOME=(250 1 empty take objects-1 arm-4096 strict-sk_buff callbacks)

compiler() {	# compiler MODULE: print the compiler that built it
	readelf -p .comment "$1" | sed -n 's/^ *\[ *[0-9a-f]*\]  *//p' | sort -u | sed -n 1p
}

qemu_version() {
	local qemu
	mapfile -t qemu < <("$TOP/scripts/fetch-qemu.sh" "$ARCH")
	"${qemu[@]}" --version | sed -n 's/^QEMU emulator version \([0-9.]*\).*/\1/p'
}

tree() {	# tree DIR BUILD ITERATIONS SETS [MODE...]
	local bench=$1/bench tools
	mkdir -p "$1/modules" "$bench"
	cp "$2/objtrace.ko" "$2/selftests/bench/objtrace_bench.ko" \
		"$2/selftests/test_modules/objtrace_target.ko" "$1/modules/"
	"$TOP/scripts/bench-program.sh" "$ARCH" bench "$bench/bench"
	cp "$("$TOP/scripts/make-disk.sh")" "$bench/disk"
	tools=$("$TOP/scripts/build-tools.sh" "$ARCH")
	cp -a "$tools/." "$1/"
	install "$TOP/selftests/qemu/job-live" "$bench/live"
	echo "$3" >"$bench/iterations"
	echo "$4" >"$bench/sets"
	printf '%s\n' "${@:5}" | sed '/^$/d' >"$bench/modes"
}

add_bpf() {	# add_bpf DIR
	"$TOP/scripts/bench-program.sh" "$ARCH" bench_bpf "$1/bench/bench-bpf"
	"$TOP/scripts/btf-params.py" "$(kernel_dir "$ROW" "$ARCH")/btf" file >"$1/bench/files"
}

[ $# -eq 3 ] || [ "${4:-}" = check ] || die "usage: bench-vm.sh ROW ARCH LOGDIR [check]"
ROW=$1
ARCH=$(arch_name "$2")
LOG=$3
plan=("${ALL[@]}")
if [ -n "${4:-}" ]; then plan=("${SOME[@]}"); fi
cache_init
mkdir -p "$LOG"
build=$("$TOP/scripts/build-module.sh" "$ROW" "$ARCH")
tree "$LOG/tree" "$build" "${plan[@]}"
if [ -n "${4:-}" ]; then
	cp "$TOP/selftests/qemu/job-load-cost" "$LOG/tree/bench/load-cost"
else
	add_bpf "$LOG/tree"
fi
VM_TREE=$LOG/tree VM_ICOUNT=1 VM_MODULES=brd VM_TIMEOUT=${VM_TIMEOUT:-3600} \
	"$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/qemu/job-bench" "$LOG"
rm -rf "$LOG/tree"
if ! "$TOP/scripts/judge.sh" --no-tap "$LOG" >"$LOG/results"; then
	{
		cat "$LOG/results"
		sed '/^# guest: kernel log/,$d' "$LOG/verdict.log"
		tail -n 15 "$LOG/console.log" | tr -d '\r'
	} >&2
	die "$ROW $ARCH: the guest failed ($LOG)"
fi
"$TOP/scripts/bench.py" collect "$ROW" "$ARCH" "$(meta "$ROW" "$ARCH" version)" \
	"$(compiler "$build/objtrace.ko")" "$(qemu_version)" "${plan[@]:2}" \
	<"$LOG/verdict.log" >"$LOG/result.json"
