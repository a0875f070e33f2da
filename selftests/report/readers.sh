#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# readers.sh [--write]
#
# Other programs read the files: trace-cmd, and libkshark, which is KernelShark without its
# window. small.dat has records of the top instance, and follow.dat has records of an instance.
# For each file, both programs must print all lines of a file in expected/. Prints TAP. With
# --write, the files in expected/ are written instead, for a review.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$TOP/scripts/elf.sh"

HERE=$TOP/selftests/report

# shellcheck disable=SC2317  # compile_once calls it
compile() {	# compile DIR
	mkdir -p "$1/usr/bin"
	"$TRIPLET-gcc-12" "--sysroot=$SYSROOT" -std=gnu11 -O2 -Wall -Wextra -Werror \
		-isystem "$SYSROOT/usr/include/kernelshark" -o "$1/usr/bin/kshark" "$HERE/kshark.c" -lkshark
	copy_libraries "$SYSROOT" "$1" "$1/usr/bin/kshark"
}

# Run a program with the loader and the libraries in its directory: both are Debian 12's on each
# machine, and so is the output.
run_in() {	# run_in DIR PROGRAM [ARGUMENT...]
	local loader
	loader=$(find "$1"/lib* -name 'ld-linux-*' -print -quit)
	"$loader" --library-path "$1/lib" "$1/usr/bin/$2" "${@:3}"
}

# The plugins of the machine may be for other libraries
trace_cmd() { run_in "$TRACE_CMD" trace-cmd report -N -i "$1"; }

kshark() { run_in "$KSHARK" kshark "$1"; }

compare() {	# compare PROGRAM FILE: print complaints
	"$1" "$HERE/$2.dat" 2>&1 | diff "$HERE/expected/trace-cmd-$2" - 2>&1 || true
}

ARCH=$(host_arch)
cache_init
TRACE_CMD=$("$TOP/scripts/fetch-programs.sh" "$ARCH" selftests)
KSHARK=$(compile_once kshark "$HERE/kshark.c")
for file in small follow; do
	if [ "${1:-}" = --write ]; then
		trace_cmd "$HERE/$file.dat" >"$HERE/expected/trace-cmd-$file"
		continue
	fi
	tap "$(compare trace_cmd "$file")" "trace-cmd prints each record of $file.dat"
	tap "$(compare kshark "$file")" "libkshark prints each record of $file.dat"
done
if [ "${1:-}" != --write ]; then echo "1..$CASES"; fi
