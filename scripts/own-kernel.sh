#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# own-kernel.sh [--describe | --row ROW] KDIR
#
# Put the kernel that was built in the directory KDIR into the cache, as fetch-kernel.sh
# does with Debian's kernels, and print the name of a kernel table with one row for it.
# The script writes nothing to KDIR. It first checks that the kernel can be tested: its
# version, its image, its compiler and its options. With --describe, it only checks, and prints
# the results. With --row, the kernel has the name of a row of own-kernels.tbl.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/build-dir.sh"

image() {
	local file
	case $KARCH in
	x86_64)	set -- arch/x86/boot/bzImage ;;
	arm64)	set -- arch/arm64/boot/Image arch/arm64/boot/Image.gz ;;
	esac
	[ -e "$DIR/vmlinux" ] ||
		die "$DIR: no vmlinux; KDIR must be the directory where the kernel was built"
	for file; do
		if [ ! -e "$DIR/$file" ]; then continue; fi
		[ ! "$DIR/vmlinux" -nt "$DIR/$file" ] ||
			die "$DIR: $file is older than vmlinux; run make in that directory"
		echo "$DIR/$file"
		return
	done
	die "$DIR: no $1; run make in that directory"
}

unknown_compiler() {	# unknown_compiler NAME...
	die "$DIR: built with '$(option CONFIG_CC_VERSION_TEXT)', and no command in PATH is that compiler (tried $*)"
}

# Print what make needs in order to use the kernel's compiler.
gcc_flags() {
	local name
	name=$(option CONFIG_CC_VERSION_TEXT)
	name=${name%% *}
	is_compiler "$name" || unknown_compiler "$name"
	case $name in
	*-gcc|*-gcc-[0-9]*)	echo "CC=$name CROSS_COMPILE=${name%gcc*}" ;;
	*)			echo "CC=$name CROSS_COMPILE=" ;;
	esac
}

llvm_flags() {
	local suffix major
	major=$(clang_major)
	for suffix in "" "-$major"; do
		if is_compiler "clang$suffix"; then clang_flags "$suffix"; return; fi
	done
	unknown_compiler clang "clang-$major"
}

make_flags() { if is_clang; then llvm_flags; else gcc_flags; fi; }

# Print the commands that set the options on stdin and build the kernel again.
remedy() {
	local source=$DIR make
	make="make -C $DIR ARCH=$(kbuild_arch) $FLAGS"
	if [ -e "$DIR/source" ]; then source=$DIR/source; fi
	awk -v script="$source/scripts/config --file $DIR/.config" -v make="$make" '
		BEGIN { flag["y"] = "-e"; flag["m"] = "-m"; flag["n"] = "-d" }
		{ split(substr($0, 8), part, "="); flags = flags " " flag[part[2]] " " part[1] }
		END { print "  " script flags "\n  " make " olddefconfig\n  " make }'
}

print_missing() {	# print_missing LIST HEADING
	say "objtrace: $DIR: $2"
	awk -F '\t' '{ printf "  %-44s needed by %s\n", $1, $3 }' <<<"$1" >&2
	say "To set these options, and to build the kernel again:"
	cut -f 1 <<<"$1" | remedy >&2
}

check_options() {
	local lacking
	lacking=$("$TOP/scripts/needed-config.sh" "$KARCH" "$CONF")
	[ -n "$lacking" ] || return 0
	if cut -f 2 <<<"$lacking" | grep -x all >/dev/null; then
		print_missing "$lacking" "this kernel cannot be tested, it lacks options:"
		exit 1
	fi
	print_missing "$lacking" "some tests will not pass, this kernel lacks options:"
}

# Print the modules that a guest loads, and their dependencies, as paths in KDIR. Only make
# bench loads brd, but all runs use this set: runs with different sets would replace each
# other's kernel in the cache.
guest_modules() {
	local name path depends
	# shellcheck disable=SC2046  # names
	set -- $(grep -v '^#' "$TOP/selftests/qemu/modules") brd
	while [ $# -gt 0 ]; do
		name=${1//-/_}
		shift
		# In the names of files, a dash may stand for an underscore
		path=$(grep -E "(^|/)${name//_/[-_]}\.ko\$" "$WORK/order" || true)
		# A module without a path is built in
		if [ -z "$path" ]; then continue; fi
		echo "$path"
		depends=$(modinfo -F depends "$DIR/$path" | tr ',' ' ')
		# shellcheck disable=SC2086  # names
		set -- "$@" $depends
	done | awk '!seen[$0]++'
}

copy_modules() {	# copy_modules DIR
	local path tree=$1/lib/modules/$RELEASE
	mkdir -p "$tree/kernel"
	touch "$tree"/modules.{order,builtin,builtin.modinfo}
	# Linux 6.2 and newer list objects; older kernels list modules with the prefix "kernel/"
	sed 's#^kernel/##; s#\.o$#.ko#' "$DIR/modules.order" >"$WORK/order"
	guest_modules >"$WORK/modules"
	while read -r path; do
		mkdir -p "$tree/kernel/${path%/*}"
		"$(cross_prefix "$KARCH")objcopy" --strip-debug "$DIR/$path" "$tree/kernel/$path"
	done <"$WORK/modules"
	depmod -b "$1" "$RELEASE"
}

# Print the version of the source, which build-kernel.sh knows, or the kernel's own words.
kernel_version() {
	case $ROW in
	own-*)	echo "$RELEASE $(generated utsversion.h UTS_VERSION)$(generated compile.h UTS_VERSION)" ;;
	*)	cat "$DIR/version" ;;
	esac
}

meta_file() {	# meta_file MODULES
	cat <<-EOF
	package=$DIR
	version=$(kernel_version)
	release=$RELEASE
	kdir=$DIR
	make=$FLAGS
	image=$(stat -c %Y "$IMAGE")
	modules=$(find "$1" -name '*.ko' -exec sha256sum {} + | cut -d ' ' -f 1 | sort | sha256sum | cut -c1-12)
	layout=$LAYOUT
	EOF
}

adopt() {	# adopt FINAL
	local new=$WORK/kernel
	mkdir "$new"
	cp "$IMAGE" "$new/vmlinuz"
	"$TOP/scripts/kernel-image.py" btf "$IMAGE" >"$new/btf"
	LAYOUT=$(observed_layout "$new/btf")
	[ "$LAYOUT" != unknown ] || die "$DIR: objtrace does not support this kernel's struct event_command"
	copy_modules "$new/modules"
	meta_file "$new/modules" >"$new/meta"
	# Do not replace the same kernel: another run may be using it
	if cmp -s "$new/meta" "$1/meta"; then return; fi
	echo "$ROW $KARCH own - - - - $LAYOUT default" >"$new/kernels.tbl"
	publish "$new" "$1"
}

describe=
ROW=
case ${1:-} in
--describe)	describe=1; shift ;;
--row)		ROW=$2; shift 2 ;;
esac
[ $# -eq 1 ] || die "usage: own-kernel.sh [--describe | --row ROW] KDIR"
build_dir "$1"
IMAGE=$(image)
FLAGS=$(make_flags)
check_options
if [ -n "$describe" ]; then
	printf '%s\n' "arch=$KARCH" "release=$RELEASE" "image=$IMAGE" "make=$FLAGS"
	exit 0
fi
cache_init
: "${ROW:=own-$(sha256sum <<<"$DIR" | cut -c1-6)}"
FINAL=$(kernel_dir "$ROW" "$KARCH")
mkdir -p "$CACHE/kernels"
lock "kernel-$ROW-$KARCH"
# In the file system of FINAL, so that rename works
WORK=$(mktemp -d "$CACHE/kernels/new.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
adopt "$FINAL"
touch "$FINAL"
find "$CACHE/kernels" -maxdepth 1 -name 'own-*' -mtime +7 -exec rm -rf {} +
echo "$FINAL/kernels.tbl"
