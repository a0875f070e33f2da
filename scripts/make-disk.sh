#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# make-disk.sh: print the path of the ext4 image that guests get as /dev/vda. It has one file
# of 1 MiB, `file`: enough for a few requests of the block layer.

. "$(dirname "$0")/lib.sh"

cache_init
DISK=$CACHE/disk.img
if [ ! -e "$DISK" ]; then
	lock disk
	root=$(mktemp -d "$CACHE/disk.XXXXXX")
	trap 'rm -rf "$root"' EXIT
	mkdir "$root/tree"
	seq -f '%07.0f' 131072 >"$root/tree/file"
	mkfs.ext4 -q -d "$root/tree" "$root/image" 16M >"$CACHE/logs/mkfs.log" 2>&1 ||
		die "mkfs.ext4 failed: $(tail -n1 "$CACHE/logs/mkfs.log")"
	publish "$root/image" "$DISK"
fi
echo "$DISK"
