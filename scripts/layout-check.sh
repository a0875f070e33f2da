#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# layout-check.sh ROW ARCH
#
# Run selftests/layout/layout-check on the BTF and symbols of a kernel of the table. It prints
# the layouts and symbols that the module will find, without loading the module. The exit
# status is 0 if layout-check ran, whatever it found.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: layout-check.sh ROW ARCH"
row_load "$1" "$2"
cache_init
KERNEL=$(kernel_dir "$1" "$2")
[ -e "$KERNEL/meta" ] || die "no kernel $1 $2 in the cache, run this first: scripts/fetch-kernel.sh $1 $2"
DIR=$KERNEL/layout
mkdir -p "$DIR"
lock "layout-$1-$2"
program=$(make -s --no-print-directory -C "$TOP/selftests/layout" CACHE="$DIR" \
	AUTOCONF="$(meta "$1" "$2" kdir)/include/generated/autoconf.h") ||
	die "layout-check cannot be built"
symbols=$("$TOP/scripts/kallsyms.sh" "$1" "$2")
status=0
"$program" "$KERNEL/btf" "$symbols" || status=$?
[ "$status" -le 1 ] || die "layout-check failed for $1 $2"
