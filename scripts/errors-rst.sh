#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# errors-rst.sh [--write]: make the list of errors of Documentation/objtrace.rst from
# include/objtrace_errors.h. Print the list, or write it between its markers in the document.

. "$(dirname "$0")/lib.sh"

DOCUMENT=$TOP/Documentation/objtrace.rst
BEGIN='.. errors: begin, made by scripts/errors-rst.sh --write'
END='.. errors: end'

# An entry has an ID, an errno, a sentence, and one or more strings with the help.
errors_rst() {
	awk '
		/^OBJTRACE_ERROR\(/ {
			match($0, /, *\t*E[A-Z]+,/)
			errno = substr($0, RSTART, RLENGTH)
			gsub(/[, \t]/, "", errno)
			sentence = $0
			sub(/^[^"]*"/, "", sentence)
			sub(/",$/, "", sentence)
			printf "``%s`` (%s)\n", sentence, errno
			next
		}
		/^\t"/ {
			last = sub(/"\)$/, "")
			sub(/^\t"/, "")
			sub(/ ?"$/, "")
			gsub(/\\"/, "\"")
			print "    " $0 (last ? "\n" : "")
		}
	' "$TOP/include/objtrace_errors.h"
}

section() { printf '%s\n\n' "$BEGIN"; errors_rst; echo "$END"; }

# Print the document with its section replaced by SECTION.
renewed() {
	awk -v begin="$BEGIN" -v end="$END" -v section="$1" '
		$0 == begin { print section; skip = 1 }
		!skip { print }
		$0 == end { skip = 0 }
	' "$DOCUMENT"
}

case ${1:-} in
'')	section ;;
--write)
	if ! grep -q -F -x "$BEGIN" "$DOCUMENT" || ! grep -q -F -x "$END" "$DOCUMENT"; then
		die "$DOCUMENT lacks the markers '$BEGIN' and '$END'"
	fi
	text=$(renewed "$(section | sed 's/\\/\\\\/g')"; echo .)
	printf '%s' "${text%.}" >"$DOCUMENT"
	;;
*)	die "usage: errors-rst.sh [--write]" ;;
esac
