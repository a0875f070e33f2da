#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh: run by `make bench`. Measure and print the costs of objtrace. The cache keeps the
# results as JSON, and as plots of R against the number of objects.
#
# Environment:
#	ARCH	only this architecture
#	KERNEL	as for `make check`, default 6.12-new
#	KDIR	instead of KERNEL: the directory where a kernel was built
#	KASLR	if set, addresses are random, as on a real machine. The results then differ
#		from boot to boot, and are kept in a directory of their own.

. "$(dirname "$0")/lib.sh"

bench() {	# bench ROW ARCH
	local result=$OUT/$1-$2.json log
	log=$(run_dir bench)
	say "  $1 $2: measuring in QEMU, which takes some minutes"
	VM_KASLR=${KASLR:-} "$TOP/scripts/bench-vm.sh" "$1" "$2" "$log"
	cp "$log/result.json" "$result"
	"$TOP/scripts/bench.py" table "$result" "$TOP/selftests/bench/budgets.tbl"
	"$TOP/scripts/check-live-cost.sh" "$1" "$2" "$log/verdict.log" changes calls
	rm -f "$OUT/$1-$2"-*.svg
	"$TOP/scripts/bench.py" plot "$result" "$OUT" | gnuplot
	ls "$result" "$OUT/$1-$2"-*.svg
}

if [ -z "${KDIR:-}" ]; then rows=$(select_rows "${KERNEL:-6.12-new}"); fi
cache_init
"$TOP/scripts/deps.sh" --first
if [ -n "${KDIR:-}" ]; then
	use_own_kernel
	rows=$(select_rows "$KERNEL")
fi
OUT=$CACHE/bench${KASLR:+/kaslr}
mkdir -p "$OUT"
while read -r row arch; do
	"$TOP/scripts/fetch-kernel.sh" "$row" "$arch" </dev/null
	bench "$row" "$arch" </dev/null
done <<<"$rows"
