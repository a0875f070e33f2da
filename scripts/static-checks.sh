#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# static-checks.sh: what can be said about the sources without running them.
# One "ok" or "not ok" line per check, complaints on stderr.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/known-good.sh"

MAX_FUNCTION_LINES=60
SPARSE_ROW=6.12-new

# What checkpatch misunderstands in a table that is a macro ("X-macro"), and in
# prototypes and types that are made by one: only in the files that have some. The
# long strings in these tables are documentation, which nobody greps for.
X_MACRO_FILES='objtrace_(symbols|structs|ksyms|errors|event|parse)\.h|objtrace_(ksyms|btf|built|parse)\.c|objtrace_target(_trace)?\.[ch]'
X_MACROS=MULTISTATEMENT_MACRO_USE_DO_WHILE,TRAILING_SEMICOLON,MACRO_ARG_UNUSED,COMPLEX_MACRO
X_MACROS+=,AVOID_EXTERNS,FUNCTION_ARGUMENTS,NEW_TYPEDEFS,SPLIT_STRING,CONST_STRUCT

# Files of the project whose path matches one of the patterns, without what a
# build leaves behind.
files() {	# files PATTERN...
	local file pattern
	(cd "$TOP" && find . -name .git -prune -o -type f -printf '%P\n') | sort |
	while read -r file; do
		case $file in *.o|*.ko|*.mod|*.mod.c|*.cmd|*.order|*.symvers) continue ;; esac
		for pattern in "$@"; do
			# shellcheck disable=SC2053  # a pattern
			if [[ $file == $pattern ]]; then echo "$file"; break; fi
		done
	done
}

c_files() { files '*.c' '*.h'; }
module_c_files() { files 'objtrace*.c' 'include/*.h' 'selftests/test_modules/*.[ch]' \
	'selftests/bench/*.c' 'selftests/truth/truth_[mp]*.c'; }

scripts() {	# files that a shell reads
	(cd "$TOP" && files '*' | xargs -r -d '\n' awk '
		FNR > 1 || FILENAME ~ /[.]tc$/ { next }
		FILENAME ~ /[.]sh$/ || /^#!.*[\/ ](ba|da)?sh( |$)/ { print FILENAME }')
}

# The scripts that a script sources are input of the check, too: the key has all of them.
shellcheck_complaints() {
	local list out
	mapfile -t list < <(scripts)
	if [ ${#list[@]} -eq 0 ]; then echo "no files to check"; return; fi
	cd "$TOP" || return
	good_init shellcheck < <(shellcheck --version; cat "${list[@]}")
	out=$(printf '%s\n' "${list[@]}" | check_unknown shellcheck -x -e SC1091)
	head -n 60 <<<"$out"
}

sparse_complaints() {	# sparse_complaints ARCH
	local build
	build=$("$TOP/scripts/build-module.sh" "$SPARSE_ROW" "$1" sparse) || { echo "the build failed"; return; }
	# What the kernel's own headers do is not ours.
	grep -E '(warning|error):' "$build/build.log" | grep -v -E '/usr/src/linux-headers|^\./|^include/linux' || true
}

# checkpatch reads a file of options, too, if one is there.
run_checkpatch() {	# run_checkpatch IGNORED-TYPES: the files named on stdin
	local list
	mapfile -t list
	[ "${#list[@]}" -gt 0 ] || { echo "checkpatch was given no files"; return; }
	cd "$TOP" || return
	good_init checkpatch < <(
		echo "$1"
		perl --version
		cat "${checkpatch%/*}"/* {.,.scripts,"$HOME"}/.checkpatch.conf 2>/dev/null
	)
	printf '%s\n' "${list[@]}" | check_unknown perl "$checkpatch" --no-tree --no-summary \
		--terse --show-types --quiet ${1:+--ignore "$1"} -f
}

checkpatch_complaints() {
	local checkpatch
	checkpatch=$("$TOP/scripts/fetch-checkpatch.sh") || { echo "checkpatch cannot be fetched"; return; }
	(module_c_files | grep -v -E "$X_MACRO_FILES" | run_checkpatch "")
	(module_c_files | grep -E "$X_MACRO_FILES" | run_checkpatch "$X_MACROS")
}

kernel_doc_complaints() {
	local list tool
	tool=$(meta "$SPARSE_ROW" x86_64 kdir)/scripts/kernel-doc
	[ -r "$tool" ] || { echo "no kernel-doc in $tool"; return; }
	mapfile -t list < <(module_c_files)
	(cd "$TOP" && perl "$tool" -Wreturn -none "${list[@]}" 2>&1) | grep -E 'warning|error' || true
}

version_tests() {
	on_matches 'LINUX_VERSION_CODE|KERNEL_VERSION' '*.[chS]' '*Kbuild'
}

on_matches() {	# on_matches REGEX PATTERN...
	local regex=$1
	shift
	(cd "$TOP" && files "$@" | xargs -r grep -n -I -E -- "$regex") || true
}

# A function's body: from a line "{" to a line "}", both in the first column.
long_functions() {
	(cd "$TOP" && c_files | xargs -r awk -v max="$MAX_FUNCTION_LINES" '
		FNR == 1 { start = 0 }
		/^{/ { start = FNR; next }
		/^}/ {
			if (start && FNR - start - 1 > max)
				print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
			start = 0
		}')
}

no_spdx() {
	local list
	list=$(files '*.[chS]' '*.rst' '*.tc' 'scripts/*' '*Makefile' '*Kbuild' '.ci/run' 'selftests/qemu/*' | sort)
	(cd "$TOP" && xargs -r -d '\n' awk '
		FNR <= 3 && /SPDX-License-Identifier: GPL-2.0/ { print FILENAME }' <<<"$list") |
		sort -u | comm -23 <(echo "$list") - | sed 's/$/: no SPDX line/'
}

# A test says what it tests, and uses what every shell has. A failure behind a ! would
# not end it.
test_complaints() {
	local list
	mapfile -t list < <(files '*.tc')
	[ ${#list[@]} -gt 0 ] || { echo "no tests to check"; return; }
	(cd "$TOP" && grep -L '^# description: .' "${list[@]}" | sed 's/$/: no description/') || true
	on_matches '^[[:space:]]*! |[[][[] |^[[:space:]]*function ' '*.tc'
}

# No build may depend on one particular mirror.
mirror_hosts() { on_matches '(https?|ftp)://[^ ]*debian[^ ]*/|debian[.](org|net)/debian' '*'; }

# What the documentation says about errors is made from their list.
stale_errors() {
	diff <(sed -n '/^\.\. errors: begin/,/^\.\. errors: end$/p' "$TOP/Documentation/objtrace.rst") \
		<("$TOP/scripts/errors-rst.sh") | sed 's/^/scripts\/errors-rst.sh --write is due: /'
}

# The kernels that README.rst says were tested are those of the table.
stale_readme() {
	diff <(sed -n '/^\.\. tested kernels: begin/,/^\.\. tested kernels: end/p' "$TOP/README.rst" |
		awk '/^===/ { rules++ } rules == 2 && !/^=/ { print $1, $2, $4 }') \
		<(table_rows | awk '!seen[$1]++ { print $1, $3, $8 }') |
		sed 's/^/make check KERNEL=all, and after it scripts\/matrix.sh --readme, is due: /'
}

# The documentation as a man page, made with what `make man' uses: the width is that of
# a terminal, where long lines may be too long.
man_complaints() {
	local dir page
	dir=$(mktemp -d "$CACHE/man.XXXXXX")
	page=$dir/objtrace.4
	make -s -C "$TOP" MANPAGE="$page" man 2>&1 || echo "make man failed"
	[ -s "$page" ] || echo "make man has made nothing"
	MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" >"$dir/text" 2>"$dir/warnings" ||
		echo "man failed"
	cat "$dir/warnings"
	rm -r "$dir"
}

cache_init
for arch in x86_64 arm64; do "$TOP/scripts/fetch-kernel.sh" "$SPARSE_ROW" "$arch"; done
result "$(version_tests)" "no kernel version test in a source"
result "$(long_functions)" "no function over $MAX_FUNCTION_LINES lines"
result "$(stale_errors)" "the documentation explains the errors that there are"
result "$(stale_readme)" "README.rst names the kernels that are tested"
result "$(man_complaints)" "the man page"
result "$(no_spdx)" "every source has its SPDX line"
result "$(test_complaints)" "each test says what it tests, and uses what every shell has"
result "$(mirror_hosts)" "no mirror's host name in the tree"
result "$(shellcheck_complaints)" "shellcheck"
result "$(checkpatch_complaints)" "checkpatch"
result "$(kernel_doc_complaints)" "kernel-doc"
for arch in x86_64 arm64; do
	result "$(sparse_complaints $arch)" "sparse, $arch"
done
