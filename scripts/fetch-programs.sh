#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-programs.sh ARCH SET [ROW]: print a directory to be copied to the guest's /, or for
# make-tools.sh. It has programs and the libraries that they need.
#
#	bench		hackbench and dbench, for bench-parallel.sh. dbench gets only the
#			beginning of its script, so that it runs the script several times.
#			fio would need a hundred packages.
#	selftests	trace-cmd, hackbench, and an unshare that knows time namespaces
#	perf		perf of the Debian release and of the series of the kernel ROW
#	bpftrace	bpftrace of Debian 13

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/elf.sh"

SUITES=(bookworm)
SCRIPT=usr/share/dbench/client.txt
SCRIPT_LINES=5000

# Print "package version depends..." for each package of the suites. The first suite with a
# package has precedence, and a newer version over an older one.
listed() {
	local suite
	for suite in "${SUITES[@]}"; do
		apt_packages "$suite" "$DEB_ARCH" | sort -k1,1 -k2,2Vr
	done | awk '!seen[$1]++'
}

# Print a package, and the packages with the libraries that it depends on.
with_libraries() {	# with_libraries PACKAGE
	awk -v first="$1" '
		{ depends[$1] = $0 }
		function visit(name,	word, i, n) {
			if (seen[name]++ || !(name in depends)) return
			print name
			n = split(depends[name], word, " ")
			for (i = 3; i <= n; i++)
				if (word[i] ~ /^(lib|zlib1g)/ && word[i] !~ /-stdlib$/) visit(word[i])
		}
		END { visit(first) }' <<<"$LISTED"
}

# Set SUITES for the perf of a kernel: a suite of its Debian release has a perf of its series,
# or else the backports have a newer one.
perf_suites() {	# perf_suites ROW
	local release suite
	row_load "$1" "$ARCH"
	release=$ROW_ENV
	if [ "$release" = - ]; then release=trixie; fi
	for suite in "$release" "$release-backports"; do
		SUITES=("$suite" "$release")
		if apt_packages "$suite" "$(deb_arch "$ARCH")" |
		   grep "^linux-perf ${ROW_SERIES//./[.]}[.]" >/dev/null; then return; fi
	done
}

# shellcheck disable=SC2317  # fill_once calls it
fill() {	# fill DIR
	local package from=$1.packages
	apt_ready
	DEB_ARCH=$(deb_arch "$ARCH")
	if [ "$CLOSURE" = linux-perf ]; then perf_suites "$ROW"; fi
	LISTED=$(listed)
	if [ -n "$CLOSURE" ]; then mapfile -t PACKAGES < <(with_libraries "$CLOSURE"); fi
	rm -rf "$from"
	apt_unpack "$from" "${SUITES[*]}" "$DEB_ARCH" "${PACKAGES[@]}" <<<"$LISTED"
	for package in "${PROGRAMS[@]}"; do
		copy_elf "$from" "$1" "$1/usr/bin/$package" "bin/$package"
	done
	if [ -e "$from/$SCRIPT" ]; then
		mkdir -p "$1/${SCRIPT%/*}"
		head -n $SCRIPT_LINES "$from/$SCRIPT" >"$1/$SCRIPT"
	fi
	rm -rf "$from"
}

[ $# -ge 2 ] || die "usage: fetch-programs.sh ARCH bench|selftests|perf|bpftrace [ROW]"
ARCH=$(arch_name "$1")
NAME=$2
ROW=${3:-}
CLOSURE=
PACKAGES=()
case $2 in
bench)
	PACKAGES=(rt-tests dbench libc6 libpopt0)
	PROGRAMS=(hackbench dbench)
	;;
selftests)
	PACKAGES=(trace-cmd libtraceevent1 libtracefs1 libzstd1 rt-tests util-linux libc6)
	PROGRAMS=(trace-cmd hackbench unshare)
	;;
perf)
	row_load "$ROW" "$ARCH"
	NAME=perf-$ROW_ENV-$ROW_SERIES
	CLOSURE=linux-perf
	PROGRAMS=(perf)
	;;
bpftrace)
	SUITES=(trixie)
	CLOSURE=bpftrace
	PROGRAMS=(bpftrace)
	;;
*)	die "unknown set of programs '$2'; known: bench selftests perf bpftrace" ;;
esac
cache_init
# Another list of programs is another directory
LIST=$(printf '%s ' "${PACKAGES[@]}" "${PROGRAMS[@]}" | sha256sum | cut -c1-8)
DIR=$CACHE/programs-$NAME-$ARCH-$LIST
fill_once apt "$DIR" fill
echo "$DIR"
