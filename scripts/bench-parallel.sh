#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-parallel.sh: run by `make bench-parallel`. Measure the cost of objtrace while several
# processors work at once, and stress the races between them, see selftests/qemu/job-parallel.
# The script prints tables, and keeps the results as JSON in the cache.
#
# Environment:
#	ARCH	only this architecture
#	KERNEL	as for `make check`, default 6.12-new

. "$(dirname "$0")/lib.sh"

CPUS=4
ROUNDS=3
LOOPS=20

tree() {	# tree ROW ARCH DIR
	local build programs
	build=$("$TOP/scripts/build-module.sh" "$1" "$2")
	mkdir -p "$3/modules" "$3/bench"
	programs=$("$TOP/scripts/fetch-programs.sh" "$2" bench)
	cp -a "$programs/." "$3/"
	cp "$build/objtrace.ko" "$build"/selftests/bench/objtrace_{bench,parallel}.ko "$3/modules/"
	"$TOP/scripts/bench-program.sh" "$2" bench_fentry "$3/bench/fentry"
	echo "1 2 $CPUS" >"$3/bench/cpus"
	echo $ROUNDS >"$3/bench/rounds"
	echo $LOOPS >"$3/bench/loops"
}

boot() {	# boot ROW ARCH LOGDIR
	tree "$1" "$2" "$3/tree"
	VM_TREE=$3/tree VM_CPUS=$CPUS VM_PIN=1 VM_MODULES=brd VM_TIMEOUT=${VM_TIMEOUT:-3600} \
		"$TOP/scripts/vm-run.sh" "$1" "$2" "$TOP/selftests/qemu/job-parallel" "$3"
	rm -rf "$3/tree"
	if "$TOP/scripts/judge.sh" --no-tap "$3" >"$3/results"; then return; fi
	{
		cat "$3/results"
		sed '/^# guest: kernel log/,$d' "$3/verdict.log"
		tail -n 15 "$3/console.log" | tr -d '\r'
	} >&2
	die "$1 $2: the guest failed ($3)"
}

bench() {	# bench ROW ARCH
	local result=$OUT/$1-$2-parallel.json log
	log=$(run_dir parallel)
	say "  $1 $2: measuring in QEMU, which takes some minutes"
	boot "$1" "$2" "$log"
	"$TOP/scripts/bench_parallel.py" collect "$1" "$2" "$(meta "$1" "$2" version)" "$(nproc)" \
		<"$log/verdict.log" >"$log/result.json"
	cp "$log/result.json" "$result"
	"$TOP/scripts/bench_parallel.py" table "$result"
	ls "$result"
}

rows=$(select_rows "${KERNEL:-6.12-new}")
cache_init
"$TOP/scripts/deps.sh" --first
OUT=$CACHE/bench
mkdir -p "$OUT"
while read -r row arch; do
	"$TOP/scripts/fetch-kernel.sh" "$row" "$arch" </dev/null
	bench "$row" "$arch" </dev/null
done <<<"$rows"
