#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest-tree.sh ROW ARCH DIR
#
# Fill DIR with files for the guest's /:
#	/modules	objtrace.ko and the test modules, which the script builds if necessary
#	/selftests	objtracetest, test.d and the documents that tests read
#	/tests		the patterns of $TESTS, relative to selftests/
#	/options	$TEST_OPTIONS, for objtracetest
#	/slow		how many times as long as with a kernel of Debian tests may wait
#	/usr/bin	programs that tests run, which the script compiles

. "$(dirname "$0")/lib.sh"

[ $# -eq 3 ] || die "usage: guest-tree.sh ROW ARCH DIR"
row_load "$1" "$(arch_name "$2")"
build=$("$TOP/scripts/build-module.sh" "$1" "$2")
mkdir -p "$3/modules"
find "$build" \( -name '*.ko' -o -name '*.expected*.gz' -o -name '*.filter' \) ! -path '*/bench/*' -exec cp {} "$3/modules/" \;
"$TOP/scripts/alter-module.sh" forced "$build/objtrace.ko" "$3/modules/forced.ko" "$1" "$2"
# Most of a module is debug information, which an emulated machine copies slowly
"$(cross_prefix "$(arch_name "$2")")strip" --strip-debug "$3"/modules/*.ko
mkdir "$3/selftests"
cp -a "$TOP"/selftests/{objtracetest,test.d} "$3/selftests/"
# trigger/errors_*.tc compare with the list of errors
cp "$TOP/include/objtrace_errors.h" "$3/selftests/"
# test.d/documentation runs the commands of these documents
cp "$TOP/README.rst" "$TOP"/Documentation/{objtrace,troubleshooting}.rst "$3/selftests/"
echo "${TESTS:-}" >"$3/tests"
echo "${TEST_OPTIONS:-}" >"$3/options"
echo "$ROW_SLOW" >"$3/slow"
mkdir -p "$3/usr/bin"
"$TOP/scripts/bench-program.sh" "$2" ../events/records "$3/usr/bin/records"
"$TOP/scripts/bench-program.sh" "$2" bench_fentry "$3/usr/bin/fentry"
if [ "$(arch_name "$2")" = x86_64 ]; then
	"$TOP/scripts/bench-program.sh" "$2" ../events/compat "$3/usr/bin/compat" -m32
fi
