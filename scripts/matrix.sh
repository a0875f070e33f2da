#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# matrix.sh: run by `make matrix`. Print the kernels of kernels.tbl and own-kernels.tbl, their
# features and the results of their last checks. The script fetches nothing.
#
# matrix.sh --keep RUN: store the results of the check in the directory RUN, for each of the
# "ROW ARCH" lines on stdin.
# matrix.sh --readme: rewrite README.rst's table of tested kernels from the stored results.
# matrix.sh --readme-own: rewrite README.rst's table of the kernels of own-kernels.tbl. Each is
# checked in a run of its own, so kernels without a stored result keep their line.

. "$(dirname "$0")/lib.sh"

TABLE_BEGIN='.. tested kernels: begin'
TABLE_END='.. tested kernels: end'
OWN_BEGIN='.. own kernels: begin'
OWN_END='.. own kernels: end'

# Print the results of the groups of tests that have the kernel in their label.
results_of() {	# results_of RUN ROW ARCH
	cat "$1"/results/* | grep -E "^(ok|not ok|skip) ([a-z]+ )?$2 $3( [^:]*)?: " || true
}

keep() {	# keep RUN
	local row arch file lines
	mkdir -p "$RESULTS"
	while read -r row arch; do
		file=$RESULTS/$row-$arch
		lines=$(results_of "$1" "$row" "$arch")
		cat >"$file.new" <<-EOF
		version=$(meta "$row" "$arch" version 2>/dev/null)
		release=$(meta "$row" "$arch" release 2>/dev/null)
		layout=$(meta "$row" "$arch" layout 2>/dev/null)
		date=$(date -u +%F)
		kernel=${KERNEL:-}
		run=${1##*/}
		passed=$(grep -c '^ok' <<<"$lines" || true)
		bad=$(grep -c -E '^(not ok|skip)' <<<"$lines" || true)
		EOF
		mv "$file.new" "$file"
	done
}

result_field() {	# result_field ROW ARCH FIELD
	sed -n "s/^$3=//p" "$RESULTS/$1-$2" 2>/dev/null || true
}

last_result() {	# last_result ROW ARCH
	local bad passed
	bad=$(result_field "$1" "$2" bad)
	passed=$(result_field "$1" "$2" passed)
	case $bad:$passed in
	:)	echo "not checked" ;;
	0:0)	echo "nothing ran $(result_field "$1" "$2" date)" ;;
	0:*)	echo "$passed passed $(result_field "$1" "$2" date)" ;;
	*)	echo "$bad FAILED $(result_field "$1" "$2" date)" ;;
	esac
}

# Print how ftrace passes a function's arguments: in struct ftrace_regs or struct pt_regs.
argument_access() {	# argument_access ROW ARCH
	if [ "$(kconfig "$1" "$2" DYNAMIC_FTRACE_WITH_ARGS)" = y ]; then echo args; else echo regs; fi
}

columns() { printf '%-12s %-7s %-19s %-26s %-7s %-7s %-13s %-4s %s\n' "$@"; }

print_row() {	# print_row ROW ARCH SUITE
	if [ ! -e "$(kernel_dir "$1" "$2")/meta" ]; then
		columns "$1" "$2" "$3" "not fetched" - - - - "$(last_result "$1" "$2")"
		return
	fi
	columns "$1" "$2" "$3" "$(meta "$1" "$2" release)" "$(meta "$1" "$2" layout)" \
		"$(argument_access "$1" "$2")" "$(kconfig "$1" "$2" KALLSYMS_ALL)" \
		"$(kconfig "$1" "$2" X86_KERNEL_IBT)" "$(last_result "$1" "$2")"
}

print_matrix() {
	local row arch suite
	columns row arch suite kernel layout access KALLSYMS_ALL IBT "last check"
	while read -r row arch suite _; do
		print_row "$row" "$arch" "$suite"
	done < <(table_rows; own_rows)
}

# Whether all tests ran on a kernel and passed.
all_passed() {	# all_passed ROW ARCH
	[ "$(result_field "$1" "$2" kernel)" = all ] && [ "$(result_field "$1" "$2" bad)" = 0 ] &&
		[ "$(result_field "$1" "$2" passed)" != 0 ]
}

readme_columns() { printf '%-12s  %-18s  %-20s  %-7s  %6s  %6s\n' "$@"; }

# Print one line of README's table. It covers both architectures of a row.
readme_row() {	# readme_row ROW SUITE
	local version arch tested=() versions
	for arch in x86_64 arm64; do
		all_passed "$1" $arch || die "$1 $arch did not pass: run make check KERNEL=all first"
		tested+=("$(result_field "$1" $arch passed)")
	done
	versions=$(for arch in x86_64 arm64; do result_field "$1" $arch version; done | sort -u)
	version=$(paste -sd, <<<"$versions")
	readme_columns "$1" "$2" "$version" "$(result_field "$1" x86_64 layout)" "${tested[@]}"
}

readme_table() {
	local row suite rule
	# The table must not mix the results of several runs.
	[ "$(table_rows | while read -r row arch _; do result_field "$row" "$arch" run; done | sort -u | wc -l)" -eq 1 ] ||
		die "the kernels were not all checked in one run: run make check KERNEL=all first"
	rule="============  ==================  ====================  =======  ======  ======"
	printf '%s\n' "$TABLE_BEGIN" "" "$rule"
	readme_columns KERNEL= "Debian suite" version layout x86-64 arm64
	echo "$rule"
	while read -r row suite; do
		readme_row "$row" "$suite"
	done < <(table_rows | awk '!seen[$1]++ { print $1, $3 }')
	printf '%s\n' "$rule" "" "$TABLE_END"
}

own_columns() { printf '%-7s  %-6s  %-8s  %-19s  %6s\n' "$@"; }

# Print README's line of a kernel, if it has one.
own_line() {	# own_line ROW ARCH
	awk -v begin="$OWN_BEGIN" -v end="$OWN_END" -v row="$1" -v arch="$2" '
		$0 == begin { inside = 1 }
		$0 == end { inside = 0 }
		inside && $1 == row && $2 == arch' "$TOP/README.rst"
}

# Print the line of a kernel after the last check of all tests on it.
own_row() {	# own_row ROW ARCH CC
	local passed
	passed=$(result_field "$1" "$2" passed)
	if [ -n "$passed" ]; then
		if [ "$passed" = 0 ] || [ "$(result_field "$1" "$2" bad)" != 0 ]; then
			die "$1 $2 did not pass: run make check KERNEL=$1 ARCH=$2 first"
		fi
		own_columns "$1" "$2" "$3" "$(result_field "$1" "$2" version)" "$passed"
	else
		own_line "$1" "$2" | grep . || own_columns "$1" "$2" "$3" - -
	fi
}

own_table() {
	local row arch cc rule="=======  ======  ========  ===================  ======"
	printf '%s\n' "$OWN_BEGIN" "" "$rule"
	own_columns KERNEL= ARCH= compiler version passed
	echo "$rule"
	while read -r row arch _ _ cc _; do
		own_row "$row" "$arch" "$cc"
	done < <(own_rows)
	printf '%s\n' "$rule" "" "$OWN_END"
}

rewrite_readme() {	# rewrite_readme BEGIN END TABLE-FUNCTION
	local table new
	grep -q -x -F "$1" "$TOP/README.rst" || die "README.rst has no line '$1'"
	table=$("$3")
	new=$(awk -v begin="$1" -v end="$2" -v table="$table" '
		$0 == begin { print table; inside = 1 }
		!inside { print }
		$0 == end { inside = 0 }' "$TOP/README.rst")
	printf '%s\n' "$new" >"$TOP/README.rst"
}

cache_init
RESULTS=$CACHE/results
case ${1:-} in
--keep)		keep "$2" ;;
--readme)	rewrite_readme "$TABLE_BEGIN" "$TABLE_END" readme_table ;;
--readme-own)	rewrite_readme "$OWN_BEGIN" "$OWN_END" own_table ;;
*)		print_matrix ;;
esac
