#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-program.sh ARCH NAME OUT
#
# Compile selftests/bench/NAME.c into the program OUT for a guest, which has no libraries. NAME
# can be in another folder: ../events/records.

. "$(dirname "$0")/lib.sh"

[ $# -eq 3 ] || die "usage: bench-program.sh ARCH NAME OUT"
"$(cross_prefix "$(arch_name "$1")")gcc-12" -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-sign-compare \
	-Wno-missing-field-initializers -ffreestanding -fno-stack-protector -static -nostdlib \
	-o "$3" "$TOP/selftests/bench/$2.c"
