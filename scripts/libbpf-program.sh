#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# libbpf-program.sh ARCH: print a directory to be copied to the guest's /. It has the program
# selftests/events/libbpf.c, its BPF programs, and the libraries of Debian 12 that it needs.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/elf.sh"

SOURCES=$TOP/selftests/events

# shellcheck disable=SC2317  # fill_once calls it
compile() {	# compile DIR
	local target
	case $ARCH in
	x86_64)	target=x86 ;;
	arm64)	target=arm64 ;;
	esac
	mkdir -p "$1/usr/bin" "$1/usr/lib"
	"$TRIPLET-gcc-12" "--sysroot=$SYSROOT" -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -Werror \
		-o "$1/usr/bin/libbpf_records" "$SOURCES/libbpf.c" -lbpf
	clang -target bpf -D__TARGET_ARCH_$target -g -O2 -Wall -Werror \
		-isystem "$SYSROOT/usr/include" -isystem "$SYSROOT/usr/include/$TRIPLET" \
		-c -o "$1/usr/lib/libbpf_records.o" "$SOURCES/libbpf.bpf.c"
	copy_libraries "$SYSROOT" "$1" "$1/usr/bin/libbpf_records"
}

[ $# -eq 1 ] || die "usage: libbpf-program.sh ARCH"
ARCH=$(arch_name "$1")
compile_once libbpf "$SOURCES"/libbpf*
