#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest-modules.sh ROW ARCH
#
# The kernel's own modules that a guest loads: those that selftests/qemu/modules and
# $VM_MODULES name, and what they depend on. Prints their files, as they are packed, in
# the order in which insmod wants them.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: guest-modules.sh ROW ARCH"
cache_init
tree=$(kernel_dir "$1" "$2")/modules/lib/modules/$(meta "$1" "$2" release)
{
	grep -v '^#' "$TOP/selftests/qemu/modules"
	# shellcheck disable=SC2086  # one name per word
	printf '%s\n' ${VM_MODULES:-}
} | while read -r name; do
	# No entry: built in. modules.dep lists what is needed last-first.
	awk -F'[: ]+' -v name="$name" -v tree="$tree" '
		{ base = $1; sub(/.*\//, "", base); sub(/\.ko.*/, "", base); gsub(/-/, "_", base) }
		base == name { for (i = NF; i >= 1; i--) if ($i != "") print tree "/" $i }
	' "$tree/modules.dep"
done | awk '!seen[$0]++'
