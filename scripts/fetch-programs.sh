#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-programs.sh ARCH SET: print a directory to be copied to the guest's /. It has
# programs and the libraries that they need.
#
#	bench		hackbench and dbench, for bench-parallel.sh. dbench gets only the
#			beginning of its script, so that it runs the script several times.
#			fio would need a hundred packages.
#	selftests	trace-cmd and hackbench

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

SUITE=bookworm
SCRIPT=usr/share/dbench/client.txt
SCRIPT_LINES=5000

spec() {	# spec PACKAGE
	local version
	version=$(awk -v name="$1" '$1 == name { print $2 }' <<<"$LISTED")
	[ -n "$version" ] || die "$SUITE has no $1 for $DEB_ARCH"
	echo "$1:$DEB_ARCH=$version"
}

# Copy a program or library, and the libraries that it needs, to the directories where the
# loader looks first.
add() {	# add FROM TO FILE
	local file name
	file=$(find "$1" -name "${3##*/}" ! -type d -print -quit)
	[ -n "$file" ] || die "a program needs $3, but none of ${PACKAGES[*]} has it"
	if [ -e "$2" ]; then return; fi
	mkdir -p "${2%/*}"
	cp -L "$file" "$2"
	readelf -dW "$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r name; do
		add "$1" "$ROOT/lib/$name" "$name"
	done
	# The name of the loader is a path
	name=$(readelf -lW "$2" | sed -n 's/.*program interpreter: \/\(.*\)\]/\1/p')
	if [ -n "$name" ]; then add "$1" "$ROOT/$name" "$name"; fi
}

# shellcheck disable=SC2317  # fill_once calls it
fill() {	# fill DIR
	local package specs=() file from=$1.packages
	apt_ready
	ROOT=$1
	DEB_ARCH=$(deb_arch "$ARCH")
	LISTED=$(apt_packages "$SUITE" "$DEB_ARCH")
	for package in "${PACKAGES[@]}"; do specs+=("$(spec "$package")"); done
	rm -rf "$from"
	apt_fetch "${specs[@]}" >"$1.files"
	while read -r file; do dpkg -x "$file" "$from"; done <"$1.files"
	for package in "${PROGRAMS[@]}"; do add "$from" "$1/usr/bin/$package" "$package"; done
	if [ -e "$from/$SCRIPT" ]; then
		mkdir -p "$1/${SCRIPT%/*}"
		head -n $SCRIPT_LINES "$from/$SCRIPT" >"$1/$SCRIPT"
	fi
	rm -rf "$from" "$1.files"
}

[ $# -eq 2 ] || die "usage: fetch-programs.sh ARCH bench|selftests"
ARCH=$(arch_name "$1")
case $2 in
bench)
	PACKAGES=(rt-tests dbench libc6 libpopt0)
	PROGRAMS=(hackbench dbench)
	;;
selftests)
	PACKAGES=(trace-cmd libtraceevent1 libtracefs1 libzstd1 rt-tests libc6)
	PROGRAMS=(trace-cmd hackbench)
	;;
*)	die "unknown set of programs '$2'; known: bench selftests" ;;
esac
cache_init
# Another list of programs is another directory
LIST=$(printf '%s ' "${PACKAGES[@]}" "${PROGRAMS[@]}" | sha256sum | cut -c1-8)
DIR=$CACHE/programs-$2-$ARCH-$LIST
fill_once apt "$DIR" fill
echo "$DIR"
