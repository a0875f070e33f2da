#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-native.sh [ROUNDS]: run by `make bench-native`. Measure the miss path in user space, natively:
# the module's trampolines and its filter, built for this machine. Print a table, and draw a plot into
# the directory bench of the cache.

. "$(dirname "$0")/lib.sh"

# The instructions of the filter have absolute addresses of 32 bits
FLAGS=(-std=gnu11 -O2 -Wall -Wextra -Wno-sign-compare -Wno-unused-parameter -Werror -no-pie
	-z noexecstack)

# The headers in selftests/unit/include replace the kernel's. perf_event.h is a real one.
build() {	# build DIR
	local source=selftests/native
	gcc "${FLAGS[@]}" -c -o "$1/counters.o" $source/counters.c
	gcc "${FLAGS[@]}" -DKBUILD_MODNAME='"objtrace"' -Iselftests/unit/include -I. -Iinclude \
		-o "$1/native" $source/{native,measure}.c "$source/calls_$(uname -m).S" \
		objects/bloom.c "functions/tramp_$(arch_name "$(uname -m)").S" "$1/counters.o"
}

# Three registers are the median of the kernel's functions with pointers
plot() {	# plot DATA OUTPUT
	gnuplot <<-EOF
	set terminal svg noenhanced size 720,400 dynamic background 'white'
	set output '$2'
	set title 'A traced call with three arguments that matches nothing'
	set style data histograms
	set style fill solid border -1
	set logscale y
	set yrange [0.5:*]
	set ylabel 'ns'
	set xlabel 'objects, and the place of the filter'
	set xtics rotate by -20
	set grid ytics
	set key top left
	plot '$1' using 8:xtic(1) title 'a call and a return', '' using 10 title 'objtrace', \
		'' using 9 title 'saved registers and an empty callback'
	EOF
}

[ $# -le 1 ] || die "usage: bench-native.sh [ROUNDS]"
cache_init
"$TOP/scripts/deps.sh" --first
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$TOP" || exit
build "$WORK"
OUT=$CACHE/bench
mkdir -p "$OUT"
say "native: $(sed -n '/^model name/{s/.*: //p;q}' /proc/cpuinfo), second-level cache of $(getconf LEVEL2_CACHE_SIZE) bytes"
"$WORK/native" "${1:-41}" "$WORK/data"
plot "$WORK/data" "$OUT/native-$(uname -m).svg"
ls "$OUT/native-$(uname -m).svg"
