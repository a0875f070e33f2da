# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that the scripts of the harness share: messages, the cache, locks, the kernel
# table. Sourced, never run.

set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Package builds have no HOME, and need no cache.
CACHE=${OBJTRACE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/objtrace}
KERNELS_TBL=${OBJTRACE_KERNELS_TBL:-$TOP/scripts/kernels.tbl}
OWN_KERNELS_TBL=$TOP/scripts/own-kernels.tbl

# A make that a script runs must not inherit the flags of the make that runs the script: it
# would warn about the jobserver, and the warning would count as a compiler's warning.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
# An empty KDIR in the environment would replace the Makefile's default.
if [ -z "${KDIR:-}" ]; then unset KDIR; fi

say() { printf '%s\n' "$*" >&2; }
die() { say "objtrace: $*"; exit 1; }

# bash reads <(COMMAND) from /dev/fd, and the sanitizers read /proc themselves.
[ -e /proc/self/fd ] || die "/proc is not mounted here; the harness needs it"

# Make a directory for the logs of one run, and delete the logs that are older than a week.
run_dir() {	# run_dir NAME
	find "$CACHE/logs" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} +
	mktemp -d "$CACHE/logs/$1-$(date +%Y%m%d-%H%M%S).XXX"
}

# Print the folders with the module's sources, which Kbuild names. It is an error if a folder
# has no .c file.
module_folders() {
	local folder folders
	folders=$(sed -n 's#^objtrace-.*= \([a-z]*\)/.*#\1#p' "$TOP/Kbuild" | sort -u)
	[ -n "$folders" ] || die "Kbuild names no folder"
	for folder in $folders; do
		compgen -G "$TOP/$folder/*.c" >/dev/null || die "no .c file in $folder/"
	done
	echo "$folders"
}

# Print the result of a check: "ok" if there is no complaint.
result() {	# result COMPLAINT NAME
	if [ -z "$1" ]; then echo "ok $2"; return; fi
	echo "not ok $2"
	say "$1"
}

# Print an error if a file is not well-formed XML.
xml_error() {	# xml_error FILE
	/usr/bin/python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" 2>&1 | tail -n 1
}

# Print the result of a test case as TAP. CASES counts the test cases, for the plan.
CASES=0
tap() {	# tap COMPLAINT NAME
	CASES=$((CASES + 1))
	if [ -z "$1" ]; then
		echo "ok $CASES $2"
	else
		echo "not ok $CASES $2"
		head -n 20 <<<"$1" | sed 's/^/# /'
	fi
}

# Rename a file or directory, so that other processes never see it incomplete. FROM must
# be in the file system of TO.
publish() {	# publish FROM TO
	rm -rf "$2.old"
	if [ -e "$2" ]; then mv -T "$2" "$2.old"; fi
	mv -T "$1" "$2"
	rm -rf "$2.old"
}

cache_init() {
	if ! mkdir -p "$CACHE/locks" "$CACHE/logs" 2>/dev/null ||
	   ! touch "$CACHE/locks/.probe" 2>/dev/null; then
		die "the cache directory $CACHE cannot be written; set OBJTRACE_CACHE to a writable directory"
	fi
	CACHE=$(cd "$CACHE" && pwd -P)
}

# Hold a named lock until the calling process ends, so that two runs in one cache wait for
# each other. A child inherits the lock: close descriptor 9 for a child that outlives the
# caller.
lock() {	# lock NAME
	exec 9>"$CACHE/locks/$1"
	if ! flock -n 9; then
		say "  waiting for another run ($1) ..."
		flock 9
	fi
}

# Create a directory of the cache, unless it exists. FUNCTION fills a temporary directory, which
# is then renamed to DIR.
fill_once() {	# fill_once LOCK DIR FUNCTION
	if [ -e "$2" ]; then return; fi
	lock "$1"
	if [ -e "$2" ]; then return; fi
	rm -rf "$2.new"
	mkdir -p "$2.new"
	"$3" "$2.new"
	publish "$2.new" "$2"
}

# Print the name that this project uses for an architecture.
arch_name() {	# arch_name ARCH
	case $1 in
	x86_64|amd64|x86-64)	echo x86_64 ;;
	arm64|aarch64)		echo arm64 ;;
	*) die "unknown ARCH '$1'; known: x86_64 arm64" ;;
	esac
}

host_arch() { arch_name "$(uname -m)"; }

deb_arch() {	# deb_arch ARCH: print Debian's name for it
	case $1 in
	x86_64)	echo amd64 ;;
	*)	echo "$1" ;;
	esac
}

table_rows() {	# print the lines of the table without its comments
	grep -v -e '^#' -e '^[[:space:]]*$' "$KERNELS_TBL"
}

row_names() {	# print the row names, in the table's order
	table_rows | awk '!seen[$1]++ { print $1 }'
}

own_rows() {	# print the lines of the table of the project's own kernels
	grep -v -e '^#' -e '^[[:space:]]*$' "$OWN_KERNELS_TBL"
}

# Set ROW_SUITE, ROW_SERIES, ROW_FLAVOUR, ROW_ENV, ROW_CC, ROW_LAYOUT and ROW_CHECK of a kernel of
# kernels.tbl. For a kernel of own-kernels.tbl, ROW_FLAVOUR and ROW_ENV are "-", ROW_CHECK is
# "own", and ROW_FRAGMENTS is not empty. ROW_SLOW is how often the time of Debian's kernels a guest
# may take.
# shellcheck disable=SC2034  # used by the scripts that source this file
row_load() {	# row_load ROW ARCH
	local line
	ROW_SLOW=1
	ROW_FRAGMENTS=
	line=$(table_rows | awk -v r="$1" -v a="$2" '$1 == r && $2 == a')
	if [ -n "$line" ]; then
		read -r _ _ ROW_SUITE ROW_SERIES ROW_FLAVOUR ROW_ENV ROW_CC ROW_LAYOUT ROW_CHECK <<<"$line"
		return
	fi
	line=$(own_rows | awk -v r="$1" -v a="$2" '$1 == r && $2 == a')
	[ -n "$line" ] || die "unknown kernel row '$1' for $2; known: $(known_names)"
	ROW_FLAVOUR=-
	ROW_ENV=-
	ROW_CHECK=own
	read -r _ _ ROW_SUITE ROW_SERIES ROW_CC ROW_LAYOUT ROW_SLOW ROW_FRAGMENTS <<<"$line"
}

# Print the files of fragments that the loaded row of own-kernels.tbl names.
own_fragments() {
	local name
	for name in $ROW_FRAGMENTS; do
		if [ -e "$TOP/selftests/kernels/$name.config" ]; then echo "$TOP/selftests/kernels/$name.config"; fi
	done
}

# Print the row names of both tables on one line.
known_names() { { row_names; own_rows | awk '!seen[$1]++ { print $1 }'; } | xargs; }

# Print the "ROW ARCH" lines that KERNEL= selects: KERNEL is the name of a row, the beginning
# of several names (6.12), or "all". An empty KERNEL selects the kernels of a plain `make
# check'. ARCH limits the lines to one architecture.
select_rows() {	# select_rows [KERNEL]
	local selected arch=
	selected=$(table_rows | awk -v kernel="${1:-}" '
		kernel == "" && $NF != "all" || kernel == "all" || $1 == kernel')
	if [ -z "$selected" ]; then selected=$(own_rows | awk -v kernel="$1" '$1 == kernel'); fi
	if [ -z "$selected" ]; then
		selected=$(table_rows | awk -v kernel="$1-" 'index($1, kernel) == 1')
	fi
	[ -n "$selected" ] || die "unknown KERNEL '$1'; known: all 6.12 $(known_names)"
	if [ -n "${ARCH:-}" ]; then arch=$(arch_name "$ARCH") || exit; fi
	selected=$(awk -v arch="$arch" 'arch == "" || $2 == arch { print $1, $2 }' <<<"$selected")
	[ -n "$selected" ] || die "no row of KERNEL '${1:-}' is for ARCH '$ARCH' (make matrix)"
	echo "$selected"
}

# Print the Debian release that this machine runs, or nothing.
host_release() { sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null || true; }

# Print the words that run a command with the tools of a Debian release, on a fetched
# kernel's headers and in the directory DIR. The release "-" is always this machine's. See
# chroot.sh.
in_env() {	# in_env RELEASE KERNEL DIR
	case $1 in
	-|"$(host_release)") ;;
	*) echo "$TOP/scripts/chroot.sh $1 $2 $3" ;;
	esac
}

# Print the words that run a command in a mount namespace of its own, or nothing if this
# machine allows no mount namespaces. In a chroot whose root is not a mount point, the
# propagation cannot be changed.
own_mounts() {
	local propagation
	for propagation in private unchanged; do
		if unshare --mount --propagation "$propagation" true 2>/dev/null; then
			echo "unshare --mount --propagation $propagation"
			return
		fi
	done
}

# Copy the files of the tree to DIR, without .git. FIND-TEST chooses among them.
copy_tree() {	# copy_tree DIR [FIND-TEST...]
	(cd "$TOP" && find . -name .git -prune -o -type f "${@:2}" -print0 | cpio --quiet -0 -pdm "$1")
}

# Print the version of objtrace.
version() { sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$TOP/dkms.conf"; }

kernel_dir() { echo "$CACHE/kernels/$1-$2"; }	# kernel_dir ROW ARCH

# Read one field of a fetched kernel's meta file.
meta() {	# meta ROW ARCH FIELD
	sed -n "s/^$3=//p" "$(kernel_dir "$1" "$2")/meta"
}

# Print the family of a kernel's struct event_command, see kernels.tbl.
observed_layout() {	# observed_layout BTF
	local members
	members=$(pahole -C event_command "$1" 2>/dev/null)
	case $members in
	*"(*get_trigger_ops)"*)	echo split ;;
	*"(*trigger)("*)	echo merged ;;
	*)			echo unknown ;;
	esac
}

# If KDIR is set, replace the kernel table by a table of the kernel that was built there.
use_own_kernel() {
	if [ -z "${KDIR:-}" ]; then return; fi
	[ -z "${KERNEL:-}" ] || die "KDIR= and KERNEL= both select a kernel: give one of them"
	KERNELS_TBL=$("$TOP/scripts/own-kernel.sh" "$KDIR")
	export OBJTRACE_KERNELS_TBL=$KERNELS_TBL
	KERNEL=$(row_names)
	unset KDIR
}

# Print an option of a fetched kernel's configuration: y, m, n or a value.
kconfig() {	# kconfig ROW ARCH OPTION
	local value
	value=$(sed -n "s/^CONFIG_$3=//p" "$(meta "$1" "$2" kdir)/include/config/auto.conf")
	echo "${value:-n}"
}

# Print the prefix of the compiler for ARCH, or nothing for this machine's architecture.
cross_prefix() {	# cross_prefix ARCH
	if [ "$1" = "$(host_arch)" ]; then return; fi
	case $1 in
	x86_64)	echo x86_64-linux-gnu- ;;
	arm64)	echo aarch64-linux-gnu- ;;
	esac
}

# Print the tests that match the patterns of $TESTS, as paths relative to selftests/.
planned_tests() {	# planned_tests OBJTRACETEST-OPTION...
	# shellcheck disable=SC2086  # patterns, to be split and expanded in that directory
	(cd "$TOP/selftests" && ./objtracetest -l "$@" ${TESTS:-} 2>/dev/null) |
		sed "s#^$TOP/selftests/##" || true
}

# Print each line of stdin that belongs to one of several parts. Neighbours, which often take the
# same time, are in different parts.
lines_of_part() {	# lines_of_part PART PARTS
	awk -v part="$1" -v parts="$2" 'NR % parts == part % parts'
}

# Print the tests, and the folders of tests, that need an option which a fetched kernel lacks.
tests_lacking_options() {	# tests_lacking_options ROW ARCH
	"$TOP/scripts/needed-config.sh" "$2" "$(meta "$1" "$2" kdir)/include/config/auto.conf" |
		awk -F '\t' '$2 == "tests" { print $3 }' | { grep -oE 'test\.d/[a-z_0-9/]+(\.tc)?' || true; } | sort -u
}

# Add BTF to an object file. pahole runs GNU objcopy, as in kbuild, because its default,
# llvm-objcopy, would need another package.
add_btf() {	# add_btf ARCH FILE PAHOLE-OPTION...
	LLVM_OBJCOPY=$(cross_prefix "$1")objcopy pahole "${@:3}" -J "$2"
}
