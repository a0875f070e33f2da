#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-checkpatch.sh: print the path of the kernel's checkpatch.pl. Only the package of the
# kernel's source has it. The cache keeps the script and the two files that it reads.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

SUITE=bookworm-backports

# shellcheck disable=SC2317  # fill_once calls it
fill() {	# fill DIR
	local host spec deb
	apt_ready
	host=$(dpkg --print-architecture)
	spec=$(apt_packages "$SUITE" "$host" |
		awk -v host="$host" '$1 ~ /^linux-source-[0-9.]+$/ { print $1 ":" host "=" $2 }' |
		sort -V | tail -n1)
	[ -n "$spec" ] || die "$SUITE has no kernel source"
	deb=$(apt_fetch "$spec")
	say "  unpacking checkpatch"
	dpkg --fsys-tarfile "$deb" | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
		tar -xJ -C "$1" --strip-components=2 --wildcards \
			'*/scripts/checkpatch.pl' '*/scripts/spelling.txt' '*/scripts/const_structs.checkpatch'
	rm -f "$deb"
}

cache_init
fill_once apt "$CACHE/checkpatch" fill
echo "$CACHE/checkpatch/checkpatch.pl"
