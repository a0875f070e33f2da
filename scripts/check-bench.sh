#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-bench.sh ROW ARCH
#
# Compare the costs of objtrace, in instructions, with selftests/bench/baseline.tbl and
# budgets.tbl, see bench.py. Check the cost of loading the module, too, see check-load-cost.sh,
# and of live output, see check-live-cost.sh. One boot measures all costs. The guest's clock
# counts instructions, so the load of this machine does not matter.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: check-bench.sh ROW ARCH"
ARCH=$(arch_name "$2")
cache_init
"$TOP/scripts/fetch-kernel.sh" "$1" "$ARCH"
LOG=$(run_dir bench)
"$TOP/scripts/bench-vm.sh" "$1" "$ARCH" "$LOG" check
# The budgets for loading are for this series: the BTF of other series has another size
case $(meta "$1" "$ARCH" version) in
6.12.*)	"$TOP/scripts/check-load-cost.sh" "$1" "$ARCH" "$LOG/verdict.log" ;;
esac
"$TOP/scripts/check-live-cost.sh" "$1" "$ARCH" "$LOG/verdict.log" changes
"$TOP/scripts/bench.py" check "$TOP/selftests/bench/baseline.tbl" \
	"$TOP/selftests/bench/budgets.tbl" "$LOG/result.json"
