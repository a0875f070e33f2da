#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-baseline.sh: run by `make bench-baseline`. Take the measurements of check-bench.sh on
# both architectures, and write selftests/bench/baseline.tbl.

. "$(dirname "$0")/lib.sh"

# The kernel that `make check' compares with the baseline
ROW=6.12-new

cache_init
"$TOP/scripts/deps.sh" --first
LOG=$(run_dir bench-baseline)
results=()
for arch in x86_64 arm64; do
	"$TOP/scripts/fetch-kernel.sh" "$ROW" "$arch"
	say "  $ROW $arch: measuring in QEMU, which takes some minutes"
	"$TOP/scripts/bench-vm.sh" "$ROW" "$arch" "$LOG/$arch" check
	results+=("$LOG/$arch/result.json")
done
"$TOP/scripts/bench.py" baseline "${results[@]}" >"$LOG/baseline"
cp "$LOG/baseline" "$TOP/selftests/bench/baseline.tbl"
say "  wrote selftests/bench/baseline.tbl"
