#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-check.sh: run by `make bench-check`. Run only those jobs of `make check` that check
# the costs of objtrace, see check-bench.sh.
#
# Environment: ARCH and KERNEL, as for bench.sh

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/report.sh"

rows=$(select_rows "${KERNEL:-6.12-new}")
cache_init
"$TOP/scripts/deps.sh" --first >&2
# shellcheck disable=SC2034  # for report.sh
JOBS=${OBJTRACE_JOBS:-2}
# shellcheck disable=SC2034
RUN=$(run_dir bench-check)
trap 'trap - INT TERM; kill 0' INT TERM
while read -r row arch; do
	echo "group bench-$row-$arch $TOP/scripts/check-bench.sh $row $arch"
done <<<"$rows" | in_parallel
summary
