#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# call-sites.sh CALLS OTHERS: print a line "FILE FUNCTION CALL" for each call in the module's source
# whose name matches the regular expression CALLS, and not the expression OTHERS. A call of a
# function of the module itself is left out.

. "$(dirname "$0")/lib.sh"

[ $# -eq 2 ] || die "usage: call-sites.sh CALLS OTHERS"
# shellcheck disable=SC2016,SC2046  # a program of awk; words
cd "$TOP" && find objtrace_*.[ch] $(module_folders) -name '*.[ch]' | sort | xargs awk \
		-v calls="^($1)$" -v others="^($2)$" '
	FNR == 1 { is_comment = 0; name = "" }
	# The first line of a function: its name is before the parenthesis
	/^[a-z].*[(]/ && !/;$/ {
		name = $0
		sub(/[(].*/, "", name)
		sub(/.*[ *]/, "", name)
		is_own[name] = 1
		next
	}
	/^[ \t]*\/\*/ { is_comment = 1 }
	!is_comment && /^\t/ {
		line = $0
		gsub(/"[^"]*"/, "", line)
		while (match(line, /[a-z_0-9]+[)]?[(]/)) {
			call = substr(line, RSTART, RLENGTH)
			gsub(/[()]/, "", call)
			line = substr(line, RSTART + RLENGTH)
			if (call ~ calls && call !~ others) {
				site[++nr] = FILENAME " " name " " call
				called[nr] = call
			}
		}
	}
	/\*\// { is_comment = 0 }
	END {
		for (i = 1; i <= nr; i++)
			if (!(called[i] in is_own)) print site[i]
	}'
