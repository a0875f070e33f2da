#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ci.sh: run the README's two commands in a minimal Debian, as CI does.
#
# This Debian has the minbase of mmdebstrap, make, ca-certificates and a copy of the tree. It
# is made for one run, with an empty cache: it shares only downloaded packages with the cache
# of this machine. So CI fails if deps.sh forgets a package, before a new user's machine does.
#
# The last line is the last line of `make check`. The script passes on the environment of
# check.sh and demo.sh.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

SUITE=bookworm
PACKAGES=(make ca-certificates)
# Paths in the root
TREE=/root/objtrace
NEW_CACHE=/root/.cache/objtrace
ARCHIVES=/var/cache/apt/archives
PASSED='ARCH|KERNEL|TESTS|FUZZ_(SECONDS|RUNS)|OBJTRACE_(ACCEL|JOBS|TRUTH_SEED)|[a-z]+_proxy|CI'

# A killed run may leave mounts. Remove no file below a mount: it is this machine's own.
clear_root() {
	local mounted
	for mounted in proc sys dev; do umount -R -l "$ROOT/$mounted" 2>/dev/null || true; done
	if grep -q -F " $ROOT/" /proc/self/mounts; then die "there are mounts in $ROOT"; fi
	rm -rf --one-file-system "$ROOT"
}

# The cache may be in the tree: leave it out.
copy_tree() {
	mkdir -p "$ROOT$TREE"
	tar -c -C "$TOP" --exclude=".${CACHE#"$TOP"}" . | tar -x -C "$ROOT$TREE" --no-same-owner
}

# This machine's /etc/hosts and certificates may be needed to reach the mirror.
make_root() {
	say "  making a minimal $SUITE in $ROOT"
	mkdir -p "$ROOT/etc" "$ROOT/usr/local/share"
	if [ -e /etc/hosts ]; then cp /etc/hosts "$ROOT/etc"; fi
	if [ -e /usr/local/share/ca-certificates ]; then
		cp -r /usr/local/share/ca-certificates "$ROOT/usr/local/share"
	fi
	bootstrap_into "$ROOT" "$SUITE" "${PACKAGES[@]}"
	copy_tree
	link_debs "$DEBS" "$ROOT$ARCHIVES"
	link_debs "$DEBS" "$ROOT$NEW_CACHE/debs"
}

# The new mounts are slaves, so that unmounting does not reach the machine's own mounts.
mount_into_root() {
	local dir
	for dir in proc sys dev; do
		mkdir -p "$ROOT/$dir"
		mount --rbind "/$dir" "$ROOT/$dir" 2>/dev/null || return
		mount --make-rslave "$ROOT/$dir"
	done
}

# Copy stdin to descriptor 3, except the last line, which goes to stdout.
hold_last_line() {
	local line held=
	IFS= read -r held || return 0
	while IFS= read -r line; do
		printf '%s\n' "$held" >&3
		held=$line
	done
	printf '%s\n' "$held"
}

# Descriptor 9 is closed, so that a process that outlives the run does not keep the lock.
run_readme() {
	local passed
	mapfile -d '' -t passed < <(env -0 | grep -z -E "^($PASSED)=")
	chroot "$ROOT" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root "${passed[@]}" \
		sh -c "cd $TREE && { make demo; demo=\$?; make check && exit \$demo; }" </dev/null 3>&- 9>&-
}

finish() {	# finish STATUS
	local log
	link_debs "$ROOT$ARCHIVES" "$DEBS"
	link_debs "$ROOT$NEW_CACHE/debs" "$DEBS"
	if [ "$1" -ne 0 ] && [ -d "$ROOT$NEW_CACHE/logs" ]; then
		log=$(run_dir ci)
		mv "$ROOT$NEW_CACHE/logs" "$log"
		say "  logs, copied from the chroot: $log"
	fi
	clear_root
}

[ "$(id -u)" -eq 0 ] || die "CI uses a chroot, which needs root: use sudo"
if [ -z "${OBJTRACE_PRIVATE_MOUNTS:-}" ]; then
	# shellcheck disable=SC2046  # words
	exec env OBJTRACE_PRIVATE_MOUNTS=1 $(own_mounts) "$0"
fi
"$TOP/scripts/deps.sh" mmdebstrap
cache_init
mkdir -p "$DEBS"
lock ci
ROOT=$CACHE/ci-root
clear_root
make_root
trap 'finish $?' EXIT
mount_into_root || say "  this machine does not allow mount(2): the chroot has no /proc"
# make's error and the path of the logs come before the last line, which CI reads.
status=0
exec 3>&1
closing=$(run_readme | hold_last_line) || status=$?
trap - EXIT
finish $status
if [ -n "$closing" ]; then echo "$closing"; fi
exit $status
