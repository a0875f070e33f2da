#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kallsyms.sh ROW ARCH
#
# Print the name of a file with the symbols of a kernel, as /proc/kallsyms shows them in a guest
# without KASLR. The symbols of modules are left out. The cache keeps the file with the kernel,
# so each kernel boots only once for it.

. "$(dirname "$0")/lib.sh"

DISK_SIZE=64M
# Seconds: an own kernel may have debug options, which make it slow
TIMEOUT=900

boot() {	# boot DIR
	truncate -s "$DISK_SIZE" "$1/disk"
	VM_SCRATCH=$1/disk VM_APPEND=nokaslr VM_TIMEOUT=$TIMEOUT \
		"$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/qemu/job-kallsyms" "$1"
	"$TOP/scripts/judge.sh" --no-tap "$1" >&2 ||
		die "the guest that reads the symbols of $ROW $ARCH failed, see $1"
}

fill() {
	local dir
	dir=$(mktemp -d "$CACHE/logs/kallsyms-$ROW-$ARCH.XXXXXX")
	boot "$dir"
	tr -d '\0' <"$dir/disk" | grep -v '\]$' >"$FILE.new"
	mv "$FILE.new" "$FILE"
	rm -r "$dir"
}

[ $# -eq 2 ] || die "usage: kallsyms.sh ROW ARCH"
ROW=$1
ARCH=$(arch_name "$2")
row_load "$ROW" "$ARCH"
cache_init
FILE=$(kernel_dir "$ROW" "$ARCH")/kallsyms
if [ ! -e "$FILE" ]; then
	lock "kallsyms-$ROW-$ARCH"
	# The caller's variables are for another guest
	unset "${!VM_@}"
	[ -e "$FILE" ] || fill
fi
echo "$FILE"
