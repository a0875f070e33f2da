#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest-modules.sh ROW ARCH
#
# Print the files of the kernel's own modules that a guest loads, in the order for insmod: the
# modules in selftests/qemu/modules and $VM_MODULES, and their dependencies. The files may be
# compressed.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: guest-modules.sh ROW ARCH"
cache_init
tree=$(kernel_dir "$1" "$2")/modules/lib/modules/$(meta "$1" "$2" release)
{
	grep -v '^#' "$TOP/selftests/qemu/modules"
	# shellcheck disable=SC2086  # one name per word
	printf '%s\n' ${VM_MODULES:-}
} | while read -r name; do
	# A module without an entry is built in. modules.dep lists dependencies in reverse order.
	awk -F'[: ]+' -v name="$name" -v tree="$tree" '
		{ base = $1; sub(/.*\//, "", base); sub(/\.ko.*/, "", base); gsub(/-/, "_", base) }
		base == name { for (i = NF; i >= 1; i--) if ($i != "") print tree "/" $i }
	' "$tree/modules.dep"
done | awk '!seen[$0]++'
