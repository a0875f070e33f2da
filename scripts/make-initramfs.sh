#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# make-initramfs.sh ROW ARCH JOB OUT [TREE]
#
# Pack what the guest boots from: a static busybox, selftests/qemu/init, the
# kernel's own modules that selftests/qemu/modules and $VM_MODULES name (with what
# they depend on), JOB as /job, and the contents of TREE. Not compressed: under
# emulation unpacking costs more than copying.

. "$(dirname "$0")/lib.sh"

# Print module paths in the order in which insmod wants them.
module_order() {	# module_order TREE NAMES...
	local tree=$1 name
	shift
	for name in "$@"; do
		# No entry: built in. modules.dep lists what is needed last-first.
		awk -F'[: ]+' -v name="$name" '
			{ base = $1; sub(/.*\//, "", base); sub(/\.ko.*/, "", base); gsub(/-/, "_", base) }
			base == name { for (i = NF; i >= 1; i--) if ($i != "") print $i }
		' "$tree/modules.dep"
	done | awk '!seen[$0]++'
}

add_modules() {	# add_modules ROOT
	local tree release path plain names
	release=$(meta "$ROW" "$ARCH" release)
	tree=$(kernel_dir "$ROW" "$ARCH")/modules/lib/modules/$release
	mkdir -p "$1/lib/modules"
	# shellcheck disable=SC2086  # one name per word
	mapfile -t names < <(grep -v '^#' "$TOP/selftests/qemu/modules"; printf '%s\n' ${VM_MODULES:-})
	while read -r path; do
		plain=$(basename "${path%.xz}")
		case $path in
		*.xz)	xz -dc "$tree/$path" >"$1/lib/modules/$plain" ;;
		*)	cp "$tree/$path" "$1/lib/modules/$plain" ;;
		esac
		echo "$plain"
	done < <(module_order "$tree" "${names[@]}") >"$1/lib/modules/order"
}

[ $# -ge 4 ] || die "usage: make-initramfs.sh ROW ARCH JOB OUT [TREE]"
ROW=$1
ARCH=$(arch_name "$2")
cache_init
root=$(mktemp -d "$CACHE/initramfs.XXXXXX")
trap 'rm -rf "$root"' EXIT
busybox=$("$TOP/scripts/fetch-guest.sh" "$ARCH")
mkdir -p "$root/bin"
cp "$busybox" "$root/bin/busybox"
ln -s busybox "$root/bin/sh"
install -m 755 "$TOP/selftests/qemu/init" "$root/init"
install -m 755 "$3" "$root/job"
install -D -m 644 "$TOP/selftests/qemu/job-functions" "$root/lib/job-functions"
add_modules "$root"
if [ -n "${5:-}" ]; then cp -a "$5/." "$root/"; fi
(cd "$root" && find . -mindepth 1 | sort | cpio --quiet -o -H newc -R 0:0) >"$4"
