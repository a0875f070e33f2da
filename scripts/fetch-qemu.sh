#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-qemu.sh ARCH
#
# Print the command that runs a QEMU for ARCH, one word per line. QEMU before version 10
# corrupts x86 guests at random: it sets a wrong flag after cmpxchg16b, and fails if text is
# patched while another vCPU runs it. So an older QEMU of the system is never used. The script
# unpacks a QEMU from backports into the cache, with the libraries that this machine lacks.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

QEMU_MIN=10
SUITE=bookworm

system_qemu_ok() {
	local version
	version=$("$1" --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge "$QEMU_MIN" ]
}

# Print QEMU's packages and their dependencies that this machine lacks. apt resolves them with
# the system's status file, and with the suites of one release only: packages of several
# releases do not fit together.
missing_packages() {
	grep -E " $SUITE(-[a-z]*)? " "$APT_DIR/sources.list" >"$APT_DIR/qemu.list"
	private_apt -o "Dir::State::status=/var/lib/dpkg/status" \
		-o "Dir::Etc::sourcelist=$APT_DIR/qemu.list" \
		-o APT::Install-Recommends=false -s -t "$SUITE-backports" install \
		qemu-system-x86 qemu-system-arm 2>"$APT_DIR/qemu.log" |
	awk -v host="$(dpkg --print-architecture)" '
		/^Inst / {
			name = $2
			version = ($3 ~ /^\[/) ? $4 : $3
			sub(/^\(/, "", version)
			sub(/:.*/, "", name)
			print name ":" host "=" version
		}'
}

unpack_qemu() {
	local specs files file
	specs=$(missing_packages)
	[ -n "$specs" ] || die "QEMU $QEMU_MIN is not installed and cannot be fetched: $(head -n1 "$APT_DIR/qemu.log")"
	say "  fetching QEMU ($(wc -w <<<"$specs") packages)"
	# shellcheck disable=SC2086  # a list, one package per word
	files=$(apt_fetch $specs)
	for file in $files; do dpkg -x "$file" "$TMP"; done
}

private_command() {	# private_command DIR BINARY
	local lib=$1/usr/lib/$MULTIARCH
	printf '%s\n' env "LD_LIBRARY_PATH=$lib:$1/lib/$MULTIARCH" \
		"$1/usr/bin/$2" -L "$1/usr/share/seabios" -L "$1/usr/share/qemu"
}

runs() {	# runs DIR: or dies
	local command
	mapfile -t command < <(private_command "$1" "$BINARY")
	"${command[@]}" --version >/dev/null 2>"$CACHE/logs/qemu-version.log" ||
		die "the fetched $BINARY does not run: $(head -n1 "$CACHE/logs/qemu-version.log")"
}

[ $# -eq 1 ] || die "usage: fetch-qemu.sh ARCH"
case $(arch_name "$1") in
x86_64)	BINARY=qemu-system-x86_64 ;;
arm64)	BINARY=qemu-system-aarch64 ;;
esac
if system_qemu_ok "$BINARY"; then
	echo "$BINARY"
	exit 0
fi

cache_init
DIR=$CACHE/qemu
TMP=$DIR.new
MULTIARCH=$(dpkg-architecture -q DEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
if [ ! -e "$DIR" ]; then
	lock apt
	if [ ! -e "$DIR" ]; then
		rm -rf "$TMP"
		mkdir -p "$TMP"
		say "  no QEMU $QEMU_MIN or newer is installed, fetching one"
		apt_ready
		unpack_qemu
		runs "$TMP"
		publish "$TMP" "$DIR"
	fi
fi
runs "$DIR"
private_command "$DIR" "$BINARY"
