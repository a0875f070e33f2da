#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# needed-symbols.sh ROW ARCH
#
# Print the symbols that the module looks up in one kernel of the table, from
# include/objtrace_symbols.h: "func NAME" for a function that the module calls, "addr NAME" for
# an address.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: needed-symbols.sh ROW ARCH"
ARCH=$(arch_name "$2")
cache_init
config=$(meta "$1" "$ARCH" kdir)/include/generated/autoconf.h
[ -r "$config" ] || die "no kernel headers for $1 $ARCH: run scripts/fetch-kernel.sh $1 $ARCH"
symbols=$(gcc -E -P -include "$config" '-DOBJTRACE_FUNC(ret, name, args)=@func name@' \
	'-DOBJTRACE_ADDR(name)=@addr name@' "$TOP/include/objtrace_symbols.h" |
	tr '@' '\n' | sed -n -E 's/^(func|addr) +([a-z_0-9]+)$/\1 \2/p')
[ -n "$symbols" ] || die "include/objtrace_symbols.h lists no symbol"
echo "$symbols"
