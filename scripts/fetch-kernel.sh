#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-kernel.sh ROW ARCH
#
# Fetch one kernel of kernels.tbl into the cache: the image, its BTF, the modules, and headers
# that build modules with BTF. If the cache has the kernel, the script needs no network.
# OBJTRACE_REFRESH=1 looks for a newer kernel. build-kernel.sh builds a kernel of own-kernels.tbl.
#
# kernels/ROW-ARCH/vmlinuz	boots
#		   modules/	lib/modules/RELEASE, depmod done
#		   headers/	usr/src/..., for `make -C`
#		   btf		raw BTF, as in /sys/kernel/btf/vmlinux
#		   meta		package=, version=, release=, kdir=, cc=, layout=

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

# Print "release version" of each image that is in the row's series and has headers, newest
# first. Debian signs images later, so the newest image may be unsigned.
images() {	# images PACKAGES
	awk -v series="$ROW_SERIES" -v flavour="$ROW_FLAVOUR" '
		{ version[$1] = $2 }
		END {
			for (name in version) {
				release = name
				if (!sub(/^linux-(image|binary|binary-unsigned)-/, "", release) ||
				    index(release, series ".") != 1)
					continue
				tail = substr(release, length(release) - length(flavour))
				middle = substr(release, length(series) + 2)
				middle = substr(middle, 1, length(middle) - length(flavour) - 1)
				# "+deb12" and "0-50", but no "-cloud", "-rt"
				if (tail != "-" flavour || middle ~ /[a-z]-|-[a-z]/)
					continue
				if (("linux-headers-" release) in version)
					print release, version[name]
			}
		}' "$1" | sort -u | sort -rV -k2,2
}

# Print the packages of an image, as apt_fetch takes them. A newer image has two packages.
image_specs() {	# image_specs PACKAGES RELEASE VERSION
	awk -v release="$2" -v version="$3" -v arch="$DEB_ARCH" '
		$2 == version { there[$1] }
		function spec(name) { print name ":" arch "=" version }
		END {
			if (!(("linux-modules-" release) in there)) {
				spec("linux-image-" release)
				exit
			}
			spec("linux-modules-" release)
			signed = "linux-binary-" release
			spec(signed in there ? signed : "linux-binary-unsigned-" release)
		}' "$1"
}

# Print the packages of common headers and kbuild tools that a headers package needs.
header_needs() {	# header_needs PACKAGES RELEASE
	awk -v p="linux-headers-$2" '$1 == p {
		for (i = 3; i <= NF; i++)
			if ($i ~ /^linux-(headers-.*-common|kbuild-)/) print $i
	}' "$1"
}

version_of() {	# version_of PACKAGES NAME
	awk -v p="$2" '$1 == p { print $2 }' "$1" | sort -V | tail -n1
}

# kbuild's tools run on this machine, so they are for its architecture, and not for the
# kernel's.
unpack_headers() {	# unpack_headers RELEASE TMP FINAL
	local need specs=() host
	host=$(dpkg --print-architecture)
	specs+=("linux-headers-$1:$DEB_ARCH=$(version_of "$TMP/packages" "linux-headers-$1")")
	apt_packages "$ROW_SUITE" "$host" >"$TMP/packages.host"
	for need in $(header_needs "$TMP/packages" "$1"); do
		specs+=("$need:$host=$(version_of "$TMP/packages.host" "$need")")
	done
	fetch_into "$2/headers" "${specs[@]}"
	# The packages expect to be installed in /usr/src.
	sed -i "s#/usr/src/#$3/headers/usr/src/#" "$2/headers/usr/src/linux-headers-$1/Makefile"
}

fetch_into() {	# fetch_into DIR SPEC...
	local dir=$1 files file
	shift
	files=$(apt_fetch "$@")
	mkdir -p "$dir"
	for file in $files; do dpkg -x "$file" "$dir"; done
}

unpack_image() {	# unpack_image RELEASE VERSION TMP
	local tree=$3/image specs file
	mapfile -t specs < <(image_specs "$3/packages" "$1" "$2")
	fetch_into "$tree" "${specs[@]}"
	mkdir -p "$3/modules/lib"
	for file in "$tree/boot/vmlinuz-$1" "$tree/usr/lib/modules/$1"/vmlinuz{,.unsigned}; do
		if [ -e "$file" ]; then mv "$file" "$3/vmlinuz"; fi
	done
	for file in "$tree/lib/modules" "$tree/usr/lib/modules"; do
		if [ -e "$file" ]; then mv "$file" "$3/modules/lib/modules"; fi
	done
	rm -rf "$tree"
	[ -e "$3/vmlinuz" ] || die "${specs[*]} has no vmlinuz"
	# Some series have these lists in another package. depmod uses them only to sort modules.
	touch "$3/modules/lib/modules/$1"/modules.{order,builtin,builtin.modinfo}
	depmod -b "$3/modules" "$1"
	"$TOP/scripts/kernel-image.py" btf "$3/vmlinuz" >"$3/btf"
}

# Make a vmlinux with a .BTF section and nothing else. Without a vmlinux, kbuild gives a module
# no BTF; of a vmlinux, it reads only this section.
give_base_btf() {	# give_base_btf TMP KDIR
	if [ -e "$2/vmlinux" ]; then return; fi
	printf '.section .BTF, "a"\n.incbin "%s"\n' "$1/btf" |
		"$(cross_prefix "$ARCH")as" -o "$2/vmlinux" -
}

# Whether the row accepts a kernel with this layout. The row accepts an unknown layout, so that
# its checks fail.
has_layout() {	# has_layout RELEASE LAYOUT
	case $2 in
	"$ROW_LAYOUT"|unknown)	return 0 ;;
	esac
	say "  skipping linux-image-$1: its struct event_command is $2"
	return 1
}

# Print the layout of an image if another row fetched it, because unpacking an image takes ten
# seconds.
known_layout() {	# known_layout RELEASE VERSION
	grep -l -x -F "package=linux-image-$1" "$CACHE"/kernels/*-"$ARCH"/meta 2>/dev/null |
		xargs -r grep -l -x -F "version=$2" | sed -n 1p | xargs -r sed -n 's/^layout=//p' || true
}

# Choose the newest image that the row accepts, set RELEASE, VERSION and LAYOUT, and unpack the
# image in TMP. If DIR already has this image, set RELEASE to nothing. An exit status could not
# report that: bash ignores "set -e" in a function that is called in a condition.
choose_image() {
	while read -r RELEASE VERSION <&3; do
		if [ "$(sed -n 's/^version=//p' "$DIR/meta" 2>/dev/null)" = "$VERSION" ]; then
			RELEASE=
			return
		fi
		LAYOUT=$(known_layout "$RELEASE" "$VERSION")
		if [ -n "$LAYOUT" ] && ! has_layout "$RELEASE" "$LAYOUT"; then continue; fi
		say "  fetching linux-image-$RELEASE $VERSION"
		unpack_image "$RELEASE" "$VERSION" "$TMP"
		LAYOUT=$(observed_layout "$TMP/btf")
		if has_layout "$RELEASE" "$LAYOUT"; then return; fi
		rm -rf "$TMP/modules"
	done 3< <(images "$TMP/packages")
	die "$ROW_SUITE no longer has a $ROW_SERIES kernel of flavour $ROW_FLAVOUR with headers and with struct event_command $ROW_LAYOUT; change row $ROW of ${KERNELS_TBL#"$TOP/"}"
}

fetch() {	# fetch: make TMP, publish it as DIR
	apt_packages "$ROW_SUITE" "$DEB_ARCH" >"$TMP/packages"
	choose_image
	if [ -z "$RELEASE" ]; then return; fi
	unpack_headers "$RELEASE" "$TMP" "$DIR"
	give_base_btf "$TMP" "$TMP/headers/usr/src/linux-headers-$RELEASE"
	rm -f "$TMP/packages" "$TMP/packages.host"
	cat >"$TMP/meta" <<-EOF
	package=linux-image-$RELEASE
	version=$VERSION
	release=$RELEASE
	kdir=$DIR/headers/usr/src/linux-headers-$RELEASE
	cc=$ROW_CC
	layout=$LAYOUT
	EOF
	publish "$TMP" "$DIR"
}

[ $# -eq 2 ] || die "usage: fetch-kernel.sh ROW ARCH"
ARCH=$(arch_name "$2")
ROW=$1
row_load "$ROW" "$ARCH"
cache_init
DEB_ARCH=$(deb_arch "$ARCH")
DIR=$(kernel_dir "$ROW" "$ARCH")
TMP=$DIR.new

# own-kernel.sh fills the row of a kernel that KDIR names
if [ -n "$ROW_FRAGMENTS" ]; then
	"$TOP/scripts/build-kernel.sh" "$ROW" "$ARCH"
elif [ "$ROW_SUITE" != own ] && { [ ! -e "$DIR/meta" ] || [ -n "${OBJTRACE_REFRESH:-}" ]; }; then
	lock apt
	if [ ! -e "$DIR/meta" ] || [ -n "${OBJTRACE_REFRESH:-}" ]; then
		trap 'rm -rf "$TMP"' EXIT
		rm -rf "$TMP"
		mkdir -p "$TMP"
		apt_ready
		fetch
	fi
fi
say "  kernel $ROW $ARCH: $(meta "$ROW" "$ARCH" package) $(meta "$ROW" "$ARCH" version), $(meta "$ROW" "$ARCH" layout)"
