#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# deps.sh [--first|PACKAGE...]: install the Debian packages that this machine lacks: the PACKAGEs,
# or all packages that the harness needs. --first leaves out the large packages that one test needs:
# the test installs them while other tests run. Without root, print the command to run. Other
# scripts fetch QEMU, the kernels and the guest's programs into the cache.

. "$(dirname "$0")/lib.sh"

PACKAGES=(
	make gcc gcc-12 libc6-dev binutils	# modules, and the unit tests
	pkgconf libtracefs-dev libtraceevent-dev libtracecmd-dev zlib1g-dev	# the program
	esbuild node-d3-scale node-d3-zoom	# its page
	libbpf-dev pahole xz-utils zstd kmod	# BTF; unpacking kernels
	cpio e2fsprogs				# the guest's initramfs and disk
	mmdebstrap				# a Debian in a chroot
	sparse shellcheck pyflakes3		# static checks
	perl					# checkpatch and kernel-doc
	python3-docutils man-db			# the man page
	libtraceevent1				# the traces of the workloads
	python3-jsonschema			# the schemas of reports
	clang libclang-rt-dev			# to fuzz
	python3 gnuplot-nox			# figures and plots of benchmarks
)
case $(host_arch) in
x86_64)	PACKAGES+=(gcc-12-aarch64-linux-gnu) ;;
arm64)	PACKAGES+=(gcc-12-x86-64-linux-gnu) ;;
esac
LATER=(chromium-headless-shell)			# selftests/page/test.sh
case ${1:-} in
--first) ;;
'')	PACKAGES+=("${LATER[@]}") ;;
*)	PACKAGES=("$@") ;;
esac

installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${PACKAGES[@]}"; do
	installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

command=(apt-get install -y --no-install-recommends "${missing[@]}")
[ "$(id -u)" -eq 0 ] ||
	die "missing packages, run this first: sudo ${command[*]}"
say "  installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
# Another test may be installing packages
command+=(-o DPkg::Lock::Timeout=600)
# The package lists may be missing or too old.
"${command[@]}" >"$log" 2>&1 </dev/null ||
	{ apt-get update -q && "${command[@]}"; } >"$log" 2>&1 </dev/null ||
	die "cannot install ${missing[*]}: $(grep -m1 '^E:' "$log" || tail -n1 "$log")"
