#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-deb.sh SUITE ROW
#
# Build the packages with deb.sh in a chroot with Debian's SUITE, and check them with lintian.
# Install them in another chroot, where dkms builds the module for the kernel of ROW. A guest
# uses the program and the module. Then purge the packages.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/elf.sh"
. "$(dirname "$0")/root.sh"

# The Build-Depends of debian/control, and the programs that deb.sh itself needs
BUILD_PACKAGES=(build-essential debhelper dh-dkms esbuild libbpf-dev libtracecmd-dev libtraceevent-dev
	libtracefs-dev node-d3-scale node-d3-zoom pkgconf python3-docutils zlib1g-dev cpio lintian)
# The packages of a kernel and its headers would install the compiler
RUN_PACKAGES=(dkms kmod xz-utils libelf1 libssl3 pahole zlib1g libbpf1 libtracecmd1 libtraceevent1
	libtracefs1)
FILES='/usr/bin/objtrace /usr/share/bash-completion/completions/objtrace
	/usr/share/man/man1/objtrace.1.gz /usr/share/man/man4/objtrace.4.gz
	/usr/share/doc/objtrace/report-json.rst.gz'

in_root() {	# in_root COMMAND: run a shell command in the chroot, and complain if it fails
	say "\$ $1"
	chroot "$ROOT" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
		DEBIAN_FRONTEND=noninteractive sh -c "$1" >"$WORK/said" 2>&1 ||
		echo "'$1' failed: $(tail -n 3 "$WORK/said")"
	find "$ROOT/var/lib/dkms" -name make.log -exec cat {} + >>"$WORK/said" 2>/dev/null || true
	cat "$WORK/said" >&2
}

check_build() {
	ROOT=$WORK/build
	mkdir -p "$ROOT"
	overlay "$ROOT" "$CACHE/chroots/deb-build-$SUITE"
	mount -t proc proc "$ROOT/proc"
	mkdir "$ROOT/root/objtrace"
	copy_tree "$ROOT/root/objtrace"
	result "$(in_root 'make -s -C /root/objtrace deb'
		[ "$(cd "$ROOT/root/objtrace" && echo ./*.deb)" = "$PACKAGES" ] || ls "$ROOT/root/objtrace"/*.deb)" \
		"make deb builds both packages"
	result "$(in_root 'lintian --fail-on error,warning,info /root/objtrace/*.deb')" \
		"lintian finds nothing"
}

make_run_root() {
	ROOT=$WORK/root
	mkdir -p "$ROOT"
	overlay "$ROOT" "$CACHE/chroots/deb-run-$SUITE"
	overlay "$ROOT/usr" "$(kernel_dir "$ROW" "$ARCH")/headers/usr" "$CACHE/chroots/deb-run-$SUITE/usr"
	mount -t proc proc "$ROOT/proc"
	mkdir -p "$ROOT/lib/modules"
	add_kernel "$ROW"
	cp "$WORK/build/root/objtrace"/*.deb "$ROOT/root/"
	stub_uname
}

missing_files() {
	local file
	for file in $FILES; do
		if [ ! -e "$ROOT$file" ]; then echo "no $file"; fi
	done
	grep -rhE 'No such file|command not found' "$ROOT/var/lib/dkms" --include=make.log || true
	grep -q '^updates/dkms/objtrace.ko' "$ROOT/lib/modules/$RELEASE/modules.dep" ||
		echo "modules.dep does not list the module"
}

check_guest() {
	local tree=$WORK/tree log=$RUN/guest
	mkdir -p "$tree/modules" "$tree/usr/bin" "$log"
	xz -dc "$ROOT/lib/modules/$RELEASE/updates/dkms/objtrace.ko.xz" >"$tree/modules/objtrace.ko"
	cp "$ROOT/usr/bin/objtrace" "$tree/usr/bin/"
	copy_libraries "$CACHE/chroots/deb-run-$SUITE" "$tree" "$tree/usr/bin/objtrace"
	VM_TREE=$tree "$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/qemu/job-deb" "$log"
	"$TOP/scripts/judge.sh" "$log" | sed "s/^\(ok\|not ok\) /&in a guest: /" ||
		grep '^#' "$log/verdict.log" >&2
}

check_install() {
	make_run_root
	result "$(in_root 'cd /root && apt-get install -y ./objtrace-dkms_*.deb ./objtrace_*.deb'; missing_files)" \
		"apt-get installs the packages, and dkms the module"
	check_guest
	result "$(in_root 'apt-get purge -y objtrace objtrace-dkms'; rm -f "$ROOT"/root/*.deb; leftovers)" \
		"apt-get purges the packages, and no file is left"
}

[ $# -eq 2 ] || die "usage: check-deb.sh SUITE ROW"
enter_own_mounts "the test of the packages" "$@"
SUITE=$1
ROW=$2
ARCH=$(host_arch)
row_load "$ROW" "$ARCH"
cache_init
"$TOP/scripts/fetch-kernel.sh" "$ROW" "$ARCH"
RELEASE=$(meta "$ROW" "$ARCH" release)
VERSION=$(version)
PACKAGES="./objtrace-dkms_${VERSION}_all.deb ./objtrace_${VERSION}_$(dpkg --print-architecture).deb"
make_chroot "deb-build-$SUITE" "$SUITE" "${BUILD_PACKAGES[@]}"
make_chroot "deb-run-$SUITE" "$SUITE" "${RUN_PACKAGES[@]}" "$ROW_CC"
RUN=$(run_dir deb)
WORK=$(mktemp -d "$CACHE/deb.XXXXXX")
trap 'umount -R -l "$WORK" || true; rmdir "$WORK"' EXIT
mount -t tmpfs tmpfs "$WORK"
check_build
check_install
