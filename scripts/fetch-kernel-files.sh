#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-kernel-files.sh: print a directory with files of the kernel's source, under their names
# there: scripts/checkpatch.pl, the two files that it reads, and the memory model for herd7. Only
# the package of the kernel's source has these files.

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
	say "  unpacking checkpatch and the memory model"
	dpkg --fsys-tarfile "$deb" | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
		tar -xJ -C "$1" --strip-components=1 --wildcards \
			'*/scripts/checkpatch.pl' '*/scripts/spelling.txt' \
			'*/scripts/const_structs.checkpatch' '*/tools/memory-model/linux-kernel.*' \
			'*/tools/memory-model/lock.cat'
	rm -f "$deb"
}

cache_init
fill_once apt "$CACHE/kernel-files" fill
echo "$CACHE/kernel-files"
