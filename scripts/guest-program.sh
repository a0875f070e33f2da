#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest-program.sh ARCH NAME FOLDER: print a directory to be copied to the guest's /. It has the
# program NAME of selftests/FOLDER, and the libraries of Debian 12 that the program needs.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/elf.sh"

# shellcheck disable=SC2317  # fill_once calls it
compile() {	# compile DIR
	mkdir -p "$1/usr/bin"
	"$TRIPLET-gcc-12" "--sysroot=$SYSROOT" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror \
		-Wno-missing-field-initializers "-I$TOP" -o "$1/usr/bin/$NAME" \
		"$TOP/selftests/$FOLDER"/*.c -lpthread
	copy_libraries "$SYSROOT" "$1" "$1/usr/bin/$NAME"
}

[ $# -eq 3 ] || die "usage: guest-program.sh ARCH NAME FOLDER"
# shellcheck disable=SC2034  # for elf.sh
ARCH=$(arch_name "$1")
NAME=$2
FOLDER=$3
compile_once "$NAME" "$TOP/selftests/$FOLDER"/*.[ch]
