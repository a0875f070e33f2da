#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build-module.sh ROW ARCH [sparse]
#
# Build objtrace.ko and the selftests' modules for one kernel of the table, in the cache, so
# that the source tree stays clean. Print the build directory. It has
#	objtrace.ko, selftests/test_modules/*.ko, selftests/bench/*.ko
#	selftests/truth/objtrace_truth.ko and the records that objtrace must write of it,
#	objtrace_truth.expected*.gz; not with sparse, because their source is generated
#	build.log	the compiler's messages with W=1, or sparse's messages
# A build is used again until a source or the kernel changes. Older builds stay for a while:
# another run may be about to copy them.
#
# Environment:
#	OBJTRACE_TRUTH_SEED	seed of objtrace_truth.ko, default 1

. "$(dirname "$0")/lib.sh"

# The numbers of functions and calls in objtrace_truth.ko, see selftests/truth/generate.py
TRUTH=(300 100000)
TRUTH_SEED=${OBJTRACE_TRUTH_SEED:-1}

# Minutes that an older build stays: longer than any run
KEPT_MIN=300

# Print the files that a build needs. A folder that does not exist is no error.
sources() {	# in the top directory
	find . -maxdepth 1 \( -name Kbuild -o -name dkms.conf -o -name '*.[chS]' \) ! -name '*.mod.c'
	# shellcheck disable=SC2086  # words
	find include $FOLDERS selftests/test_modules selftests/bench selftests/truth \
		\( -name Kbuild -o -name Makefile -o -name '*.[chS]' -o -name generate.py \) \
		! -name '*.mod.c' 2>/dev/null || true
}

source_hash() {
	{
		cat "$(kernel_dir "$ROW" "$ARCH")/meta" "$TOP/scripts/build-module.sh"
		echo "$TRUTH_SEED"
		(cd "$TOP" && sources | sort | xargs -r sha256sum)
	} | sha256sum | cut -c1-12
}

# Print the compiler as variables of make. The meta file names the compiler of an own kernel.
compiler() {
	local found
	found=$(meta "$ROW" "$ARCH" make)
	echo "${found:-CROSS_COMPILE=$(cross_prefix "$ARCH") CC=$(cross_prefix "$ARCH")$ROW_CC}"
}

kbuild() {	# kbuild DIR: with the flags that this kernel needs
	local flags=(W=1)
	if [ "$MODE" = sparse ]; then flags=(C=2 "CHECK=sparse"); fi
	case $ARCH in
	x86_64)	flags+=(ARCH=x86) ;;
	*)	flags+=("ARCH=$ARCH") ;;
	esac
	# shellcheck disable=SC2207  # words
	flags+=($(compiler))
	# Older kbuild packages lack resolve_btfids. Only a module with BTF IDs needs it, see
	# check_btf().
	if [ ! -e "$KDIR/tools/bpf/resolve_btfids/resolve_btfids" ]; then flags+=(RESOLVE_BTFIDS=true); fi
	# shellcheck disable=SC2046  # words
	$(in_env "$ROW_ENV" "$(kernel_dir "$ROW" "$ARCH")" "$TMP") \
		make -s -j"$(nproc)" -C "$KDIR" "M=$1" "${flags[@]}" modules >>"$TMP/build.log" 2>&1 ||
		die "build for $ROW $ARCH failed, see $TMP/build.log:
$(grep -m8 -E 'error|Error|ERROR|undefined|not found' "$TMP/build.log" || tail -n 5 "$TMP/build.log")"
	check_btf "$1"
}

# Each module must have BTF. It may have BTF IDs only if kbuild can resolve them.
check_btf() {	# check_btf DIR
	local ko sections
	for ko in "$1"/*.ko; do
		sections=$(readelf -SW "$ko")
		[[ $sections == *" .BTF "* ]] || die "${ko##*/} for $ROW $ARCH has no BTF, see $TMP/build.log"
		if [[ $sections == *" .BTF_ids "* ]] && [ ! -e "$KDIR/tools/bpf/resolve_btfids/resolve_btfids" ]; then
			die "${ko##*/} for $ROW $ARCH has BTF IDs, and this kernel's kbuild cannot resolve them"
		fi
	done
}

truth() {	# truth DIR
	"$1/generate.py" "$TRUTH_SEED" "$ARCH" "${TRUTH[@]}" "$1"
	local list
	for list in "$1"/expected*; do
		gzip -nc "$list" >"$1/objtrace_truth.${list##*/}.gz"
	done
	cp "$1/filter" "$1/objtrace_truth.filter"
	kbuild "$1"
}

build() {
	rm -rf "$TMP"
	mkdir -p "$TMP"
	(cd "$TOP" && sources | cpio --quiet -pdm "$TMP")
	: >"$TMP/build.log"
	if [ -e "$TMP/Kbuild" ]; then kbuild "$TMP"; fi
	if [ -e "$TMP/selftests/test_modules/Kbuild" ]; then kbuild "$TMP/selftests/test_modules"; fi
	if [ -e "$TMP/selftests/bench/Kbuild" ]; then kbuild "$TMP/selftests/bench"; fi
	if [ -e "$TMP/selftests/truth/Kbuild" ] && [ "$MODE" != sparse ]; then truth "$TMP/selftests/truth"; fi
	publish "$TMP" "$DIR"
	find "$CACHE/build" -maxdepth 1 -name "$NAME-????????????*" -mmin +$KEPT_MIN -exec rm -rf {} +
}

[ $# -ge 2 ] || die "usage: build-module.sh ROW ARCH [MODE]"
ROW=$1
ARCH=$(arch_name "$2")
MODE=${3:-}
row_load "$ROW" "$ARCH"
cache_init
FOLDERS=$(module_folders)
mkdir -p "$CACHE/build"
NAME=$ROW-$ARCH${MODE:+-$MODE}
lock "build-$NAME"
KDIR=$(meta "$ROW" "$ARCH" kdir)
DIR=$CACHE/build/$NAME-$(source_hash)
TMP=$DIR.new
if [ -e "$DIR" ]; then touch "$DIR"; else build; fi
echo "$DIR"
