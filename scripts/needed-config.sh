#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# needed-config.sh ARCH AUTOCONF
#
# Compare a kernel's include/config/auto.conf with the fragments selftests/config and
# selftests/config.ARCH. Print one line for each option that the kernel lacks, in three columns
# with tabs between them:
#	the option with the needed value, "CONFIG_A=y"
#	"all" if no test can run without the option, else "tests"
#	the option's group in the fragment, which names the code or the test that needs it

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: needed-config.sh ARCH AUTOCONF"
arch=$(arch_name "$1")
[ -r "$2" ] || die "no $2"
awk -v OFS='\t' '
	FILENAME == ARGV[1] {
		at = index($0, "=")
		if (at) value[substr($0, 1, at - 1)] = substr($0, at + 1)
		next
	}
	/^# Needed by .*:$/ {
		group = substr($0, 13, length($0) - 13)
		may_be_module = sub(/, =y or =m$/, "", group)
		scope = group ~ /^test\.d/ ? "tests" : "all"
		ignored = group == "no test"
		if (match(group, / without [A-Z0-9_]+$/)) {
			ignored = "CONFIG_" substr(group, RSTART + 9) in value
			group = substr(group, 1, RSTART - 1)
		}
		next
	}
	/^(# |CONFIG_)[A-Z0-9_]+=[ymn]$/ {
		sub(/^# /, "CONFIG_")
		split($0, part, "=")
		seen = part[1] in value ? value[part[1]] : "n"
		if (ignored || seen == part[2] || may_be_module && seen ~ /^[ym]$/) next
		print $0, scope, group
	}' "$2" "$TOP/selftests/config" "$TOP/selftests/config.$arch"
