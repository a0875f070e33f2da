#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-ibt.sh ROW x86_64
#
# Check the module that was built for an x86-64 kernel: it makes no indirect call. If the
# kernel has IBT, the module only makes direct calls to functions whose ENDBR the kernel
# seals. See ibt-complaints.py.

. "$(dirname "$0")/lib.sh"

ARCH=x86_64

complaints() {	# complaints CHECK [ARGUMENT...]
	"$TOP/scripts/ibt-complaints.py" "$1" "$BUILD/objtrace.ko" "${@:2}" 2>&1 ||
		echo "ibt-complaints.py $1 failed"
}

# Without IBT, the kernel seals no function. Check that in the kernel image.
without_ibt() {
	result "$(complaints indirect tables)" "no indirect call in objtrace.ko"
	result "$(cat "$SEALED")" "a kernel without CONFIG_X86_KERNEL_IBT seals nothing"
}

with_ibt() {
	local needed called both
	result "$(complaints indirect)" "no indirect call in objtrace.ko"
	needed=$("$TOP/scripts/needed-symbols.sh" "$ROW" "$ARCH")
	called=$(sed -n 's/^func //p' <<<"$needed")
	both=$(grep -x -F -e "$called" "$SEALED" | sort -u || true)
	# If the kernel seals no function that the module calls, the other checks prove nothing
	result "$(grep -q -x kallsyms_lookup_name <<<"$both" || echo "kallsyms_lookup_name is not sealed")" \
		"the kernel seals $(wc -l <"$SEALED") functions, $(wc -l <<<"$both") of the $(wc -l <<<"$called") that the module calls"
	# shellcheck disable=SC2086  # names
	result "$(complaints calls $called)" "the module calls sealed functions only by static calls"
	result "$(complaints pointers "$SEALED")" "no address of a sealed function in objtrace.ko"
	result "$(complaints entries)" "each function whose address is taken has its ENDBR"
}

[ $# -eq 2 ] || die "usage: check-ibt.sh ROW x86_64"
ROW=$1
ARCH=$2
row_load "$ROW" "$ARCH"
cache_init
BUILD=$("$TOP/scripts/build-module.sh" "$ROW" "$ARCH")
SEALED=$(mktemp)
trap 'rm -f "$SEALED"' EXIT
symbols=$("$TOP/scripts/kallsyms.sh" "$ROW" "$ARCH")
"$TOP/scripts/kernel-image.py" sealed "$(kernel_dir "$ROW" "$ARCH")/vmlinuz" "$symbols" >"$SEALED"
if [ "$(kconfig "$ROW" "$ARCH" X86_KERNEL_IBT)" = y ]; then
	with_ibt
else
	without_ibt
fi
