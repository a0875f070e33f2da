#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# deb.sh [DIR]
#
# Run by `make deb`. Build the packages objtrace-dkms and objtrace from a copy of the tree, and
# move them to DIR, which is the top of the tree by default. Print their paths.

. "$(dirname "$0")/lib.sh"

build() {	# build DIR
	local log=$1/build.log
	mkdir "$1/objtrace"
	copy_tree "$1/objtrace"
	(cd "$1/objtrace" && dpkg-buildpackage -b -us -uc >"$log" 2>&1) ||
		die "the packages cannot be built: $(grep -m1 -E 'error:|Unmet' "$log" || tail -n 1 "$log")"
}

[ $# -le 1 ] || die "usage: deb.sh [DIR]"
command -v dpkg-buildpackage >/dev/null || die "make deb needs the package dpkg-dev"
missing=$(cd "$TOP" && dpkg-checkbuilddeps 2>&1) ||
	die "make deb needs packages: ${missing##*: }; install them with: apt-get build-dep ./"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
build "$WORK"
for deb in "$WORK"/*.deb; do
	mv "$deb" "${1:-$TOP}/"
	echo "${1:-$TOP}/${deb##*/}"
done
