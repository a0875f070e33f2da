#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest-tree.sh ROW ARCH DIR
#
# Lay out what the guest gets besides its kernel: /modules with objtrace.ko and
# the test modules (built here if need be), /selftests, /include beside it,
# /tests with the patterns of $TESTS, which are relative to selftests/, and
# /options with $TEST_OPTIONS, for objtracetest.

. "$(dirname "$0")/lib.sh"

[ $# -eq 3 ] || die "usage: guest-tree.sh ROW ARCH DIR"
build=$("$TOP/scripts/build-module.sh" "$1" "$2")
mkdir -p "$3/modules"
find "$build" \( -name '*.ko' -o -name '*.expected.gz' \) -exec cp {} "$3/modules/" \;
"$TOP/scripts/alter-module.sh" forced "$build/objtrace.ko" "$3/modules/forced.ko" "$1" "$2"
cp -a "$TOP/selftests" "$3/selftests"
# syntax_errors.tc compares with the list of errors
cp "$TOP/include/objtrace_errors.h" "$3/selftests/"
# What these show is run, see test.d/documentation
cp "$TOP/README.rst" "$TOP/Documentation/objtrace.rst" "$3/selftests/"
find "$3/selftests" \( -name '*.o' -o -name '*.cmd' -o -name '*.ko' \) -delete
cp -a "$TOP/include" "$3/include"
printf '%s\n' "${TESTS:-}" | sed 's#\<selftests/##g' >"$3/tests"
echo "${TEST_OPTIONS:-}" >"$3/options"
