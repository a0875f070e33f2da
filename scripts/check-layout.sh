#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-layout.sh ROW ARCH
#
# Check that the module will load on one kernel, and that it will choose the layout of the
# row. Nothing is loaded: layout-check reads the kernel's BTF and symbols, and the lists of
# the module.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: check-layout.sh ROW ARCH"
row_load "$1" "$2"
said=$("$TOP/scripts/layout-check.sh" "$1" "$2")
family=$(sed -n 's/^family //p' <<<"$said")
commands=$(sed -n 's/^commands //p' <<<"$said")
result "$([ "$family" = "$ROW_LAYOUT" ] || echo "the row covers $ROW_LAYOUT")" \
	"the layout of struct event_command that the module will choose: $family"
result "$([[ $commands =~ ^(symbol|decoded)$ ]] || echo "$said")" \
	"the module will find trigger_commands by: $commands"
result "$(grep -v -E '^(family|commands|frees)( |$)' <<<"$said" || true)" \
	"the kernel has all symbols, prototypes and members that the module needs"
