#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# sysroot.sh ARCH: print a directory with headers and libraries of Debian 12, for programs that
# are compiled for guests, and for a program with libkshark. Its package depends on Qt, which
# the sysroot does without.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

SUITE=bookworm
PACKAGES=(libc6 libc6-dev linux-libc-dev libtracefs1 libtracefs-dev libtraceevent1
	libtraceevent-dev libtracecmd1 libtracecmd-dev libbpf1 libbpf-dev libelf1 libelf-dev zlib1g
	zlib1g-dev libzstd1 libcrypt1 libkshark2 libkshark-dev libjson-c5 libjson-c-dev)

# shellcheck disable=SC2317  # fill_once calls it
unpack() {	# unpack DIR
	apt_ready
	apt_packages "$SUITE" "$DEB_ARCH" | apt_unpack "$1" "$SUITE" "$DEB_ARCH" "${PACKAGES[@]}"
}

[ $# -eq 1 ] || die "usage: sysroot.sh ARCH"
DEB_ARCH=$(deb_arch "$(arch_name "$1")")
cache_init
DIR=$CACHE/sysroot-$DEB_ARCH-$(printf '%s ' "${PACKAGES[@]}" | sha256sum | cut -c1-8)
fill_once apt "$DIR" unpack
echo "$DIR"
