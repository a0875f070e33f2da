#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-allocations.sh ROW ARCH LOGDIR
#
# If test.d/lifetime/no_memory.tc ran to its end in a guest, check that each call failed that
# selftests/allocations.tbl has for this test. The kernel's log has the addresses of the calls, and
# the debug information of the module has their functions. Print one line.

. "$(dirname "$0")/lib.sh"

TEST=test.d/lifetime/no_memory.tc

# Print "FUNCTION+OFFSET" of each call that failed: the address after the call.
failed_calls() {	# failed_calls VERDICT-LOG
	sed -n 's/^| .*objtrace_starve: .*() fails for \([^/]*\)\/.* \[objtrace\]$/\1/p' "$1" | sort -u
}

# Print "SECTION ADDRESS" of the last byte of each call on stdin. A function has one symbol.
addresses() {	# addresses KO
	local sections symbols
	sections=$(readelf -SW "$1" | sed -n 's/^ *\[ *\([0-9]*\)\] \([^ ]*\) .*/\1 \2/p')
	symbols=$(readelf -sW "$1" | awk '$4 == "FUNC" { print $8, $7, $2 }')
	while IFS=+ read -r function offset; do
		read -r _ section value < <(grep "^$function " <<<"$symbols" || true)
		[ -n "${value:-}" ] || die "${1##*/} has no function $function"
		printf '%s 0x%x\n' "$(sed -n "s/^$section //p" <<<"$sections")" \
			$((0x$value + offset - 1))
	done
}

# Print "FILE FUNCTION" of each address on stdin: the innermost function in a source of the module,
# which was built in a directory of the cache.
functions_of() {	# functions_of KO
	local section address
	while read -r section address; do
		"$(cross_prefix "$ARCH")addr2line" -e "$1" -j "$section" -f -i "$address" | awk '
			NR % 2 { name = $0; next }
			!found && sub(/^.*\/build\/[^\/]*\//, "") && !/^include|\.h:/ {
				sub(/:.*/, "")
				print $0, name
				found = 1
			}'
	done
}

# Print "call CALL" of each place at which this function of the kernel failed.
names_of() {	# names_of VERDICT-LOG
	sed -n 's/^| .*objtrace_starve: \(.*\)() fails for \([^ ]*\).*/\1 \2/p' "$1" | sort -u |
		sed 's/\(.*\) .*/call \1/'
}

# Compare the number of calls that failed in each function with the table. A call at the end of a
# function returns to another function. So it is also enough if as many places of a call failed as
# the table has.
complaints() {	# complaints KO VERDICT-LOG
	{
		failed_calls "$2" | addresses "$1" | sort -u | functions_of "$1"
		names_of "$2"
	} | awk -v test="$TEST" -v arch="$ARCH" -v layout="$(meta "$ROW" "$ARCH" layout)" '
		FILENAME == "-" { failed[$0]++; next }
		/^#/ || $4 != test { next }
		NF > 4 && $5 != arch && $5 != layout { next }
		{ in_function[$1 " " $2]++; calls["call " $3]++; row[++nr] = $0 }
		END {
			for (i = 1; i <= nr; i++) {
				split(row[i], word, " ")
				where = word[1] " " word[2]
				call = "call " word[3]
				if (failed[where] + 0 < in_function[where] && failed[call] + 0 < calls[call])
					print where ": " failed[where] + 0 " of " in_function[where] " calls failed"
			}
		}' - "$TOP/selftests/allocations.tbl" | sort -u
}

[ $# -eq 3 ] || die "usage: check-allocations.sh ROW ARCH LOGDIR"
ROW=$1
ARCH=$(arch_name "$2")
grep -q '^| .* no_memory.tc: each call failed$' "$3/verdict.log" || exit 0
cache_init
build=$("$TOP/scripts/build-module.sh" "$ROW" "$ARCH")
result "$(complaints "$build/objtrace.ko" "$3/verdict.log")" \
	"each allocation of the module that a test can reach failed once"
