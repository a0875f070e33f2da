#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench-program.sh ARCH NAME OUT [FLAG...]
#
# Compile selftests/bench/NAME.c into the program OUT for a guest, which has no libraries. NAME
# can be in another folder: ../events/records. FLAGs are for the compiler.

. "$(dirname "$0")/lib.sh"

[ $# -ge 3 ] || die "usage: bench-program.sh ARCH NAME OUT [FLAG...]"
"$(cross_prefix "$(arch_name "$1")")gcc-12" -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-sign-compare \
	-Wno-missing-field-initializers -ffreestanding -fno-stack-protector -static -nostdlib \
	"${@:4}" -o "$3" "$TOP/selftests/bench/$2.c"
