#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-html.sh: run by `make bench-html`. Measure pages of `objtrace report --html' with 100,000 and
# 1,000,000 records, see selftests/page/bench.py. The times depend on the load of the host, which the
# last line has: CI does not run it.

. "$(dirname "$0")/lib.sh"

"$TOP/scripts/deps.sh"
cache_init
WORK=$(mktemp -d "$CACHE/bench-html.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
make -s -C "$TOP/tools/objtrace" OUT="$WORK/build" || die "cannot build tools/objtrace"
"$TOP/selftests/page/bench.py" "$WORK/build/objtrace" "$WORK"
echo "$(nproc) CPUs, load $(cut -d ' ' -f 1 /proc/loadavg)"
