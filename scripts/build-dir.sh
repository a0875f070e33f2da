# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that read a kernel's build directory, or a package of its headers. Sourced after
# lib.sh, never run. A complaint is one sentence on stderr, and ends the script.

OLDEST=6.1

# Set DIR, CONF, KARCH and RELEASE, and check that objtrace can be built for the kernel.
build_dir() {	# build_dir KDIR
	[ -d "$1" ] || die "KDIR: no directory $1"
	DIR=$(cd "$1" && pwd -P)
	CONF=$DIR/include/config/auto.conf
	[ -e "$CONF" ] ||
		die "$DIR: no kernel was built here; for a kernel built with O=, set KDIR to that directory"
	KARCH=$(architecture)
	RELEASE=$(generated utsrelease.h UTS_RELEASE)
	check_release
}

# Print the value of an option, without quotes.
option() {	# option CONFIG_NAME
	sed -n "s/^$1=//p" "$CONF" | tr -d '"'
}

# Print the value of a macro that is a string.
generated() {	# generated HEADER MACRO
	sed -n "s/^#define $2 \"\(.*\)\"/\1/p" "$DIR/include/generated/$1" 2>/dev/null || true
}

architecture() {
	local arch=
	if [ "$(option CONFIG_X86_64)" = y ]; then arch=x86_64; fi
	if [ "$(option CONFIG_ARM64)" = y ]; then arch=arm64; fi
	[ -n "$arch" ] || die "$DIR: built for neither x86_64 nor arm64"
	if [ -n "${ARCH:-}" ] && [ "$(arch_name "${ARCH/%x86/x86_64}")" != "$arch" ]; then
		die "$DIR: built for $arch, not for ARCH=$ARCH"
	fi
	echo "$arch"
}

check_release() {
	[ -n "$RELEASE" ] || die "$DIR: no include/generated/utsrelease.h; run make in that directory"
	printf '%s\n' "$OLDEST" "$RELEASE" | sort -V -C ||
		die "$DIR: Linux $RELEASE; objtrace needs $OLDEST or newer"
}

# Print the name that kbuild has for the kernel's architecture.
kbuild_arch() { echo "${KARCH/x86_64/x86}"; }

# Print the first line of a compiler's version. kbuild leaves out number signs.
compiler_version() {	# compiler_version COMMAND
	LC_ALL=C "$1" --version 2>/dev/null | sed -n 1p | tr -d '#'
}

# Whether a compiler is the compiler of the kernel.
is_compiler() {	# is_compiler COMMAND
	[ "$(compiler_version "$1" || true)" = "$(option CONFIG_CC_VERSION_TEXT)" ]
}

is_clang() { [ "$(option CONFIG_CC_IS_CLANG)" = y ]; }

clang_major() { echo $(($(option CONFIG_CLANG_VERSION) / 10000)); }

# Print what make needs in order to use clang, a command with this suffix.
clang_flags() {	# clang_flags SUFFIX
	case $(option CONFIG_LD_IS_LLD) in
	y)	echo "LLVM=${1:-1}" ;;
	*)	echo "CC=clang$1 CROSS_COMPILE=$(cross_prefix "$KARCH")" ;;
	esac
}
