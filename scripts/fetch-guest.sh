#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-guest.sh ARCH: print the path of a static busybox for that architecture. A guest boots
# with no other program.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

SUITE=bookworm

# shellcheck disable=SC2317  # fill_once calls it
fill() {	# fill DIR
	local deb_arch
	apt_ready
	deb_arch=$(deb_arch "$ARCH")
	apt_packages "$SUITE" "$deb_arch" | apt_unpack "$1" "$SUITE" "$deb_arch" busybox-static
}

[ $# -eq 1 ] || die "usage: fetch-guest.sh ARCH"
ARCH=$(arch_name "$1")
cache_init
DIR=$CACHE/guest-$ARCH
fill_once apt "$DIR" fill
for busybox in "$DIR/bin/busybox" "$DIR/usr/bin/busybox"; do
	if [ -x "$busybox" ]; then echo "$busybox"; exit 0; fi
done
die "the package busybox-static has no busybox"
