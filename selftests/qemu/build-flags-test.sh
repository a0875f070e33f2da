#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# build-flags-test.sh: the variables that make passes to kbuild for the kernel in KDIR, and the
# sentence that make prints if it cannot build the module. The build directories, their
# kbuild and the compilers are stubs. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

WORK=$(mktemp -d)
trap 'chmod -R u+w "$WORK" && rm -rf "$WORK"' EXIT
DIR=$WORK/build
TREE=$WORK/tree
HOST=$(host_arch)
case $HOST in
x86_64)	OTHER=arm64 OTHER_OPTION=CONFIG_ARM64 HOST_OPTION=CONFIG_X86_64 ;;
*)	OTHER=x86 OTHER_OPTION=CONFIG_X86_64 HOST_OPTION=CONFIG_ARM64 ;;
esac
PREFIX=$(cross_prefix "$(arch_name "${OTHER/%x86/x86_64}")")

# The only commands in PATH, so that no compiler of this machine is found
make_tools() {
	local name
	rm -rf "${WORK:?}/bin"
	mkdir "$WORK/bin"
	for name in bash sh make sed tr sort head uname dirname cat; do
		ln -s "$(command -v $name)" "$WORK/bin/"
	done
}

compiler() {	# compiler NAME [VERSION-LINE]
	printf '#!/bin/sh\necho "%s"\n' "${2:-}" >"$WORK/bin/$1"
	chmod +x "$WORK/bin/$1"
}

# Make a build directory whose kbuild prints its variables
make_build() {	# make_build ARCH-OPTION [LINE]... : more of auto.conf
	make_tools
	rm -rf "$DIR"
	mkdir -p "$DIR"/include/{config,generated}
	printf '%s\n' "$1=y" "${@:2}" >"$DIR/include/config/auto.conf"
	echo '#define UTS_RELEASE "6.12.1-own"' >"$DIR/include/generated/utsrelease.h"
	cat >"$DIR/Makefile" <<-'EOF'
	given = $(if $(filter command,$(origin $1)),$1=$($1))
	modules: ; @echo "$(foreach name,ARCH CROSS_COMPILE LLVM CC,$(call given,$(name))) M=$(notdir $M)"
	EOF
}

clang_build() {	# clang_build [LINE]...
	make_build $HOST_OPTION CONFIG_CC_IS_CLANG=y CONFIG_CLANG_VERSION=190107 \
		'CONFIG_CC_VERSION_TEXT="Own clang version 19.1.7"' "$@"
}

run_make() {	# run_make WORD...
	# shellcheck disable=SC2086  # a command
	env -i PATH="$WORK/bin" LC_ALL=C ${AS_USER:-} "$(command -v make)" -s --no-print-directory -C "$TREE" \
		KDIR="$DIR" "$@" 2>&1
}

tells() {	# tells NAME FLAGS [WORD]...
	local said
	said=$(run_make "${@:3}") || said="failed: $said"
	said=$(xargs <<<"$said")
	tap "$([ "$said" = "$2 M=tree" ] || echo "$said")" "$1"
}

# The complaint is one line, and make adds its own error
refuses() {	# refuses NAME SENTENCE [WORD]...
	local said
	if said=$(run_make "${@:3}"); then said="make succeeds: $said"; fi
	tap "$(diff <(echo "objtrace: $2") <(grep -v '^make: \*\*\* .* Error ' <<<"$said"))" "$1"
}

mkdir -p "$TREE/scripts"
cp "$TOP"/Makefile "$TREE/"
cp "$TOP"/scripts/{lib,build-dir,build-flags}.sh "$TREE/scripts/"

make_build $HOST_OPTION
tells "the host's architecture is named" "ARCH=${HOST/x86_64/x86}"
tells "ARCH=, CROSS_COMPILE= and CC= are kept" "ARCH=$HOST CROSS_COMPILE=own- CC=own-gcc" \
	"ARCH=$HOST" CROSS_COMPILE=own- CC=own-gcc
refuses "another ARCH= is refused" "$DIR: built for $HOST, not for ARCH=$OTHER" "ARCH=$OTHER"

make_build $OTHER_OPTION
refuses "a kernel of another architecture needs a compiler for it" \
	"$DIR: built for $(arch_name "${OTHER/%x86/x86_64}"); install gcc-$(tr _ - <<<"${PREFIX%-}"), or set CROSS_COMPILE="
compiler "${PREFIX}ld"
tells "the architecture of the kernel in KDIR is found" "ARCH=$OTHER CROSS_COMPILE=$PREFIX"

clang_build CONFIG_LD_IS_LLD=y
refuses "a kernel built with clang needs clang" \
	"$DIR: built with 'Own clang version 19.1.7'; install clang-19 and lld-19, or set LLVM="
tells "LLVM= is kept" "ARCH=${HOST/x86_64/x86} LLVM=-19" LLVM=-19
compiler clang "Own clang version 14.0.6"
tells "another version of clang is used if the kernel's is missing" "ARCH=${HOST/x86_64/x86} LLVM=1"
compiler clang-19 "Own clang version 19.1.7"
tells "the kernel's own clang is used" "ARCH=${HOST/x86_64/x86} LLVM=-19"
clang_build
compiler clang "Own clang version 19.1.7"
tells "without lld, clang is only the compiler" "ARCH=${HOST/x86_64/x86} CROSS_COMPILE= CC=clang"

make_build $HOST_OPTION
echo '#define UTS_RELEASE "5.10.0-46-amd64"' >"$DIR/include/generated/utsrelease.h"
refuses "a kernel before 6.1 is refused" "$DIR: Linux 5.10.0-46-amd64; objtrace needs 6.1 or newer"
rm -r "$DIR/include"
built_elsewhere="$DIR: no kernel was built here; for a kernel built with O=, set KDIR to that directory"
refuses "a source tree that was built with O= is refused" "$built_elsewhere"
refuses "make uninstall refuses a source tree that was built with O=" "$built_elsewhere" uninstall
DIR=$WORK/nothing
refuses "a KDIR that does not exist is named" \
	"KDIR: no directory $DIR; install linux-headers-$(uname -r) or set KDIR"
DIR=$WORK/build
make_build $HOST_OPTION
# Permissions do not stop root
AS_USER=
if [ "$(id -u)" -eq 0 ]; then AS_USER="$(command -v setpriv) --reuid=65534 --regid=65534 --clear-groups"; fi
chmod -R a+rX,a-w "$WORK"
refuses "sources that cannot be written are refused" \
	"$TREE: cannot be written; copy objtrace to another directory, and run make there"

echo "1..$CASES"
