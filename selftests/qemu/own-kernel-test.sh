#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# own-kernel-test.sh: own-kernel.sh describes a build directory, or complains. The directories
# and the compilers are stubs. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

# The caller may have set ARCH for make check
unset ARCH

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
DIR=$WORK/build

compiler() {	# compiler NAME VERSION-LINE
	mkdir -p "$WORK/bin"
	printf '#!/bin/sh\necho "%s"\n' "$2" >"$WORK/bin/$1"
	chmod +x "$WORK/bin/$1"
}

# Make a complete build directory, built by own-gcc in its source tree.
make_build() {	# make_build ARCH [LINE]... : more of auto.conf
	local option=CONFIG_X86_64
	rm -rf "$DIR" "${WORK:?}/bin"
	mkdir -p "$DIR"/{include/config,include/generated,arch/x86/boot,arch/arm64/boot}
	if [ "$1" = arm64 ]; then option=CONFIG_ARM64; fi
	{
		echo "$option=y"
		echo 'CONFIG_CC_VERSION_TEXT="own-gcc-12 (Own 12.2.0) 12.2.0"'
		printf '%s\n' "${@:2}"
		grep -h '^CONFIG_' "$TOP/selftests/config" "$TOP/selftests/config.$1"
	} >"$DIR/include/config/auto.conf"
	echo '#define UTS_RELEASE "6.12.1-own"' >"$DIR/include/generated/utsrelease.h"
	touch "$DIR/vmlinux" "$DIR/arch/x86/boot/bzImage" "$DIR/arch/arm64/boot/Image"
	compiler own-gcc-12 'own-gcc-12 (Own 12.2.0) 12.2.0'
}

drop() {	# drop OPTION...
	local option
	for option; do sed -i "/^CONFIG_$option=/d" "$DIR/include/config/auto.conf"; done
}

own_kernel() { PATH="$WORK/bin:$PATH" "$TOP/scripts/own-kernel.sh" --describe "${1:-$DIR}"; }

describes() {	# describes NAME LINE... : these lines are in the description
	local name=$1 out line
	shift
	out=$(own_kernel 2>&1) || out="failed: $out"
	for line; do
		if ! grep -q -x -F -e "$line" <<<"$out"; then
			tap "no line '$line' in: $out" "$name"
			return
		fi
	done
	tap "" "$name"
}

# own-kernel.sh refuses the directory in one line
refuses() {	# refuses NAME TEXT [DIRECTORY]
	local out
	if out=$(own_kernel "${3:-$DIR}" 2>&1); then
		tap "accepted: $out" "$1"
	elif [[ $out != *"$2"* ]] || [ "$(wc -l <<<"$out")" -ne 1 ]; then
		tap "said: $out" "$1"
	else
		tap "" "$1"
	fi
}

# Status 0 or 1, and this output
options() {	# options NAME STATUS <EXPECTED
	local status=0
	own_kernel >"$WORK/out" 2>"$WORK/err" || status=$?
	tap "$(
		[ "$status" -eq "$2" ] || echo "status $status"
		diff <(sed "s#DIR#$DIR#g") "$WORK/err"
	)" "$1"
}

describe_tests() {
	make_build x86_64
	describes "gcc, x86_64" "arch=x86_64" "release=6.12.1-own" \
		"image=$DIR/arch/x86/boot/bzImage" "make=CC=own-gcc-12 CROSS_COMPILE=own-"
	make_build arm64
	describes "arm64" "arch=arm64" "image=$DIR/arch/arm64/boot/Image"
	mv "$DIR/arch/arm64/boot/Image" "$DIR/arch/arm64/boot/Image.gz"
	describes "a compressed arm64 image" "image=$DIR/arch/arm64/boot/Image.gz"
	make_clang CONFIG_LD_IS_LLD=y
	compiler clang 'Own clang version 19.1.7'
	describes "LLVM=1" "make=LLVM=1"
	compiler clang 'Own clang version 14.0.6'
	compiler clang-19 'Own clang version 19.1.7'
	describes "LLVM with a suffix" "make=LLVM=-19"
	make_clang CONFIG_LD_IS_BFD=y
	compiler clang 'Own clang version 19.1.7'
	describes "clang with GNU ld" "make=CC=clang CROSS_COMPILE=$(cross_prefix x86_64)"
}

make_clang() {	# make_clang LINE
	make_build x86_64 CONFIG_CC_IS_CLANG=y CONFIG_CLANG_VERSION=190107 "$1"
	sed -i 's/^CONFIG_CC_VERSION_TEXT=.*/CONFIG_CC_VERSION_TEXT="Own clang version 19.1.7"/' \
		"$DIR/include/config/auto.conf"
}

refusal_tests() {
	refuses "a directory that does not exist" "KDIR: no directory $WORK/none" "$WORK/none"
	mkdir "$WORK/empty"
	refuses "a directory without a kernel" "$WORK/empty: no kernel was built here" "$WORK/empty"
	make_build x86_64
	rm "$DIR/vmlinux"
	refuses "a directory with headers only" "no vmlinux; KDIR must be the directory where the kernel was built"
	make_build x86_64
	rm "$DIR/arch/x86/boot/bzImage"
	refuses "a kernel without an image" "no arch/x86/boot/bzImage; run make"
	make_build x86_64
	touch -d yesterday "$DIR/arch/x86/boot/bzImage"
	refuses "an old image" "arch/x86/boot/bzImage is older than vmlinux; run make"
	make_build x86_64
	echo '#define UTS_RELEASE "5.15.0"' >"$DIR/include/generated/utsrelease.h"
	refuses "Linux 5.15" "Linux 5.15.0; objtrace needs 6.1 or newer"
	make_build x86_64
	rm "$WORK/bin/own-gcc-12"
	refuses "a compiler that is not in PATH" "(tried own-gcc-12)"
	compiler own-gcc-12 'own-gcc-12 (Own 12.3.0) 12.3.0'
	refuses "another version of the compiler" "built with 'own-gcc-12 (Own 12.2.0) 12.2.0'"
	make_clang CONFIG_LD_IS_LLD=y
	compiler clang 'Own clang version 14.0.6'
	compiler clang-19 'Own clang version 19.1.6'
	refuses "another version of clang" "(tried clang clang-19)"
	make_build x86_64
	drop X86_64
	refuses "another architecture" "built for neither x86_64 nor arm64"
	make_build x86_64
	ARCH=arm64 refuses "ARCH= of another kernel" "built for x86_64, not for ARCH=arm64"
	out=$(KDIR=$DIR KERNEL=6.1 "$TOP/scripts/demo.sh" 2>&1 || true)
	tap "$(grep -q 'KDIR= and KERNEL= both select a kernel' <<<"$out" || echo "$out")" \
		"KDIR= and KERNEL= at once"
}

option_tests() {
	make_build x86_64
	options "a kernel that lacks nothing" 0 </dev/null
	drop KPROBE_EVENTS VIRTIO_PCI PERF_EVENTS
	echo CONFIG_MODULE_SIG_FORCE=y >>"$DIR/include/config/auto.conf"
	options "options that the guest and objtrace need" 1 <<-EOF
	objtrace: DIR: this kernel cannot be tested, it lacks options:
	  CONFIG_KPROBE_EVENTS=y                       needed by objtrace
	  CONFIG_MODULE_SIG_FORCE=n                    needed by objtrace
	  CONFIG_VIRTIO_PCI=y                          needed by the guest
	  CONFIG_PERF_EVENTS=y                         needed by test.d/trigger/kinds.tc
	To set these options, and to build the kernel again:
	  DIR/scripts/config --file DIR/.config -e KPROBE_EVENTS -d MODULE_SIG_FORCE -e VIRTIO_PCI -e PERF_EVENTS
	  make -C DIR ARCH=x86 CC=own-gcc-12 CROSS_COMPILE=own- olddefconfig
	  make -C DIR ARCH=x86 CC=own-gcc-12 CROSS_COMPILE=own-
	EOF
	make_build x86_64
	drop PERF_EVENTS
	mkdir "$DIR/source"
	options "options that single tests need, of a kernel built with O=" 0 <<-EOF
	objtrace: DIR: some tests will not pass, this kernel lacks options:
	  CONFIG_PERF_EVENTS=y                         needed by test.d/trigger/kinds.tc
	To set these options, and to build the kernel again:
	  DIR/source/scripts/config --file DIR/.config -e PERF_EVENTS
	  make -C DIR ARCH=x86 CC=own-gcc-12 CROSS_COMPILE=own- olddefconfig
	  make -C DIR ARCH=x86 CC=own-gcc-12 CROSS_COMPILE=own-
	EOF
	make_build x86_64
	sed -i 's/^\(CONFIG_\(EXT4_FS\|VIRTIO_PCI\)\)=y/\1=m/' "$DIR/include/config/auto.conf"
	options "modules that the guest loads" 0 </dev/null
	sed -i 's/^CONFIG_VIRTIO_BLK=m/CONFIG_VIRTIO_BLK=y/' "$DIR/include/config/auto.conf"
	options "a built-in driver that a test needs as a module" 0 <<-EOF
	objtrace: DIR: some tests will not pass, this kernel lacks options:
	  CONFIG_VIRTIO_BLK=m                          needed by test.d/documentation/refcount.tc
	To set these options, and to build the kernel again:
	  DIR/scripts/config --file DIR/.config -m VIRTIO_BLK
	  make -C DIR ARCH=x86 CC=own-gcc-12 CROSS_COMPILE=own- olddefconfig
	  make -C DIR ARCH=x86 CC=own-gcc-12 CROSS_COMPILE=own-
	EOF
	make_build x86_64 CONFIG_DEBUG_INFO=y
	drop DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT DEBUG_KERNEL FPROBE
	options "a kernel with another version of DWARF" 0 </dev/null
}

# The Makefile has a default for KDIR, which selects no kernel for these rules.
makefile() {	# makefile NAME EXPECTED COMMAND...
	local out
	out=$(env -u KDIR "${@:3}" -s -n -C "$TOP" | grep -o "KDIR='[^']*'")
	tap "$([ "$out" = "KDIR='$2'" ] || echo "said: $out")" "$1"
}

makefile_tests() {
	local rule
	for rule in check demo bench; do
		makefile "make $rule" "" make $rule
		makefile "make $rule KDIR=" "/build" make $rule KDIR=/build
		makefile "KDIR in the environment of make $rule" "/build" env KDIR=/build make $rule
	done
	makefile "make bench-check ignores KDIR" "" make bench-check KDIR=/build
}

describe_tests
refusal_tests
makefile_tests
option_tests
echo "1..$CASES"
