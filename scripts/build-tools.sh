#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build-tools.sh ARCH: print a directory to be copied to the guest's /. It has objtrace(1), which
# the script compiles with the headers and libraries of Debian 12, and these libraries.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/elf.sh"

# shellcheck disable=SC2317  # fill_once calls it
compile() {	# compile DIR
	local log=$CACHE/logs/tools-$ARCH.log
	PKG_CONFIG_SYSROOT_DIR=$SYSROOT \
	PKG_CONFIG_LIBDIR=$SYSROOT/usr/lib/$TRIPLET/pkgconfig:$SYSROOT/usr/share/pkgconfig \
		make -C "$TOP/tools/objtrace" OUT="$1/build" CC="$TRIPLET-gcc-12 --sysroot=$SYSROOT" \
		CFLAGS="-O2 -Werror" >"$log" 2>&1 ||
		die "objtrace(1) cannot be compiled for $ARCH: $(grep -m1 -E 'error|warning' "$log" || tail -n1 "$log")"
	install -D "$1/build/objtrace" "$1/usr/bin/objtrace"
	rm -r "$1/build"
	copy_libraries "$SYSROOT" "$1" "$1/usr/bin/objtrace"
}

[ $# -eq 1 ] || die "usage: build-tools.sh ARCH"
ARCH=$(arch_name "$1")
compile_once tools "$TOP"/tools/objtrace/{*.[chS],Makefile,page/*.*} "$TOP/dkms.conf"
