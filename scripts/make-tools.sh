#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# make-tools.sh TOOL ROW ARCH
#
# Print the path of an ext4 image with TOOL (perf or bpftrace) and its libraries. A guest
# mounts it at /tools/TOOL, see selftests/qemu/init. The tool is too large for the initramfs,
# which the guest unpacks: of a disk, the guest reads only what it uses.
#
# The libraries are not those of the guest's other programs. So bin/TOOL runs the program with
# the loader of the image.

. "$(dirname "$0")/lib.sh"

SPARE_MIB=4

# shellcheck disable=SC2317  # fill_once calls it
fill() {	# fill DIR
	local loader size
	cp -a "$PROGRAMS" "$1/tree"
	loader=$(cd "$1/tree" && find lib* -name 'ld-linux-*' -print -quit)
	[ -n "$loader" ] || die "$TOOL has no loader"
	mkdir "$1/tree/bin"
	cat >"$1/tree/bin/$TOOL" <<EOF
#!/bin/sh
exec /tools/$TOOL/$loader --library-path /tools/$TOOL/lib /tools/$TOOL/usr/bin/$TOOL "\$@"
EOF
	chmod 755 "$1/tree/bin/$TOOL"
	size=$(du -sm "$1/tree" | cut -f 1)
	mkfs.ext4 -q -m 0 -O ^has_journal -d "$1/tree" "$1/image" $((size * 9 / 8 + SPARE_MIB))M \
		>"$CACHE/logs/mkfs-tools.log" 2>&1 ||
		die "mkfs.ext4 failed: $(tail -n 1 "$CACHE/logs/mkfs-tools.log")"
	rm -rf "$1/tree"
}

[ $# -eq 3 ] || die "usage: make-tools.sh perf|bpftrace ROW ARCH"
TOOL=$1
ARCH=$(arch_name "$3")
cache_init
PROGRAMS=$("$TOP/scripts/fetch-programs.sh" "$ARCH" "$TOOL" "$2")
DIR=${PROGRAMS/programs-/tools-}
fill_once tools "$DIR" fill
echo "$DIR/image"
