#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-dkms.sh ROW NEXT-ROW
#
# Run README.rst's commands for dkms, and check the messages about Secure Boot that
# Documentation/troubleshooting.rst quotes. The real dkms runs in a temporary Debian chroot,
# where uname reports the kernel of ROW. An update of the chroot then installs the kernel of
# NEXT-ROW, with the module that build-module.sh built. A guest loads the module that dkms built.
#
# All mounts end with their mount namespace, and all writes go to memory: the chroot and the
# kernels in the cache stay unchanged.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/root.sh"

SUITE=bookworm
# The test itself needs dkms and openssl. On a real machine, the packages of a kernel and its
# headers install the other packages.
PACKAGES=(dkms openssl kmod xz-utils gcc-12 libelf1 libssl3 pahole)

make_root() {
	mount -t tmpfs tmpfs "$WORK"
	mkdir "$ROOT"
	overlay "$ROOT" "$BASE"
	overlay "$ROOT/usr" "$(kernel_dir "$ROW" "$ARCH")/headers/usr" "$BASE/usr"
	mount -t proc proc "$ROOT/proc"
	mkdir -p "$ROOT/lib/modules" "$ROOT$TREE"
	add_kernel "$ROW"
	# A git checkout: with a .git, and without the files of a build
	copy_tree "$ROOT$TREE" ! -name '*.o' ! -name '*.ko' ! -name '*.mod*' ! -name '*.cmd'
	mkdir "$ROOT$TREE/.git"
	touch "$ROOT$TREE/.git/config"
	stub sudo <<<'exec "$@"'
	stub_uname
}

in_root() {	# in_root COMMAND: run a shell command in the source tree
	say "\$ $1"
	chroot "$ROOT" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
		sh -c "cd $TREE && $1" >"$WORK/said" 2>&1 || echo "'$1' failed: $(tail -n 3 "$WORK/said")"
	find "$ROOT/var/lib/dkms" -path '*/build/make.log' -exec cat {} + >>"$WORK/said" || true
	cat "$WORK/said" >&2
}

# Print the only command of README.rst that matches PATTERN.
readme() {	# readme PATTERN
	local command
	command=$(sed -n "s/^    \\$ //p" "$TOP/README.rst" | grep -E "^$1" | sed "s/VERSION/$VERSION/g")
	[ "$(grep -c . <<<"$command")" = 1 ] || die "README.rst does not have exactly one command '$1'"
	echo "$command"
}

status_is() {	# status_is STATUS
	local said
	in_root "$(readme 'dkms status')"
	said=$(grep '^objtrace' "$WORK/said" | sort || true)
	diff <(printf '%s' "$1") <(printf '%s' "$said")
}

module_of() { echo "$ROOT/lib/modules/$1/updates/dkms/objtrace.ko.xz"; }	# module_of RELEASE

installed() {	# installed RELEASE
	local ko=$WORK/objtrace-$1.ko field serial
	grep -q '^updates/dkms/objtrace.ko' "$ROOT/lib/modules/$1/modules.dep" ||
		echo "modules.dep of $1 does not list the module"
	xz -dc "$(module_of "$1")" >"$ko" || { echo "no module for $1"; return; }
	field=$(modinfo -F vermagic "$ko")
	if [ "${field%% *}" != "$1" ]; then echo "vermagic '$field' in the module for $1"; fi
	field=$(modinfo -F version "$ko")
	if [ "$field" != "$VERSION" ]; then echo "version '$field', dkms.conf has $VERSION"; fi
	if [ "$(tail -c 28 "$ko")" != '~Module signature appended~' ]; then echo "no signature"; fi
	serial=$(chroot "$ROOT" openssl x509 -inform der -noout -serial -in /var/lib/dkms/mok.pub)
	field=$(modinfo -F sig_key "$ko" | tr -d :)
	if [ "serial=$field" != "$serial" ]; then echo "signed by $field, mok.pub is $serial"; fi
}

files_in() { (cd "$ROOT$1" && find . -type f -printf '%P\n' | sort); }	# files_in DIR

is_copied() { diff <(files_in "$TREE" | grep -v '^\.') <(files_in "/usr/src/objtrace-$VERSION"); }

excluded() {	# excluded RELEASE: dkms refuses this kernel, and installs nothing for it
	in_root "dkms install objtrace/$VERSION -k $1" >/dev/null
	grep -q 'BUILD_EXCLUSIVE directive which does not match this kernel/arch/config' "$WORK/said" ||
		cat "$WORK/said"
	if [ -e "$(module_of "$1")" ]; then echo "the module is installed for $1"; fi
}

# Add a kernel with the configuration of ROW, without OPTION. dkms reads only the release and
# the configuration to refuse a kernel, so this kernel has nothing else.
odd_kernel() {	# odd_kernel RELEASE [OPTION]
	local headers=/usr/src/linux-headers-$1
	mkdir -p "$ROOT/lib/modules/$1" "$ROOT$headers"
	cp "$ROOT/usr/src/linux-headers-$RELEASE/.config" "$ROOT$headers/"
	ln -s "$headers" "$ROOT/lib/modules/$1/build"
	if [ -n "${2:-}" ]; then sed -i "/^$2=/d" "$ROOT$headers/.config"; fi
}

# Add a kernel that dkms builds for. Its Makefile copies MODULE: kbuild would only repeat the
# build for ROW.
newer_kernel() {	# newer_kernel RELEASE MODULE
	local headers=$ROOT/usr/src/linux-headers-$1
	odd_kernel "$1"
	cp "$2" "$headers/stand-in.ko"
	mkdir -p "$headers/include/"{config,generated}
	cp "$ROOT/usr/src/linux-headers-$RELEASE/.config" "$headers/include/config/auto.conf"
	echo "#define UTS_RELEASE \"$1\"" >"$headers/include/generated/utsrelease.h"
	cp -a "$ROOT/usr/src/linux-headers-$RELEASE/scripts" "$headers/"
	# shellcheck disable=SC2016  # make expands it
	printf 'modules:\n\tcp stand-in.ko $(M)/objtrace.ko\nclean:\n' >"$headers/Makefile"
}

check_excluded() {
	local option options
	options=$(sed -n '/^Requirements/,/^Tested/p' "$TOP/README.rst" | grep -o 'CONFIG_[A-Z_]*') ||
		die "README.rst names no option under Requirements"
	if [ "$ARCH" != x86_64 ]; then options=$(grep -v -x CONFIG_KALLSYMS_ALL <<<"$options"); fi
	odd_kernel 6.0.0-9-test
	result "$(excluded 6.0.0-9-test)" "dkms refuses a kernel before 6.1"
	newer_kernel 7.99.0-test "$WORK/objtrace-$RELEASE.ko"
	result "$(in_root "dkms install objtrace/$VERSION -k 7.99.0-test")" "dkms accepts a newer kernel"
	for option in $options; do
		odd_kernel "6.99.0-$option" "$option"
		result "$(excluded "6.99.0-$option")" "dkms refuses a kernel without $option"
	done
}

check_dkms() {
	result "$(in_root "$(readme 'sudo dkms install')"; installed "$RELEASE")" \
		"the README's command builds, signs and installs the module"
	result "$(is_copied)" "dkms copies the tree without .git"
	result "$(status_is "objtrace/$VERSION, $RELEASE, $MACHINE: installed")" "dkms status shows the module as installed"
	add_modules "$NEXT"
	newer_kernel "$NEXT_RELEASE" "$NEXT_BUILD/objtrace.ko"
	result "$(in_root "/etc/kernel/postinst.d/dkms $NEXT_RELEASE"; installed "$NEXT_RELEASE")" \
		"an update to $NEXT's kernel installs the module for that kernel"
	check_excluded
}

check_removal() {
	result "$(in_root "$(readme 'sudo dkms remove')"; status_is "")" "the README's command removes the module"
	result "$(in_root "$(readme 'sudo rm -r')"; leftovers)" "no file of the module is left"
}

boot() {	# boot NAME [APPEND]
	local log=$LOG/$1
	VM_TREE=$WORK/tree VM_APPEND=${2:-} \
		"$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/qemu/job-dkms" "$log"
	"$TOP/scripts/judge.sh" "$log" | sed "s/^\(ok\|not ok\) /&$1: /" ||
		grep '^#' "$log/verdict.log" >&2
}

# Load the module in a guest. Then check the messages of a machine where the key of dkms is
# not enrolled. The guest has no firmware, so two kernel parameters stand for Secure Boot:
# Secure Boot sets the same two restrictions in Debian's kernels.
check_guest() {
	local sentence
	mkdir -p "$WORK/tree/modules"
	cp "$WORK/objtrace-$RELEASE.ko" "$WORK/tree/modules/objtrace.ko"
	echo "$VERSION" >"$WORK/tree/version"
	boot "in a guest"
	for sentence in 'Key was rejected by service' 'Loading of module with unavailable key is rejected'; do
		result "$(grep -qF "$sentence" "$TOP/Documentation/troubleshooting.rst" || echo "no '$sentence'")" \
			"troubleshooting.rst quotes '$sentence'"
		echo "$sentence"  >>"$WORK/tree/refusal"
	done
	boot "no key enrolled" "lockdown=integrity module.sig_enforce=1"
}

[ $# -eq 2 ] || die "usage: check-dkms.sh ROW NEXT-ROW"
enter_own_mounts "the test of dkms" "$@"
ROW=$1
NEXT=$2
ARCH=$(host_arch)
MACHINE=$(uname -m)
cache_init
for row in "$ROW" "$NEXT"; do "$TOP/scripts/fetch-kernel.sh" "$row" "$ARCH"; done
RELEASE=$(meta "$ROW" "$ARCH" release)
NEXT_RELEASE=$(meta "$NEXT" "$ARCH" release)
VERSION=$(version)
BASE=$CACHE/chroots/dkms
make_chroot dkms "$SUITE" "${PACKAGES[@]}"
NEXT_BUILD=$("$TOP/scripts/build-module.sh" "$NEXT" "$ARCH")
LOG=$(run_dir dkms)
WORK=$(mktemp -d "$CACHE/dkms.XXXXXX")
trap 'umount -R -l "$WORK" || true; rmdir "$WORK"' EXIT
ROOT=$WORK/root
TREE=/root/objtrace
make_root
check_dkms
check_guest
check_removal
