#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chroot.sh RELEASE KERNEL DIR COMMAND...
#
# Run a command with the tools of another Debian release than this machine's, in a
# chroot in the cache. The first call makes this chroot, with the compilers that
# kernels.tbl lists for the release.
#
# KERNEL is a fetched kernel, and its headers have the same path in the chroot. The
# command starts in DIR, which is moved into the chroot, and back at the end.
#
# A container often allows neither mount(2) nor unshare(2), but chroot(2). So this
# script makes no mounts: the headers in the chroot are hard links.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

# The tools that kbuild needs, without compilers.
PACKAGES=(make pahole kmod xz-utils perl python3)

packages() {
	local cc
	printf '%s\n' "${PACKAGES[@]}"
	for cc in $(table_rows | awk -v env="$RELEASE" '$6 == env { print $7 }' | sort -u); do
		echo "$cc"
		case $(host_arch) in
		x86_64)	echo "$cc-aarch64-linux-gnu" ;;
		arm64)	echo "$cc-x86-64-linux-gnu" ;;
		esac
	done
}

# Link the kernel's headers into the chroot. A refreshed kernel has another meta file, and its
# headers are linked again.
link_headers() {
	local copy=$ROOT$KERNEL
	lock "headers-${KERNEL##*/}"
	if [ "$copy/meta" -ef "$KERNEL/meta" ]; then return; fi
	rm -rf "$copy.new"
	mkdir -p "$copy.new"
	cp -al "$KERNEL/headers" "$KERNEL/meta" "$copy.new"
	publish "$copy.new" "$copy"
}

# objtool looks for its stack in this file, and fails without it. The address matters only
# if that stack overflows, so the address of another stack is enough.
give_maps() {
	mkdir -p "$ROOT/proc/self"
	grep -F '[stack]' /proc/self/maps >"$ROOT/proc/self/maps.$$"
	mv "$ROOT/proc/self/maps.$$" "$ROOT/proc/self/maps"
}

# If an earlier run was killed, the target may exist.
move() {	# move FROM TO
	rm -rf "$2"
	mkdir -p "${2%/*}"
	mv -T "$1" "$2"
}

[ $# -ge 4 ] || die "usage: chroot.sh RELEASE KERNEL DIR COMMAND..."
RELEASE=$1
KERNEL=$2
DIR=$3
shift 3
[ "$(id -u)" -eq 0 ] ||
	die "a build for a kernel of $RELEASE uses a chroot, which needs root: use sudo, or name a KERNEL of $(host_release) (make matrix)"
cache_init
ROOT=$CACHE/chroots/$RELEASE
mapfile -t names < <(packages)
make_chroot "$RELEASE" "$RELEASE" "${names[@]}"
chroot "$ROOT" sh -c ': >/dev/null' 2>/dev/null ||
	die "/dev/null does not work in the chroot of $RELEASE: this machine must allow mknod(2), and must not mount the cache with nodev"
link_headers
give_maps
# Release the lock: other calls need not wait for this command
exec 9>&-
move "$DIR" "$ROOT$DIR"
trap 'move "$ROOT$DIR" "$DIR"' EXIT
status=0
# shellcheck disable=SC2016  # expanded there
chroot "$ROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
	sh -c 'cd "$1" && shift && exec "$@"' sh "$DIR" "$@" || status=$?
exit $status
