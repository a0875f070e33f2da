#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tsc-khz.sh: print the frequency of the TSC in guests of QEMU without KVM, which is a counter of this
# machine, in kHz. The kernel of a guest measures it against emulated timers. If this machine is
# busy, the result is wrong by a factor of ten now and then, and then the guest's clock is, too.

. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2317  # fill_once calls it
measure() {	# measure DIR
	gcc -O2 -Wall -Werror -o "$1/tsc_khz" "$TOP/selftests/qemu/tsc_khz.c"
	"$1/tsc_khz" >"$1/khz"
}

cache_init
# The frequency can be another one after a boot, and on another machine with this cache
DIR=$CACHE/tsc-$(cat /proc/sys/kernel/random/boot_id "$TOP/selftests/qemu/tsc_khz.c" | sha256sum | cut -c1-12)
find "$CACHE" -maxdepth 1 -name 'tsc-*' ! -path "$DIR" -mtime +7 -exec rm -rf {} +
fill_once tsc "$DIR" measure
cat "$DIR/khz"
