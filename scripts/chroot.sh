#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chroot.sh RELEASE COMMAND...
#
# Run a command with the tools of another Debian release than this machine's: in
# a chroot in the cache, which is made the first time, with the compilers that
# kernels.tbl names for that release. The cache and this tree are inside where
# they are outside; the command starts in this tree.
#
# All mounts are made in a mount namespace of their own. However this ends, they
# end with it.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

# What kbuild needs besides compilers.
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

# Runs in the mount namespace: $1 is the chroot.
# shellcheck disable=SC2016  # expanded there
ENTER='
	set -e
	root=$1
	shift
	for shared in "$OBJTRACE_CACHE" "$OBJTRACE_TOP"; do
		mkdir -p "$root$shared"
		mount --bind "$shared" "$root$shared"
	done
	mount --rbind /dev "$root/dev"
	mount -t proc proc "$root/proc"
	exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$OBJTRACE_TOP" "$@"
'

[ $# -ge 2 ] || die "usage: chroot.sh RELEASE COMMAND..."
RELEASE=$1
shift
[ "$(id -u)" -eq 0 ] ||
	die "kernels of $RELEASE are built in a chroot, which takes root: use sudo, or name a KERNEL of $(host_release) (make matrix)"
cache_init
mapfile -t names < <(packages)
make_chroot "$RELEASE" "$RELEASE" "${names[@]}"
export OBJTRACE_CACHE=$CACHE OBJTRACE_TOP=$TOP
exec unshare --mount sh -c "$ENTER" sh "$CACHE/chroots/$RELEASE" "$@" 9>&-
