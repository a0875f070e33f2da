# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions for programs in the tree of a guest. Sourced after lib.sh, never run.

# Print a directory that compile() fills with a program for $ARCH and its libraries. Other SOURCES
# are another directory. compile() has the headers and libraries in $SYSROOT, and the prefix of
# the compiler in $TRIPLET.
# shellcheck disable=SC2034  # compile() uses both
compile_once() {	# compile_once NAME SOURCE...
	local key dir
	case $ARCH in
	x86_64)	TRIPLET=x86_64-linux-gnu ;;
	arm64)	TRIPLET=aarch64-linux-gnu ;;
	esac
	cache_init
	SYSROOT=$("$TOP/scripts/sysroot.sh" "$ARCH")
	key=$({ echo "$SYSROOT"; cat "$0" "${@:2}"; } | sha256sum | cut -c1-12)
	dir=$CACHE/build/$1-$ARCH-$key
	mkdir -p "${dir%/*}"
	fill_once "$1-$ARCH" "$dir" compile
	echo "$dir"
}

# Copy a program or library from the unpacked packages in FROM, and the libraries that it needs,
# to the directories of ROOT where the loader looks first.
copy_elf() {	# copy_elf FROM ROOT TO FILE
	local file name
	# A link can be absolute, and then names a file of this machine
	file=$(find "$1" -path "*/$4" -type f -print -quit)
	[ -n "$file" ] || file=$(find "$1" -path "*/$4" -type l -print -quit)
	[ -n "$file" ] || die "a program needs $4, but no package has it"
	if [ -e "$3" ]; then return; fi
	mkdir -p "${3%/*}"
	cp -L "$file" "$3"
	copy_libraries "$1" "$2" "$3"
}

# Copy the libraries that a program or library needs, and the loader.
copy_libraries() {	# copy_libraries FROM ROOT FILE
	local name
	readelf -dW "$3" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r name; do
		copy_elf "$1" "$2" "$2/lib/$name" "$name"
	done
	# The name of the loader is a path
	name=$(readelf -lW "$3" | sed -n 's/.*program interpreter: \/\(.*\)\]/\1/p')
	if [ -n "$name" ]; then copy_elf "$1" "$2" "$2/$name" "${name##*/}"; fi
}
