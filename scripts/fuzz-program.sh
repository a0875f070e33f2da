#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fuzz-program.sh ARCH: print a directory to be copied to the guest's /. It has fuzz_kernel, the
# program in selftests/fuzz, and the libraries of Debian 12 that it needs.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/elf.sh"

# shellcheck disable=SC2317  # fill_once calls it
compile() {	# compile DIR
	mkdir -p "$1/usr/bin"
	"$TRIPLET-gcc-12" "--sysroot=$SYSROOT" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror \
		-Wno-missing-field-initializers "-I$TOP" -o "$1/usr/bin/fuzz_kernel" \
		"$TOP"/selftests/fuzz/*.c -lpthread
	copy_libraries "$SYSROOT" "$1" "$1/usr/bin/fuzz_kernel"
}

[ $# -eq 1 ] || die "usage: fuzz-program.sh ARCH"
# shellcheck disable=SC2034  # for elf.sh
ARCH=$(arch_name "$1")
compile_once fuzz "$TOP"/selftests/fuzz/*.[ch]
