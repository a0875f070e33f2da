# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A function that copies programs to the tree of a guest. Sourced after lib.sh, never run.

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
