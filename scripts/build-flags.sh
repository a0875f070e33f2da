#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build-flags.sh KDIR SOURCE|release
#
# Check that `make' can build the module in SOURCE for the kernel of KDIR, and print the
# variables that kbuild needs. With "release", print the release of the kernel instead. A
# complaint is one sentence. The script needs no root and no network, and writes nothing.
#
# From the environment, as given to make: ARCH, CC, CROSS_COMPILE, LLVM. The script prints no
# variable that is set there.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/build-dir.sh"

has_command() { command -v "$1" >/dev/null; }	# has_command NAME

# Print the flags for the kernel's own clang, or else for another clang. kbuild then warns of
# the difference.
llvm_flags() {
	local suffix major
	major=$(clang_major)
	for suffix in "" "-$major"; do
		if is_compiler "clang$suffix"; then clang_flags "$suffix"; return; fi
	done
	for suffix in "-$major" ""; do
		if has_command "clang$suffix"; then clang_flags "$suffix"; return; fi
	done
	die "$DIR: built with '$(option CONFIG_CC_VERSION_TEXT)';" \
		"install clang-$major and lld-$major, or set LLVM="
}

cross_flags() {
	local prefix
	# shellcheck disable=SC2153  # KARCH is set by build_dir
	prefix=$(cross_prefix "$KARCH")
	if [ -z "$prefix" ]; then return; fi
	has_command "${prefix}ld" ||
		die "$DIR: built for $KARCH; install gcc-$(tr _ - <<<"${prefix%-}"), or set CROSS_COMPILE="
	echo "CROSS_COMPILE=$prefix"
}

compiler_flags() {
	if [ -n "${LLVM:-}" ]; then return; fi
	if is_clang; then
		if [ -z "${CC:-}" ]; then llvm_flags; fi
	elif [ -z "${CROSS_COMPILE:-}" ]; then
		cross_flags
	fi
}

[ $# -eq 2 ] || die "usage: build-flags.sh KDIR SOURCE|release"
[ -d "$1" ] || die "KDIR: no directory $1; install linux-headers-$(uname -r) or set KDIR"
build_dir "$1"
if [ "$2" = release ]; then
	echo "$RELEASE"
	exit
fi
[ -w "$2" ] || die "$2: cannot be written; copy objtrace to another directory, and run make there"
FLAGS=$(compiler_flags)
if [ -z "${ARCH:-}" ]; then FLAGS="ARCH=$(kbuild_arch) $FLAGS"; fi
echo "$FLAGS"
