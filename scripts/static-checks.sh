#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# static-checks.sh: check the sources without running them. Print one "ok" or "not ok" line per
# check; complaints go to stderr.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/known-good.sh"

MAX_FUNCTION_LINES=60
SPARSE_ROW=6.12-new

# These files have tables in macros ("X-macros"), or prototypes and types that macros make.
# checkpatch misunderstands them, so these types of its complaints are ignored in these files.
# The long strings of the tables are documentation, so they may be split.
X_MACRO_FILES='include/objtrace_(symbols|errors|event)\.h|(kernel/(ksyms|structs)|command/error|records/raw)\.h|(kernel/(ksyms|btf|built)|command/error)\.c|target/(target|functions|objtrace_target_trace)\.[ch]'
X_MACROS=MULTISTATEMENT_MACRO_USE_DO_WHILE,TRAILING_SEMICOLON,MACRO_ARG_UNUSED,COMPLEX_MACRO
X_MACROS+=,AVOID_EXTERNS,FUNCTION_ARGUMENTS,NEW_TYPEDEFS,SPLIT_STRING,CONST_STRUCT

# User space has no macro for attributes, and a handler of signals needs volatile
USER_SPACE_FILES='^(tools|selftests/(fuzz|native|threads))/'
USER_SPACE=VOLATILE,PREFER_DEFINED_ATTRIBUTE_MACRO

# Print the files of the project whose paths match a pattern, without the files of a build.
files() {	# files PATTERN...
	local file pattern
	(cd "$TOP" && find . \( -name .git -o -name node_modules \) -prune -o -type f -printf '%P\n') | sort |
	while read -r file; do
		case $file in *.o|*.ko|*.mod|*.mod.c|*.cmd|*.order|*.symvers) continue ;; esac
		for pattern in "$@"; do
			# shellcheck disable=SC2053  # a pattern
			if [[ $file == $pattern ]]; then echo "$file"; break; fi
		done
	done
}

c_files() { files '*.c' '*.h'; }
module_patterns() {	# print one per line; fail if the module has no such files
	local folders
	folders=$(module_folders) || return
	printf '%s\n' 'objtrace*.[ch]' 'include/*.h' 'selftests/test_modules/*.[ch]' \
		'selftests/bench/*.c' 'selftests/truth/truth_[mp]*.c' 'tools/objtrace/*.[ch]' \
		'selftests/fuzz/*.[ch]' 'selftests/native/*.[ch]' 'selftests/threads/*.[ch]'
	# shellcheck disable=SC2086  # words
	printf '%s/*.[ch]\n' $folders
}

module_c_files() {
	local patterns
	mapfile -t patterns < <(module_patterns)
	files "${patterns[@]}"
}

# Print the patterns that match no file: a check would pass without files.
unmatched_patterns() {
	local pattern patterns
	patterns=$(module_patterns 2>&1) || { echo "$patterns"; return; }
	while read -r pattern; do
		[ -n "$(files "$pattern")" ] || echo "no file matches $pattern"
	done <<<"$patterns"
}

scripts() {	# print the files that a shell reads
	(cd "$TOP" && files '*' | xargs -r -d '\n' awk '
		FNR > 1 || FILENAME ~ /[.]tc$/ { next }
		FILENAME ~ /[.](sh|bash-completion)$/ || /^#!.*[\/ ](ba|da)?sh( |$)/ { print FILENAME }')
}

# The scripts that a script sources are input of the check, too, so the key has all scripts.
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
	# Ignore warnings about the kernel's own headers.
	grep -E '(warning|error):' "$build/build.log" | grep -v -E '/usr/src/linux-headers|^\./|^include/linux' || true
}

# The page is built from these files, and no other.
page_complaints() {
	on_matches '^.{101}' 'tools/objtrace/page/*.js' 'tools/objtrace/page/*.css' \
		'tools/objtrace/page/*.html' | sed 's/$/: longer than 100 columns/'
	on_matches 'innerHTML|outerHTML|insertAdjacentHTML|document[.]write|\<eval\>|\<on[a-z]+=' \
		'tools/objtrace/page/*.js' 'tools/objtrace/page/*.html' | sed 's/$/: text as markup or script/'
	# A lock file with addresses would depend on one registry
	on_matches '"resolved"|https?://' 'tools/objtrace/page/*.json' | sed 's/$/: an address/'
}

python_complaints() {
	local list
	mapfile -t list < <(files '*.py')
	if [ ${#list[@]} -eq 0 ]; then echo "no files to check"; return; fi
	(cd "$TOP" && pyflakes3 "${list[@]}" 2>&1) || true
	on_matches '^.{101}' '*.py' | sed 's/$/: longer than 100 columns/'
}

# Scripts must be for the shell or for Python.
other_languages() {
	files '*.pl' '*.pm' | sed 's/$/: a Perl file/'
	on_matches '^#!.*perl|\<perl -[a-z]*e' '*'
}

# "set -e" ignores a command that fails in an argument. Its output is empty then, and the path is
# that of a directory in /.
paths_of_failures() {
	on_matches '^[^#]*\<(cp|mv|rm|ln|install) .*"\$\(.*\)/' '*.sh' 'selftests/qemu/*' 'selftests/test.d/*'
}

# If there is a file .checkpatch.conf, checkpatch reads options from it, so the key has it.
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
	checkpatch=$("$TOP/scripts/fetch-kernel-files.sh")/scripts/checkpatch.pl || { echo "checkpatch cannot be fetched"; return; }
	unmatched_patterns
	(module_c_files | grep -v -E -e "$X_MACRO_FILES" -e "$USER_SPACE_FILES" | run_checkpatch "")
	(module_c_files | grep -E "$USER_SPACE_FILES" | run_checkpatch "$USER_SPACE")
	(module_c_files | grep -E "$X_MACRO_FILES" | run_checkpatch "$X_MACROS")
}

kernel_doc_complaints() {
	local list tool
	tool=$(meta "$SPARSE_ROW" x86_64 kdir)/scripts/kernel-doc
	[ -r "$tool" ] || { echo "no kernel-doc in $tool"; return; }
	unmatched_patterns
	mapfile -t list < <(module_c_files)
	(cd "$TOP" && perl "$tool" -Wreturn -none "${list[@]}" 2>&1) | grep -E 'warning|error' || true
}

version_tests() {
	on_matches 'LINUX_VERSION_CODE|KERNEL_VERSION' '*.[chS]' '*Kbuild'
}

# A character of UTF-8 is one column, whatever the locale of the user is.
on_matches() {	# on_matches REGEX PATTERN...
	local regex=$1
	shift
	(cd "$TOP" && files "$@" | LC_ALL=C.UTF-8 xargs -r grep -n -I -E -- "$regex") || true
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
	list=$(files '*.[chS]' '*.rst' '*.tc' '*.py' '*.js' '*.css' '*.html' 'scripts/*' '*Makefile' '*Kbuild' \
		'.ci/run' 'selftests/qemu/*' | sort)
	(cd "$TOP" && xargs -r -d '\n' awk '
		FNR <= 3 && /SPDX-License-Identifier: GPL-2.0/ { print FILENAME }' <<<"$list") |
		sort -u | comm -23 <(echo "$list") - | sed 's/$/: no SPDX line/'
}

# A test must have a description, and use only features of every shell. A line must not start
# with "!", because "set -e" ignores the status of such a command.
test_complaints() {
	local list
	mapfile -t list < <(files '*.tc')
	[ ${#list[@]} -gt 0 ] || { echo "no tests to check"; return; }
	(cd "$TOP" && grep -L '^# description: .' "${list[@]}" | sed 's/$/: no description/') || true
	on_matches '^[[:space:]]*! |[[][[] |^[[:space:]]*function ' '*.tc'
}

# With pipefail, a reader that ends before the writer can make the pipe fail: SIGPIPE kills the
# writer. Whether that happens depends on the host's load.
early_readers() {
	local list
	mapfile -t list < <(cd "$TOP" && scripts | xargs -r -d '\n' grep -l '^#!/bin/bash')
	[ ${#list[@]} -gt 0 ] || { echo "no scripts to check"; return; }
	(cd "$TOP" && awk '
		{ line = (is_continued ? "| " : "") $0 }
		line ~ /(^|[^|])[|][ \t]*(head|grep[ \t]([^|]*[ \t])?-[a-zA-Z]*q)/ {
			print FILENAME ":" FNR ": " $0
		}
		{ is_continued = /(^|[^|])[|][ \t]*$/ }' "${list[@]}")
}

# bash may wait forever for a process substitution, see in_parallel() in report.sh.
endless_waits() {
	on_matches '^[^#]*(in_parallel|write_key).*< <[(]' 'scripts/*.sh' 'selftests/*.sh'
}

# No build may depend on one particular mirror. The copyright file names its format by an address.
mirror_hosts() {
	on_matches '(https?|ftp)://[^ ]*debian[^ ]*/|debian[.](org|net)/debian' '*' |
		grep -v '^debian/copyright:1:Format: ' || true
}

# The errors in the manual must be made from include/objtrace_errors.h.
stale_errors() {
	diff <(sed -n '/^\.\. errors: begin/,/^\.\. errors: end$/p' "$TOP/Documentation/objtrace.rst") \
		<("$TOP/scripts/errors-rst.sh") | sed 's/^/scripts\/errors-rst.sh --write must be run: /'
}

# Print the messages of refusals in the folder kernel/. If a message ends with a colon and a
# value, the colon and the value are left out.
refusals() {
	(cd "$TOP" && grep -h 'pr_err(' kernel/*.c) |
		sed 's/^.*pr_err("//; s/".*//; s/\\n$//; s/: $//' | sort -u
}

# porting.rst must explain each refusal.
stale_refusals() {
	# shellcheck disable=SC2016  # literals of reStructuredText
	diff <(sed -n '/^\.\. refusals: begin$/,/^\.\. refusals: end$/p' "$TOP/Documentation/porting.rst" |
		sed -n 's/^``\(.*\)``$/\1/p' | sort -u) <(refusals | grep . || echo "no refusals") |
		sed -n 's/^[<>]/Documentation\/porting.rst or kernel\/: only one of them has:/p'
}

# README.rst's table of tested kernels must have the kernels of kernels.tbl.
stale_readme() {
	diff <(sed -n '/^\.\. tested kernels: begin/,/^\.\. tested kernels: end/p' "$TOP/README.rst" |
		awk '/^===/ { rules++ } rules == 2 && !/^=/ { print $1, $2, $4 }') \
		<(table_rows | awk '!seen[$1]++ { print $1, $3, $8 }') |
		sed 's/^/run make check KERNEL=all, and then scripts\/matrix.sh --readme: /'
}

# README.rst's table of the project's own kernels must have the kernels of own-kernels.tbl.
stale_own_kernels() {
	diff <(sed -n '/^\.\. own kernels: begin/,/^\.\. own kernels: end/p' "$TOP/README.rst" |
		awk '/^===/ { rules++ } rules == 2 && !/^=/ { print $1, $2, $3 }') \
		<(own_rows | awk '{ print $1, $2, $5 }') |
		sed 's/^/run scripts\/matrix.sh --readme-own: /'
}

# The block after ".. listing: FILE" in a document must equal that file.
stale_listings() {
	local document file
	files '*.rst' | while read -r document; do
		sed -n 's/^\.\. listing: //p' "$TOP/$document" | while read -r file; do
			awk -v marker=".. listing: $file" '
				$0 == marker { on = 1; next }
				on && /^    / { inside = 1 }
				inside && NF && !/^    / { exit }
				inside { blank = blank substr($0, 5) "\n" }
				inside && NF { printf "%s", blank; blank = "" }' "$TOP/$document" |
				cmp - "$TOP/$file" 2>&1 | sed "s#^#$document: #" || true
		done
	done
}

# Print the names of scripts and tests in the documents that match no file. A name can lack its
# first folders, and can have a "*". Words in capital letters stand for a name. merge_config.sh is
# a script of the kernel.
missing_names() {
	local document list name
	list=$(files '*' | sed 's#^#/#')
	files '*.rst' | while read -r document; do
		grep -oE '[A-Za-z0-9_./*-]+\.(tc|sh|py|tbl|lst)\b|\<unit/[a-z_]+\.c\b' "$TOP/$document" | sort -u |
		grep -v -e '[A-Z][A-Z]' -e 'merge_config\.sh$' |
		while read -r name; do
			# shellcheck disable=SC2254  # a pattern
			case $list in *"/"$name|*"/"$name$'\n'*) ;; *) echo "$document: no file $name" ;; esac
		done
	done
}

# Each fault in fault-cases.rst must have a test, or the reason why none tries it. missing_names()
# checks the names of the tests.
untested_faults() {
	awk -v want=97 '
		/^\.\. faults: begin$/ { on = 1 }
		/^\.\. faults: end$/ { on = 0 }
		on && /^[A-Z][0-9]+ / {
			if (seen[$1]++) print "Documentation/fault-cases.rst: two rows for " $1
			nr++
			name = $1
		}
		on && name && /``[a-z/_-]*\.(tc|sh|c|tbl)``|Not tried/ { is_tested[name] = 1 }
		END {
			for (name in seen)
				if (!is_tested[name])
					print "Documentation/fault-cases.rst: " name " has neither a test nor a reason"
			if (nr != want) print "Documentation/fault-cases.rst: " nr + 0 " faults, not " want
		}' "$TOP/Documentation/fault-cases.rst"
}

# selftests/allocations.tbl must have each allocation of the source, and the test in which it
# fails, or "-" and a reason.
stale_allocations() {
	local table=$TOP/selftests/allocations.tbl test
	diff <(awk '!/^#/ { print $1, $2, $3 }' "$table" | sort) <("$TOP/scripts/allocation-sites.sh" | sort) |
		sed -n 's/^[<>]/selftests\/allocations.tbl or the source: only one of them has:/p'
	awk '!/^#/ { print $4 }' "$table" | sort -u | grep -v -x -e - | while read -r test; do
		[ -e "$TOP/selftests/$test" ] || [ -e "$TOP/scripts/$test" ] || echo "selftests/allocations.tbl: no test $test"
	done
	awk '!/^#/ && (NF < 4 || $4 == "-" && NF < 5) { print "selftests/allocations.tbl: no reason: " $0 }' "$table"
}

# Calls that order accesses of several CPUs. cmpxchg() and xchg() are left out, because most of them
# only change one word.
ORDERING='smp_[a-z_]+|(atomic(64|_long)?_)?[a-z]+_(acquire|release)|barrier|rcu_assign_pointer'
ORDERING+='|rcu_dereference(_sched|_raw)?|synchronize_rcu[a-z_]*'
NO_ORDERING='smp_call_[a-z_]+|smp_processor_id|single_release'

# Print the last cell of each row of a list-table on stdin, but for the header.
last_cells() {
	awk '
		/^   \* - / { if (rows++ > 1) print cell }
		sub(/^   (\*|  ) *- /, "") { cell = "" }
		{ sub(/^ +/, cell == "" ? "" : " "); cell = cell $0 }
		END { print cell }'
}

# The table of barriers in Documentation/internals.rst must have each function that orders accesses.
# Each row must end with its litmus tests, or with "--:" and a reason. Each litmus test must be in
# the table, and the functions in its comments must exist.
barrier_complaints() {
	local rows name call
	rows=$(sed -n '/^Memory ordering$/,/^Readers use/p' "$TOP/Documentation/internals.rst" |
		sed -n '/^   [* ]/p')
	"$TOP/scripts/call-sites.sh" "$ORDERING" "$NO_ORDERING" | while read -r _ name call; do
		grep -q -F "\`\`$name()\`\`" <<<"$rows" ||
			echo "Documentation/internals.rst: no row for $call() in $name()"
	done
	cd "$TOP" || return
	comm -3 <(last_cells <<<"$rows" | grep -v '^--: ' | tr -d , | xargs -n 1 | sort -u) \
		<(basename -s .litmus selftests/litmus/*.litmus) |
		sed 's/^/only the table of barriers, or only selftests\/litmus, has: /'
	grep -hoE '[a-z_]+\(\)' <(grep -h '^/\* ' selftests/litmus/*.litmus) | sort -u | while read -r name; do
		# shellcheck disable=SC2046  # words
		grep -q -r --include='*.[ch]' -F "${name%)}" $(module_folders) ||
			echo "selftests/litmus: no function $name"
	done
}

# Print the make targets in commands of the documents that the Makefile lacks. A command in a
# folder of the project has its own Makefile, and one in a build directory has the kernel's.
missing_targets() {
	local document target
	files '*.rst' | while read -r document; do
		sed -n 's/^    \$ \(sudo \)\?make \([^=]*\)\( .*\)\?$/\2/p' "$TOP/$document" | grep -v '^-C' |
		grep -oE '(^| )[a-z-]+' | sort -u | while read -r target; do
			grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" "$TOP/Makefile" ||
				echo "$document: no make target $target"
		done
	done
}

# Print the patterns of files in a field of MAINTAINERS.rst.
maintained() {	# maintained FIELD
	# shellcheck disable=SC2016  # literals of reStructuredText
	awk -v field=":$1:" '
		/^:/ { on = $1 == field }
		!NF { on = 0 }
		on' "$TOP/MAINTAINERS.rst" | grep -o '``[^`]*``' | tr -d '`' | sed 's#/$#/*#'
}

no_maintainer() {	# files on stdin
	local file pattern patterns
	mapfile -t patterns < <(maintained Files)
	while read -r file; do
		for pattern in "${patterns[@]}"; do
			# shellcheck disable=SC2053  # a pattern
			if [[ $file == $pattern ]]; then continue 2; fi
		done
		echo "$file: no entry in MAINTAINERS.rst"
	done
}

# Each source must have an entry in MAINTAINERS.rst, and each entry must have files.
maintainers_complaints() {
	local pattern
	files '*.[chS]' '*.sh' '*.py' '*.rst' '*.tc' '*.tbl' '*Makefile' '*Kbuild' | no_maintainer
	(cd "$TOP" && { maintained Files; maintained Tests; } | while read -r pattern; do
		compgen -G "$pattern" >/dev/null || echo "MAINTAINERS.rst: no $pattern"
	done)
}

# Each picture of a document must exist and be XML.
picture_complaints() {
	local document picture
	files '*.rst' | while read -r document; do
		sed -n 's/^\.\. image:: //p' "$TOP/$document" | while read -r picture; do
			xml_error "$(dirname "$TOP/$document")/$picture" |
				sed "s#^#$document: $picture: #" || true
		done
	done
}

# `make man' must work, and man must show the pages without a warning. The width is a
# terminal's, where a line may be too long.
man_complaints() {
	local dir page
	dir=$(mktemp -d "$CACHE/man.XXXXXX")
	make -s -C "$TOP" MANPAGE="$dir/objtrace.4" PROGRAM_MANPAGE="$dir/objtrace.1" man 2>&1 ||
		echo "make man failed"
	for page in "$dir"/objtrace.{1,4}; do
		[ -s "$page" ] || echo "make man made no ${page##*/}"
		MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" >"$dir/text" 2>"$dir/warnings" ||
			echo "man failed"
		cat "$dir/warnings"
	done
	rm -r "$dir"
}

# If the script fails, Python's message is on stderr
layer_complaints() { "$TOP/scripts/check-layers.py" "$TOP" || echo "check-layers.py failed"; }

# Print the option of the kernel that a word of a test means, if there is one.
needed_option() {	# needed_option WORD
	case $1 in
	hist:*)				echo HIST_TRIGGERS ;;
	snapshot)			echo TRACER_SNAPSHOT ;;
	function_graph:tracer)		echo FUNCTION_GRAPH_TRACER ;;
	events/syscalls*)		echo FTRACE_SYSCALLS ;;
	uprobe_events)			echo UPROBE_EVENTS ;;
	events/net/*|/proc/net/*)	echo NET ;;
	hackbench:program)		echo UNIX ;;
	/proc/sysrq-trigger)		echo MAGIC_SYSRQ ;;
	/proc/self/ns/time)		echo TIME_NS ;;
	/sys/devices/system/cpu/*)	echo HOTPLUG_CPU ;;
	/sys/devices/system/memory/*)	echo MEMORY_HOTREMOVE ;;
	esac
}

# Print the tests and folders of tests that selftests/config names for an option.
tests_that_need() {	# tests_that_need OPTION
	awk -v option="CONFIG_$1=y" '/^# Needed by / { group = $0 } $0 == option { print group }' \
		"$TOP/selftests/config" | grep -oE 'test\.d/[a-z_0-9/]+(\.tc)?'
}

# A kernel of the project's own can lack the option, and the test must be left out then.
ungrouped_tests() {
	local test word option needed named
	files 'selftests/test.d/*.tc' | while read -r test; do
		{
			sed -n 's/^# requires: //p' "$TOP/$test" | tr ' ' '\n'
			grep -v '^#' "$TOP/$test" | grep -m1 -o 'hist:' || true
		} | sort -u | while read -r word; do
			option=$(needed_option "$word")
			[ -n "$option" ] || continue
			named=
			for needed in $(tests_that_need "$option"); do
				case ${test#selftests/} in "$needed"|"$needed"/*) named=1 ;; esac
			done
			[ -n "$named" ] || echo "selftests/config: CONFIG_$option: ${test#selftests/} is missing"
		done
	done
}

cache_init
for arch in x86_64 arm64; do "$TOP/scripts/fetch-kernel.sh" "$SPARSE_ROW" "$arch"; done
result "$(version_tests)" "no source tests the kernel's version"
result "$(long_functions)" "no function over $MAX_FUNCTION_LINES lines"
result "$(layer_complaints)" "no file includes a higher layer, and each static function has its own name"
result "$(stale_errors)" "the manual explains all errors"
result "$(stale_refusals)" "Documentation/porting.rst explains all refusals"
result "$(stale_readme)" "README.rst lists the tested kernels"
result "$(stale_own_kernels)" "README.rst lists the kernels of own-kernels.tbl"
result "$(man_complaints)" "the man page has no warnings"
result "$(stale_listings)" "the documents show the current files"
result "$(missing_names; missing_targets)" "each script, test and make target in the documents exists"
result "$(untested_faults)" "Documentation/fault-cases.rst has a test or a reason for each fault"
result "$(stale_allocations)" "selftests/allocations.tbl has a test or a reason for each allocation"
result "$(barrier_complaints)" "Documentation/internals.rst has a litmus test or a reason for each barrier"
result "$(maintainers_complaints)" "MAINTAINERS.rst has an entry for each file"
result "$(picture_complaints)" "the documents' pictures exist"
result "$(no_spdx)" "every source has its SPDX line"
result "$(ungrouped_tests)" "selftests/config names the tests that need an option"
result "$(test_complaints)" "each test has a description, and uses only features of every shell"
result "$(early_readers)" "no pipe has a reader that ends before its writer"
result "$(endless_waits)" "no script waits for jobs after a process substitution"
result "$(mirror_hosts)" "no mirror's host name in the tree"
result "$(shellcheck_complaints)" "shellcheck"
result "$(python_complaints)" "pyflakes, and no line over 100 columns"
result "$(page_complaints)" "the page takes no text as markup, and its lock file names no registry"
result "$(other_languages)" "no script in Perl"
result "$(paths_of_failures)" "no path begins with the output of a command that may fail"
result "$(checkpatch_complaints)" "checkpatch"
result "$(kernel_doc_complaints)" "kernel-doc"
for arch in x86_64 arm64; do
	result "$(sparse_complaints $arch)" "sparse, $arch"
done
