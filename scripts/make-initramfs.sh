#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# make-initramfs.sh ROW ARCH JOB OUT [TREE]
#
# Pack the guest's initramfs: a static busybox, selftests/qemu/init, the kernel's own modules
# (see guest-modules.sh), JOB as /job, and the contents of TREE. The archive is not compressed:
# under emulation, unpacking costs more than copying.

. "$(dirname "$0")/lib.sh"

add_modules() {	# add_modules ROOT
	local path plain
	mkdir -p "$1/lib/modules"
	while read -r path; do
		plain=$(basename "${path%.xz}")
		# xz copies a file that is not compressed
		xz -dcf "$path" >"$1/lib/modules/$plain"
		echo "$plain"
	done < <("$TOP/scripts/guest-modules.sh" "$ROW" "$ARCH") >"$1/lib/modules/order"
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
