#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-herd.sh: print the command that runs herd7, one word per line. The kernel's memory model
# needs version 7.52. Only Debian's testing release has herd7, and its program needs a newer C
# library than this machine has. So the script unpacks herd7 and its libraries into the cache.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/elf.sh"

SUITE=forky

# This suite has an apt state of its own, so the other suites' lists need not be read again
# shellcheck disable=SC2034  # for apt.sh
APT_DIR=$CACHE/apt-$SUITE
apt_sources() { sources_of "$SUITE"; }

# Print the path of the program's loader in DIR.
loader() {	# loader DIR
	readelf -lW "$1/bin/herd7" | sed -n "s|.*program interpreter: \(.*\)\]|$1\1|p"
}

command_words() {	# command_words DIR
	printf '%s\n' "$(loader "$1")" --library-path "$1/lib" "$1/bin/herd7" -set-libdir "$1/herd"
}

# shellcheck disable=SC2317  # fill_once calls it
fill() {	# fill DIR
	local host from=$1.packages command
	apt_ready
	host=$(dpkg --print-architecture)
	rm -rf "$from"
	apt_packages "$SUITE" "$host" | apt_unpack "$from" "$SUITE" "$host" herdtools7 libc6 libgmp10
	copy_elf "$from" "$1" "$1/bin/herd7" bin/herd7
	cp -r "$from/usr/share/herdtools7/herd" "$1/herd"
	rm -rf "$from"
	mapfile -t command < <(command_words "$1")
	"${command[@]}" -version >/dev/null || die "the fetched herd7 does not run"
}

cache_init
DIR=$CACHE/herd
fill_once apt "$DIR" fill
command_words "$DIR"
