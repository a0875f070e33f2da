#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-bench.sh ROW ARCH
#
# What objtrace costs in instructions, compared with selftests/bench/baseline.tbl and
# budgets.tbl, see bench.py; and what it costs to load it, see check-load-cost.sh. All in
# one boot: the guest's clock counts instructions, so that what this machine has to do
# meanwhile does not matter.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: check-bench.sh ROW ARCH"
ARCH=$(arch_name "$2")
cache_init
"$TOP/scripts/fetch-kernel.sh" "$1" "$ARCH"
LOG=$(run_dir bench)
"$TOP/scripts/bench-vm.sh" "$1" "$ARCH" "$LOG" check
# Its budgets are for this series: the BTF of others has another size
case $(meta "$1" "$ARCH" version) in
6.12.*)	"$TOP/scripts/check-load-cost.sh" "$1" "$ARCH" "$LOG/verdict.log" ;;
esac
"$TOP/scripts/bench.py" check "$TOP/selftests/bench/baseline.tbl" \
	"$TOP/selftests/bench/budgets.tbl" "$LOG/result.json"
