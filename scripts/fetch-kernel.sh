#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch-kernel.sh ROW ARCH
#
# Bring one kernel of kernels.tbl into the cache: image, modules, headers that
# build modules (with BTF) and the image's BTF. A row that is complete costs no
# network; OBJTRACE_REFRESH=1 looks for a newer one.
#
# kernels/ROW-ARCH/vmlinuz	boots
#		   modules/	lib/modules/RELEASE, depmod done
#		   headers/	usr/src/..., for `make -C`
#		   btf		raw BTF, what /sys/kernel/btf/vmlinux holds
#		   meta		package=, version=, release=, kdir=, cc=, layout=

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

# The newest image of the row's series that has headers beside it, as
# "release version".
newest_image() {	# newest_image PACKAGES
	awk -v series="$ROW_SERIES" -v flavour="$ROW_FLAVOUR" '
		{ version[$1] = $2 }
		END {
			for (name in version) {
				release = name
				if (!sub(/^linux-image-/, "", release) ||
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
		}' "$1" | sort -V -k2,2 | tail -n1
}

# Names of the common headers and the kbuild tools that a headers package needs.
header_needs() {	# header_needs PACKAGES RELEASE
	awk -v p="linux-headers-$2" '$1 == p {
		for (i = 3; i <= NF; i++)
			if ($i ~ /^linux-(headers-.*-common|kbuild-)/) print $i
	}' "$1"
}

version_of() {	# version_of PACKAGES NAME
	awk -v p="$2" '$1 == p { print $2 }' "$1" | sort -V | tail -n1
}

# kbuild's tools run here, so they are of this machine's architecture whatever
# the kernel's is.
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
	local tree=$3/image
	fetch_into "$tree" "linux-image-$1:$DEB_ARCH=$2"
	mv "$tree/boot/vmlinuz-$1" "$3/vmlinuz"
	mkdir -p "$3/modules/lib"
	mv "$tree/lib/modules" "$3/modules/lib/modules"
	rm -rf "$tree"
	depmod -b "$3/modules" "$1"
}

# kbuild gives a module BTF only where it finds a vmlinux to base it on, and
# only its .BTF section is looked at.
give_base_btf() {	# give_base_btf TMP KDIR
	"$TOP/scripts/extract-btf.pl" "$1/vmlinuz" >"$1/btf"
	if [ -e "$2/vmlinux" ]; then return; fi
	printf '.section .BTF, "a"\n.incbin "%s"\n' "$1/btf" |
		"$(cross_prefix "$ARCH")as" -o "$2/vmlinux" -
}

# Which members struct event_command has, see kernels.tbl.
observed_layout() {	# observed_layout BTF
	local members
	members=$(pahole -C event_command "$1" 2>/dev/null)
	case $members in
	*"(*get_trigger_ops)"*)	echo split ;;
	*"(*trigger)("*)	echo merged ;;
	*)			echo unknown ;;
	esac
}

fetch() {	# fetch: make TMP, publish it as DIR
	local image release version
	apt_packages "$ROW_SUITE" "$DEB_ARCH" >"$TMP/packages"
	image=$(newest_image "$TMP/packages")
	[ -n "$image" ] || die "$ROW_SUITE has no $ROW_SERIES image of flavour $ROW_FLAVOUR"
	read -r release version <<<"$image"
	if [ "$(sed -n 's/^version=//p' "$DIR/meta" 2>/dev/null)" = "$version" ]; then return; fi
	say "  fetching linux-image-$release $version"
	unpack_image "$release" "$version" "$TMP"
	unpack_headers "$release" "$TMP" "$DIR"
	give_base_btf "$TMP" "$TMP/headers/usr/src/linux-headers-$release"
	rm -f "$TMP/packages" "$TMP/packages.host"
	cat >"$TMP/meta" <<-EOF
	package=linux-image-$release
	version=$version
	release=$release
	kdir=$DIR/headers/usr/src/linux-headers-$release
	cc=$ROW_CC
	layout=$(observed_layout "$TMP/btf")
	EOF
	publish "$TMP" "$DIR"
}

[ $# -eq 2 ] || die "usage: fetch-kernel.sh ROW ARCH"
ARCH=$(arch_name "$2")
row_load "$1" "$ARCH"
cache_init
DEB_ARCH=$(deb_arch "$ARCH")
DIR=$(kernel_dir "$1" "$ARCH")
TMP=$DIR.new

if [ ! -e "$DIR/meta" ] || [ -n "${OBJTRACE_REFRESH:-}" ]; then
	lock apt
	if [ ! -e "$DIR/meta" ] || [ -n "${OBJTRACE_REFRESH:-}" ]; then
		rm -rf "$TMP"
		mkdir -p "$TMP"
		apt_ready
		fetch
		rm -rf "$TMP"
	fi
fi
say "  kernel $1 $ARCH: $(meta "$1" "$ARCH" package) $(meta "$1" "$ARCH" version)"
