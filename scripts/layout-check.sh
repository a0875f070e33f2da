#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# layout-check.sh ROW ARCH
#
# Say what the module will find in a kernel of the table, without booting it: run
# selftests/layout/layout-check on its image and print what that prints. Exit
# status 0 unless it could not be run.

. "$(dirname "$0")/lib.sh"

symbols() {	# symbols: as the image's kallsyms has them
	if [ "$DIR/symbols" -nt "$TOP/scripts/kernel-image.pl" ] &&
	   [ "$DIR/symbols" -nt "$TOP/scripts/KernelImage.pm" ]; then return; fi
	"$TOP/scripts/kernel-image.pl" symbols "$KERNEL/vmlinuz" >"$DIR/symbols.new" ||
		die "the symbols of $KERNEL/vmlinuz cannot be read"
	mv "$DIR/symbols.new" "$DIR/symbols"
}

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
symbols
status=0
"$program" "$KERNEL/btf" "$DIR/symbols" || status=$?
[ "$status" -le 1 ] || die "layout-check failed for $1 $2"
