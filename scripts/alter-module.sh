#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# alter-module.sh forced|disguised FROM TO ROW ARCH
#
# Write a copy of the module FROM to TO that ROW's kernel accepts, even if FROM was
# built for another kernel:
#	forced		without vermagic and symbol versions: the kernel loads the copy as
#			"modprobe -f" would load FROM
#	disguised	with the vermagic and symbol versions of ROW's kernel

. "$(dirname "$0")/lib.sh"

vermagic() { modinfo -F vermagic "$("$TOP/scripts/build-module.sh" "$ROW" "$ARCH")/objtrace.ko"; }

# Print the section __versions: an 8-byte CRC and a 56-byte name for module_layout and for
# each undefined symbol of the module.
symbol_versions() {
	local kdir
	kdir=$(meta "$ROW" "$ARCH" kdir)
	{ echo module_layout; nm -u "$FROM" | awk '{ print $2 }'; } |
		/usr/bin/python3 -c '
import struct
import sys
with open(sys.argv[1], encoding="ascii") as table:
    crcs = {words[1]: int(words[0], 16) for words in map(str.split, table)}
for name in sys.stdin.read().split():
    if name not in crcs:
        sys.exit(f"no symbol {name} in {sys.argv[1]}")
    sys.stdout.buffer.write(struct.pack("<Q56s", crcs[name], name.encode()))
' "$kdir/Module.symvers"
}

[ $# -eq 5 ] || die "usage: alter-module.sh forced|disguised FROM TO ROW ARCH"
HOW=$1
FROM=$2
TO=$3
ROW=$4
ARCH=$(arch_name "$5")
OBJCOPY=$(cross_prefix "$ARCH")objcopy
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
"$OBJCOPY" --dump-section ".modinfo=$TMP/modinfo" "$FROM" "$TMP/ignored"
grep -q -z '^vermagic=' "$TMP/modinfo" || die "$FROM has no vermagic"
case $HOW in
forced)
	sed -i -z '/^vermagic=/d' "$TMP/modinfo"
	"$OBJCOPY" --rename-section __versions=.no_versions \
		--update-section ".modinfo=$TMP/modinfo" "$FROM" "$TO"
	;;
disguised)
	sed -i -z "s/^vermagic=.*/vermagic=$(vermagic)/" "$TMP/modinfo"
	update=(--update-section ".modinfo=$TMP/modinfo")
	# Without CONFIG_MODVERSIONS, a module has no section __versions
	if [[ $(readelf -SW "$FROM") == *" __versions "* ]]; then
		symbol_versions >"$TMP/versions"
		update+=(--update-section "__versions=$TMP/versions")
	fi
	"$OBJCOPY" "${update[@]}" "$FROM" "$TO"
	;;
esac
